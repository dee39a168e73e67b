/**
 * Postings of one term: the documents that hold it, in which of their units, how often; and the small codes for lengths
 * and frequencies, coarse enough for one byte or three bits, fine enough to rank by.
 *
 * Index-format v1, sections 2 and 7.1. A list is light (everything), rare (everything, and what stands beside the term),
 * heavy (a short part for every document, units for the best ones only) or stop (counts and the best documents only).
 */
import { hashKey } from "../bytes/checksum.ts";
import { keyOf } from "../bytes/key.ts";
import { ByteReader, expectRoom, readCount } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { checkLimit, FormatError, malformed } from "../errors.ts";
import { decodeOnce } from "./chunk.ts";

const STEPS_PER_OCTAVE = 8;
/** What each frequency code is scored as: the middle of the counts it stands for. */
const FREQUENCIES = [1, 2, 3, 4, 5.5, 8, 12, 20] as const;
/** Smallest count of each frequency code. */
const FREQUENCY_FLOORS = [1, 2, 3, 4, 5, 7, 10, 16] as const;

/** Code of a length in words, in steps of 2^⅛: 0 for 0, at most `limit`. */
export function encodeLength(length: number, limit: number): number {
  if (length <= 0) return 0;
  return Math.min(limit, 1 + Math.round(STEPS_PER_OCTAVE * Math.log2(length)));
}

const LENGTHS = /* @__PURE__ */ Float64Array.from({ length: 256 }, (_, code) =>
  code === 0 ? 0 : 2 ** ((code - 1) / STEPS_PER_OCTAVE),
);

/** Length in words that a code stands for. */
export function decodeLength(code: number): number {
  return LENGTHS[code] as number;
}

/** Code 0–7 of a frequency ≥ 1. */
export function encodeFrequency(frequency: number): number {
  let code = 7;
  while (code > 0 && frequency < (FREQUENCY_FLOORS[code] as number)) code--;
  return code;
}

export function leastFrequency(code: number): number {
  return FREQUENCY_FLOORS[code & 7] as number;
}

/** Frequency that a code is scored as. */
export function decodeFrequency(code: number): number {
  return FREQUENCIES[code & 7] as number;
}

/** The nearest power of 2^¼, so that averages move rarely and in steps; 1 for lengths of 1 and less. */
export function pinAverage(average: number): number {
  if (!(average > 1)) return 1;
  return 2 ** (Math.round(4 * Math.log2(average)) / 4);
}

/** Unit of the title and the path. */
export const TITLE_UNIT = 0;
export const DESCRIPTION_UNIT = 1;
export const FIRST_TEXT_UNIT = 2;

/** Most documents that a shard may have: what is kept by document number takes room for every number below the last. */
export const MAX_DOCUMENTS = 1 << 24;
/** Most text units that a document may have: a bound on what a damaged count can allocate. */
export const MAX_UNITS = 1 << 24;

/** A light list of more bytes than this is written in the heavy form. */
export const HEAVY_FROM_BYTES = 3072;
/** Documents of a heavy list that keep their units. */
export const HEAVY_DOCUMENTS = 256;
/** Documents of a stop word that are kept at all. */
export const STOP_DOCUMENTS = 256;
/** A light list of fewer documents says what stands beside the term: pairs of other words are keys of their own, see `pairs.ts`. */
export const PAIRED_WORD_DOCUMENTS = 16;

/** Nothing is deleted. */
export const NO_DOCUMENTS: ReadonlySet<number> = new Set();

const FORMS = ["light", "heavy", "stop", "rare"] as const;
/** What a decoded list takes in memory, and each of its documents. */
const LIST_MEMORY = 1250;
const POSTING_MEMORY = 29;
const LAST = 0x80;
const HEADING = 0x40;
const CODE = 0x20;
const LONG_GAP = 3;
const NO_UNITS = -1;

/** One unit of one document that holds the term. */
export interface UnitPosting {
  readonly unit: number;
  /** Occurrences; for unit 0 those in the title, 0 when the term is in the path only. */
  readonly frequency: number;
  /** Text units: in the section's heading. Unit 0: in the path. */
  readonly heading: boolean;
  /** Text units: (also) in code. Unit 0: must equal `frequency > 0`. */
  readonly code: boolean;
}

/** How many documents hold a term in each field, and how many text units do. */
export interface FieldFrequencies {
  readonly documents: number;
  readonly body: number;
  readonly title: number;
  readonly path: number;
  readonly description: number;
  readonly units: number;
}

/** A decoded posting list: parallel arrays over the documents, numbers ascending. */
export interface PostingList {
  readonly form: (typeof FORMS)[number];
  readonly frequencies: FieldFrequencies;
  readonly documents: Uint32Array;
  /** Occurrences in the body as scored; 0 when in other fields only. */
  readonly body: Float32Array;
  /** The part of `body` that lies in units with code. */
  readonly code: Float32Array;
  readonly title: Float32Array;
  /** 1 where the path holds the term. */
  readonly path: Uint8Array;
  readonly description: Float32Array;
  /** Offset of the document's units in `bytes`, -1 where they are not kept. */
  readonly unitsAt: Int32Array;
  readonly bytes: Uint8Array;
  /** Of a rare term: offset of the document's neighbours in `bytes`, see `hasNeighbour`. */
  readonly neighboursAt?: Int32Array;
}

/** Bit of a neighbour that stands behind. */
const BEHIND = 0x80;

/** What a rare list keeps of a term beside its own: seven bits of its hash, and where it stands. Many terms share one. */
export function neighbourCode(term: string, isBehind: boolean): number {
  return (hashKey(keyOf(term)) & (BEHIND - 1)) | (isBehind ? BEHIND : 0);
}

/** Write the units of one document. `postings` ascend by unit and are not empty. */
export function writeUnits(writer: ByteWriter, postings: readonly UnitPosting[]): void {
  let next = 0;
  for (const [index, posting] of postings.entries()) {
    const skipped = posting.unit - next;
    const flags =
      (index === postings.length - 1 ? LAST : 0) | (posting.heading ? HEADING : 0) | (posting.code ? CODE : 0);
    writer.writeByte(flags | (encodeFrequency(Math.max(1, posting.frequency)) << 2) | Math.min(skipped, LONG_GAP));
    if (skipped >= LONG_GAP) writer.writeVarint(skipped - LONG_GAP);
    next = posting.unit + 1;
  }
}

/** Orders the documents of a term: the higher are kept first. `frequency` is that of the body. */
type RankDocument = (document: number, frequency: number) => number;

/** Whether a list is so short that it says what stands beside its term. `bytes` are those of its light form. */
export function isRareList(documents: number, bytes: number): boolean {
  return documents < PAIRED_WORD_DOCUMENTS && bytes <= HEAVY_FROM_BYTES;
}

/**
 * Value of a term.
 *
 * @param light Gap and units of each document, back to back.
 * @param count How many documents there are.
 * @param neighboursOf Of a rare list the codes of its neighbours in a document, ascending, see `neighbourCode`.
 */
export function encodePostings(
  light: Uint8Array,
  count: number,
  stopWord: boolean,
  rank: RankDocument,
  neighboursOf?: (document: number) => Uint8Array,
): Uint8Array {
  const writer = new ByteWriter(light.length + 4);
  const decode = (): PostingList => decodeDocuments(new ByteReader(light, "postings"), count, "light", undefined);
  if (!stopWord && light.length <= HEAVY_FROM_BYTES) {
    writer.writeByte(neighboursOf === undefined ? 0 : 3);
    writer.writeVarint(count);
    writer.writeBytes(light);
    for (const document of neighboursOf === undefined ? [] : decode().documents) {
      const codes = (neighboursOf as (document: number) => Uint8Array)(document);
      writer.writeVarint(codes.length);
      writer.writeBytes(codes);
    }
    return writer.finish();
  }
  const list = decode();
  writer.writeByte(stopWord ? 2 : 1);
  writeFrequencies(writer, list.frequencies);
  if (!stopWord) writeShortPart(writer, list);
  const best = bestDocuments(list, stopWord ? STOP_DOCUMENTS : HEAVY_DOCUMENTS, rank);
  writer.writeVarint(best.length);
  let next = 0;
  for (const index of best) {
    const document = list.documents[index] as number;
    writer.writeVarint(document - next);
    writer.writeBytes(unitBytesOf(list, index));
    next = document + 1;
  }
  return writer.finish();
}

/** The list that a value holds. @throws {FormatError} on bytes that are no posting list. */
export function decodePostings(bytes: Uint8Array, what = "postings"): PostingList {
  return decodeOnce(
    bytes,
    () => readPostings(new ByteReader(bytes, what)),
    ({ documents }) => LIST_MEMORY + documents.length * POSTING_MEMORY,
  );
}

function readPostings(reader: ByteReader): PostingList {
  const form = readForm(reader);
  if (form === "light" || form === "rare") {
    const count = readCount(reader, 1);
    return decodeDocuments(reader, count, form, undefined);
  }
  const frequencies = readFrequencies(reader);
  if (form === "stop") return decodeDocuments(reader, readCount(reader, 1), form, frequencies);
  return decodeHeavy(reader, frequencies);
}

/** The list without some documents. What a heavy or stop list says of fields stays as it is. */
export function withoutDocuments(list: PostingList, deleted: ReadonlySet<number>): PostingList {
  if (deleted.size === 0 || !list.documents.some((document) => deleted.has(document))) return list;
  const { form, frequencies, documents } = list;
  const pick = <T extends ListArrays[keyof ListArrays]>(numbers: T): T =>
    numbers.filter((_, at) => !deleted.has(documents[at] as number)) as T;
  const arrays = {
    documents: pick(documents),
    body: pick(list.body),
    code: pick(list.code),
    title: pick(list.title),
    path: pick(list.path),
    description: pick(list.description),
    unitsAt: pick(list.unitsAt),
  };
  const { neighboursAt } = list;
  const left = { ...list, ...arrays, ...(neighboursAt !== undefined && { neighboursAt: pick(neighboursAt) }) };
  const removed = documents.length - arrays.documents.length;
  if (form === "heavy" || form === "stop") {
    return { ...left, frequencies: { ...frequencies, documents: frequencies.documents - removed } };
  }
  let units = 0;
  for (const at of arrays.documents.keys()) {
    visitUnits(left, at, (unit) => {
      if (unit >= FIRST_TEXT_UNIT) units++;
    });
  }
  return { ...left, frequencies: countFields(arrays, units) };
}

/** Six counts, in the order in which values state them. @throws {FormatError}. */
function readFrequencies(reader: ByteReader): FieldFrequencies {
  const [documents = 0, body = 0, title = 0, path = 0, description = 0, units = 0] = Array.from({ length: 6 }, () =>
    reader.readVarint(),
  );
  return { documents, body, title, path, description, units };
}

/** What `readFrequencies` reads. */
function writeFrequencies(writer: ByteWriter, frequencies: FieldFrequencies): void {
  const { documents, body, title, path, description, units } = frequencies;
  for (const count of [documents, body, title, path, description, units]) writer.writeVarint(count);
}

function readForm(reader: ByteReader): PostingList["form"] {
  const code = reader.readByte();
  const form = FORMS[code];
  if (form !== undefined) return form;
  throw new FormatError(reader.what, { code: "out-of-range", what: "form", got: code, limit: FORMS.length - 1 });
}

/** Call `visit` for each kept unit of the document at `index` of a list. */
export function visitUnits(
  list: PostingList,
  index: number,
  visit: (unit: number, frequency: number, heading: boolean, code: boolean) => void,
): void {
  let at = list.unitsAt[index] as number;
  if (at === NO_UNITS) return;
  const bytes = list.bytes;
  let unit = 0;
  for (;;) {
    const byte = bytes[at++] as number;
    let skipped = byte & 3;
    if (skipped === LONG_GAP) {
      // Bounds and form were checked when the list was decoded.
      let scale = 1;
      for (;;) {
        const more = bytes[at++] as number;
        skipped += (more & 0x7f) * scale;
        if (more < 0x80) break;
        scale *= 128;
      }
    }
    unit += skipped;
    visit(unit, decodeFrequency((byte >> 2) & 7), (byte & HEADING) !== 0, (byte & CODE) !== 0);
    if (byte & LAST) return;
    unit++;
  }
}

/** Document numbers as gaps, the first absolute: also the value of a facet. @throws {RangeError} when they do not ascend. */
export function encodeNumbers(numbers: readonly number[]): Uint8Array {
  const writer = new ByteWriter(numbers.length * 2 + 4);
  writer.writeVarint(numbers.length);
  let next = 0;
  for (const number of numbers) {
    writer.writeVarint(number - next);
    next = number + 1;
  }
  return writer.finish();
}

/** Numbers that `encodeNumbers` wrote, without deleted ones. @throws {FormatError}. */
export function decodeNumbers(
  bytes: Uint8Array,
  what: string,
  deleted: ReadonlySet<number> = NO_DOCUMENTS,
): Uint32Array {
  const reader = new ByteReader(bytes, what);
  const numbers = new Uint32Array(readCount(reader, 1));
  readGaps(reader, numbers);
  reader.expectEnd();
  return deleted.size === 0 ? numbers : numbers.filter((number) => !deleted.has(number));
}

/** Encoded units of the document at `index`: up to and with the byte that says it is the last. */
function unitBytesOf(list: PostingList, index: number): Uint8Array {
  const start = list.unitsAt[index] as number;
  const reader = new ByteReader(list.bytes, "postings", start);
  skipUnits(reader);
  return list.bytes.subarray(start, reader.position);
}

/** Read past the units of one document. @throws {FormatError} where they do not end. */
function skipUnits(reader: ByteReader): void {
  for (;;) {
    const byte = reader.readByte();
    if ((byte & 3) === LONG_GAP) reader.readVarint();
    if (byte & LAST) return;
  }
}

function writeShortPart(writer: ByteWriter, list: PostingList): void {
  let next = 0;
  for (const document of list.documents) {
    writer.writeVarint(document - next);
    next = document + 1;
  }
  const nibble = (index: number): number => {
    if (index >= list.documents.length) return 0;
    const named = (list.title[index] as number) > 0 || list.path[index] === 1;
    const body = list.body[index] as number;
    return (body > 0 ? encodeFrequency(Math.round(body)) : 0) | (named ? 8 : 0);
  };
  for (let i = 0; i < list.documents.length; i += 2) writer.writeByte(nibble(i) | (nibble(i + 1) << 4));
}

function bestDocuments(
  list: PostingList,
  count: number,
  rank: (document: number, bodyFrequency: number) => number,
): number[] {
  const scored = Array.from(list.documents, (document, index) => ({
    index,
    score: rank(document, list.body[index] as number),
  }));
  scored.sort((a, b) => b.score - a.score || a.index - b.index);
  return scored
    .slice(0, count)
    .map(({ index }) => index)
    .sort((a, b) => a - b);
}

interface ListArrays {
  documents: Uint32Array;
  body: Float32Array;
  code: Float32Array;
  title: Float32Array;
  path: Uint8Array;
  description: Float32Array;
  unitsAt: Int32Array;
}

function makeArrays(count: number): ListArrays {
  return {
    documents: new Uint32Array(count),
    body: new Float32Array(count),
    code: new Float32Array(count),
    title: new Float32Array(count),
    path: new Uint8Array(count),
    description: new Float32Array(count),
    unitsAt: new Int32Array(count).fill(NO_UNITS),
  };
}

function decodeDocuments(
  reader: ByteReader,
  count: number,
  form: PostingList["form"],
  stated: FieldFrequencies | undefined,
): PostingList {
  const arrays = makeArrays(count);
  let units = 0;
  let next = 0;
  for (let i = 0; i < count; i++) {
    const document = readNumber(reader, next);
    arrays.documents[i] = document;
    next = document + 1;
    units += readUnits(reader, arrays, i);
  }
  const neighboursAt = form === "rare" ? Int32Array.from(arrays.documents, () => passNeighbours(reader)) : undefined;
  reader.expectEnd();
  const frequencies = stated ?? countFields(arrays, units);
  return { form, frequencies, ...arrays, bytes: reader.bytes, ...(neighboursAt !== undefined && { neighboursAt }) };
}

/** Whether a rare term has a neighbour with this code in the document at `index` of its list. */
export function hasNeighbour({ bytes, neighboursAt }: PostingList, index: number, code: number): boolean {
  const at = neighboursAt?.[index];
  if (at === undefined) return false;
  const reader = new ByteReader(bytes, "postings", at);
  return reader.readBytes(reader.readVarint()).includes(code);
}

/** Read past the neighbours of a document; the result is where they begin. @throws {FormatError} for codes that do not ascend. */
function passNeighbours(reader: ByteReader): number {
  const start = reader.position;
  const codes = reader.readBytes(readCount(reader, 1));
  if (codes.some((code, at) => at > 0 && code <= (codes[at - 1] as number))) {
    throw malformed(reader.what, "neighbours do not ascend");
  }
  return start;
}

function decodeHeavy(reader: ByteReader, frequencies: FieldFrequencies): PostingList {
  const count = frequencies.documents;
  expectRoom(reader, count, 1);
  const arrays = makeArrays(count);
  readGaps(reader, arrays.documents);
  const nibbles = reader.readBytes((count + 1) >> 1);
  for (let i = 0; i < count; i++) {
    const nibble = i & 1 ? (nibbles[i >> 1] as number) >> 4 : (nibbles[i >> 1] as number) & 15;
    arrays.body[i] = decodeFrequency(nibble & 7);
    if (nibble & 8) {
      arrays.title[i] = 1;
      arrays.path[i] = 1;
    }
  }
  const best = readCount(reader, 1);
  let index = 0;
  let next = 0;
  for (let i = 0; i < best; i++) {
    const document = readNumber(reader, next);
    next = document + 1;
    while (index < count && (arrays.documents[index] as number) < document) index++;
    if (arrays.documents[index] !== document) {
      throw malformed(reader.what, `best document ${document} is not in the list`);
    }
    arrays.body[index] = 0;
    arrays.title[index] = 0;
    arrays.path[index] = 0;
    readUnits(reader, arrays, index);
  }
  reader.expectEnd();
  return { form: "heavy", frequencies, ...arrays, bytes: reader.bytes };
}

/** Read one document's units into the arrays; the number of text units. */
function readUnits(reader: ByteReader, arrays: ListArrays, index: number): number {
  arrays.unitsAt[index] = reader.position;
  let unit = 0;
  let textUnits = 0;
  for (;;) {
    const byte = reader.readByte();
    let skipped = byte & 3;
    if (skipped === LONG_GAP) skipped += reader.readVarint();
    unit += skipped;
    checkLimit(reader.what, "unit", unit, FIRST_TEXT_UNIT + MAX_UNITS - 1);
    const frequency = decodeFrequency((byte >> 2) & 7);
    if (unit === TITLE_UNIT) {
      arrays.path[index] = byte & HEADING ? 1 : 0;
      if (byte & CODE) arrays.title[index] = frequency;
    } else if (unit === DESCRIPTION_UNIT) {
      arrays.description[index] = frequency;
    } else {
      arrays.body[index] = (arrays.body[index] as number) + frequency;
      if (byte & CODE) arrays.code[index] = (arrays.code[index] as number) + frequency;
      textUnits++;
    }
    if (byte & LAST) return textUnits;
    unit++;
  }
}

function countFields(arrays: ListArrays, units: number): FieldFrequencies {
  const documents = arrays.documents.length;
  const counts = { documents, body: 0, title: 0, path: 0, description: 0, units };
  for (let i = 0; i < documents; i++) {
    if ((arrays.body[i] as number) > 0) counts.body++;
    if ((arrays.title[i] as number) > 0) counts.title++;
    if (arrays.path[i] === 1) counts.path++;
    if ((arrays.description[i] as number) > 0) counts.description++;
  }
  return counts;
}

function readGaps(reader: ByteReader, numbers: Uint32Array): void {
  let next = 0;
  for (let i = 0; i < numbers.length; i++) {
    const number = readNumber(reader, next);
    numbers[i] = number;
    next = number + 1;
  }
}

/** A document number behind those below `next`. */
function readNumber(reader: ByteReader, next: number): number {
  const number = next + reader.readVarint();
  checkLimit(reader.what, "document number", number, MAX_DOCUMENTS - 1);
  return number;
}
