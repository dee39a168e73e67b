import { describe, expect, it } from "vitest";
import { link, placedEdgesOf } from "../../support/code-files.ts";
import { BROKEN, edges, LAMPS, outline, read, readBroken } from "./components.ts";

const CARD_VUE = `<script setup lang="ts">
defineProps<{ label: string; pageSize?: number }>();
</script>
<template><b>{{ label }}</b></template>
`;

describe("vue", () => {
  it("give symbols where they stand, two of one file as one module, and the component that the module exports", async () => {
    const text = `<template><p>{{ total }}</p></template>
<script lang="ts">export interface Lamp { id: number }</script><script setup lang="ts">
const { lamps } = defineProps<{ lamps: Lamp[] }>(); const model = defineModel<string>("open");
function total() {}</script>
<style>a { color: red }</style>`;
    expect(await outline("src/my-list.vue", text)).toEqual([
      "1 class MyList",
      "2 interface Lamp",
      "2 property Lamp.id",
      "3 property MyList.lamps",
      "3 constant lamps",
      "3 property MyList.open",
      "3 constant model",
      "4 function total",
    ]);
    const { code } = await read("src/my-list.vue", text);
    expect(code.symbols[0]).toMatchObject({ signature: "component MyList(lamps, open)", exportedAs: ["default"] });
    expect(code.symbols[7]?.at).toEqual({ line: 4, column: 10 });
  });

  it("have options whose members are those of the component", async () => {
    const text = `<script>
export default defineComponent({
  name: "Lamp", props: { label: String, size: { type: Number } },
  data() { return { count: 0 } },
  computed: { total() { return this.count + this.size } }, methods: { save() { this.total } },
})
</script>
<template><a @click="save">{{ label }} {{ count }} {{ unknown }}</a></template>`;
    expect(await edges({ "Lamp.vue": text })).toEqual([
      "5:37 reads receiver Lamp.vue#Lamp.count",
      "5:50 reads receiver Lamp.vue#Lamp.size",
      "5:85 reads receiver Lamp.vue#Lamp.total",
      "8:22 reads scope Lamp.vue#Lamp.save",
      "8:31 reads scope Lamp.vue#Lamp.label",
      "8:43 reads scope Lamp.vue#Lamp.count",
    ]);
  });

  it("uses components, properties and what scripts declare, and hides what loops and slots declare", async () => {
    const text = `<script setup lang="ts">
import { store, type Lamp } from "./lamps";
import Card from "./Card.vue";
const lamps: Lamp[] = [];
const at = 1;
</script>
<template>
  <card v-for="(lamp, at) in lamps" :key="at" :page-size="lamp.id" label="x" />
  <Card #default="{ store }" @click="store.add($event)">{{ store }} {{ at }}</Card>
  <p v-pre>{{ at }}</p><!-- {{ at }} -->
</template>`;
    expect(await edges({ "App.vue": text, "lamps.ts": LAMPS, "Card.vue": CARD_VUE })).toEqual([
      "4:14 type scope lamps.ts#Lamp",
      "8:30 reads scope App.vue#lamps",
      "8:64 reads receiver lamps.ts#Lamp.id",
      "9:4 instantiates scope Card.vue#Card",
      "9:38 reads scope lamps.ts#store",
      "9:44 calls receiver lamps.ts#Store.add",
      "9:72 reads scope App.vue#at",
    ]);
  });

  it("knows components by both of their names, and elements of HTML by neither", async () => {
    const text = `<script setup>
import PageCard from "./Card.vue";
import button from "./lamps";
import draggable from "./Card.vue";
</script>
<template><page-card :label="1"/><PageCard v-model:page-size="a"/><draggable/><section/></template>`;
    expect(await edges({ "App.vue": text, "lamps.ts": LAMPS, "Card.vue": CARD_VUE })).toEqual([
      "6:12 instantiates scope Card.vue#Card",
      "6:23 writes receiver Card.vue#Card.label",
      "6:35 instantiates scope Card.vue#Card",
      "6:52 writes receiver Card.vue#Card.pageSize",
      "6:68 instantiates scope Card.vue#Card",
    ]);
  });

  it("reads refs of scripts that are setup, and values of attributes that are no properties", async () => {
    const script = `import Card from "./Card.vue"; const box = 1;`;
    const template = `<template><p ref="box"/><Card :aria-label="box"/></template>`;
    const sources = { "App.vue": `<script setup>${script}</script>\n${template}`, "Card.vue": CARD_VUE };
    expect(await edges(sources)).toEqual([
      "2:19 reads scope App.vue#box",
      "2:26 instantiates scope Card.vue#Card",
      "2:44 reads scope App.vue#box",
    ]);
  });

  it("is left out in another language, and scripts in files of their own are imported", async () => {
    const text = `<template lang="pug">\np {{ show }}\n</template>\n<script src="./lamps.ts"></script>`;
    const linked = link([await read("A.vue", text), await read("lamps.ts", LAMPS)]);
    expect(placedEdgesOf(linked, "A.vue")).toEqual(["4:13 imports scope lamps.ts"]);
  });

  it.each(BROKEN)("gives what can be read of %j without end, or an error", async (piece) => {
    await readBroken("a.vue", piece);
  });
});
