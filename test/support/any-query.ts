/** Queries full of operators, for fast-check: right ones, wrong ones, halves of them. */
import fc from "fast-check";

const PIECES = [
  ..."alpha beta gamma route the and getUserName 日本語 v1.2 absent C++ ü 😀".split(" "),
  ...['"', "“", "”", "-", "--", "*", "(", ")", "|", "||", "&&", ":", "/", "OR", "AND", "NOT", "or", "not"],
  ...[
    "title:",
    "path:",
    "type:",
    "-type:",
    "tags:",
    "path:a*",
    "type:guide",
    "tags:red,blue",
    "http://x",
    "std::vector",
  ],
  ...["\u0000", "\u202e", "\u200b", "\ud800", "\udc00", "\t", "\n", "\ufeff", "\ue000"],
];

/** Pieces of the query language in any order, with and without spaces between them. */
export const anyOperators: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom("", " ", " ")), { maxLength: 24 })
  .map((pieces) => pieces.map(([piece, space]) => `${piece}${space}`).join(""));
