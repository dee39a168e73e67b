/**
 * Texts and patterns for tests of grep: few different pieces, so that patterns match, and those that are easily got wrong.
 */
import fc from "fast-check";

const WORDS = [
  "use",
  "State",
  "useState",
  "USESTATE",
  "export",
  "default",
  "npm",
  "docs",
  "ing",
  "e",
  "a",
  "ab",
  "_id",
  "x9",
  "Straße",
  "größe",
  "Größe",
  "e\u0301t\u00e9",
  "ΟΔΟΣ",
  "οδος",
  "Привет",
  "привет",
  "日本語",
  "キャッシュ",
  "\u212aelvin",
  "\u017fort",
  "😀",
  "naïve",
];
const MARKS = [
  " ",
  "  ",
  "\t",
  ".",
  "-",
  "(",
  ")",
  "{",
  "=> {",
  "*",
  "^",
  "$",
  "|",
  "[",
  "]",
  "\\",
  "/",
  "?",
  "+",
  "\r",
  "\u00a0",
  ",",
  "#",
];

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 2, arbitrary: fc.constantFrom(...MARKS) },
);
const line = fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join(""));

/** A file: lines, some of them empty, the last one with or without its end. */
export const anyFile: fc.Arbitrary<string> = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom("", "\n", "\r\n"))
  .map(([lines, end]) => lines.join("\n") + end);

/** A text to look for. */
export const anyLiteral: fc.Arbitrary<string> = fc
  .array(piece, { minLength: 1, maxLength: 3 })
  .map((pieces) => pieces.join(""))
  .filter((text) => text.trim() !== "");

const anyInner: fc.Arbitrary<string> = fc.letrec<{ whole: string; part: string; atom: string }>((tie) => ({
  whole: fc.oneof(
    { maxDepth: 2 },
    { weight: 4, arbitrary: fc.array(tie("part"), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")) },
    fc.tuple(tie("whole"), tie("whole")).map(([a, b]) => `${a}|${b}`),
  ),
  part: fc.oneof(
    { weight: 5, arbitrary: tie("atom") },
    fc
      .tuple(tie("atom"), fc.constantFrom("*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}", "*?"))
      .map(([atom, bounds]) => atom + bounds),
    fc.constantFrom("\\b", "\\<", "\\>", "\\B"),
  ),
  atom: fc.oneof(
    { maxDepth: 2 },
    {
      weight: 4,
      arbitrary: fc.constantFrom(...WORDS).map((word) => (Array.from(word).length > 1 ? `(${word})` : word)),
    },
    { weight: 2, arbitrary: fc.constantFrom(...WORDS).map((word) => Array.from(word)[0] ?? "a") },
    fc.constantFrom(
      ".",
      "\\w",
      "\\W",
      "\\s",
      "\\S",
      "\\.",
      "\\(",
      "\\{",
      "\\\\",
      "[abe]",
      "[^a]",
      "[l-t]",
      "[[:alpha:]]",
    ),
    fc.constantFrom("[[:digit:][:upper:]]", "[^[:space:]]", "[]x]", "[Σбя]", "[[:alnum:]_-]", "/", "-", "}"),
    tie("whole").map((inner) => `(${inner})`),
  ),
})).whole;

/**
 * An expression that both `grep -E` and Treeline take. Left out is where GNU grep is of two minds: a brace at the start of a
 * group, ranges of letters beyond ASCII, the Kelvin sign in a range, and `^` and `$` inside what
 * is repeated.
 */
export const anyExpression: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom("", "", "", "^", "(^|x)"), anyInner, fc.constantFrom("", "", "", "$", "($| )"))
  .map(([start, inner, end]) => `${start}${inner}${end}`);
