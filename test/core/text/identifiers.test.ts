import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findNameProblem, findWord } from "../../../src/core/text/code-languages.ts";

describe("findNameProblem", () => {
  it.each([
    ["open", "typescript", false],
    ["$a_1", "typescript", false],
    ["größe", "python", false],
    ["delete", "typescript", true],
    ["#secret", "javascript", true],
    ["empty?", "ruby", false],
    ["type", "typescript", false],
  ])("accepts %s in %s", (name, language, isMember) => {
    expect(findNameProblem(name, language, isMember)).toBeUndefined();
  });

  it.each([
    ["a-b", "typescript", "is no identifier of typescript"],
    ["1a", "python", "is no identifier of python"],
    ["", "go", "is no identifier of go"],
    ["$a", "python", "is no identifier of python"],
    ["#a", "typescript", "is no identifier of typescript"],
    ["delete", "typescript", "is a keyword of typescript"],
    ["lambda", "python", "is a keyword of python"],
    ["func", "go", "is a keyword of go"],
  ])("says what is wrong with %j in %s", (name, language, problem) => {
    expect(findNameProblem(name, language, false)).toBe(problem);
  });
});

describe("findWord", () => {
  it("finds words that stand by themselves", () => {
    expect(findWord("open reopen open2 $open x.open(open) öopen", "open")).toEqual([0, 26, 31]);
  });

  it("finds what a scan by hand finds", () => {
    const letters = fc.array(fc.constantFrom("a", "b", "$", "_", ".", " ", "(", "é", "|"), { maxLength: 30 });
    fc.assert(
      fc.property(letters, fc.constantFrom("a", "ab", "$a", "a$", "_"), (row, word) => {
        const text = row.join("");
        const isLetter = (char: string | undefined): boolean => char !== undefined && /[a-zé$_]/.test(char);
        const wanted = row.flatMap((_, at) =>
          text.startsWith(word, at) && !isLetter(text[at - 1]) && !isLetter(text[at + word.length]) ? [at] : [],
        );
        expect(findWord(text, word)).toEqual(wanted);
      }),
    );
  });
});
