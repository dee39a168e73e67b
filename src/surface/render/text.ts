/**
 * Numbers, counts, lists and ages in words; and text of other people's documents, made safe to show: no invisible or direction-changing
 * characters, no HTML.
 *
 * A character that a reader cannot see can hide words from the person whose agent reads them; a bidi control can show words
 * in another order. Such characters are stripped from everything but raw bodies, and answers report their number.
 */

import type { TopicCounts } from "../../core/format/topics.ts";
import type { ExcerptPart } from "../../core/search/answer.ts";
import { cutText } from "../../core/text/short-text.ts";

/** The items cut into runs: each as long as the key stays the same. */
export function groupRuns<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Item[][] {
  const runs: Item[][] = [];
  let last: Key | undefined;
  for (const item of items) {
    const key = keyOf(item);
    const run = runs.at(-1);
    if (run === undefined || key !== last) runs.push([item]);
    else run.push(item);
    last = key;
  }
  return runs;
}

/** A head over lines that are indented, and how many more there are. */
export function formatList(head: string, lines: readonly string[], left = 0): string {
  return [head, ...lines.map((line) => `  ${line}`), ...(left > 0 ? [`  … ${left} more`] : [])].join("\n");
}

/** What stands in as many backticks on both sides. */
const CODE_SPAN = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/gs;

/** The parts of an excerpt without the backticks around code, each with whether it is code. */
export function splitCode(parts: readonly ExcerptPart[]): readonly (ExcerptPart & { readonly isCode: boolean })[] {
  // Marks as halves of characters, which no text holds: none runs over the end of code.
  const text = parts.map((part) => (part.marked ? `\udbff${part.text}\udbff` : part.text)).join("");
  return text.split(CODE_SPAN).flatMap((piece, at) => {
    if (at % 3 === 1) return [];
    const isCode = at % 3 === 2;
    const own = (isCode ? piece.trim() : piece).split("\udbff");
    return own.flatMap((one, n) => (one === "" ? [] : [{ text: one, marked: n % 2 === 1, isCode }]));
  });
}

/** A text without invisible characters, and how many there were. */
interface CleanText {
  readonly text: string;
  readonly removed: number;
}

/**
 * Characters without a glyph of their own: C0 and C1 controls but tab and line feed, soft hyphen, joiners, fillers,
 * zero-width and bidi controls, separators of lines and paragraphs, variation selectors, interlinear marks, tags; and halves
 * of characters.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds.
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is looked for on its own.
  /[\ud800-\udfff\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/**
 * Of scripts that most texts are written in, all characters that none of those is among; others may be. Looking for what is
 * outside of it takes a seventh of the time.
 */
const SUSPECT = /[^\t\n -~\xa0-\xac\xae-\u02ff\u2010-\u2027\u2190-\u2bff]/;

const CARRIAGE_RETURN = "\r";
const JOINERS: ReadonlySet<string> = new Set(["\u200c", "\u200d"]);
const HALF = /^\p{Cs}$/u;
const EMOJI_SELECTOR = "\ufe0f";
const LINE_SEPARATORS: ReadonlySet<string> = new Set(["\u2028", "\u2029"]);

/** From here on come scripts that need joiners between letters (Arabic, Indic …) and, further up, emoji. */
const FIRST_JOINING = 0x0600;
/** From here on come symbols that an emoji selector may follow. */
const FIRST_SYMBOL = 0x2000;

const HTML_ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * The text without invisible characters. One joiner between two letters of a script that needs it and one emoji selector
 * after a symbol stay. Halves of characters become U+FFFD, uncounted.
 *
 * It never has more lines than before, so that no text can look like a line around it: carriage returns before line feeds go,
 * other ones and separators of lines become blanks, all uncounted.
 */
export function cleanText(text: string): CleanText {
  let removed = 0;
  const cleaned = text.replace(INVISIBLE, (found, at: number) => {
    if (found === CARRIAGE_RETURN) return text[at + 1] === "\n" ? "" : " ";
    if (LINE_SEPARATORS.has(found)) return " ";
    if (HALF.test(found)) return "\ufffd";
    if (found === EMOJI_SELECTOR && isVisibleFrom(FIRST_SYMBOL, codePointBefore(text, at))) return found;
    if (JOINERS.has(found) && isJoined(text, at)) return found;
    removed++;
    return "";
  });
  return { text: cleaned, removed };
}

/** The same of a long text, which mostly has nothing to strip. Pages load the other one, which is shorter. */
export function cleanLongText(text: string): CleanText {
  return SUSPECT.test(text) ? cleanText(text) : { text, removed: 0 };
}

/** Whether a joiner stands between two characters that may need one. Beside another one it is no part of a word. */
function isJoined(text: string, at: number): boolean {
  const before = text[at - 1] === EMOJI_SELECTOR ? codePointBefore(text, at - 1) : codePointBefore(text, at);
  return isVisibleFrom(FIRST_JOINING, before) && isVisibleFrom(FIRST_JOINING, text.codePointAt(at + 1) ?? 0);
}

function isVisibleFrom(first: number, code: number): boolean {
  return code >= first && String.fromCodePoint(code).search(INVISIBLE) < 0;
}

/** The character that ends before a place; 0 at the start. */
function codePointBefore(text: string, at: number): number {
  const low = text.charCodeAt(at - 1);
  const isLow = low >= 0xdc00 && low <= 0xdfff;
  return at === 0 ? 0 : (text.codePointAt(isLow && at > 1 ? at - 2 : at - 1) ?? 0);
}

/** A JSON value whose strings are all cleaned; keys of objects too. Functions and `undefined` members are left out. */
export function cleanJson(value: unknown): { readonly value: unknown; readonly removed: number } {
  let removed = 0;
  const clean = (text: string): string => {
    const result = cleanText(text);
    removed += result.removed;
    return result.text;
  };
  const walk = (node: unknown): unknown => {
    if (typeof node === "string") return clean(node);
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== "object" || node === null) return node;
    const entries = Object.entries(node).filter(([, member]) => member !== undefined);
    return Object.fromEntries(entries.map(([key, member]) => [clean(key), walk(member)]));
  };
  return { value: walk(value), removed };
}

/** The text with the five characters escaped that mean something in HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (found) => HTML_ESCAPES[found] ?? found);
}

/** The text on one line: runs of white space become one blank, and past `maxLength` characters it ends in `...`. */
export function foldLine(text: string, maxLength: number): string {
  const folded = text.replace(/\s+/g, " ").trim();
  if (folded.length <= maxLength) return folded;
  return `${cutText(folded, Math.max(0, maxLength - 3))}...`;
}

/**
 * How many tokens a text will cost the reader, estimated.
 *
 * No tokenizer is loaded: the estimate is a function of the characters alone, so that the same answer is cut at the
 * same place on every machine. Counted in quarters of a token: an ASCII character one, another character below
 * U+2E80 (Latin with accents, Greek, Cyrillic, Arabic …) two, a CJK character and everything above four, a
 * character outside the BMP (emoji …) eight.
 */

const FIRST_NON_ASCII = 0x80;
/** Start of the CJK blocks. What lies above costs about one token a character in the usual vocabularies. */
const FIRST_WIDE = 0x2e80;

/** Estimated tokens of a text, rounded up. */
export function estimateTokens(text: string): number {
  return Math.ceil(countQuarters(text) / 4);
}

/** Estimated tokens of an answer's blocks together. */
export function sumTokens(blocks: readonly { readonly text: string }[]): number {
  return blocks.reduce((sum, { text }) => sum + estimateTokens(text), 0);
}

/** The longest start of a text that costs at most `maxTokens`; never splits a surrogate pair. */
export function cutToTokens(text: string, maxTokens: number): string {
  const limit = Math.max(0, Math.floor(maxTokens * 4));
  let spent = 0;
  for (let index = 0; index < text.length; index++) {
    spent += quartersOf(text.charCodeAt(index));
    if (spent > limit) {
      const splitsPair = index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff;
      return text.slice(0, splitsPair ? index - 1 : index);
    }
  }
  return text;
}

function countQuarters(text: string): number {
  let quarters = 0;
  for (let index = 0; index < text.length; index++) quarters += quartersOf(text.charCodeAt(index));
  return quarters;
}

/** Quarters of one UTF-16 unit. A character outside the BMP has two units, both above the CJK blocks' start. */
function quartersOf(unit: number): number {
  if (unit < FIRST_NON_ASCII) return 1;
  return unit < FIRST_WIDE ? 2 : 4;
}

/** Digits of a score behind the point: enough to tell two apart. */
const SCORE_DIGITS = 4;

/** A number with at most so many digits behind the point. */
export function roundTo(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}

/** A score as JSON shows it. */
export function roundScore(score: number): number {
  return roundTo(score, SCORE_DIGITS);
}

/** `1,925`: a whole number with commas. */
export function formatNumber(number: number): string {
  // Not by `toLocaleString`: an outline has thousands of numbers, and that takes microseconds for each.
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A number with its noun, in the plural where it is not one. */
export function formatCount(number: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(number)} ${number === 1 ? noun : plural}`;
}

/** `12 documents, 80 sections, 34 concepts` */
export function formatTopicCounts({ documents, chunks, concepts }: TopicCounts): string {
  return `${formatCount(documents, "document")}, ${formatCount(chunks, "section")}, ${formatCount(concepts, "concept")}`;
}

/** `12-40`, or `12` for one line. */
export function formatLines(startLine: number, endLine: number): string {
  return endLine > startLine ? `${startLine}-${endLine}` : `${startLine}`;
}

/** The first `most` of some texts, and `+n` for the others. */
export function cutList(texts: readonly string[], most: number, total = texts.length): string[] {
  const shown = texts.slice(0, most);
  const left = total - shown.length;
  return left > 0 ? [...shown, `+${left}`] : shown;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Up to two days hours say more than days. */
const MAX_HOURS_MS = 2 * DAY_MS;

/** Seconds from an ISO time until `now`, or undefined where the time is none. Never negative: clocks differ. */
export function ageSeconds(isoTime: string, now: number): number | undefined {
  const then = Date.parse(isoTime);
  return Number.isNaN(then) ? undefined : Math.max(0, Math.floor((now - then) / 1000));
}

/** `just now`, `5 min ago`, `2 h ago` or `12 d ago`; undefined where the time is none. */
export function formatAge(isoTime: string, now: number): string | undefined {
  const seconds = ageSeconds(isoTime, now);
  if (seconds === undefined) return undefined;
  const ageMs = seconds * 1000;
  if (ageMs < MINUTE_MS) return "just now";
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} min ago`;
  if (ageMs < MAX_HOURS_MS) return `${Math.floor(ageMs / HOUR_MS)} h ago`;
  return `${Math.floor(ageMs / DAY_MS)} d ago`;
}

/** Name under which the server introduces itself to clients. */
export const SERVER_NAME = "treeline";

/** Version of the server, and so of how it words its answers. */
export const SERVER_VERSION = "0.1.0";

/** What people are shown as its name. @param corpus Name of the one that answers; `""` for that at the root. */
export function serverTitle(corpus: string): string {
  return corpus === "" ? "Treeline" : `Treeline ${corpus}`;
}
