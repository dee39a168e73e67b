import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/core/errors.ts";
import { Automaton } from "../../../src/core/search/automaton.ts";
import { compileExpression } from "../../../src/core/search/grep-pattern.ts";
import { parsePattern } from "../../../src/core/search/grep-syntax.ts";
import { runs } from "../../support/runs.ts";

function compile(pattern: string, caseSensitive: boolean): Automaton {
  return new Automaton(parsePattern(pattern), caseSensitive);
}

describe("an expression", () => {
  it.each([
    ["b+", "aabb", 2],
    ["\\bÄ", "x Änderung", 2],
    ["\\<größe", "die Größe", 4],
    ["\\w+\\>", "  größe.", 2],
    ["e\\>", "größe é", 4],
    ["\\>", "größe é", 5],
    ["\\<", " 😀 a", 4],
    ["$", "größe", 5],
    ["\\Bß", "größe ß", 3],
    ["^|x", "é x", 0],
    ["\\bx\\b", "😀é x é", 4],
  ])("%s first matches in %j at %i", (pattern, line, start) => {
    const expression = compileExpression(pattern, false);
    expect(expression.start(line)).toBe(start);
  });

  it.each([
    ["\\bnd", "Änd"],
    ["gr\\b", "größe"],
    ["\\<rö", "größe"],
    ["a\\Bb", "a b"],
    ["\\B$", "größe"],
    ["^b", "ab"],
    ["a.b", "a\u{fdd0}xb"],
  ])("%s does not match in %j", (pattern, line) => {
    expect(compileExpression(pattern, false).start(line)).toBe(-1);
  });

  const anyPart = fc.letrec<{ whole: string; part: string }>((tie) => ({
    whole: fc.oneof(
      { maxDepth: 3 },
      { weight: 4, arbitrary: fc.array(tie("part"), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")) },
      fc.tuple(tie("whole"), tie("whole")).map(([a, b]) => `${a}|${b}`),
    ),
    part: fc.oneof(
      { maxDepth: 3 },
      {
        weight: 4,
        arbitrary: fc.constantFrom("a", "b", "A", " ", "_", ".", "\\w", "\\W", "\\s", "\\d", "[ab]", "[^a]", "[+-9A]"),
      },
      fc.constantFrom("\\b", "\\B", "^", "$"),
      // A place alone may not repeat.
      fc
        .tuple(tie("whole"), fc.constantFrom("", "*", "+", "?", "{2}", "{1,3}", "{2,}", "{0,2}"))
        .map(([inner, bounds]) => `(?:${inner}|b)${bounds}`),
    ),
  })).whole;

  it("matches where the language's own expression does, and begins there", () => {
    let matched = 0;
    const line = fc.string({ unit: fc.constantFrom("a", "b", "A", "B", " ", "-", "_", "1"), maxLength: 12 });
    fc.assert(
      fc.property(anyPart, fc.array(line, { minLength: 4, maxLength: 8 }), fc.boolean(), (written, lines, exact) => {
        const expression = compile(written, exact);
        const own = new RegExp(written, exact ? "" : "i");
        for (const text of lines) {
          const start = own.exec(text)?.index ?? -1;
          expect(expression.start(text)).toBe(start);
          expect(expression.matches(`x${text}y`, 1, text.length + 1)).toBe(start >= 0);
          if (start >= 0) matched++;
        }
      }),
      { numRuns: runs(3000) },
    );
    expect(matched).toBeGreaterThan(runs(3000));
  });

  it("knows letters beyond ASCII as it knows those of ASCII", () => {
    fc.assert(
      fc.property(anyPart, fc.string({ unit: fc.constantFrom("a", "b", " ", "-"), maxLength: 8 }), (written, text) => {
        const foreign = (one: string): string => one.replaceAll("a", "\u{10428}").replaceAll("A", "\u{10400}");
        const start = compile(written, false).start(text);
        const found = compile(foreign(written), false).start(foreign(text));
        expect(found).toBe(start < 0 ? start : foreign(text.slice(0, start)).length);
      }),
      { numRuns: runs(1000) },
    );
  });

  it("of any size is refused, or takes no more steps for a character than it has", () => {
    let seed = 1;
    const noise = Array.from({ length: 20_000 }, () => {
      seed = (seed * 48_271) % 0x7fffffff;
      return "ab é"[seed % 4];
    }).join("");
    for (const pattern of [
      "(a+)+$",
      "(a|aa)*b",
      "((a*)*)*x",
      "(.*)(.*)(.*)(.*)x",
      "\\<(a+)+\\>x",
      "(a?){400}a{400}",
      "(.{1,30}a){30}",
      "a.{200}b.{100}c",
      "(a|b)*a(a|b| ){300}é",
    ]) {
      const automaton = new Automaton(parsePattern(pattern), true);
      for (const line of [noise, "a".repeat(20_000)]) {
        const before = automaton.stepsTaken;
        automaton.start(line);
        expect(automaton.stepsTaken - before).toBeLessThanOrEqual(automaton.size * (line.length + 1));
      }
    }
    for (const pattern of [
      "(a{1,200}){1,200}",
      `(${"a?".repeat(20)}){1000}`,
      `(a${"?".repeat(40)}){1000}`,
      "((a{100}){100}){100}",
      "a{99999999999}",
      "(){0,99999999999}",
    ])
      expect(() => compileExpression(pattern, true)).toThrow(InputError);
    expect(compileExpression("a((){99999999999}){99999999999}b", true).start("ab")).toBe(0);
  });

  it("finds the same once it keeps no more states", () => {
    let seed = 7;
    const line = Array.from({ length: 5000 }, () => {
      seed = (seed * 48_271) % 0x7fffffff;
      return seed % 2 === 0 ? "a" : "b";
    }).join("");
    for (const length of [300, 301, 302]) {
      const start = Array.from(line).findIndex((letter, at) => letter === "a" && line[at + length] === "b");
      expect(compileExpression(`a.{${length - 1}}b`, true).start(line)).toBe(start);
    }
  });

  it.each(["(a+)+$", "(a|aa)*b", ".*.*.*=.*", "(.*)(.*)(.*)(.*)(.*)b", "\\<(a+)+\\>x", "((a*)*)*b"])(
    "that engines with backtracking die of ends on a line of 100,000 characters: %s",
    (pattern) => {
      const expression = compileExpression(pattern, false);
      expect(expression.start("a".repeat(100_000))).toBeLessThanOrEqual(0);
      expect(expression.start(`é ${"a".repeat(100_000)}`)).toBeLessThanOrEqual(2);
    },
  );

  it("of 2,000 characters is taken", () => {
    for (const pattern of ["x".repeat(2000), "ab|".repeat(600), "[a-z]".repeat(400), "(a)".repeat(600)]) {
      expect(compileExpression(pattern, false).start("nothing of it!") >= 0).toBe(pattern.startsWith("ab"));
    }
  });
});

describe("patterns as for rg", () => {
  const matches = (pattern: string, text: string, isWord = false): boolean =>
    compileExpression(pattern, true, isWord).matches(text, 0, text.length);

  it.each([
    ["[\\w.-]+@x", "a.b-c@x", true],
    ["^[^\\s\\]]+$", "a]", false],
    ["[\\S\\s]z", " z", true],
    ["[^\\W\\d]1", "a1", true],
    ["[^\\W\\d]1", "11", false],
    ["(?i)STRASSE|Größe", "größe", true],
    ["Größe", "größe", false],
    ["(?P<year>\\d{4})-(?<month>\\d\\d)", "2024-05", true],
    ["\\x41\\u0042\\x{43}[\\x44-\\u{46}]", "ABCE", true],
    ["\\Aab\\z", "ab", true],
    ["\\'a\\`", "'a`", true],
    ["a\\/b\\-c\\#", "a/b-c#", true],
    ["=> {", "x => {", true],
    ["a{2}b*?c+?", "aac", true],
  ])("%s in %s: %s", (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it("take whole words as -w does, whatever they begin and end with", () => {
    expect(matches("foo", "a foo(b)", true)).toBe(true);
    expect(matches("foo", "foo_bar xfoo", true)).toBe(false);
    expect(matches("--foo", "x --foo y", true)).toBe(true);
    expect(matches("--foo", "x --foobar", true)).toBe(false);
    expect(matches("a|ab", "ab", true)).toBe(true);
  });

  it.each(["foo(", "*a", "a(?=b)", "\\1", "[a", "\\n", ""])("are refused where they are none: %s", (pattern) => {
    expect(() => compileExpression(pattern, true)).toThrow(InputError);
  });
});
