/**
 * Acronyms that a document explains: `ABC (Expansion of It)` and `Expansion of It (ABC)`, in prose and headings.
 *
 * An expansion counts only when its initials are the acronym: each letter is the first of a word, small words may be
 * passed over, and one letter may stand inside a word (`JavaScript Object Notation`, `Hypertext Transfer Protocol`). An X
 * stands for `cross` and for words that begin with "ex". A digit stands for a number word (`business to business`) or
 * repeats the letter before it (`World Wide Web Consortium`).
 *
 * Pure.
 */
import type { ParsedDocument } from "../parse/parsed-document.ts";

/** An acronym and what it stands for, both as written. */
export interface Acronym {
  readonly acronym: string;
  readonly expansion: string;
}

/** A document that explains more is a list of acronyms; what is behind these is left out. */
const MAX_ACRONYMS = 100;
/** An expansion is looked for in so much text before `(ABC)`. */
const MAX_EXPANSION_CHARACTERS = 120;
/** Initials, and as many small words again. */
const MAX_EXPANSION_WORDS = 16;

const ACRONYM = "[\\p{Lu}\\p{N}]{2,8}";
const BEFORE_EXPANSION = new RegExp(
  `(?<![\\p{L}\\p{N}_.-])(${ACRONYM})s?\\s?\\(([^()\\n]{3,${MAX_EXPANSION_CHARACTERS}})\\)`,
  "gu",
);
const BEHIND_EXPANSION = new RegExp(`\\s?\\((${ACRONYM})s?\\)`, "gu");
const HAS_LETTER = /\p{Lu}/u;
/** Before these ends what can belong to an expansion. */
const BORDER = /[.!?:;,()[\]{}"“”„«»|=<>\n]/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu;
const OPENING_QUOTES = /^["“„«']+/;
const LEADING_PHRASE = /^(?:(?:short|an acronym|an abbreviation) for|stands for|i\.e\.|aka|also known as|or)\s+/i;

const SMALL_WORDS = new Set(
  `a an and as at by for from in into of on or over per the to via with
  au aux d da das de dei del della den der des di do du e en et für i in l la las le les los o och of para per por pour u
  um und van von voor y zu zum zur и на по с`.split(/\s+/),
);

const NUMBER_WORDS: Readonly<Record<string, readonly string[]>> = {
  "1": ["one"],
  "2": ["to", "too", "two", "second"],
  "3": ["three", "third"],
  "4": ["for", "four", "fourth"],
  "5": ["five"],
};

/** The acronyms of a document, each with each of its expansions once. */
export function findAcronyms(document: ParsedDocument): Acronym[] {
  const found = new Map<string, Acronym>();
  const add = (acronym: string, expansion: string | undefined): void => {
    if (expansion === undefined || found.size >= MAX_ACRONYMS) return;
    const key = `${acronym}\0${expansion.toLowerCase()}`;
    if (!found.has(key)) found.set(key, { acronym, expansion });
  };
  for (const text of proseOf(document)) {
    if (!text.includes("(")) continue;
    for (const [, acronym = "", inside = ""] of text.matchAll(BEFORE_EXPANSION)) {
      add(acronym, matchInside(acronym, inside));
    }
    for (const match of text.matchAll(BEHIND_EXPANSION)) {
      const [, acronym = ""] = match;
      add(acronym, matchBefore(acronym, text.slice(Math.max(0, match.index - MAX_EXPANSION_CHARACTERS), match.index)));
    }
  }
  return [...found.values()];
}

function* proseOf({ title, description, sections }: ParsedDocument): Generator<string> {
  yield title;
  yield description;
  for (const section of sections) {
    yield section.title;
    for (const { kind, text } of section.blocks) if (kind === "prose") yield text;
  }
}

/** What stands in parentheses behind the acronym, up to the first comma, as far as it is an expansion from its start. */
function matchInside(acronym: string, inside: string): string | undefined {
  const text = inside.trim().replace(OPENING_QUOTES, "").replace(LEADING_PHRASE, "").replace(OPENING_QUOTES, "");
  const border = text.search(BORDER);
  const words = wordsOf(border < 0 ? text : text.slice(0, border));
  if (words.length > MAX_EXPANSION_WORDS) return undefined;
  while (words.length > 0 && isSmall(words[0] as string) && !matches(acronym, words, 1)) words.shift();
  return matches(acronym, words, 1) ? words.join(" ") : undefined;
}

/** The fewest words at the end of the text before `(ABC)` that are an expansion, by their first letters if they can. */
function matchBefore(acronym: string, before: string): string | undefined {
  const text = before.replace(/["“”»']+$/, "");
  let start = text.length;
  while (start > 0 && !BORDER.test(text[start - 1] as string)) start--;
  const words = wordsOf(text.slice(start));
  const most = Math.min(words.length, MAX_EXPANSION_WORDS);
  for (const inner of [0, 1]) {
    for (let count = 2; count <= most; count++) {
      const last = words.slice(words.length - count);
      if (matches(acronym, last, inner)) return last.join(" ");
    }
  }
  return undefined;
}

function wordsOf(text: string): string[] {
  return text.match(WORD) ?? [];
}

function isSmall(word: string): boolean {
  return SMALL_WORDS.has(word.toLowerCase());
}

/** Whether these words, at least two that are not small, have the acronym as their initials and `inner` more letters. */
function matches(acronym: string, words: readonly string[], inner: number): boolean {
  if (!HAS_LETTER.test(acronym) || words.filter((word) => !isSmall(word)).length < 2) return false;
  const lower = words.map((word) => word.toLowerCase());
  // A digit behind a letter may say how often it comes: `W3C`, `S3`, `I2C`.
  const repeated = acronym.replace(/(\p{Lu})([23])/gu, (_, letter: string, times: string) =>
    letter.repeat(Number(times)),
  );
  return [acronym, repeated].some((signs) => matchFrom(Array.from(signs.toLowerCase()), 0, lower, 0, inner));
}

/** Whether a sign is written for the sound of a word: `B2B`, `XSS` (cross), `XML` (extensible). */
function isSoundOf(sign: string, word: string): boolean {
  return sign === "x" ? word === "cross" || word.startsWith("ex") : NUMBER_WORDS[sign]?.includes(word) === true;
}

/** `inner` letters may still stand inside a word. Depth and work are bounded by the few words and letters. */
function matchFrom(
  signs: readonly string[],
  sign: number,
  words: readonly string[],
  word: number,
  inner: number,
): boolean {
  const current = words[word];
  if (current === undefined) return sign === signs.length;
  const wanted = signs[sign];
  if (wanted !== undefined && (current.startsWith(wanted) || isSoundOf(wanted, current))) {
    if (matchFrom(signs, sign + 1, words, word + 1, inner)) return true;
    const next = signs[sign + 1];
    if (inner > 0 && next !== undefined && current.indexOf(next, 1) > 0) {
      if (matchFrom(signs, sign + 2, words, word + 1, inner - 1)) return true;
    }
  }
  return word > 0 && isSmall(current) && matchFrom(signs, sign, words, word + 1, inner);
}
