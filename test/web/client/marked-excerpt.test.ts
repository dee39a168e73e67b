import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ExcerptPart } from "../../../src/core/search/answer.ts";
import { cleanText, escapeHtml } from "../../../src/surface/render/text.ts";
import { tidyParts } from "../../../src/web/client/search-client.ts";
import { readMarked } from "../../../src/web/client/worker-client.ts";
import { runs } from "../../support/runs.ts";

/** As the Worker writes an excerpt. */
function render(parts: readonly ExcerptPart[]): string {
  return parts
    .map(({ text, marked }) => {
      const escaped = escapeHtml(cleanText(text).text);
      return marked ? `<mark>${escaped}</mark>` : escaped;
    })
    .join("");
}

/** Texts in which what is escaped, and what looks like it, is frequent. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom("<mark>", "</mark>", "&amp;", "&#39;", "&lt;", "&", "<", ">", '"', "'", "\n", "‮", "é"),
      fc.string({ unit: "grapheme", maxLength: 6 }),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(""));
const anyParts = fc.array(fc.record({ text: anyText, marked: fc.boolean() }), { maxLength: 8 });

describe("excerpts of the Worker", () => {
  it("are the parts that they were written from, whatever these hold", () => {
    fc.assert(
      fc.property(anyParts, (parts) => {
        const clean = tidyParts(parts.map(({ text, marked }) => ({ text: cleanText(text).text, marked })));
        expect(readMarked(render(parts))).toEqual(clean);
        expect(render(readMarked(render(parts)))).toBe(render(parts).replaceAll("<mark></mark>", ""));
      }),
      { numRuns: runs(500) },
    );
  });

  it("stay text where they are not what the Worker writes", () => {
    expect(readMarked("a <b>&copy;</b> <mark>x")).toEqual([{ text: "a <b>&copy;</b> <mark>x", marked: false }]);
    expect(readMarked("<mark onclick=x>y</mark>")).toEqual([{ text: "<mark onclick=x>y</mark>", marked: false }]);
  });
});
