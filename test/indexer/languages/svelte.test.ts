import { describe, expect, it } from "vitest";
import { BROKEN, edges, LAMPS, outline, readBroken } from "./components.ts";

describe("svelte", () => {
  it("keep the lines of the file in all forms of its ends", async () => {
    const text = "<script>\nlet a;\n</script>\n\n<p>{a}</p>\n";
    const own = await outline("A.svelte", text);
    expect(own).toEqual(["5 class A", "2 variable a"]);
    expect(await outline("A.svelte", text.replaceAll("\n", "\r\n"))).toEqual(own);
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

  it.each(BROKEN)("gives what can be read of %j without end, or an error", async (piece) => {
    await readBroken("a.svelte", piece);
  });
});
