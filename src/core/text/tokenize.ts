/**
 * Text to tokens: words, identifiers whole and in parts, bigrams of scripts that are written without spaces.
 *
 * A *run* is letters and digits of any script, joined by `_`, `.`, `-`, `:`, `::` or an apostrophe, perhaps after the `--` of
 * an option or the `.` of a file name, or a package name `@scope/name`. A run that is more than one plain word gives its
 * whole form and its parts (`getUserName`: whole, `get`, `User`, `Name`). A final `.`, `-`, `/` never belongs to a run.
 *
 * A whole of several parts is joined: `max-old-space` and `--max_old_space` give `maxoldspace`, the term of `maxOldSpace`. Acronyms
 * are one part with a plural `s`, which is dropped, `ful`, or a version: `APIs` is `API`, `IPv6` is one word.
 */

import { INVISIBLE } from "./normalize.ts";
import { cutText } from "./short-text.ts";

/**
 * Their letters, and signs that only stand among them, as the inside of a class of a regular expression with the flag `u`. Korean is
 * not among them.
 */
export const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Bopomofo}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々〆ｰﾞﾟ";

/** What belongs to the character before it: marks, vowels and finals of Hangul and Kirat Rai, what nobody sees. */
const FOLLOWING = `\\p{M}\\u1160-\\u11ff\\u{16d67}${INVISIBLE}`;

const SEGMENTS = new RegExp(`[^${FOLLOWING}][${FOLLOWING}]*|[${FOLLOWING}]+`, "gu");

const ASCII_CHARACTER = /^[\0-\x7f]$/;

/** Marks that stand on no letter or digit say nothing. */
const STRAY_MARKS = /(?<![\p{L}\p{N}\p{M}])\p{M}+/gu;

const INVISIBLE_CHARACTERS = new RegExp(`[${INVISIBLE}]+`, "gu");

/** `word`: a plain word; `whole`: an identifier, joined; `part`: a piece of the identifier before it. */
export type TokenKind = "word" | "whole" | "part";

/** Receives each token with its place in the text, in UTF-16 units. */
type TokenVisitor = (text: string, start: number, end: number, kind: TokenKind) => void;

/** Longer words are cut here, so that one line of noise does not become a key of a kilobyte. */
export const MAX_TOKEN_LENGTH = 64;

const ASCII = /^[\0-\x7f]*$/;
/** Latin letters and the signs of most texts, all of them composed as they stand: engines take milliseconds to compile `\p{L}`. */
const COMMON =
  /^[\0-\xac\xae-\u024f\u2010-\u2027\u2030-\u205e\u20a0-\u20c0\u2122\u2190-\u2328\u232b-\u23ff\u2500-\u2767]*$/;
const COMMON_RUN = makeRunPattern("A-Za-zªµºÀ-ÖØ-öø-\\u024f", "0-9²³¹¼-¾", "", "g");
let unicodeRun: RegExp | undefined;

/** Behind a word, a bracket or a sign, `.name` is a member of something and `--name` no option. */
function makeRunPattern(letter: string, digit: string, mark: string, flags: string): RegExp {
  const first = `${letter}${digit}`;
  const inside = `${first}${mark}_`;
  const word = `[${first}_][${inside}]*`;
  return new RegExp(
    `@[${first}][${inside}.-]*\\/[${first}](?:[${inside}.-]*[${inside}])?|` +
      `(?:(?<![${first}_.)\\]}?!-])(?:--|\\.)(?=[${letter}_]))?` +
      `${word}(?:(?:\\.|[-‐‑]+|::?|['’])${word})*(?:\\+\\+|#(?![${first}_#]))?`,
    flags,
  );
}

/** Kinds of characters: those that no run holds, those that only the patterns know, and those of plain words. */
const APART = 0;
const JOINING = 1;
const LOWER = 2;
const UPPER = 3;
const DIGIT = 4;
const KINDS = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  if (/[0-9]/.test(character)) return DIGIT;
  return "@_.-:'+#".includes(character) ? JOINING : APART;
});
const PLAIN_WORD = /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|[0-9]+)$/;
const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/u;
const ASCII_SEPARATORS = /[^A-Za-z0-9]+/;
/** Parts that look like several: acronyms with an ending, or with an `e` or `i` before them. */
const ONE_PART = "OAuth\\d*|[ei][A-Z]{2,}(?![a-z])|[A-Z]{2,}(?:s|ful|v\\d+)(?![a-z])";
const PLURAL_ACRONYM = /^(?!HTTPs)[A-Z]{2,}s$/;
const CASE_PARTS = new RegExp(`${ONE_PART}|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^A-Z]+|[A-Z]+`, "g");
const MIXED_CASE = /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/;
const UNICODE_CASE_PARTS = new RegExp(
  `${ONE_PART}|(?:\\p{Lu}\\p{M}*)+(?=\\p{Lu}\\p{M}*\\p{Ll})|(?:\\p{Lu}\\p{M}*)?\\P{Lu}+|(?:\\p{Lu}\\p{M}*)+`,
  "gu",
);
const UNICODE_MIXED_CASE = /[\p{Ll}0-9]\p{M}*\p{Lu}|\p{Lu}\p{M}*\p{Lu}\p{M}*\p{Ll}/u;
const POSSESSIVE = /['’][sS]$/;
const APOSTROPHES = /['’]/g;
const HYPHENS = /[‐‑]/g;
/** Signs that a joined whole is without; between digits they tell `1-2` from `12`. */
const JOINTS = /[_-]+(?![\d_-])|(?<![\d_-])[_-]+/g;
/** What is split by letters: Korean puts blanks between phrases, and words into one another. */
const SPLIT = `${UNSPACED}\\p{Script=Hangul}`;
const UNSPACED_LETTER = new RegExp(`[${SPLIT}]`, "u");
const UNSPACED_RUNS = new RegExp(`[${SPLIT}][${SPLIT}\\p{M}]*`, "gu");
/** A letter with what stands on it. Half-width Japanese writes its dots as characters of their own. */
const CHARACTERS = /[^\p{M}ﾞﾟ][\p{M}ﾞﾟ]*|[\p{M}ﾞﾟ]+/gu;

/** Receives runs with their places in the text: plain words without a string for each, and what may be several tokens. */
interface RunVisitor {
  readonly plain: (text: string, start: number, end: number) => void;
  readonly other: (run: string, start: number) => void;
}

/**
 * Visit the tokens of a text in order.
 *
 * @param elisions What an apostrophe ties to the word behind it without being part of it, in lower case (French `l`).
 */
export function visitTokens(text: string, visit: TokenVisitor, elisions?: ReadonlySet<string>): void {
  if (COMMON.test(text)) visitRuns(text, toRunVisitor(visit, elisions));
  else visitComposed(text, visit, (composed, visitInside) => visitRuns(composed, toRunVisitor(visitInside, elisions)));
}

function toRunVisitor(visit: TokenVisitor, elisions?: ReadonlySet<string>): RunVisitor {
  return {
    plain: (text, start, end) => visit(cutToken(text.slice(start, end)), start, end, "word"),
    other: (run, start) => visitRun(run, start, visit, elisions),
  };
}

/** Visit the runs of a composed text in order. */
export function visitRuns(text: string, { plain, other }: RunVisitor): void {
  // Not `matchAll`, which makes two objects a match. What is visited may come here again with the same pattern.
  if (!COMMON.test(text)) unicodeRun ??= makeRunPattern("\\p{L}", "\\p{N}", "\\p{M}", "gu");
  const pattern = COMMON.test(text) ? COMMON_RUN : (unicodeRun as RegExp);
  let from = 0;
  for (;;) {
    from = findRunStart(text, from);
    const end = findPlainEnd(text, from);
    if (end > from) {
      plain(text, from, end);
      from = end;
      continue;
    }
    pattern.lastIndex = from;
    const match = pattern.exec(text);
    if (match === null) break;
    const run = match[0];
    const start = match.index;
    from = start + run.length;
    if (PLAIN_WORD.test(run)) plain(text, start, from);
    else other(run, start);
  }
}

/** Visit the tokens of a run that is no plain word. */
export function visitRun(run: string, start: number, visit: TokenVisitor, elisions?: ReadonlySet<string>): void {
  const skipped = elisions === undefined ? 0 : findElision(run, elisions);
  if (skipped > 0) visitRuns(run.slice(skipped), toRunVisitor(shift(start + skipped, visit)));
  else if (!COMMON.test(run) && UNSPACED_LETTER.test(run)) visitMixedRun(run, start, visit);
  else visitIdentifier(run, start, visit);
}

/** Where the next run begins at the earliest. */
function findRunStart(text: string, from: number): number {
  let at = from;
  while (at < text.length && kindOf(text, at) === APART) at++;
  return at;
}

/**
 * End of the plain word that is the whole run at this place, or the place itself where only the patterns can tell. Most
 * words are plain, and the patterns cost more than all else that is done with them.
 */
function findPlainEnd(text: string, from: number): number {
  if (from >= text.length) return from;
  const first = kindOf(text, from);
  if (first === JOINING) return from;
  let at = from + 1;
  // `word`, `Word`, `WORD`, `42`: what follows the first two characters is of the kind of the second.
  const rest = first === UPPER && at < text.length && kindOf(text, at) === LOWER ? LOWER : first;
  while (at < text.length && kindOf(text, at) === rest) at++;
  if (at >= text.length) return at;
  const behind = kindOf(text, at);
  if (behind === APART) return at;
  // A full stop, colon or apostrophe joins nothing where no further word stands behind it.
  const isLast = at + 1 >= text.length || kindOf(text, at + 1) === APART;
  return behind === JOINING && isLast && ".:'".includes(text[at] as string) ? at : from;
}

function kindOf(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 0x80 ? (KINDS[code] as number) : JOINING;
}

/** Length of an elided word at the start of a run, its apostrophe included. */
function findElision(run: string, elisions: ReadonlySet<string>): number {
  const at = run.search(APOSTROPHES);
  return at > 0 && elisions.has(run.slice(0, at).toLowerCase()) ? at + 1 : 0;
}

/** A token, cut to the longest length that there is. */
export function cutToken(text: string): string {
  return cutText(text, MAX_TOKEN_LENGTH);
}

function visitIdentifier(written: string, start: number, visit: TokenVisitor): void {
  const end = start + written.length;
  const run = written.replace(POSSESSIVE, "").replace(APOSTROPHES, "").replace(HYPHENS, "-");
  const parts = splitParts(run, start, ASCII.test(run));
  const only = parts[0];
  if (only === undefined) return;
  if (parts.length === 1 && only.text.length === run.length) {
    visit(cutToken(singularOf(run)), start, end, "word");
    return;
  }
  // Of one part only its signs tell it from the plain word.
  const whole = parts.length === 1 ? run : run.replace(JOINTS, "");
  visitWhole(whole, start, end, visit);
  // `.env.local` is found as `env.local` too.
  if (parts.length > 1 && whole.startsWith(".")) visitWhole(whole.slice(1), start, end, visit);
  // Parts of a run whose apostrophes were dropped have no exact place of their own.
  const exact = run.length === written.length;
  for (const { text, start: from } of parts) {
    visit(cutToken(singularOf(text)), exact ? from : start, exact ? from + text.length : end, "part");
  }
}

function singularOf(part: string): string {
  return PLURAL_ACRONYM.test(part) ? part.slice(0, -1) : part;
}

function visitWhole(whole: string, start: number, end: number, visit: TokenVisitor): void {
  if (whole.length <= MAX_TOKEN_LENGTH) visit(whole, start, end, "whole");
}

interface Part {
  readonly text: string;
  readonly start: number;
}

function splitParts(run: string, start: number, ascii: boolean): Part[] {
  const mixedCase = ascii ? MIXED_CASE : UNICODE_MIXED_CASE;
  const parts: Part[] = [];
  let at = start;
  for (const piece of run.split(ascii ? ASCII_SEPARATORS : SEPARATORS)) {
    if (piece.length > 0) {
      at = start + run.indexOf(piece, at - start);
      if (mixedCase.test(piece)) {
        for (const match of piece.matchAll(ascii ? CASE_PARTS : UNICODE_CASE_PARTS)) {
          parts.push({ text: match[0], start: at + match.index });
        }
      } else {
        parts.push({ text: piece, start: at });
      }
      at += piece.length;
    }
  }
  return parts;
}

/** Where the parts of an identifier begin, in UTF-16 units, ascending: 0, 3 and 7 in `getUserName`. */
export function partStarts(name: string): number[] {
  return splitParts(name, 0, ASCII.test(name)).map(({ start }) => start);
}

/** A run with letters of a script without spaces: bigrams of those, the rest as usual. */
function visitMixedRun(run: string, start: number, visit: TokenVisitor): void {
  let at = 0;
  for (const match of run.matchAll(UNSPACED_RUNS)) {
    if (match.index > at) visitRuns(run.slice(at, match.index), toRunVisitor(shift(start + at, visit)));
    visitBigrams(match[0], start + match.index, visit);
    at = match.index + match[0].length;
  }
  if (at < run.length) visitRuns(run.slice(at), toRunVisitor(shift(start + at, visit)));
}

function visitBigrams(run: string, start: number, visit: TokenVisitor): void {
  const characters = run.match(CHARACTERS) ?? [];
  if (characters.length === 1) visit(cutToken(run), start, start + run.length, "word");
  let at = start;
  for (let i = 0; i + 1 < characters.length; i++) {
    const bigram = `${characters[i]}${characters[i + 1]}`;
    visit(cutToken(bigram), at, at + bigram.length, "word");
    at += (characters[i] as string).length;
  }
}

function shift(by: number, visit: TokenVisitor): TokenVisitor {
  return (text, start, end, kind) => visit(text, start + by, end + by, kind);
}

/*
 * Text whose letters and accents may stand apart, visited as if they were composed (NFC) and nothing invisible or
 * stray stood between them, so that the spellings of `é` or `한` give the same tokens. Places are those of the text as
 * it stands.
 */

/** Receives something found in a text, with its place in UTF-16 units. */
type PlaceVisitor<Kind> = (text: string, start: number, end: number, kind: Kind) => void;

/** Let `walk` visit the composed text; `visit` receives what it finds with places in `text`. */
export function visitComposed<Kind>(
  text: string,
  visit: PlaceVisitor<Kind>,
  walk: (composed: string, visit: PlaceVisitor<Kind>) => void,
): void {
  const composed = composeText(text);
  if (composed === text) {
    walk(text, visit);
    return;
  }
  // For each unit of the composed text where its segment begins and ends in the text.
  const starts = new Uint32Array(composed.length + 1);
  const ends = new Uint32Array(composed.length + 1);
  let at = 0;
  for (const match of text.matchAll(SEGMENTS)) {
    const segment = match[0];
    const next = at + (ASCII_CHARACTER.test(segment) ? 1 : composeText(segment).length);
    starts.fill(match.index, at, next);
    ends.fill(match.index + segment.length, at, next);
    at = next;
  }
  walk(composed, (token, start, end, kind) => {
    visit(token, starts[start] as number, ends[end - 1] as number, kind);
  });
}

/** The text with its letters and accents as one, and nothing invisible or stray between them. */
export function composeText(text: string): string {
  if (COMMON.test(text)) return text;
  return text.replace(INVISIBLE_CHARACTERS, "").normalize("NFC").replace(STRAY_MARKS, "");
}
