/** Components of Vue, Svelte and Astro: symbols of scripts where they stand, and what markup uses. */
import { describe, expect, it } from "vitest";
import type { LinkFile } from "../../../indexer/languages/base/language.ts";
import { loadParsers, parseCode } from "../../../indexer/parse/code/parse-code.ts";
import { codeFile, link, placedEdgesOf } from "../../support/code-files.ts";

async function read(path: string, text: string): Promise<LinkFile> {
  const parsed = parseCode({ path, text }, await loadParsers([path]), { ignoreKinds: [], stopKinds: [] });
  if (parsed === undefined) throw new Error(`${path} is no source file`);
  expect(parsed.file.diagnostics).toEqual([]);
  return { ...codeFile(path), code: parsed.file, sectionOf: (symbol) => parsed.sectionOf[symbol] ?? 0 };
}

/** Edges out of the first file to symbols of any, as `line:column kind tier file#symbol`; imports left out. */
async function edges(sources: Readonly<Record<string, string>>): Promise<string[]> {
  const files = await Promise.all(Object.entries(sources).map(([path, text]) => read(path, text)));
  const [first = ""] = Object.keys(sources);
  return placedEdgesOf(link(files), first).filter((edge) => edge.includes("#") && !edge.includes(" imports "));
}

/** The symbols of a file as `line kind container.name`. */
async function outline(path: string, text: string): Promise<string[]> {
  const { symbols } = (await read(path, text)).code;
  return symbols.map(({ at, kind, parent, name }) => {
    const container = parent < 0 ? "" : `${symbols[parent]?.name}.`;
    return `${at.line} ${kind} ${container}${name}`;
  });
}

const LAMPS = `export interface Lamp { id: number; label: string }
export class Store { add(lamp: Lamp): void {} }
export const store = new Store();
export function show(text: string): string { return text; }
`;
const CARD_VUE = `<script setup lang="ts">
defineProps<{ label: string; pageSize?: number }>();
</script>
<template><b>{{ label }}</b></template>
`;

describe("scripts", () => {
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

  it("keep the lines of the file in all forms of its ends", async () => {
    const text = "<script>\nlet a;\n</script>\n\n<p>{a}</p>\n";
    const own = await outline("A.svelte", text);
    expect(own).toEqual(["5 class A", "2 variable a"]);
    expect(await outline("A.svelte", text.replaceAll("\n", "\r\n"))).toEqual(own);
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

  it("in Svelte declare properties by export, by runes and by assignment", async () => {
    const legacy = `<script>export let label = ""; $: total = label.length; export function reset() {}</script>{total}`;
    expect(await outline("Old.svelte", legacy)).toEqual([
      "1 class Old",
      "1 variable Old.label",
      "1 variable total",
      "1 function Old.reset",
    ]);
    const runes = `<script>let { label, class: name, ...rest } = $props();</script>{label}`;
    expect(await outline("New.svelte", runes)).toEqual([
      "1 class New",
      "1 variable New.label",
      "1 variable name",
      "1 variable rest",
      "1 property New.class",
    ]);
  });
});

describe("markup of Vue", () => {
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

  it("is left out in another language, and scripts in files of their own are imported", async () => {
    const text = `<template lang="pug">\np {{ show }}\n</template>\n<script src="./lamps.ts"></script>`;
    const linked = link([await read("A.vue", text), await read("lamps.ts", LAMPS)]);
    expect(placedEdgesOf(linked, "A.vue")).toEqual(["4:13 imports scope lamps.ts"]);
  });
});

describe("markup of Svelte", () => {
  it("uses what scripts declare in blocks, directives and attributes", async () => {
    const text = `<script lang="ts">
  import { show, store, type Lamp } from "./lamps";
  import Card from "./Card.svelte";
  export let lamps: Lamp[];
  let open = false;
</script>
{#each lamps as { id, label }, open (id)}
  <Card {label} bind:size={open} />
{:else}{show(open)}{/each}
{#snippet row(lamp: Lamp)}<b use:show={lamp.label}>{lamps.length}</b>{/snippet}
{@render row(lamps[0])}
{#if open}<i class="a {show("}")}" on:click={() => store.add(lamps[0])} />{/if}`;
    const card = `<script>let { label, size } = $props();</script>{label}`;
    expect(await edges({ "App.svelte": text, "lamps.ts": LAMPS, "Card.svelte": card })).toEqual([
      "4:21 type scope lamps.ts#Lamp",
      "7:8 reads scope App.svelte#App.lamps",
      "7:19 reads receiver lamps.ts#Lamp.id",
      "7:23 reads receiver lamps.ts#Lamp.label",
      "8:4 instantiates scope Card.svelte#Card",
      "8:10 writes receiver Card.svelte#Card.label",
      "8:22 writes receiver Card.svelte#Card.size",
      "9:9 calls scope lamps.ts#show",
      "9:14 reads scope App.svelte#open",
      "10:21 type scope lamps.ts#Lamp",
      "10:34 calls scope lamps.ts#show",
      "10:45 reads receiver lamps.ts#Lamp.label",
      "10:53 reads scope App.svelte#App.lamps",
      "11:10 calls scope App.svelte#App.row",
      "11:14 reads scope App.svelte#App.lamps",
      "12:6 reads scope App.svelte#open",
      "12:24 calls scope lamps.ts#show",
      "12:52 reads scope lamps.ts#store",
      "12:58 calls receiver lamps.ts#Store.add",
      "12:62 reads scope App.svelte#App.lamps",
    ]);
  });

  it("reads stores by their name with a dollar, and runes by theirs", async () => {
    const text = `<script>import { store } from "./lamps"; let a = $state($store.size);</script>{$store} {$a} {$$slots}`;
    expect(await edges({ "App.svelte": text, "lamps.ts": LAMPS })).toEqual([
      "1:58 reads scope lamps.ts#store",
      "1:81 reads scope lamps.ts#store",
      "1:90 reads scope App.svelte#a",
    ]);
  });
});

describe("markup of Astro", () => {
  it("uses what the frontmatter declares, in expressions with markup in them, too", async () => {
    const text = `---
import Card from "./Card.astro";
import { show, type Lamp } from "./lamps";
const lamps: Lamp[] = [];
---
<!doctype html><br>
<p class={show("a")}>{lamps.map((lamp) => <li>It's <Card title={lamp.label} {...lamp}>{show("}")}</Card></li>)}</p>
<script>
  import { store } from "./lamps";
  const lamps = store;
  store.add(lamps);
</script>
<script type="application/json">{ "show": show( }</script>`;
    const card = `---\ninterface Props { title: string }\nconst { title } = Astro.props;\n---\n{title}`;
    expect(await edges({ "Page.astro": text, "lamps.ts": LAMPS, "Card.astro": card })).toEqual([
      "4:14 type scope lamps.ts#Lamp",
      "7:11 calls scope lamps.ts#show",
      "7:23 reads scope Page.astro#lamps",
      "7:53 instantiates scope Card.astro#Card",
      "7:58 writes receiver Card.astro#Props.title",
      "7:70 reads receiver lamps.ts#Lamp.label",
      "7:88 calls scope lamps.ts#show",
      "10:17 reads scope lamps.ts#store",
      "11:3 reads scope lamps.ts#store",
      "11:9 calls receiver lamps.ts#Store.add",
      "11:13 reads scope Page.astro#Page.lamps",
    ]);
  });

  it("keeps a class of the browser apart from the component of its name", async () => {
    const text = `<p/><script>class Tabs extends HTMLElement {}\ncustomElements.define("my-tabs", Tabs);</script>`;
    expect(await edges({ "Tabs.astro": text })).toEqual(["2:34 reads scope Tabs.astro#Tabs.Tabs"]);
  });
});

it.each([
  "<a b={",
  "{#if a}",
  "{{ a",
  "<A b={<A ",
  "<!-- ",
  "{`${",
  "<p :a='{",
  "<template ",
  "</b><b>",
  "<p v-for='  ",
])("components of %j without end give what could be read, or an error", async (piece) => {
  for (const path of ["a.vue", "a.svelte", "a.astro"]) {
    const parsers = await loadParsers([path]);
    const parse = (count: number) =>
      parseCode({ path, text: piece.repeat(count) }, parsers, { ignoreKinds: [], stopKinds: [] });
    expect(parse(1)?.file.symbols).toHaveLength(1);
    expect(parse(20)?.file.symbols.length).toBeGreaterThan(0);
    try {
      expect(parse(20_000)?.file.symbols.length).toBeGreaterThan(0);
    } catch (error) {
      expect(String(error)).toMatch(/nested deeper|call stack/);
    }
  }
});
