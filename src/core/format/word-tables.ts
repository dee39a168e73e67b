/**
 * Tables of written words: `spelling`, `suggestions` and `trigrams`.
 *
 * Index-format v1, sections 7.4 to 7.6. Spelling lists each word under itself, under its letters in reverse and, where it
 * is long, from its third letter on: words that share a beginning, an end or a middle are neighbours. Suggestions list
 * titles and headings under phrases that a person may begin to type; a text that ends in its key is stored without that
 * end. Trigrams list the documents whose text holds a gram; of a gram in more than a third of the documents only that is
 * kept.
 */
import { type ByteKey, KEY_SEPARATOR, keyOf, textOfKey } from "../bytes/key.ts";
import { ByteReader, readCount } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { checkLimit, FormatError, malformed } from "../errors.ts";
import { decodeLength, decodeNumbers, encodeNumbers, MAX_DOCUMENTS, NO_DOCUMENTS } from "./postings.ts";

/** Words of so many letters stand in the third order, too. */
const LEAST_MIDDLE = 7;
/** Letters that a word has in front of its middle. */
export const FRONT_LETTERS = 3;

/** What stands before a word's letters in each order; text has no byte 0. */
const BACKWARD = KEY_SEPARATOR;
const MIDDLE = KEY_SEPARATOR + KEY_SEPARATOR;
/** Sorts before every byte of text, and behind what stands before the other orders. */
const FIRST_BYTE = "\u0001" as ByteKey;
/** Sorts behind every byte of text. */
const LAST_BYTE = "\u00ff" as ByteKey;

/** Words as they are written, with about the number of documents that have them. */
export type SpelledWords = ReadonlyMap<string, number>;

/** Keys from `from` on, below `to`. */
export interface WordRange {
  readonly from: ByteKey;
  readonly to: ByteKey;
}

/** Keys of a word: its own first, then those in the other orders. */
export function keysOfWord(word: string): readonly [own: ByteKey, ...others: ByteKey[]] {
  const letters = Array.from(word);
  const keys: [ByteKey, ByteKey] = [keyOf(word), keyOf(`${BACKWARD}${[...letters].reverse().join("")}`)];
  if (letters.length < LEAST_MIDDLE) return keys;
  const front = letters.slice(0, FRONT_LETTERS).join("");
  return [...keys, keyOf(`${MIDDLE}${word.slice(front.length)}${KEY_SEPARATOR}${front}`)];
}

/** Where every word stands once. */
export const ALL_WORDS: WordRange = { from: FIRST_BYTE, to: LAST_BYTE };

/** Where the words stand that begin with some letters. */
export function rangeOfBeginning(letters: readonly string[]): WordRange {
  return rangeOf(letters.join(""));
}

/** Where the words stand that end with some letters. */
export function rangeOfEnd(letters: readonly string[]): WordRange {
  return rangeOf(`${BACKWARD}${[...letters].reverse().join("")}`);
}

/** Where the long words stand whose letters behind the first `FRONT_LETTERS` begin with some letters. */
export function rangeOfMiddle(letters: readonly string[]): WordRange {
  return rangeOf(`${MIDDLE}${letters.join("")}`);
}

/** Words of some entries, each once, whichever keys they stand under. @throws {FormatError}. */
export function decodeSpelling(entries: Iterable<readonly [ByteKey, Uint8Array]>): SpelledWords {
  const words = new Map<string, number>();
  for (const [key, value] of entries) {
    const reader = new ByteReader(value, "spelling");
    words.set(wordOfKey(key), decodeLength(reader.readByte()));
    reader.expectEnd();
  }
  return words;
}

function rangeOf(beginning: string): WordRange {
  const from = keyOf(beginning);
  return { from, to: `${from}${LAST_BYTE}` as ByteKey };
}

function wordOfKey(key: ByteKey): string {
  const text = textOfKey(key);
  if (text.startsWith(MIDDLE)) {
    const [rest = "", front = ""] = text.slice(MIDDLE.length).split(KEY_SEPARATOR);
    return front + rest;
  }
  return text.startsWith(BACKWARD) ? Array.from(text.slice(BACKWARD.length)).reverse().join("") : text;
}

/** What the places of a text below a root are. */
const KINDS = ["heading", "symbol"] as const;

const WHOLE_FORM = 0;
/** From this form on, the text ends in the key, written in one of these ways. */
const FIRST_TAIL_FORM = 1;
const TAILS: readonly ((key: string) => string)[] = [
  (key) => key,
  (key) => key.replace(/^[a-z]/, capital),
  (key) => key.replace(/(?<=^| )[a-z]/g, capital),
];
const FORM_BITS = 0x07;
const KIND_BIT = 0x08;
const SEVERAL_PLACES = 0x10;

const COUNTED = 0x01;
const ELSEWHERE = 0x02;
const BELOW_ROOT = 0x04;
const ANCHORED = 0x08;
/** An entry takes at least its head, and the head and the document of one place. */
const MIN_ENTRY_BYTES = 3;
const MIN_PLACE_BYTES = 2;

/** Where a text stands in one collection. */
export interface SuggestionPlace {
  /** Index into the root's list of collections. */
  readonly collection: number;
  /** Sections of the collection that have the text as title or heading. */
  readonly count: number;
  /** Number of the best document that does. */
  readonly document: number;
  /** Ordinal of its section; 0 = the text is the document's title. */
  readonly ordinal: number;
  /** The section's anchor; `""` = the slug of the text. */
  readonly anchor: string;
}

/** One text. */
export interface SuggestionEntry {
  /** As the best place writes it, never empty. */
  readonly text: string;
  /** What the places below a root are. */
  readonly kind: (typeof KINDS)[number];
  /** At least one; the best first. */
  readonly places: readonly SuggestionPlace[];
}

/** Bytes of the entries of one key. `key` is its text. */
export function encodeSuggestions(key: string, entries: readonly SuggestionEntry[]): Uint8Array {
  const writer = new ByteWriter(entries.length * 16);
  writer.writeVarint(entries.length);
  for (const { text, kind, places } of entries) {
    const tail = TAILS.findIndex((write) => key !== "" && text.endsWith(write(key)));
    const form = tail < 0 ? WHOLE_FORM : FIRST_TAIL_FORM + tail;
    writer.writeByte(form | (KINDS.indexOf(kind) * KIND_BIT) | (places.length > 1 ? SEVERAL_PLACES : 0));
    if (places.length > 1) writer.writeVarint(places.length);
    writer.writeString(form === WHOLE_FORM ? text : text.slice(0, text.length - key.length));
    for (const place of places) writePlace(writer, place);
  }
  return writer.finish();
}

/** The entries that these bytes hold for a key, without places in deleted documents. @throws {FormatError}. */
export function decodeSuggestions(
  key: string,
  bytes: Uint8Array,
  deleted: ReadonlySet<number> = NO_DOCUMENTS,
): SuggestionEntry[] {
  const reader = new ByteReader(bytes, "table suggestions");
  const count = readCount(reader, MIN_ENTRY_BYTES);
  const entries = Array.from({ length: count }, () => readEntry(reader, key));
  reader.expectEnd();
  if (deleted.size === 0) return entries;
  return entries
    .map((entry) => ({ ...entry, places: entry.places.filter(({ document }) => !deleted.has(document)) }))
    .filter(({ places }) => places.length > 0);
}

function readEntry(reader: ByteReader, key: string): SuggestionEntry {
  const head = reader.readByte();
  const form = head & FORM_BITS;
  const limit = FIRST_TAIL_FORM + TAILS.length - 1;
  if (form > limit || head >= 2 * SEVERAL_PLACES) {
    throw new FormatError(reader.what, { code: "out-of-range", what: "form of a text", got: head, limit });
  }
  const places = (head & SEVERAL_PLACES) === 0 ? 1 : readCount(reader, MIN_PLACE_BYTES);
  if (places === 0) throw malformed(reader.what, "a text stands nowhere");
  const text = reader.readString() + (TAILS[form - FIRST_TAIL_FORM]?.(key) ?? "");
  if (text === "") throw malformed(reader.what, "a text is empty");
  return {
    text,
    kind: KINDS[(head & KIND_BIT) === 0 ? 0 : 1],
    places: Array.from({ length: places }, () => readPlace(reader)),
  };
}

function writePlace(writer: ByteWriter, { collection, count, document, ordinal, anchor }: SuggestionPlace): void {
  writer.writeByte(
    (count > 1 ? COUNTED : 0) |
      (collection > 0 ? ELSEWHERE : 0) |
      (ordinal > 0 ? BELOW_ROOT : 0) |
      (anchor !== "" ? ANCHORED : 0),
  );
  writer.writeVarint(document);
  if (count > 1) writer.writeVarint(count);
  if (collection > 0) writer.writeVarint(collection);
  if (ordinal > 0) writer.writeVarint(ordinal);
  if (anchor !== "") writer.writeString(anchor);
}

function readPlace(reader: ByteReader): SuggestionPlace {
  const flags = reader.readByte();
  checkLimit(reader.what, "flags of a place", flags, 2 * ANCHORED - 1);
  const document = reader.readVarint();
  checkLimit(reader.what, "document number", document, MAX_DOCUMENTS - 1);
  return {
    document,
    count: (flags & COUNTED) === 0 ? 1 : reader.readVarint(),
    collection: (flags & ELSEWHERE) === 0 ? 0 : reader.readVarint(),
    ordinal: (flags & BELOW_ROOT) === 0 ? 0 : reader.readVarint(),
    anchor: (flags & ANCHORED) === 0 ? "" : reader.readString(),
  };
}

function capital(letter: string): string {
  return letter.toUpperCase();
}

/** Of a gram in more than one of so many documents no list is kept. */
const COMMON_SHARE = 3;

/** Documents that hold a gram, ascending, or that there are too many of them to list. */
type GramDocuments = Uint32Array | "common";

/**
 * Bytes of a gram's documents in a shard of `total` documents.
 *
 * @param count How many hold it, one at least.
 * @param list What `encodeNumbers` makes of them.
 */
export function encodeTrigram(count: number, total: number, list: () => Uint8Array): Uint8Array {
  return count * COMMON_SHARE > total ? encodeNumbers([]) : list();
}

/** The documents of a gram, deleted ones too. @throws {FormatError} on bytes that are no such value. */
export function decodeTrigram(bytes: Uint8Array): GramDocuments {
  const documents = decodeNumbers(bytes, "trigram");
  // A gram that no document holds has no key, so an empty list is free to say "common".
  return documents.length === 0 ? "common" : documents;
}
