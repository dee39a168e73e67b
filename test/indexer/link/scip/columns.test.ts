/** Columns in other units against the obvious way: cut the text there and look how long it is. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toUtf16Column } from "../../../../indexer/link/scip/place-document.ts";

const line = fc.string({ unit: fc.constantFrom("a", " ", "é", "字", "📚"), maxLength: 12 });

describe("toUtf16Column", () => {
  it("finds each character by its bytes, units and code points", () => {
    fc.assert(
      fc.property(line, fc.nat(12), (text, count) => {
        const head = [...text].slice(0, count).join("");
        expect(toUtf16Column(text, Buffer.byteLength(head), "utf-8")).toBe(head.length);
        expect(toUtf16Column(text, head.length, "utf-16")).toBe(head.length);
        expect(toUtf16Column(text, [...head].length, "code-points")).toBe(head.length);
      }),
    );
  });

  it("knows no place behind the line and none inside of a character", () => {
    fc.assert(
      fc.property(line, fc.integer({ min: 1, max: 2 ** 40 }), (text, beyond) => {
        expect(toUtf16Column(text, Buffer.byteLength(text) + beyond, "utf-8")).toBeUndefined();
        expect(toUtf16Column(text, text.length + beyond, "utf-16")).toBeUndefined();
        expect(toUtf16Column(text, [...text].length + beyond, "code-points")).toBeUndefined();
      }),
    );
    expect([1, 2, 3].map((column) => toUtf16Column("📚", column, "utf-8"))).toEqual([undefined, undefined, undefined]);
  });
});
