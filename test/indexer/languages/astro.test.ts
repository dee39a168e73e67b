import { describe, expect, it } from "vitest";
import { BROKEN, edges, LAMPS, readBroken } from "./components.ts";

describe("astro", () => {
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

  it.each(BROKEN)("gives what can be read of %j without end, or an error", async (piece) => {
    await readBroken("a.astro", piece);
  });
});
