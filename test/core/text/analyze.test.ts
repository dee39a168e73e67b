import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOfKey, keyOf } from "../../../src/core/bytes/key.ts";
import { MAX_KEY_BYTES } from "../../../src/core/format/chunk.ts";
import {
  analyzeText,
  countsAsWord,
  countWords,
  ENGLISH,
  isStopWord,
  visitTerms,
} from "../../../src/core/text/analyze.ts";
import { foldText } from "../../../src/core/text/normalize.ts";
import { MAX_TOKEN_LENGTH } from "../../../src/core/text/tokenize.ts";
import { runs } from "../../support/runs.ts";

/** Text of many scripts, marks that stand alone, invisible characters, halves of surrogate pairs. */
const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(
      ..."aZ9_.-:'’@/+# ",
      ..."éßøжйёїѓςΩĐơ",
      ..."日ガ한ᄒ\u1161\u11abｶﾞก\u0e33\u0e48नसि\u094dאבעا\u064e\u0640أ",
      ..."\u0301\u0308\u00ad\u200d\u200c\ufe0f\u20e3",
      "😀",
      "\ud800",
      "\udc00",
    ),
    maxLength: 40,
  }),
);

function termsOf(text: string): string[] {
  return analyzeText(text).map(({ term }) => term);
}

describe("analyzeText", () => {
  it("gives the terms that a query of the same words gives", () => {
    expect(termsOf("Handling Routes")).toEqual(termsOf("handle route"));
    expect(termsOf("The user’s COFFEE")).toEqual(termsOf("the users coffee"));
  });

  it("finds an identifier that is written in another case, and its parts", () => {
    const [whole, ...parts] = termsOf("getUserName");
    expect(termsOf("getusername")).toEqual([whole]);
    expect(termsOf("get user name")).toEqual(parts);
  });

  it("marks stop words, but no identifier that holds one", () => {
    const marked = analyzeText("how to use useState").map(({ term, stop }) => `${term}${stop ? "!" : ""}`);
    expect(marked).toEqual(["how!", "to!", "use!", "usest", "use!", "state"]);
    expect(isStopWord("the")).toBe(true);
    expect(isStopWord("route")).toBe(false);
  });

  it("gives terms that fit into a key, whatever a character unfolds to", () => {
    // One character that stands for eighteen.
    const [term] = termsOf("\ufdfa".repeat(MAX_TOKEN_LENGTH));
    expect(bytesOfKey(keyOf(term ?? "")).length).toBeLessThanOrEqual(MAX_KEY_BYTES);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => {
        for (const term of termsOf(text)) {
          expect(term.length).toBeGreaterThan(0);
          expect(bytesOfKey(keyOf(term)).length).toBeLessThanOrEqual(MAX_KEY_BYTES);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it("takes any text: lone surrogates, control characters, nothing", () => {
    for (const text of ["", "\ud800", "\udc00\ud800", "a\u0000b", "\u200b", "\ufeff", "\u202eabc"]) {
      for (const term of termsOf(text)) expect(term).not.toMatch(/[\ud800-\udfff]/);
    }
  });
});

describe("countWords", () => {
  it("counts parts of identifiers and not the wholes beside them", () => {
    expect(countWords("")).toBe(0);
    expect(countWords("one two three")).toBe(3);
    expect(countWords("getUserName")).toBe(3);
    expect(countWords("日本語")).toBe(2);
  });

  it("is the number of terms that stand for a word, whatever the text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(countWords(text)).toBe(analyzeText(text).filter(({ kind }) => countsAsWord(kind)).length);
      }),
      { numRuns: runs(500) },
    );
    expect(analyzeText("\u0301 \u0640 \u00ad")).toEqual([]);
  });
});

describe("accents", () => {
  const shown = (text: string): string =>
    analyzeText(text)
      .map(({ term, kind, start, end }) => `${term} ${kind} ${start}-${end}`)
      .join(", ");

  it("gives the form as written beside the term, which is the same without accents", () => {
    expect(shown("Cafés")).toBe("cafe word 0-5, cafés exact 0-5");
    expect(shown("cafes")).toBe("cafe word 0-5");
    expect(shown("getRésuméName")).toBe(
      "getresumenam whole 0-13, get part 0-3, resum part 3-9, résumé exact 3-9, name part 9-13",
    );
  });

  it("gives no such form for a stop word, nor for what only another spelling of the letters differs in", () => {
    expect(analyzeText("thé").map(({ kind, stop }) => `${kind} ${stop}`)).toEqual(["word true"]);
    expect(shown("ＦＩＬＥ")).toBe("file word 0-4");
    expect(analyzeText("йод").map(({ kind }) => kind)).toEqual(["word"]);
    expect(analyzeText("ΟΔΟΣ").map(({ kind }) => kind)).toEqual(["word"]);
  });

  it("counts each word once, with accents or without", () => {
    expect(countWords("crème brûlée")).toBe(2);
    expect(countsAsWord("exact")).toBe(false);
    expect(countsAsWord("variant")).toBe(false);
  });
});

describe("spellings of the same text", () => {
  const placeless = (text: string): string[] => analyzeText(text).map(({ term, kind }) => `${kind} ${term}`);

  it("gives the same terms composed and decomposed", () => {
    expect(placeless("한국어 문서 が ガイド é ệ")).toEqual(placeless("한국어 문서 が ガイド é ệ".normalize("NFD")));
    fc.assert(
      fc.property(anyText, (text) => {
        expect(placeless(text.normalize("NFD"))).toEqual(placeless(text.normalize("NFC")));
      }),
      { numRuns: runs(500) },
    );
  });

  it("gives of a folded text the terms of the text, where case and compatibility forms tell nothing more", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        // Case cuts identifiers, and NFKC makes words of signs (`㎏`); a long word is cut before it is folded.
        const plain = text.normalize("NFKC").toLowerCase().normalize("NFKC");
        const terms = (of: string): string[] =>
          analyzeText(of).flatMap(({ term, kind }) => (kind === "exact" ? [] : [`${kind} ${term}`]));
        expect(terms(foldText(plain))).toEqual(terms(plain));
      }),
      { numRuns: runs(500) },
    );
  });

  it("overlooks soft hyphens and joiners inside words", () => {
    expect(placeless("con\u00adfi\u00adgu\u00adra\u00adtion")).toEqual(placeless("configuration"));
    expect(placeless("می\u200cخواهم")).toEqual(placeless("میخواهم"));
    expect(placeless("get\u200dUser\u2060Name")).toEqual(placeless("getUserName"));
    expect(placeless("server‑side")).toEqual(placeless("server-side"));
  });

  it("takes emoji for no words, and leaves the words beside them whole", () => {
    expect(placeless("👩‍💻 ship🚀it 1️⃣ ❤️")).toEqual(["word ship", "word it", "word 1"]);
  });
});

describe("any text", () => {
  it("is analysed, with places on the borders of characters inside the text", () => {
    const inPair = (text: string, at: number): boolean =>
      at > 0 && at < text.length && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { term, start, end } of analyzeText(text)) {
          expect(term).not.toBe("");
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(inPair(text, start) || inPair(text, end)).toBe(false);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it("gives the terms that are looked for where only their initials are stemmed", () => {
    const anyWords = fc.array(fc.oneof(fc.stringMatching(/^[A-Za-z']{1,12}$/), anyText), { maxLength: 8 });
    fc.assert(
      fc.property(anyWords, fc.nat(), (words, seed) => {
        const text = words.join(" ");
        const all = analyzeText(text);
        const wanted = new Set(all.filter((_, at) => (at + seed) % 3 === 0).map(({ term }) => term));
        const found: unknown[] = [];
        visitTerms(
          text,
          (term, kind, _, start, end) => wanted.has(term) && found.push({ term, kind, start, end }),
          ENGLISH,
          wanted,
        );
        const expected = all.filter(({ term }) => wanted.has(term));
        expect(found).toEqual(expected.map(({ term, kind, start, end }) => ({ term, kind, start, end })));
      }),
      { numRuns: runs(500) },
    );
  });

  it("of Latin letters is analysed as it is beside letters of all scripts", () => {
    const unit = fc.constantFrom(..."aZ09_.-:'’@/+#~ ()", ..."éßøłŽµª²¼–…“”€™→─✓", "\n", "--", "can’t", "fooBar");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
        const beside = analyzeText(`${text}\n \u0e01`);
        expect(analyzeText(text)).toEqual(beside.filter(({ start }) => start < text.length));
      }),
      { numRuns: runs(1000) },
    );
  });
});
