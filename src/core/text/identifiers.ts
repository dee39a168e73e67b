/** What may be the name of something in source code, by language. */
import { factsOf } from "./code-languages.ts";

const PLAIN = /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u;

/**
 * Why a text can be no name, as the end of a sentence; undefined where it can.
 *
 * @param isMember Whether it is to follow a dot: scripts allow every word there.
 */
export function findNameProblem(name: string, language: string, isMember: boolean): string | undefined {
  const { names, keywords, isScript } = factsOf(language);
  if (!(names?.pattern ?? PLAIN).test(name) || (name.startsWith("#") && !isMember))
    return `is no identifier of ${language}`;
  if (isScript === true && isMember) return undefined;
  return keywords.some((words) => words.split(" ").includes(name)) ? `is a keyword of ${language}` : undefined;
}

/** What names of a language are made of, as a sentence. */
export function describeNames(language: string): string {
  const { characters = "and _", end = "" } = factsOf(language).names ?? {};
  const comma = characters.startsWith("_") ? "," : "";
  return `A name is letters, digits${comma} ${characters}, with no digit first${end}, and no keyword.`;
}

const WORD_CHARACTER = "[\\p{L}\\p{M}\\p{N}_$]";

/** Offsets at which a word stands by itself, ascending. */
export function findWord(text: string, word: string): number[] {
  if (!text.includes(word)) return [];
  const escaped = word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const pattern = new RegExp(`(?<!${WORD_CHARACTER})${escaped}(?!${WORD_CHARACTER})`, "gu");
  return Array.from(text.matchAll(pattern), ({ index }) => index);
}
