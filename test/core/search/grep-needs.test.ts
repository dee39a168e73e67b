import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Need, wantedOf } from "../../../src/core/search/grep-needs.ts";
import { compileExpression, compileText } from "../../../src/core/search/grep-pattern.ts";
import { parsePattern } from "../../../src/core/search/grep-syntax.ts";
import { linesOf } from "../../../src/core/text/lines.ts";
import { foldCase } from "../../../src/core/text/normalize.ts";
import { gramOf, isBeginning, visitGrams } from "../../../src/core/text/word-keys.ts";
import { anyExpression, anyFile, anyLiteral } from "../../support/grep-cases.ts";
import { runs } from "../../support/runs.ts";

/** `a&b|c` in words of code, to be read. */
function show(need: Need): string {
  if (need.kind === "nothing") return "nothing";
  if (need.kind === "gram") return need.gram;
  return need.kind === "all" ? need.needs.map(show).join(" ") : `(${need.needs.map(show).join("|")})`;
}

function holds(text: string, need: Need): boolean {
  const keys = new Set<string>();
  visitGrams(foldCase(text), (...gram) => keys.add(gramOf(...gram)));
  const check = (one: Need): boolean => {
    if (one.kind === "nothing") return true;
    if (one.kind === "all") return one.needs.every(check);
    if (one.kind === "one") return one.needs.some(check);
    return isBeginning(one.gram) ? [...keys].some((key) => key.startsWith(one.gram)) : keys.has(one.gram);
  };
  return check(need);
}

describe("what a text must hold", () => {
  it.each([
    ["useState", "uses sest esta stat tate"],
    ["use(State|Memo)", "(uses sest esta stat tate|usem seme emem memo)"],
    ["revalidat(e|ing)", "(reva eval vali alid lida idat date|reva eval vali alid lida idat dati atin ting)"],
    ["generate.*Params\\(", "gene ener nera erat rate para aram rams"],
    ["https?://[a-z.]+/docs", "(http ttps|http) docs"],
    ["^export default", "expo xpor port defa efau faul ault"],
    ["[Tt]odo", "todo"],
    ["(ab){2}", "abab"],
    ["colou?r", "(colo olou lour|colo olor)"],
    ["(foo)+bar", "foo bar"],
    ["日本.*", "日本"],
    ["=> \\{", "nothing"],
    ["a.b", "nothing"],
    ["foo|.*", "nothing"],
    ["\\w+", "nothing"],
    ["=>", "nothing"],
  ])("for %j is %j", (pattern, need) => {
    expect(show(wantedOf(parsePattern(pattern)))).toBe(need);
  });

  it("is held by every text in which a pattern matches", () => {
    let matched = 0;
    const cases = fc.oneof(
      fc
        .tuple(anyExpression, fc.boolean())
        .map(([pattern, exact]) => ({ pattern, find: () => compileExpression(pattern, exact) })),
      fc
        .tuple(anyLiteral, fc.boolean())
        .map(([pattern, exact]) => ({ pattern, find: () => compileText(pattern, exact) })),
    );
    fc.assert(
      fc.property(cases, fc.array(anyFile, { minLength: 1, maxLength: 6 }), ({ find }, files) => {
        let pattern: ReturnType<typeof find>;
        try {
          pattern = find();
        } catch {
          // A repetition of a place, which the generator makes now and then, is refused.
          return;
        }
        for (const file of files) {
          if (!linesOf(file).some((line) => pattern.start(line) >= 0)) continue;
          if (pattern.need.kind !== "nothing") matched++;
          expect(holds(file, pattern.need)).toBe(true);
        }
      }),
      { numRuns: runs(2000) },
    );
    expect(matched).toBeGreaterThan(runs(2000) / 20);
  });

  it("stays small for patterns of many alternatives", () => {
    for (const pattern of [
      "[abc][def][ghi]".repeat(100),
      `(${"ab|cd|".repeat(300)}ef)x`,
      "(a|b|c|d)?".repeat(150),
      "a".repeat(1000),
    ]) {
      expect(JSON.stringify(wantedOf(parsePattern(pattern))).length).toBeLessThan(2_000_000);
    }
  });
});
