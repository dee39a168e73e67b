/**
 * Block: the source text of one unit or of some small ones, with what a hit needs to show itself.
 *
 * Layout: index-format v1, section 7.3. The texts of all units of a document, in order, are the file. Pure.
 */
import type { DeflateRaw, InflateRaw } from "../bytes/capabilities.ts";
import { type ByteKey, bytesOfKey, keyOfNumber } from "../bytes/key.ts";
import { ByteReader, decodeUtf8 } from "../bytes/reader.ts";
import { ByteWriter, encodeUtf8 } from "../bytes/writer.ts";
import { checkLimit } from "../errors.ts";
import { slugify } from "../text/names.ts";
import { seal, unseal } from "./chunk.ts";

/** What a section's id and path of headings need of the sections above it. */
interface BlockAncestor {
  readonly title: string;
  /** Last part of the section's slug path. */
  readonly slug: string;
}

/** Heading of a section as blocks carry it. `level` 0 is the root section: no title, no slug, the anchor of the page's own heading. */
export interface BlockSection extends BlockAncestor {
  readonly level: number;
  readonly anchor: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** A unit as its block has it. */
export interface TextBlock {
  readonly path: string;
  readonly title: string;
  /** Sections from below the root down to the parent of `section`. */
  readonly ancestors: readonly BlockAncestor[];
  /** The section that the unit belongs to. */
  readonly section: BlockSection;
  readonly text: string;
}

const WHAT = "text block";
/** Stands for level 0 where an anchor follows. Levels are bytes. */
const ANCHORED_ROOT = 256;

/** Bytes of a block of neighbouring units of one document, as `sealBlock` takes them. */
export function encodeBlock(units: readonly [TextBlock, ...TextBlock[]]): Uint8Array {
  const [{ path, title }] = units;
  const writer = new ByteWriter(1024);
  writer.writeString(path);
  writer.writeString(title);
  for (const { ancestors, section, text } of units) {
    const { level, anchor } = section;
    writer.writeVarint(level === 0 && anchor !== "" ? ANCHORED_ROOT : level);
    if (level === 0 && anchor !== "") writeUnless(writer, "", anchor);
    if (level > 0) {
      writer.writeVarint(ancestors.length);
      for (const ancestor of ancestors) writeHeading(writer, ancestor);
      writeHeading(writer, section);
      writeUnless(writer, section.slug, anchor);
    }
    writer.writeVarint(section.startLine);
    writer.writeVarint(section.endLine);
    writer.writeString(text);
  }
  return writer.finish();
}

/** A block as a pack holds it. `unit` is the number of its first. */
export function sealBlock(unit: number, block: Uint8Array, deflate: DeflateRaw): Uint8Array {
  return seal(seedOf(unit), block, WHAT, deflate);
}

/**
 * The units of a block out of a pack with this key.
 *
 * @param unit Number of the first.
 * @throws {FormatError} on bytes that are no block of this unit.
 */
export async function decodeBlock(
  unit: number,
  bytes: Uint8Array,
  inflate: InflateRaw,
  packKey = 0,
): Promise<TextBlock[]> {
  const payload = await unseal(seedOf(unit), bytes, WHAT, inflate, packKey);
  const reader = new ByteReader(payload, WHAT);
  const path = reader.readString();
  const title = reader.readString();
  const units: TextBlock[] = [];
  do units.push({ path, title, ...readUnit(reader) });
  while (reader.remaining > 0);
  return units;
}

function readUnit(reader: ByteReader): Omit<TextBlock, "path" | "title"> {
  const written = reader.readVarint();
  const level = written & 0xff;
  const ancestors = level === 0 ? [] : readAncestors(reader);
  const heading = level === 0 ? { title: "", slug: "" } : readHeading(reader);
  const anchor = written ? readUnless(reader, heading.slug) : "";
  const startLine = reader.readVarint();
  const endLine = reader.readVarint();
  const text = reader.readString();
  return { ancestors, section: { level, ...heading, anchor, startLine, endLine }, text };
}

function seedOf(unit: number): Uint8Array {
  return bytesOfKey(`text\u0000${keyOfNumber(unit)}` as ByteKey);
}

function writeHeading(writer: ByteWriter, { title, slug }: BlockAncestor): void {
  writer.writeString(title);
  writeUnless(writer, slugify(title), slug);
}

function readHeading(reader: ByteReader): BlockAncestor {
  const title = reader.readString();
  return { title, slug: readUnless(reader, slugify(title)) };
}

function readAncestors(reader: ByteReader): BlockAncestor[] {
  const count = reader.readVarint();
  // Each takes two bytes at least.
  checkLimit(WHAT, "ancestors", count, reader.remaining / 2);
  return Array.from({ length: count }, () => readHeading(reader));
}

/** A text that mostly is another one: 0 where it is, else its length and one more, and its bytes. */
function writeUnless(writer: ByteWriter, expected: string, text: string): void {
  if (text === expected) {
    writer.writeVarint(0);
    return;
  }
  const bytes = encodeUtf8(text);
  writer.writeVarint(bytes.length + 1);
  writer.writeBytes(bytes);
}

function readUnless(reader: ByteReader, expected: string): string {
  const length = reader.readVarint();
  return length === 0 ? expected : decodeUtf8(reader.readBytes(length - 1), WHAT);
}
