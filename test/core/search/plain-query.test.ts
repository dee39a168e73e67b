import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePlainQuery } from "../../../src/core/search/plain-query.ts";
import { parseQuery } from "../../../src/core/search/query.ts";
import { ENGLISH } from "../../../src/core/text/analyze.ts";
import { anyOperators } from "../../support/any-query.ts";
import { runs } from "../../support/runs.ts";

const anyText = fc.oneof(
  anyOperators,
  fc.string({
    unit: fc.constantFrom(
      "a",
      "The ",
      "of",
      "how ",
      "-",
      "_",
      "(",
      ")",
      " ",
      "\t",
      ".",
      "useRouter",
      "'",
      "日本",
      "1.2",
      "OR",
      "»",
    ),
  }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
);

describe("queries of plain words", () => {
  it("ask for what reading them with operators gives", () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, asYouType) => {
        const plain = parsePlainQuery(text, asYouType, [ENGLISH]);
        const whole = parseQuery(text, { facetKeys: ["type"], asYouType, analyzers: [ENGLISH] });
        if (plain === undefined) return;
        expect(plain).toEqual(whole);
      }),
      { numRuns: runs(2000) },
    );
  });

  it.each([
    "how do I use the router",
    "useRouter",
    "server-side rendering",
    "don't",
    "C++ (modern)",
    "ORM",
    "a/b.ts",
    "",
  ])("are told from those with operators: %s", (text) => {
    expect(parsePlainQuery(text, false, [ENGLISH])).toEqual(parseQuery(text));
  });

  it.each([
    '"a b"',
    "-word a",
    "a OR b",
    "NOT a",
    "a AND b",
    "type:guide",
    "auth*",
    "(OR a)",
    "a || b",
    "w ".repeat(61),
  ])("are not those with operators or very many words: %s", (text) => {
    expect(parsePlainQuery(text, false, [ENGLISH])).toBeUndefined();
  });
});
