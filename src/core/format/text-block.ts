/**
 * Block: the source text of a few consecutive units of one document, with what a hit needs to show itself.
 *
 * Layout: index-format v1, section 7.3. The texts of all units of a document, in order, are the file. Pure.
 */
import type { DeflateRaw, InflateRaw } from "../bytes/codec.ts";
import { type ByteKey, bytesOfKey, keyOfNumber } from "../bytes/key.ts";
import { ByteReader, decodeJson, decodeUtf8 } from "../bytes/reader.ts";
import { ByteWriter, encodeJson, encodeUtf8 } from "../bytes/writer.ts";
import { seal, unseal } from "./chunk.ts";
import { shapeOf } from "./json-shape.ts";

/** Heading of a section as blocks carry it. `level` 0 is the root section. */
export interface BlockSection {
  readonly ordinal: number;
  readonly level: number;
  readonly title: string;
  /** Last part of the section's slug path; `""` for the root. */
  readonly slug: string;
  readonly anchor: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** One unit of text. `section` is absent where the unit continues the section before it. */
export interface BlockUnit {
  readonly text: string;
  readonly section: BlockSection | undefined;
}

/** A block's content. */
export interface TextBlock {
  readonly path: string;
  readonly title: string;
  readonly contentHash: string;
  readonly description: string;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Sections from below the root down to the one that the first unit continues or stands under. */
  readonly ancestors: readonly BlockSection[];
  readonly units: readonly BlockUnit[];
}

const WHAT = "text block";
const check = shapeOf(WHAT);

/** Bytes of a block. `document` is its number, `firstUnit` the number of its first unit. */
export function encodeBlock(document: number, firstUnit: number, block: TextBlock, deflate: DeflateRaw): Uint8Array {
  const texts = block.units.map((unit) => encodeUtf8(unit.text));
  const units = block.units.map(({ section }, index) => {
    const size = (texts[index] as Uint8Array).length;
    if (section === undefined) return [size];
    const { level, title, slug, anchor, startLine, endLine } = section;
    return [size, level, title, slug, anchor, startLine, endLine];
  });
  const ancestors = block.ancestors.map(({ ordinal, level, title, slug, anchor, startLine, endLine }) => [
    ordinal,
    level,
    title,
    slug,
    anchor,
    startLine,
    endLine,
  ]);
  const firstOrdinal = block.units.find((unit) => unit.section !== undefined)?.section?.ordinal ?? 0;
  const header = encodeJson([
    block.path,
    block.title,
    block.contentHash,
    block.description,
    block.meta,
    ancestors,
    firstOrdinal,
    units,
  ]);
  const writer = new ByteWriter(header.length + 4096);
  writer.writeVarint(header.length);
  writer.writeBytes(header);
  for (const text of texts) writer.writeBytes(text);
  return seal(seedOf(document, firstUnit), writer.finish(), WHAT, deflate);
}

/** The block that these bytes are, out of a pack with this key. @throws {FormatError} on bytes that are not that document's block. */
export async function decodeBlock(
  document: number,
  firstUnit: number,
  bytes: Uint8Array,
  inflate: InflateRaw,
  packKey = 0,
): Promise<TextBlock> {
  const payload = await unseal(seedOf(document, firstUnit), bytes, WHAT, inflate, packKey);
  const reader = new ByteReader(payload, WHAT);
  const header = decodeJson(reader.readBytes(reader.readVarint()), WHAT);
  const [path, title, contentHash, description, meta, ancestors, firstOrdinal, units] = check.array(header, 8);
  let ordinal = check.count(firstOrdinal);
  const decoded = check.array(units).map((row) => {
    const [size, ...section] = check.array(row);
    const text = decodeUtf8(reader.readBytes(check.count(size)), WHAT);
    return { text, section: section.length === 0 ? undefined : toSection([ordinal++, ...section]) };
  });
  reader.expectEnd();
  return {
    path: check.string(path),
    title: check.string(title),
    contentHash: check.string(contentHash),
    description: check.string(description),
    meta: check.record(meta),
    ancestors: check.array(ancestors).map(toSection),
    units: decoded,
  };
}

function seedOf(document: number, firstUnit: number): Uint8Array {
  return bytesOfKey(`text\u0000${keyOfNumber(document)}${keyOfNumber(firstUnit)}` as ByteKey);
}

function toSection(row: unknown): BlockSection {
  const [ordinal, level, title, slug, anchor, startLine, endLine] = check.array(row, 7);
  return {
    ordinal: check.count(ordinal),
    level: check.count(level),
    title: check.string(title),
    slug: check.string(slug),
    anchor: check.string(anchor),
    startLine: check.count(startLine),
    endLine: check.count(endLine),
  };
}
