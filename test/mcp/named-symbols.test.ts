import { describe, expect, it } from "vitest";
import { ask, askJson } from "./tools/workshop.ts";

describe("search_documents", () => {
  it("says which symbols a section of a page names, by their lines, each once", async () => {
    const { text } = await ask("search_documents", { query: "keep lamps", collection: "docs" });
    expect(text).toContain("names code:src/store/store.ts#Store, ");
    const { results } = await askJson("search_documents", { query: "keep lamps", collection: "docs" });
    const sections = (results as { sections: { nodeId: string; symbols?: string[] }[] }[]).flatMap(
      (one) => one.sections,
    );
    const keep = sections.find(({ nodeId }) => nodeId === "docs:index.md#keep-lamps");
    expect(keep?.symbols).toEqual([
      "code:src/store/store.ts#Store",
      "code:src/store/store.ts#openStore",
      "code:src/store/store.ts#Store.find",
    ]);
    expect(sections.find(({ nodeId }) => nodeId === "docs:upgrade.md#state")?.symbols ?? []).not.toContain(
      "code:src/store/store.ts#Store",
    );
  });

  it("names members alone, though they lead to their containers as well", async () => {
    const { results } = await askJson("search_documents", { query: "version 2 renames", collection: "docs" });
    const [upgrade] = (results as { id: string; sections: { symbols?: string[] }[] }[]).filter(
      ({ id }) => id === "docs:upgrade.md",
    );
    expect(upgrade?.sections[0]?.symbols).toEqual([
      "code:src/store/store.ts#Store",
      "code:src/store/store.ts#Store.find",
    ]);
    const { mentions } = await askJson("inspect", { symbol: "Store" });
    expect(mentions).toContainEqual({ nodeId: "docs:upgrade.md", text: "Store.get", line: 7 });
    expect((await ask("rename", { symbol: "Store", new_name: "Shop" })).text).toContain(
      "docs:upgrade.md line 7 Store.get",
    );
  });

  it("says nothing of the kind of source files and where excerpts are not shown", async () => {
    const { text } = await ask("search_documents", { query: "keep lamps", excerpts: 0 });
    expect(text).not.toContain("names ");
  });
});
