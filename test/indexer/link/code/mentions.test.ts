import { describe, expect, it } from "vitest";
import { codeFile, EXPORTED, findingsOf, link } from "../../../support/code-files.ts";

const files = [
  codeFile("src/store.ts", (file) => {
    file.symbol("class", "Store", EXPORTED);
    file.symbol("method", "open", { parent: 0 });
    file.symbol("class", "DiskStore", EXPORTED);
    file.symbol("method", "flush", { parent: 2 });
    file.use("extends", { kind: "symbol", symbol: 0 }, [], 2);
    file.symbol("class", "Widget", EXPORTED);
    file.symbol("method", "draw", { parent: 4 });
    file.use("extends", { kind: "free", name: "HTMLElement" }, [], 4);
    file.symbol("function", "hidden");
    file.symbol("constant", "settings", EXPORTED);
  }),
  codeFile("c/lamp.c", (file) => file.symbol("function", "light_lamp", EXPORTED)),
  codeFile("c/lamp.h", (file) => file.symbol("function", "light_lamp", { ...EXPORTED, isPrototype: true })),
  codeFile("src/one.ts", (file) => file.symbol("function", "parse", EXPORTED)),
  codeFile("src/two.ts", (file) => file.symbol("function", "parse", EXPORTED)),
];

/** What words of one section lead to, as `word -> path`, and the findings. */
function mention(...texts: readonly string[]) {
  const words = texts.map((text, at) => {
    const isInline = text.startsWith("inline ");
    const name = text.replace("inline ", "");
    return { nodeId: "docs:guide.md#use", text: name, line: at + 1, ...(isInline && { isInline: true as const }) };
  });
  const linked = link(files, [], { pages: [{ collection: "docs", path: "guide.md", words }] });
  const mentions = linked.mentions.map(
    ({ text, file, symbol }) => `${text} -> ${linked.files[file]?.symbols[symbol]?.path}`,
  );
  return { mentions, findings: findingsOf(linked) };
}

describe("mentions", () => {
  it("are names of exactly one exported symbol and names behind their container", () => {
    const { mentions, findings } = mention(
      "Store",
      "Store.open()",
      "Widget#draw(x, y)",
      "DiskStore::flush",
      "store.DiskStore",
      "parse",
      "hidden",
      "npm install Store",
      "settings.json",
    );
    expect(mentions).toEqual([
      "Store -> Store",
      "Store.open() -> Store.open",
      "Widget#draw(x, y) -> Widget.draw",
      "Widget#draw(x, y) -> Widget",
      "DiskStore::flush -> DiskStore.flush",
      "store.DiskStore -> DiskStore",
    ]);
    expect(findings).toEqual([]);
  });

  it("name a definition where its prototype has the name, too", () => {
    expect(mention("light_lamp").mentions).toEqual(["light_lamp -> light_lamp"]);
  });

  it("find members of bases, and stand once in a section", () => {
    expect(mention("DiskStore.open", "Store.open", "`Store`", "Store", "Store").mentions).toEqual([
      "DiskStore.open -> Store.open",
      "DiskStore.open -> DiskStore",
      "Store -> Store",
    ]);
  });

  it("lead to the container of a member behind it, be the member there or not", () => {
    expect(mention("Store.open", "Store.opn", "Widget.focus").mentions).toEqual([
      "Store.open -> Store.open",
      "Store.open -> Store",
      "Widget.focus -> Widget",
    ]);
    // What names the container itself says more.
    expect(mention("Store.open", "Store").mentions).toEqual(["Store.open -> Store.open", "Store -> Store"]);
    expect(mention("settings.json", "settings.open").mentions).toEqual([]);
  });

  it("are no names of files, be they there or not", () => {
    expect(mention("Store.ts", "DiskStore.py", "Store.test.ts", "Widget.vue")).toEqual({ mentions: [], findings: [] });
    expect(mention("Store.close").findings).toHaveLength(1);
  });

  it("report a member that its container does not have, unless a base outside may have it", () => {
    expect(mention("Store.opn", "DiskStore.close()", "Widget.focus", "Store.opn").findings).toEqual([
      'missing-symbol guide.md: names "Store.opn", which the code does not have; the nearest is "open"',
      'missing-symbol guide.md: names "DiskStore.close", which the code does not have',
    ]);
  });
});
