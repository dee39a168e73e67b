import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldAccents, foldSpelling, foldText, INVISIBLE, stemWord } from "../../../src/core/text/normalize.ts";

describe("foldText", () => {
  it.each([
    ["Routing", "routing"],
    ["café", "cafe"],
    ["e\u0301te\u0301", "ete"],
    ["ÜNÏCODE", "unicode"],
    ["ｆｕｌｌ　width", "full width"],
    ["ﬁle", "file"],
    ["x²", "x2"],
    ["İstanbul", "istanbul"],
    ["Straße", "strasse"],
    ["Łódź", "lodz"],
    ["smørrebrød Æther œuvre", "smorrebrod aether oeuvre"],
    ["Tiếng Việt", "tieng viet"],
    ["ΛΌΓΟΣ", "λογοσ"],
    ["λόγος", "λογοσ"],
    ["Ёлка", "елка"],
    ["за\u0301мок", "замок"],
    ["Йод мой", "йод мой"],
    ["їжак ќе ѓаво ў", "їжак ќе ѓаво ў"],
    ["ѝ", "и"],
    ["كِتَاب", "كتاب"],
    ["كتـــاب", "كتاب"],
    ["أحمد إلى آخر", "احمد الى اخر"],
    ["سؤال", "سؤال"],
    ["שָׁלוֹם", "שלום"],
    ["한국어".normalize("NFD"), "한국어"],
    ["ｶﾞｲﾄﾞ", "ガイド"],
    ["สวัสดี", "สวัสดี"],
    ["ко\u00adд", "код"],
    ["ひらがな", "ひらがな"],
    ["नमस्ते", "नमस्ते"],
  ])("folds %s to %s", (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it("leaves something of every letter and digit that is not invisible", () => {
    const invisible = new RegExp(`[${INVISIBLE}]`, "u");
    const empty: string[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      if (!/[\p{L}\p{N}]/u.test(character) || invisible.test(character)) continue;
      if (foldText(character).trim() === "") empty.push(code.toString(16));
    }
    expect(empty).toEqual([]);
  });

  it("is what folding case and then accents gives", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (text) => {
        expect(foldAccents(foldSpelling(text))).toBe(foldText(text));
      }),
    );
  });

  it("folds what is folded to itself", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (text) => {
        const folded = foldText(text);
        expect(foldText(folded)).toBe(folded);
      }),
    );
  });
});

describe("stemWord", () => {
  it.each([
    ["routes", "rout"],
    ["routing", "rout"],
    ["handlers", "handler"],
    ["caching", "cach"],
    ["v8", "v8"],
    ["c++", "c++"],
    ["日本", "日本"],
    ["über", "über"],
  ])("stems %s to %s", (word, stem) => {
    expect(stemWord(word)).toBe(stem);
  });

  it("gives the same stem however many words it has seen", () => {
    const before = stemWord("navigation");
    for (let n = 0; n < 60_000; n++) stemWord(`word${n}`);
    expect(stemWord("navigation")).toBe(before);
  });
});
