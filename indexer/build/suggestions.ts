/**
 * Suggestions of a shard: each title and heading under the phrases that begin at its words.
 *
 * A beginning that many phrases share (`s`, `co`) is a key of its own with the best texts below it, so that a reader
 * finds them in one chunk however long the run of keys behind it is. The same documents give the same table. Pure.
 */
import { keyOf } from "../../src/core/bytes/key.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import { encodeSuggestions, type SuggestionPlace } from "../../src/core/format/suggestions.ts";
import { compareNames } from "../../src/core/text/compare-names.ts";
import { foldText } from "../../src/core/text/normalize.ts";
import { cutPhrase, foldPhrase } from "../../src/core/text/phrase.ts";
import { slugify } from "../../src/core/text/slug.ts";
import { isStopWord } from "../../src/core/text/stop-words.ts";
import { visitTokens } from "../../src/core/text/tokenize.ts";
import type { DocumentCard } from "../cache/cached-document.ts";

/** Words of one text that it is found by. */
const MAX_STARTS = 4;
/** Texts under one key: more than are ever shown. */
const MAX_TEXTS = 20;
/** Collections that one text is listed for: versions of the same pages share their headings. */
const MAX_PLACES = 16;
/** A beginning of more phrases than this gets a key of its own. As many phrases lie in about one chunk. */
const LISTED_FROM = 80;
/** Longer headings are sentences; they are cut, since nobody chooses by their end. */
const MAX_TEXT_LENGTH = 120;

/** What stands before a place inside a word. */
const INSIDE_WORD = /[\p{L}\p{N}\p{M}]$/u;

/** What a document adds. */
type TitledDocument = Pick<DocumentCard, "number" | "collection" | "title" | "sections">;

/** A title or heading where it stands. */
interface Occurrence {
  readonly text: string;
  readonly level: number;
  readonly document: TitledDocument;
  readonly ordinal: number;
  readonly anchor: string;
}

/** One text with all that it stands for. */
interface Subject {
  readonly phrase: string;
  readonly text: string;
  readonly isTitle: boolean;
  readonly count: number;
  readonly places: readonly SuggestionPlace[];
}

/** A text under one of its words. */
interface Start {
  readonly key: string;
  /** 0 = its first word. */
  readonly word: number;
  readonly subject: Subject;
}

/** Entries of the table, in no order. */
export function suggestionEntries(documents: readonly TitledDocument[]): TableEntry[] {
  const starts = collectSubjects(documents).flatMap(listStarts);
  starts.sort((a, b) => compareNames(a.key, b.key));
  const texts = new Map<string, Start[]>();
  for (const start of starts) {
    const list = texts.get(start.key);
    if (list === undefined) texts.set(start.key, [start]);
    else list.push(start);
  }
  listBeginnings(starts, texts);
  return [...texts].map(([key, list]) => ({ key: keyOf(key), value: encodeTexts(key, list) }));
}

/** Every text of the documents once, whatever its case and punctuation. */
function collectSubjects(documents: readonly TitledDocument[]): Subject[] {
  const occurrences = new Map<string, Occurrence[]>();
  const note = (phrase: string, occurrence: Occurrence): void => {
    const list = occurrences.get(phrase);
    if (list === undefined) occurrences.set(phrase, [occurrence]);
    else list.push(occurrence);
  };
  for (const document of documents) {
    const title = foldPhrase(document.title);
    if (title !== "") note(title, { text: document.title, level: 0, document, ordinal: 0, anchor: "" });
    for (const [ordinal, [level, text, , , anchor]] of document.sections.entries()) {
      const phrase = foldPhrase(text);
      // A page often repeats its title as its first heading.
      if (ordinal > 0 && phrase !== "" && phrase !== title) note(phrase, { text, level, document, ordinal, anchor });
    }
  }
  return [...occurrences].map(([phrase, list]) => toSubject(phrase, list));
}

function toSubject(phrase: string, occurrences: readonly Occurrence[]): Subject {
  const byCollection = new Map<number, Occurrence[]>();
  for (const occurrence of occurrences) {
    const { collection } = occurrence.document;
    const list = byCollection.get(collection);
    if (list === undefined) byCollection.set(collection, [occurrence]);
    else list.push(occurrence);
  }
  const groups = [...byCollection.values()].map((list) => ({ best: chooseBest(list), count: list.length }));
  groups.sort((a, b) => compareOccurrences(a.best, b.best));
  const { best } = groups[0] as (typeof groups)[number];
  const isTitle = best.ordinal === 0;
  const text = isTitle ? best.text : shorten(best.text);
  const places = groups.slice(0, MAX_PLACES).map(({ best: { document, ordinal, anchor }, count }) => ({
    collection: document.collection,
    count,
    document: document.number,
    ordinal,
    anchor: ordinal === 0 || anchor === slugify(text) ? "" : anchor,
  }));
  return { phrase, text, isTitle, count: occurrences.length, places };
}

function chooseBest(occurrences: readonly Occurrence[]): Occurrence {
  return occurrences.reduce((best, next) => (compareOccurrences(next, best) < 0 ? next : best));
}

/** Titles before headings, those before deeper ones; then the order of the documents. */
function compareOccurrences(a: Occurrence, b: Occurrence): number {
  return a.level - b.level || a.document.number - b.document.number || a.ordinal - b.ordinal;
}

/**
 * The phrases that begin at the words of a text: at the first, and at those behind it that carry a subject. Parts of
 * identifiers and bigrams inside a run of characters come last, so that they do not take the place of words behind them.
 */
function listStarts(subject: Subject): Start[] {
  const keys = new Map([[cutPhrase(subject.phrase), 0]]);
  const inside: { readonly token: string; readonly at: number }[] = [];
  const add = (token: string, at: number): void => {
    if (keys.size >= MAX_STARTS || isStopWord(foldText(token))) return;
    const key = cutPhrase(foldPhrase(subject.text.slice(at)));
    if (key !== "" && !keys.has(key)) keys.set(key, keys.size);
  };
  visitTokens(subject.text, (token, at, _end, kind) => {
    if (keys.size >= MAX_STARTS) return;
    const isInside = kind === "part" || INSIDE_WORD.test(subject.text.slice(Math.max(0, at - 2), at));
    if (isInside) inside.push({ token, at });
    else add(token, at);
  });
  for (const { token, at } of inside) add(token, at);
  return [...keys].map(([key, word]) => ({ key, word, subject }));
}

/**
 * Adds to `texts` the beginnings that more than `LISTED_FROM` starts share, each with all of them behind its own texts.
 * Of beginnings with the same starts only the longest is listed: it is the first key behind the others.
 */
function listBeginnings(starts: readonly Start[], texts: Map<string, Start[]>): void {
  const listed = new Set<string>();
  const visit = (from: number, to: number): void => {
    if (to - from <= LISTED_FROM) return;
    const depth = countSharedUnits(starts[from]?.key ?? "", starts[to - 1]?.key ?? "");
    const beginning = cutPhrase(starts[from]?.key ?? "", depth);
    // Two beginnings that differ by a space at the end are one; the shorter one, which has more starts, came first.
    if (beginning !== "" && !listed.has(beginning)) texts.set(beginning, starts.slice(from, to));
    listed.add(beginning);
    let first = from;
    for (let at = from + 1; at <= to; at++) {
      if (at < to && starts[at]?.key.charCodeAt(depth) === starts[first]?.key.charCodeAt(depth)) continue;
      // Starts whose key ends here are one key already.
      if (starts[first]?.key.length !== depth) visit(first, at);
      first = at;
    }
  };
  visit(0, starts.length);
}

function encodeTexts(key: string, starts: readonly Start[]): Uint8Array {
  const best = [...starts].sort((a, b) => compareStarts(a, b, key));
  const subjects = new Set(best.map(({ subject }) => subject));
  return encodeSuggestions(
    key,
    [...subjects].slice(0, MAX_TEXTS).map(({ text, places }) => ({ text, kind: "heading", places })),
  );
}

/** What is the key to its end first; titles before headings; then what is found by its first word, and often. */
function compareStarts(a: Start, b: Start, key: string): number {
  return (
    Number(b.key === key) - Number(a.key === key) ||
    Number(b.subject.isTitle) - Number(a.subject.isTitle) ||
    Number(a.word > 0) - Number(b.word > 0) ||
    b.subject.count - a.subject.count ||
    a.subject.phrase.length - b.subject.phrase.length ||
    compareNames(a.subject.phrase, b.subject.phrase)
  );
}

function shorten(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${cutPhrase(text, MAX_TEXT_LENGTH - 1)}…`;
}

function countSharedUnits(a: string, b: string): number {
  let shared = 0;
  while (shared < a.length && shared < b.length && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  return shared;
}
