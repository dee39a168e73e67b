import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makePhraseTest } from "../../../src/core/search/check-page.ts";
import { analyzeText, countsAsWord, ENGLISH } from "../../../src/core/text/analyze.ts";
import { flattenMarkup, stripMarkup } from "../../../src/core/text/markup.ts";
import { runs } from "../../support/runs.ts";

function termsOf(text: string): string[] {
  return analyzeText(text).flatMap(({ term, kind }) => (countsAsWord(kind) ? [term] : []));
}

/** The plain way: the terms of the whole text in order, compared at every place. */
function standSideBySide(text: string, terms: readonly string[]): boolean {
  const all = termsOf(text);
  return all.some((_, at) => terms.every((term, next) => all[at + next] === term));
}

/** Words that overlap themselves, identifiers, scripts without spaces, signs that belong to words or do not. */
const anyText = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom("a", "b", "walks", "walked", "the", "getUserName", "日本語", "l\u2019a"),
      },
      { weight: 2, arbitrary: fc.constantFrom(" ", "\n", "\t", "\u00a0", "\u2028", "\ufeff", "\u200b", "\u3000") },
      {
        weight: 2,
        arbitrary: fc.constantFrom(". ", "-", "--", "_", "@", "/", "**", "`", "&amp;", "\\_", "<b>", "\u0301"),
      },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.map((part) => (/^[\w\u2019]+$/.test(part) ? `${part} ` : part)).join(""));

describe("makePhraseTest", () => {
  it("finds terms in every text in which they stand side by side, and in no other", () => {
    fc.assert(
      fc.property(anyText, fc.nat(20), fc.integer({ min: 1, max: 4 }), anyText, (source, from, length, other) => {
        const ownTerms = termsOf(source).slice(from, from + length);
        for (const terms of [ownTerms, termsOf(other).slice(0, length)]) {
          if (terms.length === 0) continue;
          const forms = [stripMarkup(source, false), ...flattenMarkup(source, false)];
          const expected = forms.some((text) => standSideBySide(text, terms));
          expect(makePhraseTest(terms, ENGLISH)(source, undefined)).toBe(expected);
        }
      }),
      { numRuns: runs(2000) },
    );
  });

  it("finds a phrase of 32 words that begins inside another try, whatever texts it was asked before", () => {
    const words = Array.from({ length: 32 }, (_, n) => (n < 16 ? "a" : `b${n}`));
    const test = makePhraseTest(termsOf(words.join(" ")), ENGLISH);
    expect(test(`a a ${words.slice(0, -1).join(" ")}`, undefined)).toBe(false);
    expect(test(`a a ${words.join(" ")}`, undefined)).toBe(true);
    expect(test(words.slice(1).join(" "), undefined)).toBe(false);
  });

  it("finds the title of a page that frontmatter gives it, where it is told", () => {
    const test = makePhraseTest(termsOf("quick brown fox"), ENGLISH);
    const source = "---\ntitle: Quick Brown\n---\n\nFox jumps.\n";
    expect(test(source, "Quick Brown")).toBe(true);
    expect(test(source, "Brown")).toBe(false);
    expect(test("# Quick Brown\n\nJumps.\n", "Quick Brown")).toBe(false);
  });
});
