/** Tests of the hashes of parts of a text. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasherOf } from "../../../../indexer/parse/code/parse-tree.ts";

const anyText = fc
  .array(fc.constantFrom("a", "b", " ", "\t", "\n", "é", "😀"), { maxLength: 40 })
  .map((parts) => parts.join(""));

describe("the hash of a part", () => {
  it("is that of the same text elsewhere, without white space at the ends of lines", () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (before, part, behind) => {
        const body = `x${part}x`;
        const text = `${before}${body}${behind}`;
        const plain = body.replace(/[ \t]+$/gm, "");
        expect(hasherOf(text)(before.length, before.length + body.length)).toBe(hasherOf(plain)(0, plain.length));
      }),
    );
  });

  it("is another for another text", () => {
    const texts = Array.from({ length: 5_000 }, (_, index) => `function f${index}() { return ${index % 7}; }`);
    expect(new Set(texts.map((text) => hasherOf(text)(0, text.length))).size).toBe(texts.length);
  });
});
