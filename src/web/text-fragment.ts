/**
 * Text fragments: the part of an address, `#anchor:~:text=…`, that says what to mark on the page it leads to. Browsers that know
 * them scroll there, and where the text is not found to the anchor.
 *
 * Syntax: WICG "URL Fragment Text Directives", `text=[prefix-,]start[,-suffix]`; texts that are named by their first and last words are left to browsers. Pure: text in, text out.
 */
import type { ExcerptPart } from "../core/search/answer.ts";
import { UNSPACED } from "../core/text/tokenize.ts";

/** One text on a page, with what stands right before and behind it; `""` where that does not matter. */
export interface TextDirective {
  readonly prefix: string;
  readonly start: string;
  readonly suffix: string;
}

/** What separates a fragment from its directives. */
const DELIMITER = ":~:";
/** Texts that an address names, and words around each, at most. */
const MAX_DIRECTIVES = 3;
const CONTEXT_WORDS = 3;
/** Words around a text where no blanks tell them: they are shorter, signs among them. */
const UNSPACED_WORDS = 5;
/** A longer text is cut at a word: it has to stand on the page letter by letter. */
const MAX_TEXT = 80;
/** Characters of all directives, escaped: addresses are shown, kept and logged. */
const MAX_LENGTH = 600;
/** Directives that are read of an address. */
const MAX_READ = 10;

const LETTER = `(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_])`;
const WORD_START = new RegExp(`^${LETTER}+`, "u");
const WORD_END = new RegExp(`${LETTER}+$`, "u");
const UNSPACED_START = new RegExp(`^[${UNSPACED}]`, "u");
const UNSPACED_END = new RegExp(`[${UNSPACED}]$`, "u");
const UNSPACED_LETTER = new RegExp(`[${UNSPACED}]`, "u");
/** Words as the browser knows them, which it holds edges of texts against. Some browsers have none. */
const WORDS = typeof Intl.Segmenter === "function" ? new Intl.Segmenter(undefined, { granularity: "word" }) : undefined;
/** Where an excerpt leaves something out, and where a line or a cell ends: what stands beyond may stand elsewhere on the page. */
const BREAK = /[…\n]| · /;

/**
 * An address that has the browser mark what an excerpt marks. An address without a marked excerpt, and one that says
 * already what to mark, stays as it is.
 */
export function withTextFragment(url: string, excerpt: readonly ExcerptPart[]): string {
  if (url === "" || url.includes(DELIMITER)) return url;
  let directives = "";
  for (const directive of chooseDirectives(excerpt)) {
    const alone = { ...directive, prefix: "", suffix: "" };
    const next = [directive, alone]
      .map((one) => `${directives === "" ? "" : `${directives}&`}text=${encodeDirective(one)}`)
      .find(({ length }) => length <= MAX_LENGTH);
    if (next === undefined) break;
    directives = next;
  }
  if (directives === "") return url;
  return `${url}${url.includes("#") ? "" : "#"}${DELIMITER}${directives}`;
}

/**
 * What to mark of an excerpt: its marked texts, each with the words around it. The longest one comes first: there a page begins. One that
 * stands there again comes behind all others.
 */
export function chooseDirectives(excerpt: readonly ExcerptPart[]): readonly TextDirective[] {
  const text = excerpt.map((part) => part.text).join("");
  const runs = [...findRuns(excerpt, text)].sort((a, b) => b[1] - b[0] - (a[1] - a[0]));
  const names = runs.map(([from, to]) => text.slice(from, to).toLowerCase());
  const isFirst = (_: unknown, at: number): boolean => names.indexOf(names[at] as string) === at;
  return [...runs.filter(isFirst), ...runs.filter((run, at) => !isFirst(run, at))]
    .slice(0, MAX_DIRECTIVES)
    .map(([from, to]) => ({
      prefix: lastWords(text.slice(0, from)),
      start: cutAtWord(text.slice(from, to)),
      // What was cut is not followed by what follows the whole.
      suffix: to - from > MAX_TEXT ? "" : firstWords(text.slice(to)),
    }))
    .filter(({ start }) => start !== "");
}

/** An address, and the texts that it says to mark. @param address Any part of one that ends with its fragment. */
export function readTextFragment(address: string): {
  readonly address: string;
  readonly directives: readonly TextDirective[];
} {
  const at = address.indexOf(DELIMITER, Math.max(0, address.indexOf("#")));
  if (at < 0) return { address, directives: [] };
  const directives = address
    .slice(at + DELIMITER.length)
    .split("&")
    .filter((one) => one.startsWith("text="))
    .slice(0, MAX_READ)
    .flatMap((one) => decodeDirective(one.slice("text=".length)) ?? []);
  return { address: address.slice(0, at).replace(/#$/, ""), directives };
}

/** A directive as it stands in an address, behind `text=`. */
export function encodeDirective({ prefix, start, suffix }: TextDirective): string {
  const parts = [prefix && `${encode(prefix)}-`, encode(start), suffix && `-${encode(suffix)}`];
  return parts.filter((part) => part !== "").join(",");
}

/** A directive out of an address; undefined for what is none. */
function decodeDirective(text: string): TextDirective | undefined {
  const parts = text.split(",");
  const prefix = parts.length > 1 && parts[0]?.endsWith("-") ? (parts.shift() ?? "").slice(0, -1) : "";
  const suffix = parts.length > 1 && parts.at(-1)?.startsWith("-") ? (parts.pop() ?? "").slice(1) : "";
  const [start = "", ...more] = parts;
  if (start === "" || more.length > 0 || parts.some((part) => part.includes("-"))) return undefined;
  try {
    return {
      prefix: decodeURIComponent(prefix),
      start: decodeURIComponent(start),
      suffix: decodeURIComponent(suffix),
    };
  } catch {
    return undefined;
  }
}

/** Commas, ampersands and dashes mean something in a directive; the last of them `encodeURIComponent` leaves alone. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "")).replaceAll("-", "%2D");
}

/** Places of the marked texts, as whole words, which among letters without blanks are those the browser knows; marks with nothing but white space between them are one. */
function findRuns(excerpt: readonly ExcerptPart[], text: string): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  let at = 0;
  for (const part of excerpt) {
    const [from, to] = [at, at + part.text.length];
    at = to;
    if (!part.marked || part.text.trim() === "") continue;
    const run: [number, number] = [startOfWord(text, from), endOfWord(text, to)];
    const last = runs.at(-1);
    if (last !== undefined && text.slice(last[1], run[0]).trim() === "" && !BREAK.test(text.slice(last[1], run[0]))) {
      last[1] = Math.max(last[1], run[1]);
    } else runs.push(run);
  }
  return runs;
}

function startOfWord(text: string, at: number): number {
  const before = text.slice(0, at);
  if (!UNSPACED_END.test(before) && !UNSPACED_START.test(text.slice(at)))
    return at - (WORD_END.exec(before)?.[0].length ?? 0);
  return WORDS?.segment(text).containing(at)?.index ?? at;
}

function endOfWord(text: string, at: number): number {
  const behind = text.slice(at);
  if (!UNSPACED_START.test(behind) && !UNSPACED_END.test(text.slice(0, at)))
    return at + (WORD_START.exec(behind)?.[0].length ?? 0);
  const word = WORDS?.segment(text).containing(at - 1);
  return word === undefined ? at : word.index + word.segment.length;
}

/** The words that a text ends with, as far as they are certain to stand together. */
function lastWords(before: string): string {
  const near = before.split(BREAK).at(-1) ?? "";
  const words = near.split(/\s+/).filter(Boolean).slice(-CONTEXT_WORDS).join(" ");
  return UNSPACED_LETTER.test(words) ? segment(words).slice(-UNSPACED_WORDS).join("").trim() : words;
}

function firstWords(behind: string): string {
  const near = behind.split(BREAK)[0] ?? "";
  const words = near.split(/\s+/).filter(Boolean).slice(0, CONTEXT_WORDS).join(" ");
  return UNSPACED_LETTER.test(words) ? segment(words).slice(0, UNSPACED_WORDS).join("").trim() : words;
}

/** The words of a text with what stands between them; none where the browser does not know them. */
function segment(text: string): string[] {
  return WORDS === undefined ? [] : Array.from(WORDS.segment(text), (word) => word.segment);
}

function cutAtWord(text: string): string {
  const whole = text.trim().replace(/\s+/g, " ");
  if (whole.length <= MAX_TEXT) return whole;
  const cut = whole.slice(0, MAX_TEXT + 1);
  const space = cut.lastIndexOf(" ");
  if (space > 0) return cut.slice(0, space);
  return UNSPACED_LETTER.test(cut) ? segment(cut).slice(0, -1).join("") : "";
}
