import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/core/errors.ts";
import { type GrepNode, parsePattern, splitPattern } from "../../../src/core/search/grep-syntax.ts";
import { runs } from "../../support/runs.ts";

function refusal(pattern: string): InputError {
  try {
    parsePattern(pattern);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error(`${pattern} was accepted`);
}

const text = (written: string): GrepNode => ({ kind: "text", text: written });

describe("a pattern", () => {
  it.each<[string, GrepNode]>([
    ["abc", text("abc")],
    ["=> {", text("=> {")],
    ["a\\.b\\{", text("a.b{")],
    ["a)", text("a)")],
    ["]", text("]")],
    ["\\t", text("\t")],
    ["a{1", text("a{1")],
    ["a|b", { kind: "choice", nodes: [text("a"), text("b")] }],
    ["a\nb", { kind: "choice", nodes: [text("a"), text("b")] }],
    ["(?:ab)+", { kind: "repeat", node: text("ab"), least: 1, most: Number.POSITIVE_INFINITY }],
    ["a{2}", { kind: "repeat", node: text("a"), least: 2, most: 2 }],
    ["a{,3}", { kind: "repeat", node: text("a"), least: 0, most: 3 }],
    ["a{2,}", { kind: "repeat", node: text("a"), least: 2, most: Number.POSITIVE_INFINITY }],
    ["é?", { kind: "repeat", node: text("é"), least: 0, most: 1 }],
    ["😀*", { kind: "repeat", node: text("😀"), least: 0, most: Number.POSITIVE_INFINITY }],
    ["\\w", { kind: "set", set: { negated: false, ranges: [], classes: ["word"] } }],
    [
      "[]a-c-]",
      {
        kind: "set",
        set: {
          negated: false,
          ranges: [
            [0x5d, 0x5d],
            [0x61, 0x63],
            [0x2d, 0x2d],
          ],
          classes: [],
        },
      },
    ],
    ["[^[:alpha:]_]", { kind: "set", set: { negated: true, ranges: [[0x5f, 0x5f]], classes: ["alpha"] } }],
    ["[\\\\]", { kind: "set", set: { negated: false, ranges: [[0x5c, 0x5c]], classes: [] } }],
    ["^", { kind: "place", place: "line-start" }],
    ["\\<", { kind: "place", place: "word-start" }],
  ])("%j is understood", (pattern, node) => {
    expect(parsePattern(pattern)).toEqual(node);
  });

  it.each([
    ["(?=a)", "Look-around is not taken", "\\b"],
    ["a(?!b)", "Look-around is not taken", "\\b"],
    ["(?<=a)b", "Look-around is not taken", "\\b"],
    ["(?<!a)b", "Look-around is not taken", "\\b"],
    ["(a)\\1", "Back-references such as \\1 are not taken", ".*"],
    ["(?i)a", "Groups are written", "("],
    ["(", 'a "(" without its ")"', "\\("],
    ["[a", 'a "[" without its "]"', "\\["],
    ["[]", 'a "[" without its "]"', "\\["],
    ["[[:alpha:", 'a "[" without its "]"', "\\["],
    ["[:alpha:]", "only inside brackets", "[[:alpha:]]"],
    ["[[:word:]]", "There is no class [:word:]", "\\w"],
    ["[z-a]", "The range z-a in pattern ends before it begins", "a-z"],
    ["[\\q]", "Inside brackets a backslash", "\\\\"],
    ["[[.a.]]", "collating element", undefined],
    ["*a", "* in pattern has nothing before it", "\\*"],
    ["a|+", "+ in pattern has nothing before it", "\\+"],
    ["(?)", "Groups are written", "("],
    ["{2}", "{2} in pattern has nothing before it", "\\{2}"],
    ["^*", "* in pattern has nothing before it", "\\*"],
    ["a{3,1}", "asks for more than it allows", "{1,3}"],
    ["a\\", "ends in a single backslash", "\\\\"],
    ["a\\nb", "A match lies within one line", undefined],
    ["\\p{L}", "\\p is not understood", "[[:alpha:]]"],
    ["\\Z", "\\Z is not understood", "$"],
    [`${"(".repeat(60)}a${")".repeat(60)}`, "nests more than 50 groups", undefined],
    [`a${"*".repeat(60)}`, "too many repetitions in a row", "*"],
    ["\ud83d", "half a character", undefined],
    ["", "pattern is empty", undefined],
    ["\n\n", "pattern is empty", undefined],
  ])("%j is refused in words", (pattern, message, nearest) => {
    const error = refusal(pattern);
    expect(error.message).toContain(message);
    expect(error.nearest[0]).toBe(nearest);
  });

  it("of any characters is understood or refused in words", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "|",
        "*",
        "+",
        "?",
        "\\",
        "^",
        "$",
        "-",
        ",",
        "1",
        "[:alpha:]",
        "a",
      ),
      fc.string({ unit: "binary", maxLength: 2 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        try {
          parsePattern(pieces.join(""));
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
      }),
      { numRuns: runs(2000) },
    );
  });

  it("of several lines is several patterns, empty lines left out", () => {
    expect(splitPattern("one\n\ntwo\n")).toEqual(["one", "two"]);
  });
});
