/**
 * The table `suggestions`: titles and headings under phrases that a person may begin to type. A text that ends in its key is stored
 * without that end. Index-format v1, section 7.5.
 */
import { ByteReader, readCount } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { checkLimit, FormatError, malformed } from "../errors.ts";
import { MAX_DOCUMENTS, NO_DOCUMENTS } from "./postings.ts";

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
