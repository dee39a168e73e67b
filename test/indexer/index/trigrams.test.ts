import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TrigramCollector } from "../../../indexer/index/word-tables.ts";
import { collectGrams } from "../../../indexer/parse/grams.ts";
import { textOfKey } from "../../../src/core/bytes/key.ts";
import { decodeTrigram } from "../../../src/core/format/word-tables.ts";
import { foldCase } from "../../../src/core/text/normalize.ts";
import { gramOf, visitGrams } from "../../../src/core/text/word-keys.ts";

const anyText = fc
  .array(
    fc.oneof(fc.constantFrom("word", "Z9_", "zzz", "___", "000", " ", "é", "日本", "-"), fc.string({ maxLength: 4 })),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(""));

function keysOf(text: string): Set<string> {
  const keys = new Set<string>();
  visitGrams(foldCase(text), (...gram) => keys.add(gramOf(...gram)));
  return keys;
}

/** The table as it would be without any shortcut: key to documents. */
function tableOf(texts: readonly string[]): Map<string, number[] | "common"> {
  const table = new Map<string, number[]>();
  for (const [number, text] of texts.entries()) {
    for (const key of keysOf(text)) table.set(key, [...(table.get(key) ?? []), number]);
  }
  return new Map([...table].map(([key, list]) => [key, list.length * 3 > texts.length ? "common" : list]));
}

describe("the grams of documents", () => {
  it("become one entry each, with the documents that hold them", () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 12 }), (texts) => {
        const collector = new TrigramCollector();
        for (const [number, text] of texts.entries()) collector.add({ number, grams: collectGrams(text) });
        const found = collector.finish().map(({ key, value }) => {
          const documents = decodeTrigram(value);
          return [textOfKey(key), documents === "common" ? documents : Array.from(documents)] as const;
        });
        expect(found).toHaveLength(new Set(found.map(([key]) => key)).size);
        expect(new Map(found)).toEqual(tableOf(texts));
      }),
    );
  });

  it("do not depend on the document before", () => {
    const first = collectGrams("one two three");
    collectGrams("something else entirely");
    expect(collectGrams("one two three")).toEqual(first);
  });

  it("of ASCII are numbers, the others texts", () => {
    const { ascii, others } = collectGrams("install größe 日本");
    expect(ascii).toHaveLength(5);
    expect(others).toEqual(["größ", "röße", "öße", "日本"]);
    expect(collectGrams("").ascii).toHaveLength(0);
  });
});
