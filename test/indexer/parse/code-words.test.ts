import { describe, expect, it } from "vitest";
import { findCodeWords } from "../../../indexer/parse/code-words.ts";

describe("names in a page", () => {
  it("are inline code as it stands, and identifiers with the names before them in code blocks, by line", () => {
    const text = [
      "Use `Store.open()` and ``a `b` c``.",
      "```ts",
      "store.items.push(x);",
      "```",
      "Plain words, `x`.",
    ].join("\n");
    expect(findCodeWords(text)).toEqual([
      { text: "Store.open()", line: 1, isInline: true },
      { text: "store.items.push", line: 3 },
    ]);
  });

  it("are found behind a fence that is closed by longer marks, and in quotes", () => {
    const text = ["> ~~~", "> inBlock", "> ~~~~", "> `Named`"].join("\n");
    expect(findCodeWords(text)).toEqual([
      { text: "inBlock", line: 2 },
      { text: "Named", line: 4, isInline: true },
    ]);
  });

  it("are bounded in number and length", () => {
    expect(findCodeWords("`abc` ".repeat(3) + "`".concat("x".repeat(200), "`"))).toEqual([
      { text: "abc", line: 1, isInline: true },
    ]);
    expect(findCodeWords("`abc`\n".repeat(9_000)).length).toBe(5_000);
  });

  it("of blocks are marked where the line declares or imports them", () => {
    const lines = [
      "const s = openStore();",
      "const { get, put } = makeAll();",
      "def close_all():",
      'import { Lamp } from "lamps";',
      "Lamp.open();",
    ];
    const words = findCodeWords(["```", ...lines, "```", "`const inline = 1`"].join("\n"));
    expect(words.flatMap(({ text, isDeclared }) => (isDeclared === true ? [text] : []))).toEqual([
      ...["get", "put", "close_all"],
      ...["import", "Lamp", "from", "lamps"],
    ]);
  });
});
