/**
 * Locator: where the text of each unit lies and how long the parts of each document are, column by column.
 *
 * Layout: index-format v1, section 7.2. It is what makes a hit's text readable without another lookup. It is read whole
 * and stays in memory, so it is decoded into typed arrays over all documents of a shard, never into an object a
 * document: about 20 bytes a document and 5 a unit. Pure: bytes in, values out.
 */
import { type ByteKey, keyOfNumber, numberOfKey } from "../bytes/key.ts";
import { unzigzag, zigzag } from "../bytes/numbers.ts";
import { ByteReader } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { checkLimit, FormatError, malformed } from "../errors.ts";
import { MAX_SEALED_BYTES, SEALED_STEP, type TableEntry } from "./chunk.ts";
import { decodeLength, encodeLength, FIRST_TEXT_UNIT, MAX_UNITS } from "./postings.ts";
import { type Place, writePlace } from "./table.ts";

/** Documents per value. */
export const LOCATOR_SLOTS = 256;
/** Bit of a unit's code that says it continues the section of the unit before. */
export const CONTINUATION = 0x80;
/** Bit of a unit's code that says it lies in the block of the unit before. */
export const SHARES_BLOCK = 0x40;

const WHAT = "locator";
const LENGTH_BITS = 0x3f;
const MAX_BODY = 0xff;
const KEY_BYTES = 5;
/** Most steps of a block. */
const MAX_STEPS = Math.ceil(MAX_SEALED_BYTES / SEALED_STEP);
/** What the two numbers behind an expected length are counted in: parts of a step. */
const STEP_PARTS = 256;

/** Columns by the first byte of their keys. Each is in chunks of its own, where deflate does best. */
const COLUMNS = [
  "units",
  "collections",
  "titles",
  "paths",
  "descriptions",
  "codes",
  "steps",
  "places",
  "bodies",
] as const;
type Column = (typeof COLUMNS)[number];

export interface LocatedDocument {
  /** Index into the root's list of collections. */
  readonly collection: number;
  /** Length code of its text. */
  readonly body: number;
  /** Words of its other fields, at most 255. */
  readonly title: number;
  readonly path: number;
  readonly description: number;
  /** A byte per text unit: the two bits, and a length code in steps of 2^½. */
  readonly units: Uint8Array;
  /** Where the first of its blocks lies; the others lie right behind it. */
  readonly pack: number;
  readonly offset: number;
  /** Length of each unit's block, a multiple of `SEALED_STEP`; 0 for a unit that lies in the block of the unit before. */
  readonly lengths: readonly number[];
}

/** A decoded locator. Read it through the functions below. */
export interface Locator {
  /** One more than the highest document number. */
  readonly slots: number;
  /** Documents that are no longer valid. */
  readonly deleted: ReadonlySet<number>;
  /** First unit of each document among the units of all, and one more; equal to the next where there is no document. */
  readonly starts: Uint32Array;
  readonly collections: Uint16Array;
  /** Words of each document's fields; those of its text are off by a few percent. */
  readonly titles: Uint8Array;
  readonly paths: Uint8Array;
  readonly descriptions: Uint8Array;
  readonly bodies: Float32Array;
  /** A byte per unit of all documents. */
  readonly codes: Uint8Array;
  readonly packs: Uint32Array;
  /** Place of each document's first block in its pack. */
  readonly offsets: Uint32Array;
  /** Steps of the block that begins with each unit; 0 for units that lie in the block of the one before. */
  readonly steps: Uint32Array;
  /** Groups whose places and steps nobody asked for yet, by number: a search shows texts of few. */
  readonly unplaced: Map<number, () => void>;
}

/** Entries of the table, in key order; `undefined` = no document has that number. */
export function encodeLocator(slots: readonly (LocatedDocument | undefined)[]): TableEntry[] {
  const entries: TableEntry[] = [];
  for (let first = 0; first < slots.length; first += LOCATOR_SLOTS) {
    const own = Array.from(slots.slice(first, first + LOCATOR_SLOTS));
    const documents = own.filter((slot) => slot !== undefined);
    if (documents.length === 0) continue;
    const add = (column: Column, write: (writer: ByteWriter) => void): void => {
      const writer = new ByteWriter(own.length * 4);
      write(writer);
      entries.push({ key: keyOfColumn(column, first / LOCATOR_SLOTS), value: writer.finish() });
    };
    add("units", (writer) => {
      writer.writeVarint(own.length);
      for (const slot of own) writer.writeVarint(slot?.units.length ?? 0);
    });
    add("collections", (writer) => {
      for (const { collection } of documents) writer.writeVarint(collection);
    });
    for (const field of ["title", "path", "description"] as const) {
      add(`${field}s`, (writer) => writer.writeBytes(Uint8Array.from(documents, (document) => document[field])));
    }
    add("codes", (writer) => {
      for (const { units } of documents) writer.writeBytes(units);
    });
    add("steps", (writer) => writeSteps(writer, documents));
    add("places", (writer) => {
      let before: Place | undefined;
      for (const { pack, offset, lengths } of documents) {
        writePlace(writer, before, { pack, offset });
        before = { pack, offset, length: lengths.reduce((sum, length) => sum + length, 0) };
      }
    });
    add("bodies", (writer) => {
      for (const { units, body } of documents) writer.writeVarint(zigzag(body - sumCode(units)));
    });
  }
  return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/**
 * The locator that the table's entries are.
 *
 * @param packs Number of packs that the root lists.
 * @param limit Slots of the shard.
 * @param deleted Documents that are no longer valid.
 * @throws {FormatError}
 */
export function decodeLocator(
  entries: Iterable<readonly [ByteKey, Uint8Array]>,
  packs: number,
  limit: number,
  deleted: ReadonlySet<number> = new Set(),
): Locator {
  const groups = readGroups(entries, limit);
  const slots = groups.reduce((most, { first, counts }) => Math.max(most, first + counts.length), 0);
  const units = groups.reduce((sum, { codes }) => sum + codes.length, 0);
  const locator: Locator = {
    slots,
    deleted,
    starts: new Uint32Array(slots + 1),
    collections: new Uint16Array(slots),
    titles: new Uint8Array(slots),
    paths: new Uint8Array(slots),
    descriptions: new Uint8Array(slots),
    bodies: new Float32Array(slots),
    packs: new Uint32Array(slots),
    offsets: new Uint32Array(slots),
    codes: new Uint8Array(units),
    steps: new Uint32Array(units),
    unplaced: new Map(),
  };
  let slot = 0;
  let unit = 0;
  for (const group of groups) {
    while (slot < group.first) locator.starts[++slot] = unit;
    readCodes(group, locator.codes, unit);
    const from = unit;
    for (const count of group.counts) {
      unit += count;
      locator.starts[++slot] = unit;
    }
    readDocuments(group, locator);
    locator.unplaced.set(group.first / LOCATOR_SLOTS, () => {
      readSteps(group.columns.steps, group.codes, locator.steps, from);
      readPlaces(group, locator, packs);
    });
  }
  return locator;
}

/** About what a group takes until its places are read. */
const UNPLACED_BYTES = 11_000;

export function sizeOfLocator({ slots, codes, unplaced }: Locator): number {
  return 4 + slots * 21 + codes.length * 5 + unplaced.size * UNPLACED_BYTES;
}

export function hasDocument({ starts, slots, deleted }: Locator, document: number): boolean {
  if (document >= slots || starts[document] === starts[document + 1]) return false;
  return deleted.size === 0 || !deleted.has(document);
}

/** Text units of a document; 0 where none has this number. */
export function countUnits({ starts, slots, deleted }: Locator, document: number): number {
  return document < slots && !deleted.has(document)
    ? (starts[document + 1] as number) - (starts[document] as number)
    : 0;
}

/** Index of a document's collection in the root's list. */
export function collectionOf({ collections }: Locator, document: number): number {
  return collections[document] as number;
}

/** Compressed bytes of a document's text. */
export function textBytes(locator: Locator, document: number): number {
  placeGroup(locator, document);
  return sumSteps(locator, document, locator.starts[document + 1] as number) * SEALED_STEP;
}

/** Reads the places of the group of a document where that was not done. @throws {FormatError} */
function placeGroup({ unplaced }: Locator, document: number): void {
  const group = Math.floor(document / LOCATOR_SLOTS);
  unplaced.get(group)?.();
  unplaced.delete(group);
}

/** Steps of a document's blocks that begin before a unit, which is counted over all documents. */
function sumSteps({ starts, steps }: Pick<Locator, "starts" | "steps">, document: number, end: number): number {
  let sum = 0;
  for (let at = starts[document] as number; at < end; at++) sum += steps[at] as number;
  return sum;
}

/** Where a block lies. */
interface BlockPlace extends Place {
  /** Number of its first unit. */
  readonly first: number;
}

/** The block of a text unit. @throws {FormatError} for a unit that is not there. */
export function findBlock(locator: Locator, document: number, unit: number): BlockPlace {
  const count = countUnits(locator, document);
  const at = unit - FIRST_TEXT_UNIT;
  if (at < 0 || at >= count) {
    throw new FormatError(WHAT, { code: "out-of-range", what: "unit", got: unit, limit: FIRST_TEXT_UNIT + count - 1 });
  }
  placeGroup(locator, document);
  const { starts, steps, codes } = locator;
  const start = starts[document] as number;
  let first = start + at;
  while (((codes[first] as number) & SHARES_BLOCK) !== 0) first--;
  return {
    first: FIRST_TEXT_UNIT + first - start,
    pack: locator.packs[document] as number,
    offset: (locator.offsets[document] as number) + sumSteps(locator, document, first) * SEALED_STEP,
    length: (steps[first] as number) * SEALED_STEP,
  };
}

export function unitsOf(locator: Locator, document: number): number[] {
  return Array.from({ length: countUnits(locator, document) }, (_, at) => at + FIRST_TEXT_UNIT);
}

/** Ordinal of the section (0 = root) that each text unit belongs to, in unit order. */
export function sectionsOfUnits({ starts, codes }: Locator, document: number): Uint32Array {
  const first = starts[document] as number;
  const ordinals = new Uint32Array((starts[document + 1] as number) - first);
  let ordinal = -1;
  for (let at = 0; at < ordinals.length; at++) {
    if (((codes[first + at] as number) & CONTINUATION) === 0) ordinal++;
    ordinals[at] = ordinal;
  }
  return ordinals;
}

/** Whether a text unit goes on with the section of the unit before it; false for units that are not there. */
export function isContinuation(locator: Locator, document: number, unit: number): boolean {
  return (codeOf(locator, document, unit) & CONTINUATION) !== 0;
}

/** Length in words of a text unit; 0 for units that are not there. */
export function unitLength(locator: Locator, document: number, unit: number): number {
  return decodeUnitLength(codeOf(locator, document, unit));
}

/** Length code of a unit: 0 for no words, then steps of 2^½. */
export function encodeUnitLength(words: number): number {
  return words <= 0 ? 0 : Math.min(LENGTH_BITS, 1 + Math.round(2 * Math.log2(words)));
}

/** Words by the length code of a unit. */
const UNIT_LENGTHS = /* @__PURE__ */ Float64Array.from({ length: LENGTH_BITS + 1 }, (_, length) =>
  length === 0 ? 0 : decodeLength(4 * length - 3),
);

function decodeUnitLength(code: number): number {
  return UNIT_LENGTHS[code & LENGTH_BITS] as number;
}

/** Length code of some units together: what a document's own mostly is. */
function sumCode(codes: Uint8Array, first = 0, end = codes.length): number {
  let words = 0;
  for (let at = first; at < end; at++) words += UNIT_LENGTHS[(codes[at] as number) & LENGTH_BITS] as number;
  return encodeLength(words, MAX_BODY);
}

function codeOf({ starts, codes, slots }: Locator, document: number, unit: number): number {
  if (document >= slots) return 0;
  const at = (starts[document] as number) + unit - FIRST_TEXT_UNIT;
  return unit >= FIRST_TEXT_UNIT && at < (starts[document + 1] as number) ? (codes[at] as number) : 0;
}

interface Group {
  /** Number of its first slot. */
  readonly first: number;
  /** Units of each slot. */
  readonly counts: readonly number[];
  readonly codes: Uint8Array;
  readonly columns: Readonly<Record<Column, ByteReader>>;
}

function keyOfColumn(column: Column, group: number): ByteKey {
  return `${String.fromCharCode(COLUMNS.indexOf(column))}${keyOfNumber(group)}` as ByteKey;
}

function readGroups(entries: Iterable<readonly [ByteKey, Uint8Array]>, limit: number): Group[] {
  const columns = COLUMNS.map(() => new Map<number, Uint8Array>());
  const unequal = (): FormatError => malformed(WHAT, "columns of different lengths");
  for (const [key, bytes] of entries) {
    const column = columns[key.charCodeAt(0)];
    if (key.length !== KEY_BYTES || column === undefined) throw malformed(WHAT, "a key names no column");
    column.set(numberOfKey(key.slice(1) as ByteKey), bytes);
  }
  const numbers = [...(columns[0]?.keys() ?? [])].sort((a, b) => a - b);
  if (columns.some(({ size }) => size !== numbers.length)) throw unequal();
  return numbers.map((number) => {
    const readers = COLUMNS.map((name, at) => {
      const bytes = columns[at]?.get(number);
      if (bytes === undefined) throw unequal();
      return [name, new ByteReader(bytes, WHAT)];
    });
    return readGroup(number * LOCATOR_SLOTS, Object.fromEntries(readers) as Group["columns"], limit);
  });
}

function readGroup(first: number, columns: Group["columns"], limit: number): Group {
  const reader = columns.units;
  const slots = reader.readVarint();
  checkLimit(WHAT, "slots", slots, LOCATOR_SLOTS);
  checkLimit(WHAT, "slots", first + slots, limit);
  const counts: number[] = [];
  let units = 0;
  for (let slot = 0; slot < slots; slot++) {
    const count = reader.readVarint();
    checkLimit(WHAT, "units", count, MAX_UNITS);
    counts.push(count);
    units += count;
  }
  reader.expectEnd();
  const own = columns.codes.readBytes(units);
  columns.codes.expectEnd();
  return { first, counts, codes: own, columns };
}

function readCodes({ first, counts, codes }: Group, all: Uint8Array, from: number): void {
  let at = 0;
  for (const [slot, count] of counts.entries()) {
    if (count > 0 && ((codes[at] as number) & (CONTINUATION | SHARES_BLOCK)) !== 0) {
      throw malformed(WHAT, `the first unit of document ${first + slot} continues nothing`);
    }
    at += count;
  }
  all.set(codes, from);
}

function readDocuments({ first, counts, columns }: Group, locator: Locator): void {
  const { collections, bodies } = columns;
  const { starts, codes } = locator;
  for (const name of ["titles", "paths", "descriptions"] as const)
    readLengths(columns[name], counts, locator[name], first);
  for (const [slot, count] of counts.entries()) {
    if (count === 0) continue;
    const document = first + slot;
    const from = starts[document] as number;
    const collection = collections.readVarint();
    checkLimit(WHAT, "collection", collection, 0xffff);
    locator.collections[document] = collection;
    const body = sumCode(codes, from, from + count) + unzigzag(bodies.readVarint());
    if (body < 0 || body > MAX_BODY) {
      throw new FormatError(WHAT, { code: "out-of-range", what: "length code", got: body, limit: MAX_BODY });
    }
    locator.bodies[document] = decodeLength(body);
  }
  for (const reader of [collections, bodies]) reader.expectEnd();
}

function readPlaces({ first, counts, columns: { places } }: Group, locator: Locator, packs: number): void {
  const { starts } = locator;
  let end: { pack: number; offset: number } | undefined;
  for (const [slot, count] of counts.entries()) {
    if (count === 0) continue;
    const document = first + slot;
    const { pack, offset } = readStart(places, end, packs);
    locator.packs[document] = pack;
    locator.offsets[document] = offset;
    const steps = sumSteps(locator, document, starts[document + 1] as number);
    end = { pack, offset: offset + steps * SEALED_STEP };
  }
  places.expectEnd();
}

/** A byte for each document that there is. */
function readLengths(reader: ByteReader, counts: readonly number[], all: Uint8Array, first: number): void {
  if (!counts.includes(0)) all.set(reader.readBytes(counts.length), first);
  else for (const [slot, count] of counts.entries()) if (count > 0) all[first + slot] = reader.readByte();
  reader.expectEnd();
}

function readStart(
  reader: ByteReader,
  end: { readonly pack: number; readonly offset: number } | undefined,
  packs: number,
): { readonly pack: number; readonly offset: number } {
  const place = reader.readVarint();
  const start = place === 0 ? end : { pack: place - 1, offset: reader.readVarint() };
  if (start === undefined) throw malformed(WHAT, "the first place follows nothing");
  checkLimit(WHAT, "pack", start.pack, packs - 1);
  checkLimit(WHAT, "offset", start.offset, 0xffff_ffff);
  return start;
}

/** Lengths of blocks as what they differ by from what their units' words let expect. */
function writeSteps(writer: ByteWriter, documents: readonly LocatedDocument[]): void {
  const rows: { words: number; steps: number }[] = [];
  for (const { units, lengths } of documents) {
    visitBlocks(units, (first, words) => rows.push({ words, steps: (lengths[first] as number) / SEALED_STEP }));
  }
  const { base, perWord } = fitLine(rows);
  writer.writeVarint(base);
  writer.writeVarint(perWord);
  for (const { words, steps } of rows) {
    const difference = steps - expectSteps(base, perWord, words);
    writer.writeVarint(zigzag(difference));
  }
}

function readSteps(reader: ByteReader, codes: Uint8Array, all: Uint32Array, from: number): void {
  const base = reader.readVarint();
  const perWord = reader.readVarint();
  visitBlocks(codes, (first, words) => {
    const steps = expectSteps(base, perWord, words) + unzigzag(reader.readVarint());
    if (steps < 0 || steps > MAX_STEPS) {
      throw new FormatError(WHAT, { code: "out-of-range", what: "steps", got: steps, limit: MAX_STEPS });
    }
    all[from + first] = steps;
  });
  reader.expectEnd();
}

/** Visit the blocks of some units: index of the first, and their words, each length rounded down, so that every reader computes the same. */
function visitBlocks(codes: Uint8Array, visit: (first: number, words: number) => void): void {
  let first = 0;
  while (first < codes.length) {
    let end = first;
    let words = 0;
    do words += Math.floor(decodeUnitLength(codes[end++] as number));
    while (end < codes.length && ((codes[end] as number) & SHARES_BLOCK) !== 0);
    visit(first, words);
    first = end;
  }
}

function expectSteps(base: number, perWord: number, words: number): number {
  return Math.floor((base + perWord * words) / STEP_PARTS);
}

/** The line through some points with the least squared differences, in parts of a step. */
function fitLine(rows: readonly { readonly words: number; readonly steps: number }[]): {
  readonly base: number;
  readonly perWord: number;
} {
  const mean = (of: (row: (typeof rows)[number]) => number): number =>
    rows.reduce((sum, row) => sum + of(row), 0) / Math.max(1, rows.length);
  const words = mean((row) => row.words);
  const steps = mean((row) => row.steps);
  const spread = mean((row) => (row.words - words) ** 2);
  const slope = spread === 0 ? 0 : mean((row) => (row.words - words) * (row.steps - steps)) / spread;
  const perWord = Math.max(0, Math.round(slope * STEP_PARTS));
  return { base: Math.max(0, Math.round(steps * STEP_PARTS - perWord * words + STEP_PARTS / 2)), perWord };
}
