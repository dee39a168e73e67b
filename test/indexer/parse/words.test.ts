import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KIND_BITS, NONE, TOKEN_KINDS, WordTable, wordsOf } from "../../../indexer/parse/words.ts";
import { countWords, visitTerms } from "../../../src/core/text/analyze.ts";
import { analyzerOf } from "../../../src/core/text/analyzers.ts";
import { visitTokens } from "../../../src/core/text/tokenize.ts";
import { runs } from "../../support/runs.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        ..."The getUserName --no-cache user's v1.2 @a/b C# l'eau d'aujourd'hui MAX_SIZE été e\u0301te\u0301 日本語 한국 x".split(
          " ",
        ),
        "w".repeat(70),
      ),
      { maxLength: 12 },
    )
    .map((words) => words.join(" ")),
);

describe("WordTable", () => {
  it.each(["english", "french"] as const)("reads the tokens and terms that a text has: %s", (language) => {
    const analyzer = analyzerOf(language);
    const table = new WordTable(language);
    fc.assert(
      fc.property(anyText, (text) => {
        const { tokens, words } = table.read(text);
        const expected: string[] = [];
        visitTokens(text, (token, _start, _end, kind) => expected.push(`${kind} ${token}`), analyzer.elisions);
        expect(tokens.map((token) => `${TOKEN_KINDS[token & 3]} ${table.words[token >> KIND_BITS]}`)).toEqual(expected);
        expect(words).toBe(expected.filter((token) => !token.startsWith("whole")).length);
        if (language === "english") expect(words).toBe(countWords(text));
        const terms: string[] = [];
        visitTerms(
          text,
          (term, kind, stop, _start, _end, word) => {
            if (kind !== "variant" && kind !== "exact") terms.push(`${term} ${word} ${stop}`);
          },
          analyzer,
        );
        const read = tokens.flatMap((token) => {
          const number = token >> KIND_BITS;
          const term = table.terms[number] as number;
          const stop = table.stops[number] === true && TOKEN_KINDS[token & 3] !== "whole";
          return term === NONE ? [] : [`${table.names[term]} ${table.names[table.folded[number] as number]} ${stop}`];
        });
        expect(read).toEqual(terms);
      }),
      { numRuns: runs(1000) },
    );
  });

  it("numbers as many words as there are, each once, and begins anew when there are many", () => {
    const table = wordsOf("english");
    const words = Array.from({ length: 60_000 }, (_, at) => `w${at}x`);
    const numbers = words.map((word) => table.numberOf(word));
    expect(new Set(numbers).size).toBe(words.length);
    expect(words.map((word) => table.numberOf(`-${word}-`, 1, word.length + 1))).toEqual(numbers);
    expect(wordsOf("english")).not.toBe(table);
    expect(wordsOf("english")).toBe(wordsOf("english"));
  });
});
