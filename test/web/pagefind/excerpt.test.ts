import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeHtml } from "../../../src/surface/render/text.ts";
import { cutExcerpt } from "../../../src/web/pagefind/one-index.ts";
import { runs } from "../../support/runs.ts";

type WeightedLocation = Parameters<typeof cutExcerpt>[1][number];

const WORDS = Array.from({ length: 100 }, (_, at) => `w${at}`);
const at = (location: number, balanced_score = 1): WeightedLocation => ({ weight: 1, balanced_score, location });
const cut = (locations: readonly WeightedLocation[], changes: object = {}): string =>
  cutExcerpt({ words: WORDS, joiner: " " }, locations, { length: 6, ellipsis: "", from: 0, to: 100, ...changes })
    .excerpt;

describe("an excerpt", () => {
  it("begins with the text where no word of the query stands in it", () => {
    expect(cut([])).toBe("w0 w1 w2 w3 w4 w5");
  });

  it("shows the place where the words stand densest, and some words around it", () => {
    expect(cut([at(3), at(50), at(52), at(90)])).toBe("w49 <mark>w50</mark> w51 <mark>w52</mark> w53 w54");
  });

  it("shows one place that is worth more than two others", () => {
    expect(cut([at(3), at(4), at(70, 9)])).toBe("w68 w69 <mark>w70</mark> w71 w72 w73");
  });

  it("stays inside its part of the page", () => {
    expect(cut([at(20)], { from: 20, to: 23 })).toBe("<mark>w20</mark> w21 w22");
    expect(cut([at(99)])).toBe("w94 w95 w96 w97 w98 <mark>w99</mark>");
  });

  it("says what was left out where that is asked for", () => {
    const ellipsis = { ellipsis: "…" };
    expect(cut([at(50)], ellipsis)).toBe("… w48 w49 <mark>w50</mark> w51 w52 w53 …");
    expect(cut([at(0)], ellipsis)).toBe("<mark>w0</mark> w1 w2 w3 w4 w5 …");
    expect(cut([at(99)], { ellipsis: "<" })).toMatch(/^&lt; w94/);
  });

  const hostile = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "<script>",
      "</mark>",
      "<mark>",
      "<img/src=x>",
      "&lt;",
      "&amp;lt;b>",
      "<!--",
      '"onload="',
      "<b",
      ">",
    ),
  );

  it("holds no tag but marks, whatever the page and the query are", () => {
    fc.assert(
      fc.property(
        fc.array(hostile, { minLength: 1, maxLength: 40 }),
        fc.array(fc.nat(39), { maxLength: 8 }),
        fc.integer({ min: 1, max: 50 }),
        hostile,
        (texts, places, length, ellipsis) => {
          const locations = [...new Set(places)].filter((one) => one < texts.length).sort((a, b) => a - b);
          const { excerpt, plain_excerpt: plain } = cutExcerpt(
            { words: texts.map(escapeHtml), joiner: " " },
            locations.map((one) => at(one)),
            { length, ellipsis, from: 0, to: texts.length },
          );
          expect(plain).not.toMatch(/[<>]/);
          const unmarked = excerpt.replaceAll("<mark>", "").replaceAll("</mark>", "");
          expect(unmarked.replace(/\s/g, "")).toBe(plain.replace(/\s/g, ""));
          expect(excerpt.split("<mark>").length).toBe(excerpt.split("</mark>").length);
          expect(excerpt).not.toMatch(/<mark>(?:(?!<\/mark>)[\s\S])*<mark>/);
        },
      ),
      { numRuns: runs(200) },
    );
  });
});
