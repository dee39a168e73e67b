/**
 * What somebody who looks for symbols typed, and whether a name is meant by it.
 *
 * A query is a name, `Container.member`, words of a name in any order, or a pattern with `*` (any text) and `?` (any
 * character).
 */
import { foldSymbolName, keyedParts, qualifiedName } from "../format/name-list.ts";
import { foldCase } from "../text/normalize.ts";
import { partStarts } from "../text/tokenize.ts";

export type NameQuery =
  /** `written` is what was typed, with the signs that separate names: quoted keys (`".mdx"`) begin with any. */
  | { readonly kind: "name"; readonly name: string; readonly written: string; readonly words: readonly string[] }
  | { readonly kind: "words"; readonly words: readonly string[] }
  /** `name` is the last two segments; `path` all of them, where there are more; `written` a name that has such signs itself. */
  | {
      readonly kind: "qualified";
      readonly name: string;
      readonly path: string | undefined;
      readonly written: string;
    }
  | { readonly kind: "pattern"; readonly written: string; readonly pattern: NamePattern };

/** A pattern, as the texts between its stars. */
export interface NamePattern {
  /** Folded; `""` at either end where a star stands there. */
  readonly segments: readonly string[];
  /** Whether it is matched with qualified names. */
  readonly isQualified: boolean;
  /** Folded text that begins a part of each name that is meant; `""` where it can stand anywhere. */
  readonly part: string;
}

/** How well a name fits, the best first: what a name is, in which order, and how much more there is to it. */
export interface NameMatch {
  readonly tier: (typeof MATCH_TIERS)[number];
  /** Letters and digits of the name that the query does not have. */
  readonly extra: number;
  /** Whether the words stand in the order in which they were typed. */
  readonly inOrder: boolean;
}

/** How names match, the best first. */
const MATCH_TIERS = ["exact", "folded", "qualified", "words", "prefix", "pattern"] as const;

/** What stands between names. A `#` at the beginning of a name is part of it: `#secret`, `Store.#secret`. */
const SEPARATORS = /::|->|[./\\]|(?<=[^:>.#/\\])#/;
const NOT_OF_NAMES = /[^\p{L}\p{N}\p{M}_$*?]+/u;
const NO_LETTER = /[^\p{L}\p{N}\p{M}]/u;
const NO_LETTERS = /[^\p{L}\p{N}\p{M}]+/gu;
/** A capital at the beginning of a pattern's text says that a part begins there. */
const BEGINS_PART = /^\p{Lu}/u;
const MAX_WORDS = 8;

/** The names of a qualified name and what stands between them, as they are written. The last name may be empty. */
export function splitQualified(text: string): { readonly segments: string[]; readonly separators: string[] } {
  const separators = [...text.matchAll(new RegExp(SEPARATORS, "g"))].map(([separator]) => separator);
  return { segments: text.split(SEPARATORS), separators };
}

/** What a query means; undefined where it names nothing. */
export function readNameQuery(text: string): NameQuery | undefined {
  // `open()` calls `open`; C++ has a symbol `operator()`.
  const trimmed = text.trim().replace(/(?<!\boperator)\(\)$/, "");
  const segments = trimmed.split(SEPARATORS).filter((segment) => segment !== "");
  const isOneWord = !/\s/.test(trimmed);
  if (/[*?]/.test(trimmed)) {
    return readPattern(isOneWord ? segments.join(".") : trimmed.replace(/\s+/g, "*"), trimmed);
  }
  if (isOneWord && segments.length > 1) {
    const [container = "", member = ""] = segments.slice(-2);
    const path = segments.length > 2 ? foldCase(segments.join(".")) : undefined;
    return { kind: "qualified", name: qualifiedName(container, member), path, written: trimmed };
  }
  const tokens = trimmed.split(NOT_OF_NAMES).filter((token) => token !== "");
  const words = tokens.flatMap(wordsOf).slice(0, MAX_WORDS);
  const [name] = tokens;
  // Signs belong to names of some languages (`operator+`, `#secret`), so what is one word is looked for as it stands too.
  if (isOneWord && segments[0] !== undefined) return { kind: "name", name: segments[0], written: trimmed, words };
  return name === undefined ? undefined : { kind: "words", words };
}

/** How a name that is written so fits a query, or undefined. */
export function matchName(query: Exclude<NameQuery, { kind: "qualified" }>, name: string): NameMatch | undefined {
  // A module that is declared as `*.svg` has that name, whatever it stands for as a pattern.
  if (query.kind !== "words" && query.written === name) return { tier: "exact", extra: 0, inOrder: true };
  if (query.kind === "pattern") {
    const folded = foldCase(name);
    if (!matchPattern(query.pattern, folded)) return undefined;
    const isMeant =
      query.pattern.part === "" || keyedParts(name).some((at) => folded.startsWith(query.pattern.part, at));
    return isMeant || folded.startsWith(query.pattern.part) ? { tier: "pattern", extra: 0, inOrder: true } : undefined;
  }
  if (query.kind === "name") {
    if (query.name === name)
      return {
        tier: query.written.endsWith(query.name) && query.written !== query.name ? "folded" : "exact",
        extra: 0,
        inOrder: true,
      };
    if (foldSymbolName(query.name) === foldSymbolName(name)) return { tier: "folded", extra: 0, inOrder: true };
  }
  return matchWords(query.words, name);
}

/** Whether a name is written like the whole of a qualified query: quoted keys (`"a.b"`) hold any signs. */
export function isWritten({ written }: Extract<NameQuery, { kind: "qualified" }>, name: string): boolean {
  return foldSymbolName(written) === foldSymbolName(name);
}

/** How a qualified name, or a name that looks like one, fits what is looked for. */
export function matchQualified(query: Extract<NameQuery, { kind: "qualified" }>, name: string): NameMatch | undefined {
  const wanted = query.name;
  if (name === query.written) return { tier: "exact", extra: 0, inOrder: true };
  const [folded, other] = [foldCase(wanted), foldCase(name)];
  if (folded === other) return { tier: wanted === name ? "exact" : "qualified", extra: 0, inOrder: true };
  if (isWritten(query, name)) return { tier: "qualified", extra: 0, inOrder: true };
  return other.startsWith(folded)
    ? { tier: "prefix", extra: lettersOf(other) - lettersOf(folded), inOrder: true }
    : undefined;
}

/** Negative, zero or positive as `a` fits better than, like or worse than `b`. */
export function compareMatches(a: NameMatch, b: NameMatch): number {
  return (
    MATCH_TIERS.indexOf(a.tier) - MATCH_TIERS.indexOf(b.tier) ||
    a.extra - b.extra ||
    Number(b.inOrder) - Number(a.inOrder)
  );
}

/** The parts of a word as typed, folded: all of them have to be in a name. */
function wordsOf(token: string): string[] {
  const starts = partStarts(token);
  return starts
    .map((start, at) => foldCase(token.slice(start, starts[at + 1])).replace(NO_LETTERS, ""))
    .filter((word) => word !== "");
}

/** All words begin parts of the name. Where each ends with a part, too, it is a name of these words. */
function matchWords(words: readonly string[], name: string): NameMatch | undefined {
  if (words.length === 0) return undefined;
  const folded = foldSymbolName(name);
  const starts = keyedParts(name);
  const isEnd = (at: number): boolean =>
    at >= folded.length || starts.includes(at) || NO_LETTER.test(folded[at] as string);
  let isWhole = true;
  let inOrder = true;
  let last = -1;
  for (const word of words) {
    const places = starts.filter((start) => folded.startsWith(word, start));
    const whole = places.filter((start) => isEnd(start + word.length));
    if (places.length === 0) return undefined;
    isWhole &&= whole.length > 0;
    const next = (whole.length > 0 ? whole : places).find((start) => start > last);
    inOrder &&= next !== undefined;
    last = next ?? last;
  }
  const extra = lettersOf(folded) - words.reduce((sum, { length }) => sum + length, 0);
  return { tier: isWhole ? "words" : "prefix", extra: Math.max(0, extra), inOrder };
}

function readPattern(text: string, typed: string): NameQuery | undefined {
  const written = text.split(/\*+/);
  const segments = written.map(foldCase);
  if (segments.every((segment) => segment.replaceAll("?", "") === "") && !text.includes("?")) {
    return { kind: "pattern", written: typed, pattern: { segments: ["", ""], isQualified: false, part: "" } };
  }
  const isQualified = text.includes(".");
  const [first = "", second = ""] = written;
  const fixed = first === "" && BEGINS_PART.test(second) && !isQualified ? foldCase(second.split("?")[0] ?? "") : "";
  return { kind: "pattern", written: typed, pattern: { segments, isQualified, part: fixed } };
}

/** Whether a folded text is one of those that a pattern stands for. Each segment is sought once, from left to right. */
export function matchPattern({ segments }: NamePattern, folded: string): boolean {
  const [first = "", ...rest] = segments;
  const last = rest.pop();
  if (!fits(first, folded, 0)) return false;
  if (last === undefined) return folded.length === first.length;
  let at = first.length;
  for (const segment of rest) {
    while (at + segment.length <= folded.length && !fits(segment, folded, at)) at++;
    at += segment.length;
    if (at > folded.length) return false;
  }
  const end = folded.length - last.length;
  return end >= at && fits(last, folded, end);
}

function fits(segment: string, text: string, from: number): boolean {
  if (from + segment.length > text.length) return false;
  for (let at = 0; at < segment.length; at++) {
    if (segment[at] !== "?" && segment[at] !== text[from + at]) return false;
  }
  return true;
}

function lettersOf(text: string): number {
  return text.replace(NO_LETTERS, "").length;
}
