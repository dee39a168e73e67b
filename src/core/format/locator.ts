/**
 * Locator: where each document's text lies and how long its parts are, for 64 documents a value.
 *
 * Layout: index-format v1, section 7.2. It is what makes a hit's text readable without another lookup: pack, offset
 * and length of any unit's block are sums over these columns. Pure: bytes in, values out.
 */
import { ByteReader } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import { type Place, readLength, writePlace } from "./directory.ts";
import { FIRST_TEXT_UNIT, MAX_UNITS } from "./postings.ts";
import { decodeLength } from "./quantize.ts";

/** Documents per value: number ÷ 64 is the key. */
export const LOCATOR_SLOTS = 64;
/** Bit of a unit's byte that says it continues the section of the unit before. */
export const CONTINUATION = 0x80;
const LENGTH_BITS = 0x7f;

/** One block of text: how many units it holds and where it lies. */
export interface BlockPlace extends Place {
  readonly units: number;
}

/** A block with the number of its first unit. */
export interface NumberedBlock {
  readonly block: BlockPlace;
  readonly firstUnit: number;
}

/** Lengths of a document's fields, as length codes (body) and counts of words. */
export interface FieldLengths {
  readonly body: number;
  readonly title: number;
  readonly path: number;
  readonly description: number;
}

/** What the locator knows of one document. */
export interface LocatedDocument {
  /** Index into the root's list of collections. */
  readonly collection: number;
  readonly lengths: FieldLengths;
  readonly blocks: readonly BlockPlace[];
  /** A byte per text unit: continuation bit and length code. */
  readonly units: Uint8Array;
}

/** Bytes for up to 64 slots; `undefined` = no document has that number. */
export function encodeLocator(slots: readonly (LocatedDocument | undefined)[]): Uint8Array {
  const writer = new ByteWriter(slots.length * 24);
  const documents = slots.filter((slot) => slot !== undefined);
  writer.writeVarint(slots.length);
  for (const slot of slots) writer.writeVarint(slot?.units.length ?? 0);
  for (const { collection } of documents) writer.writeVarint(collection);
  for (const { lengths } of documents) {
    for (const length of [lengths.body, lengths.title, lengths.path, lengths.description]) writer.writeByte(length);
  }
  for (const { blocks } of documents) writer.writeVarint(blocks.length);
  let before: Place | undefined;
  for (const { blocks } of documents) {
    const first = blocks[0];
    if (first === undefined) throw new RangeError("a document needs a block");
    writePlace(writer, before, first);
    before = blocks.at(-1);
  }
  for (const { blocks } of documents) for (const block of blocks) writer.writeVarint(block.units);
  for (const { blocks } of documents) for (const block of blocks) writer.writeVarint(block.length);
  for (const { units } of documents) writer.writeBytes(units);
  return writer.finish();
}

/** The slots that these bytes hold; `packs` is the number of packs the root lists. @throws {FormatError}. */
export function decodeLocator(bytes: Uint8Array, packs: number): (LocatedDocument | undefined)[] {
  const reader = new ByteReader(bytes, "locator");
  const slots = reader.readVarint();
  if (slots > LOCATOR_SLOTS) {
    throw new FormatError(reader.what, { code: "out-of-range", what: "slots", got: slots, limit: LOCATOR_SLOTS });
  }
  const unitCounts = Array.from({ length: slots }, () => reader.readVarint());
  const present = unitCounts.filter((count) => count > 0);
  const collections = present.map(() => reader.readVarint());
  const lengths = present.map(() => {
    const [body, title, path, description] = reader.readBytes(4) as unknown as [number, number, number, number];
    return { body, title, path, description };
  });
  const blockCounts = present.map((units, index) => {
    const count = reader.readVarint();
    if (count === 0 || count > units || units > MAX_UNITS) {
      throw new FormatError(reader.what, {
        code: "out-of-range",
        what: `blocks of document ${index}`,
        got: count,
        limit: units,
      });
    }
    return count;
  });
  const places = readPlaces(reader, blockCounts, packs);
  const documents = present.map((units, index) => ({
    collection: collections[index] as number,
    lengths: lengths[index] as FieldLengths,
    blocks: checkUnits(places[index] as BlockPlace[], units, reader.what),
    units: readUnitCodes(reader, units),
  }));
  reader.expectEnd();
  let next = 0;
  return unitCounts.map((count) => (count > 0 ? documents[next++] : undefined));
}

/** The blocks of a document in order. */
export function* visitBlocks({ blocks }: LocatedDocument): Generator<NumberedBlock, void> {
  let firstUnit = FIRST_TEXT_UNIT;
  for (const block of blocks) {
    yield { block, firstUnit };
    firstUnit += block.units;
  }
}

/** The block that holds a text unit. @throws {FormatError} for a unit that is not there. */
export function findBlock(document: LocatedDocument, unit: number): NumberedBlock {
  for (const found of visitBlocks(document)) {
    if (unit < found.firstUnit + found.block.units) return found;
  }
  const limit = FIRST_TEXT_UNIT + document.units.length - 1;
  throw new FormatError("locator", { code: "out-of-range", what: "unit", got: unit, limit });
}

/** Ordinal of the section (0 = root) that each text unit belongs to, in unit order. */
export function sectionsOfUnits(document: LocatedDocument): Uint32Array {
  const ordinals = new Uint32Array(document.units.length);
  let ordinal = -1;
  for (const [index, code] of document.units.entries()) {
    if ((code & CONTINUATION) === 0) ordinal++;
    ordinals[index] = ordinal;
  }
  return ordinals;
}

/** Whether a text unit goes on with the section of the unit before it; false for units that are not there. */
export function isContinuation(document: LocatedDocument, unit: number): boolean {
  return ((document.units[unit - FIRST_TEXT_UNIT] ?? 0) & CONTINUATION) !== 0;
}

/** Length in words of a text unit. */
export function unitLength(document: LocatedDocument, unit: number): number {
  return decodeLength((document.units[unit - FIRST_TEXT_UNIT] ?? 0) & LENGTH_BITS);
}

function readPlaces(reader: ByteReader, blockCounts: readonly number[], packs: number): BlockPlace[][] {
  // Each document's place depends on the end of the one before it, whose lengths come in a later column, so the
  // place column is kept raw until the lengths are known.
  const raw = blockCounts.map(() => {
    const place = reader.readVarint();
    return { place, offset: place === 0 ? 0 : reader.readVarint() };
  });
  const units = blockCounts.map((count) => Array.from({ length: count }, () => reader.readVarint()));
  const lengths = blockCounts.map((count) => Array.from({ length: count }, () => readLength(reader)));
  let end: { pack: number; offset: number } | undefined;
  return blockCounts.map((_, index) => {
    const { place, offset } = raw[index] as { place: number; offset: number };
    const start = place === 0 ? end : { pack: place - 1, offset };
    if (start === undefined)
      throw new FormatError(reader.what, { code: "malformed", reason: "the first place follows nothing" });
    if (start.pack >= packs) {
      throw new FormatError(reader.what, { code: "out-of-range", what: "pack", got: start.pack, limit: packs - 1 });
    }
    let next = start.offset;
    const blocks = (lengths[index] as number[]).map((length, block) => {
      const at = { pack: start.pack, offset: next, length, units: (units[index] as number[])[block] as number };
      next += length;
      return at;
    });
    end = { pack: start.pack, offset: next };
    return blocks;
  });
}

function readUnitCodes(reader: ByteReader, count: number): Uint8Array {
  const codes = reader.readBytes(count);
  if (((codes[0] as number) & CONTINUATION) !== 0) {
    throw new FormatError(reader.what, { code: "malformed", reason: "the first unit of a document continues nothing" });
  }
  return codes;
}

function checkUnits(blocks: BlockPlace[], units: number, what: string): BlockPlace[] {
  const sum = blocks.reduce((total, block) => total + block.units, 0);
  if (sum !== units)
    throw new FormatError(what, { code: "malformed", reason: `blocks hold ${sum} units, the document has ${units}` });
  return blocks;
}
