import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TermNumbers } from "../../../indexer/index/compact-lists.ts";
import { SpellingCollector } from "../../../indexer/index/word-tables.ts";
import { decodeSpelling, keysOfWord } from "../../../src/core/format/word-tables.ts";
import { foldText } from "../../../src/core/text/normalize.ts";
import { visitTokens } from "../../../src/core/text/tokenize.ts";
import { isSpellable } from "../../../src/core/text/word-keys.ts";
import type { Pages } from "../../support/build-index.ts";
import { preparePages } from "../../support/prepare-pages.ts";
import { runs } from "../../support/runs.ts";
import { anyPages } from "../../support/small-corpora.ts";

function countsOf(pages: Pages): Record<string, number> {
  const terms = new TermNumbers();
  const collector = new SpellingCollector(terms);
  for (const document of preparePages(pages)) collector.add(document, terms.count(document.inverted.terms));
  const entries = collector.finish();
  const counts = decodeSpelling(entries.map(({ key, value }) => [key, value]));
  expect(entries.map(({ key }) => key).sort()).toEqual([...counts.keys()].flatMap(keysOfWord).sort());
  return Object.fromEntries(counts);
}

/** By brute force: the words of each page, its path without the ending, each once. */
function countPlainly(pages: Pages): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [path, text] of Object.entries(pages)) {
    const words = new Set<string>();
    const visible = text.replace(/^---$|^tags:.*$|^description:/gm, "");
    for (const part of [visible, path.replace(/\.md$/, "").replaceAll("/", " / ")]) {
      visitTokens(part, (token) => words.add(foldText(token)));
    }
    for (const word of words) if (isSpellable(word)) counts[word] = (counts[word] ?? 0) + 1;
  }
  return Object.fromEntries(
    Object.entries(counts).map(([word, count]) => [word, 2 ** Math.floor(Math.log2(count) + 1 / 16)]),
  );
}

const repeat = (count: number, text: (n: number) => string): Pages =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${String(n).padStart(5, "0")}.md`, text(n)]));

describe("SpellingCollector", () => {
  it("gives the words that a plain count gives, with their documents in powers of 2", () => {
    fc.assert(
      fc.property(anyPages, (pages) => {
        expect(countsOf(pages)).toEqual(countPlainly(pages));
      }),
      { numRuns: runs(40) },
    );
  });

  it("keeps words as they are written, folded and not stemmed", () => {
    const words = Object.keys(countsOf({ "a.md": "# Routing\n\nConfigurations, Café getUserName\n" }));
    for (const word of ["routing", "configurations", "cafe", "getusername", "user", "name"])
      expect(words).toContain(word);
    for (const word of ["rout", "configur", "café"]) expect(words).not.toContain(word);
  });

  it("leaves out what nobody types letter by letter: short and long words, numbers, names with full stops", () => {
    const words = Object.keys(
      countsOf({ "x.md": `ab abc v12 snake_case.py 1234 ${"y".repeat(32)} ${"z".repeat(33)}\n` }),
    );
    expect(words.sort()).toEqual(["abc", "case", "snake", "y".repeat(32)].sort());
  });

  it("rounds numbers of documents down to powers of 2", () => {
    for (const [documents, count] of [
      [1, 1],
      [2, 2],
      [3, 2],
      [4, 4],
      [100, 64],
    ]) {
      expect(countsOf(repeat(documents as number, () => "lamp\n"))["lamp"]).toBe(count);
    }
  });

  it("leaves out words of one document where there are two thousand, but for those of titles", () => {
    const pages = (count: number): Pages => repeat(count, (n) => (n === 0 ? "# Named\n\nlamp odd\n" : "lamp\n"));
    expect(countsOf(pages(1999))).toHaveProperty("odd");
    expect(countsOf(pages(2000))).not.toHaveProperty("odd");
    expect(countsOf(pages(2000))).toHaveProperty("lamp");
    expect(countsOf(pages(2000))).toHaveProperty("named");
  });
});
