/**
 * Test vectors as JSON holds them, and the values that they stand for. `schemas/index-format/vectors/README.md`
 * describes the files.
 */
import { type ByteKey, keyOfBytes } from "../../src/core/bytes/key.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import type { LocatedDocument } from "../../src/core/format/locator.ts";
import { encodeNumbers, type UnitPosting } from "../../src/core/format/postings.ts";
import type { DirectoryEntry } from "../../src/core/format/table.ts";
import { encodeTrigram } from "../../src/core/format/word-tables.ts";
import { bytesOfHex } from "./format-cases.ts";
import { encodeUnits, PostingBuilder } from "./postings.ts";

/** Hexadecimal digits, or parts of them of which some repeat. */
export type HexParts = string | readonly (string | { readonly repeat: string; readonly times: number })[];

/** The digits that parts stand for. */
export function joinHex(parts: HexParts): string {
  if (typeof parts === "string") return parts;
  return parts.map((part) => (typeof part === "string" ? part : part.repeat.repeat(part.times))).join("");
}

/** The key that hexadecimal digits stand for. */
export function keyOfHex(hex: string): ByteKey {
  return keyOfBytes(bytesOfHex(hex));
}

/** Entries of a table, as `[key, value]` in hexadecimal digits. */
export function toEntries(rows: readonly (readonly string[])[]): TableEntry[] {
  return rows.map(([key = "", value = ""]) => ({ key: keyOfHex(key), value: bytesOfHex(value) }));
}

/** An entry of a directory. */
export interface DirectoryRow {
  readonly prefix: string;
  readonly pack: number;
  readonly offset: number;
  readonly length: number;
}

/** Entries of a directory. */
export function toDirectoryEntries(rows: readonly DirectoryRow[]): DirectoryEntry[] {
  return rows.map((row) => ({ ...row, prefix: keyOfHex(row.prefix) }));
}

/** A unit of a posting: `[unit, frequency, flags]`, flags out of `h` (heading or path) and `c` (code or title). */
export type UnitRow = readonly [unit: number, frequency: number, flags: string];

/** The units of a posting. */
export function toUnits(rows: readonly UnitRow[]): UnitPosting[] {
  return rows.map(([unit, frequency, flags]) => ({
    unit,
    frequency,
    heading: flags.includes("h"),
    code: flags.includes("c"),
  }));
}

/** Documents of a posting list: single ones with their units, or `times` documents one behind the other with the same. */
export type PostingRows = readonly {
  readonly document: number;
  readonly times?: number;
  readonly units: readonly UnitRow[];
}[];

/** Each document on its own. */
export function spreadPostings(rows: PostingRows): { readonly document: number; readonly units: UnitPosting[] }[] {
  return rows.flatMap(({ document, times = 1, units }) =>
    Array.from({ length: times }, (_, at) => ({ document: document + at, units: toUnits(units) })),
  );
}

/** The value of a term; higher document numbers are kept first where not all are. */
export function encodePostingRows(rows: PostingRows, stopWord: boolean): Uint8Array {
  const builder = new PostingBuilder();
  for (const { document, units } of spreadPostings(rows)) builder.add(document, encodeUnits(units));
  return builder.finish(stopWord, (document) => document);
}

/** The value of a gram that these documents hold, in a shard of `total`. */
export function encodeGram(documents: readonly number[], total: number): Uint8Array {
  return encodeTrigram(documents.length, total, () => encodeNumbers(documents));
}

/** A slot of the locator. */
export type LocatorRow =
  | null
  | ({
      readonly units: string;
    } & Omit<LocatedDocument, "units">);

/** Slots of the locator. */
export function toSlots(rows: readonly LocatorRow[]): (LocatedDocument | undefined)[] {
  return rows.map((row) => (row === null ? undefined : { ...row, units: bytesOfHex(row.units) }));
}
