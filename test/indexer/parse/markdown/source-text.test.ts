/**
 * Tests of the uniform source text: line ends, byte order mark, characters that no index can store.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeSource } from "../../../../indexer/parse/markdown/page-text.ts";
import { foldWhitespace } from "../../../../src/core/text/short-text.ts";

describe("normalizeSource", () => {
  it("takes away one byte order mark at the start and no other", () => {
    expect(normalizeSource("\ufeffa\ufeffb")).toBe("a\ufeffb");
  });

  it("makes every line end a newline and a lone carriage return a space", () => {
    expect(normalizeSource("a\r\nb\nc\rd\r\r\ne")).toBe("a\nb\nc d \ne");
  });

  it("replaces NUL characters and lone surrogates, and keeps pairs", () => {
    expect(normalizeSource("a\0b\ud800c\udc00d😀")).toBe("a\ufffdb\ufffdc\ufffdd😀");
  });

  it("keeps the number of newlines of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(normalizeSource(text).split("\n").length).toBe(text.split("\n").length);
      }),
    );
  });
});

describe("foldWhitespace", () => {
  it("puts text on one line with single spaces", () => {
    expect(foldWhitespace("  a \n\t b\u00a0c ")).toBe("a b c");
  });
});
