/**
 * Tables of one shard that lead from a few letters to words and texts: `spelling`, `trigrams`, `suggestions`.
 */
import { type ByteKey, keyOf } from "../../src/core/bytes/key.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import { encodeLength } from "../../src/core/format/postings.ts";
import { encodeSuggestions, type SuggestionPlace } from "../../src/core/format/suggestions.ts";
import { encodeTrigram, keysOfWord } from "../../src/core/format/word-tables.ts";
import { copyText, isStopWord, visitTerms } from "../../src/core/text/analyze.ts";
import { compareNames, slugify } from "../../src/core/text/names.ts";
import { foldText } from "../../src/core/text/normalize.ts";
import { cutPhrase, foldPhrase } from "../../src/core/text/phrase.ts";
import { visitTokens } from "../../src/core/text/tokenize.ts";
import { isSpellable } from "../../src/core/text/word-keys.ts";
import { GRAM_NUMBERS, nameOfGram } from "../parse/grams.ts";
import { DocumentLists, growNumbers, type TermNumbers } from "./compact-lists.ts";
import type { DocumentBody, DocumentCard } from "./prepared-document.ts";

/** From so many documents on, a word that only one of them has is more often a slip than a word. */
const MANY_DOCUMENTS = 2_000;

/** Counts are compared, never shown: one in steps of 2 is enough, and packs into half the bytes of exact ones. */
const STEP = 8;
const MAX_COUNT_CODE = 0xff;

/** What older levels of a group say of words. */
export interface OlderWords {
  /** Documents of the group, those of the newer level among them. */
  readonly documents: number;
  /** Words that corrections know. */
  readonly words: ReadonlySet<string>;
}

/** Words of all documents of a shard. */
export class SpellingCollector {
  readonly #terms: TermNumbers;
  /** Counts of words that are terms, by the number of the term: nearly all are. */
  #counts = new Uint32Array(1024);
  readonly #others = new Map<string, number>();
  readonly #titles = new Set<string>();
  #documents = 0;

  constructor(terms: TermNumbers) {
    this.#terms = terms;
  }

  /** Add a document; `numbers` are those of its terms. */
  add({ inverted, title }: Pick<DocumentBody, "inverted"> & Pick<DocumentCard, "title">, numbers: Uint32Array): void {
    this.#documents++;
    this.#counts = growNumbers(this.#counts, this.#terms.size);
    for (const [index, isWord] of inverted.flags.entries()) {
      if (isWord === 0) continue;
      const number = numbers[index] as number;
      this.#counts[number] = (this.#counts[number] as number) + 1;
    }
    for (const word of inverted.words) {
      const count = this.#others.get(word);
      this.#others.set(count === undefined ? copyText(word) : word, (count ?? 0) + 1);
    }
    visitTerms(title, (_term, _kind, _stop, _start, _end, word) => this.#titles.add(word));
  }

  /**
   * Entries in no particular order. Of many documents, words that one has are kept where a title holds them.
   *
   * @param older Where older levels stay: documents of the group, and words that need no entry.
   */
  finish(older?: Pick<OlderWords, "documents" | "words">): TableEntry[] {
    const keepsAll = (older?.documents ?? this.#documents) < MANY_DOCUMENTS;
    const entries: TableEntry[] = [];
    const add = (word: string, count: number): void => {
      // Pages are asked for by name.
      if ((count === 1 && !keepsAll && !this.#titles.has(word)) || older?.words.has(word) === true) return;
      const value = Uint8Array.of(encodeCount(count));
      for (const key of keysOfWord(word)) entries.push({ key, value });
    };
    for (let number = 0; number < this.#terms.size; number++) {
      const count = this.#counts[number] ?? 0;
      const word = this.#terms.name(number);
      if (count === 0 || !isSpellable(word)) continue;
      add(word, count + (this.#others.get(word) ?? 0));
      // What is a term in one document may be none in another.
      this.#others.delete(word);
    }
    for (const [word, count] of this.#others) add(word, count);
    return entries;
  }
}

/** Code of a count, as a length code that is rounded down to a power of 2. */
export function encodeCount(count: number): number {
  const code = encodeLength(count, MAX_COUNT_CODE);
  return code - ((code - 1) % STEP);
}

/** Grams of all documents of a shard. */
export class TrigramCollector {
  readonly #lists = new DocumentLists();
  /** Grams of ASCII by number, plus 1 as an empty place is 0, and others: the list of each. */
  readonly #ascii = new Uint32Array(GRAM_NUMBERS);
  readonly #others = new Map<string, number>();
  /** The gram of each list. */
  readonly #grams: (string | number)[] = [];
  #documents = 0;

  /** Add a document. Documents ascend by number. */
  add({ number, grams }: Pick<DocumentCard, "number"> & Pick<DocumentBody, "grams">): void {
    this.#documents++;
    for (const gram of grams.ascii) {
      if (this.#ascii[gram] === 0) this.#ascii[gram] = this.#grams.push(gram);
      this.#lists.add((this.#ascii[gram] as number) - 1, number);
    }
    for (const gram of grams.others) {
      const list = this.#others.get(gram) ?? this.#grams.push(gram) - 1;
      this.#others.set(gram, list);
      this.#lists.add(list, number);
    }
  }

  /** Entries of the table, in no particular order. */
  finish(): TableEntry[] {
    return this.#grams.map((gram, list) => {
      const key = keyOf(typeof gram === "string" ? gram : nameOfGram(gram));
      const value = encodeTrigram(this.#lists.count(list), this.#documents, () => this.#lists.finish(list));
      return { key, value };
    });
  }
}

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

type TitledDocument = Pick<DocumentCard, "number" | "collection" | "title" | "sections">;

/** The best place of a text in one collection, and how many places it has there. */
interface Occurrence {
  readonly text: string;
  readonly level: number;
  readonly collection: number;
  readonly document: number;
  readonly ordinal: number;
  readonly anchor: string;
  readonly count: number;
}

/** One text with all that it stands for. */
interface Subject {
  readonly phrase: string;
  /** One for each collection; of the whole list the best first. */
  readonly occurrences: Occurrence[];
  /** As it is shown. */
  text: string;
  isTitle: boolean;
  count: number;
}

interface Start {
  readonly phrase: string;
  readonly key: ByteKey;
  /** 0 = its first word. */
  readonly word: number;
  readonly subject: Subject;
}

/** Starts from one index to another, under one key. */
interface Run {
  readonly phrase: string;
  readonly key: ByteKey;
  readonly from: number;
  readonly to: number;
}

/** Entries of the table, sorted. Each is made when it is asked for: a million headings have several million. */
export function* suggestionEntries(documents: Iterable<TitledDocument>): Generator<TableEntry> {
  const starts: Start[] = [];
  for (const subject of collectSubjects(documents)) addStarts(starts, subject);
  starts.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const beginnings = listBeginnings(starts).sort((a, b) => (a.key < b.key ? -1 : 1));
  const toEntry = ({ phrase, key, from, to }: Run): TableEntry => ({
    key,
    value: encodeTexts(phrase, starts.slice(from, to)),
  });
  let next = 0;
  for (let from = 0, to = 0; from < starts.length; from = to) {
    const { phrase, key } = starts[from] as Start;
    while (to < starts.length && starts[to]?.key === key) to++;
    for (; next < beginnings.length && (beginnings[next] as Run).key < key; next++)
      yield toEntry(beginnings[next] as Run);
    // A beginning that is a whole phrase, too, has all of that phrase's texts.
    if (beginnings[next]?.key !== key) yield toEntry({ phrase, key, from, to });
  }
  for (; next < beginnings.length; next++) yield toEntry(beginnings[next] as Run);
}

/** Every text of the documents once, whatever its case and punctuation. */
function collectSubjects(documents: Iterable<TitledDocument>): Iterable<Subject> {
  const subjects = new Map<string, Subject>();
  const note = (phrase: string, occurrence: Occurrence): void => {
    const known = subjects.get(phrase);
    if (known !== undefined) addOccurrence(known, occurrence);
    else subjects.set(phrase, { phrase, occurrences: [occurrence], text: "", isTitle: false, count: 1 });
  };
  for (const { number: document, collection, title, sections } of documents) {
    const place = { collection, document, count: 1 };
    const titlePhrase = foldPhrase(title);
    if (titlePhrase !== "") note(titlePhrase, { ...place, text: title, level: 0, ordinal: 0, anchor: "" });
    for (const [ordinal, [level, text, , , anchor]] of sections.entries()) {
      const phrase = foldPhrase(text);
      // A page often repeats its title as its first heading.
      if (ordinal === 0 || phrase === "" || phrase === titlePhrase) continue;
      note(phrase, { ...place, text, level, ordinal, anchor });
    }
  }
  for (const subject of subjects.values()) finishSubject(subject);
  return subjects.values();
}

/** Of the occurrences in one collection only the best is kept. */
function addOccurrence(subject: Subject, occurrence: Occurrence): void {
  subject.count++;
  const { occurrences } = subject;
  const at = occurrences.findIndex(({ collection }) => collection === occurrence.collection);
  const known = occurrences[at];
  if (known === undefined) {
    occurrences.push(occurrence);
    return;
  }
  const best = compareOccurrences(occurrence, known) < 0 ? occurrence : known;
  occurrences[at] = { ...best, count: known.count + 1 };
}

function finishSubject(subject: Subject): void {
  const [best] = subject.occurrences.sort(compareOccurrences) as [Occurrence];
  subject.isTitle = best.ordinal === 0;
  subject.text = subject.isTitle ? best.text : shorten(best.text);
}

function placesOf({ text, occurrences }: Subject): SuggestionPlace[] {
  return occurrences.slice(0, MAX_PLACES).map(({ collection, count, document, ordinal, anchor }) => ({
    collection,
    count,
    document,
    ordinal,
    anchor: ordinal === 0 || anchor === slugify(text) ? "" : anchor,
  }));
}

/** Titles before headings, those before deeper ones; then the order of the documents. */
function compareOccurrences(a: Occurrence, b: Occurrence): number {
  return a.level - b.level || a.document - b.document || a.ordinal - b.ordinal;
}

/**
 * The phrases that begin at the words of a text: at the first, and at those behind it that carry a subject. Parts of
 * identifiers and bigrams inside a run of characters come last, so that they do not take the place of words behind them.
 */
function addStarts(starts: Start[], subject: Subject): void {
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
  for (const [phrase, word] of keys) starts.push({ phrase, key: keyOf(phrase), word, subject });
}

/**
 * The beginnings that more than `LISTED_FROM` starts share, each with all of them. Of beginnings with the same starts only
 * the longest is listed: it is the first key behind the others. In the order of keys, too, phrases that begin alike are
 * neighbours.
 */
function listBeginnings(starts: readonly Start[]): Run[] {
  const runs: Run[] = [];
  const listed = new Set<string>();
  const visit = (from: number, to: number): void => {
    if (to - from <= LISTED_FROM) return;
    const depth = countSharedUnits(starts[from]?.phrase ?? "", starts[to - 1]?.phrase ?? "");
    const phrase = cutPhrase(starts[from]?.phrase ?? "", depth);
    // Two beginnings that differ by a space at the end are one; the shorter one, which has more starts, came first.
    if (phrase !== "" && !listed.has(phrase)) runs.push({ phrase, key: keyOf(phrase), from, to });
    listed.add(phrase);
    let first = from;
    for (let at = from + 1; at <= to; at++) {
      if (at < to && starts[at]?.phrase.charCodeAt(depth) === starts[first]?.phrase.charCodeAt(depth)) continue;
      // Starts whose phrase ends here are one key already.
      if (starts[first]?.phrase.length !== depth) visit(first, at);
      first = at;
    }
  };
  visit(0, starts.length);
  return runs;
}

function encodeTexts(phrase: string, starts: Start[]): Uint8Array {
  const best = starts.length === 1 ? starts : starts.sort((a, b) => compareStarts(a, b, phrase));
  const subjects = new Set(best.map(({ subject }) => subject));
  return encodeSuggestions(
    phrase,
    [...subjects].slice(0, MAX_TEXTS).map((subject) => ({
      text: subject.text,
      kind: "heading",
      places: placesOf(subject),
    })),
  );
}

/** What is the key to its end first; titles before headings; then what is found by its first word, and often. */
function compareStarts(a: Start, b: Start, phrase: string): number {
  return (
    Number(b.phrase === phrase) - Number(a.phrase === phrase) ||
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
