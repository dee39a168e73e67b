import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collectGrams, mayHold, nameOfGram } from "../../../indexer/parse/grams.ts";
import { type Need, wantedOf } from "../../../src/core/search/grep-needs.ts";
import { foldCase } from "../../../src/core/text/normalize.ts";
import { gramOf, visitGrams } from "../../../src/core/text/word-keys.ts";
import { anyFile, anyLiteral } from "../../support/grep-cases.ts";
import { runs } from "../../support/runs.ts";

const anyText = fc.string({ unit: fc.constantFrom(..."aBz09_- .\n", "é", "日", "本", "K", "ſ"), maxLength: 40 });

describe("collectGrams", () => {
  it("collects each gram of a text once", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { ascii, others } = collectGrams(text);
        const names = [...Array.from(ascii, nameOfGram), ...others];
        expect(names.sort()).toEqual([...keysOf(text)].sort());
      }),
      { numRuns: runs(1000) },
    );
  });
});

function keysOf(text: string): Set<string> {
  const keys = new Set<string>();
  visitGrams(foldCase(text), (...gram) => keys.add(gramOf(...gram)));
  return keys;
}

function holds(keys: ReadonlySet<string>, need: Need): boolean {
  if (need.kind === "gram") return [...keys].some((key) => key.startsWith(need.gram));
  if (need.kind === "nothing") return true;
  return need.kind === "all" ? need.needs.every((one) => holds(keys, one)) : need.needs.some((one) => holds(keys, one));
}

describe("mayHold", () => {
  it("says what the keys of a text say, whatever was looked at in between", () => {
    let refused = 0;
    fc.assert(
      fc.property(fc.array(anyLiteral, { minLength: 1, maxLength: 3 }), anyFile, anyText, (literals, file, other) => {
        const nodes = literals.map((text) => ({ kind: "text" as const, text }));
        const need = wantedOf({ kind: "choice", nodes });
        const grams = collectGrams(file);
        collectGrams(other);
        const may = mayHold(grams, need);
        expect(may).toBe(holds(keysOf(file), need));
        if (!may) refused++;
      }),
      { numRuns: runs(2000) },
    );
    expect(refused).toBeGreaterThan(0);
  });
});
