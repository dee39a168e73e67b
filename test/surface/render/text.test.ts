import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanJson, cleanLongText, cleanText, escapeHtml, foldLine } from "../../../src/surface/render/text.ts";

describe("cleanText", () => {
  it("leaves visible text, tabs and line feeds alone", () => {
    const text = "a\tb\nc – é 漢字 🙂";
    expect(cleanText(text)).toEqual({ text, removed: 0 });
  });

  it("strips control characters, zero-width characters, bidi controls and tags, and counts them", () => {
    for (const hidden of ["\u0000", "\u001b", "\u0085", "\u200b", "\u202e", "\u2066", "\ufeff", "\u{e0041}"]) {
      expect(cleanText(`a${hidden}b`)).toEqual({ text: "ab", removed: 1 });
    }
  });

  it("makes Windows line ends line feeds, and other ends of lines blanks, without counting them", () => {
    expect(cleanText("a\r\nb\rc\u2028d")).toEqual({ text: "a\nb c d", removed: 0 });
  });

  it("never makes a line", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(cleanText(text).text.split("\n").length).toBe(text.split("\n").length);
      }),
    );
  });

  it("makes halves of characters U+FFFD", () => {
    expect(cleanText("a\ud800b\udc00")).toEqual({ text: "a\ufffdb\ufffd", removed: 0 });
  });

  it("strips joiners and selectors in a row, which could spell something", () => {
    expect(cleanText("می\u200c\u200d\u200cخواهم")).toEqual({ text: "میخواهم", removed: 3 });
    expect(cleanText("漢\u200d\u200b\u200d字")).toEqual({ text: "漢字", removed: 3 });
    expect(cleanText("❤\ufe0f\ufe0f\ufe0f")).toEqual({ text: "❤\ufe0f", removed: 2 });
  });

  it("keeps joiners between letters that need them and in emoji, and strips them elsewhere", () => {
    const persian = "می\u200cخواهم";
    const family = "👩\u200d👩\u200d👧";
    const heart = "❤\ufe0f\u200d🔥";
    expect(cleanText(persian).text).toBe(persian);
    expect(cleanText(family).text).toBe(family);
    expect(cleanText(heart).text).toBe(heart);
    expect(cleanText("pass\u200dword").text).toBe("password");
    expect(cleanText("a\ufe0fb").text).toBe("ab");
  });

  it("leaves nothing to strip in what it gives", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const once = cleanText(text).text;
        expect(cleanText(once)).toEqual({ text: once, removed: 0 });
      }),
    );
  });
});

describe("cleanLongText", () => {
  it("strips what the other one strips, of each character", () => {
    for (let code = 0; code <= 0xffff; code++) {
      const character = String.fromCharCode(code);
      const cleaned = cleanLongText(character);
      // Not compared whole: that would take most of the test's time.
      if (cleaned.text !== cleanText(character).text) expect.unreachable(code.toString(16));
    }
    expect(cleanLongText("a\u200bb")).toEqual({ text: "ab", removed: 1 });
  });
});

describe("the count of cleanText", () => {
  it("counts what a raw text holds", () => {
    expect(cleanText("a\u200bb\u202ec").removed).toBe(2);
  });
});

describe("cleanJson", () => {
  it("cleans every string and key, drops undefined members and counts what it strips", () => {
    const { value, removed } = cleanJson({ "k\u200b": ["x\u202e", { deep: "y" }], gone: undefined, n: 1, z: null });
    expect(value).toEqual({ k: ["x", { deep: "y" }], n: 1, z: null });
    expect(removed).toBe(2);
  });
});

describe("escapeHtml", () => {
  it("leaves no character that HTML reads as markup", () => {
    expect(escapeHtml(`<img src="x" onerror='y'> & z`)).toBe(
      "&lt;img src=&quot;x&quot; onerror=&#39;y&#39;&gt; &amp; z",
    );
  });
});

describe("foldLine", () => {
  it("folds white space and ends in three dots where it cuts", () => {
    expect(foldLine("  a\n b\t c ", 10)).toBe("a b c");
    expect(foldLine("abcdefgh", 6)).toBe("abc...");
    expect(foldLine("ab🙂cdef", 6)).toBe("ab...");
  });
});
