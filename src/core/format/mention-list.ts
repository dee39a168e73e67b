/**
 * Values of the table `mentions`: which symbols a page names, and which sections name a symbol.
 *
 * Layout: index-format v1, section 7.8. Both ends by their ids, as they can be of different access groups. Pure: bytes in,
 * values out.
 */
import type { ByteKey } from "../bytes/key.ts";
import { readCount } from "../bytes/read-count.ts";
import { ByteReader } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import type { MentionRecord } from "./code-records.ts";
import { checkPlace, readNumbers, readTexts, writeNumbers, writeTexts } from "./columns.ts";
import { keyOfId } from "./id-key.ts";

const WHAT = "table mentions";
/** Most sections that a symbol lists; how many there are is said beside them. */
export const MAX_SYMBOL_MENTIONS = 500;
/** A mention takes a byte in each column. */
const MIN_PAGE_BYTES = 4;
const MIN_SYMBOL_BYTES = 3;

/** A symbol that a section names. */
export interface NamedSymbol extends Pick<MentionRecord, "nodeId" | "text" | "line"> {
  /** Id of the symbol, or of a file as a whole. */
  readonly symbolId: string;
}

/** Sections that name a symbol. */
export interface NamingSections {
  /** How many there are. */
  readonly total: number;
  /** The first of them, by the order of their pages' ids and lines. */
  readonly sections: readonly Pick<MentionRecord, "nodeId" | "text" | "line">[];
}

/** Key of what a page names. */
export function keyOfPage(documentId: string): ByteKey {
  return keyOfId("p", documentId);
}

/** Key of what names a symbol or a file. */
export function keyOfNamed(symbolId: string): ByteKey {
  return keyOfId("s", symbolId);
}

/** Bytes of what a page names. Ids of its sections begin with its own. */
export function encodeNamedSymbols(documentId: string, mentions: readonly NamedSymbol[]): Uint8Array {
  const writer = new ByteWriter(32 + mentions.length * 32);
  writer.writeVarint(mentions.length);
  writeNumbers(
    writer,
    mentions.map(({ line }) => line),
  );
  writeTexts(
    writer,
    mentions.map(({ nodeId }) => nodeId.slice(documentId.length)),
  );
  writeTexts(
    writer,
    mentions.map(({ text }) => text),
  );
  writeTexts(
    writer,
    mentions.map(({ symbolId }) => symbolId),
  );
  return writer.finish();
}

/** What a page names, in the order of the page. @throws {FormatError}. */
export function decodeNamedSymbols(documentId: string, bytes: Uint8Array): NamedSymbol[] {
  const reader = new ByteReader(bytes, WHAT);
  const count = readCount(reader, MIN_PAGE_BYTES);
  const lines = readNumbers(reader, count, "line");
  const sections = readTexts(reader, count);
  const texts = readTexts(reader, count);
  const symbolIds = readTexts(reader, count);
  reader.expectEnd();
  return lines.map((line, at) => ({
    nodeId: documentId + (sections[at] as string),
    text: texts[at] as string,
    line: checkPlace(line, WHAT),
    symbolId: symbolIds[at] as string,
  }));
}

/** Bytes of the sections that name a symbol. */
export function encodeNamingSections({ total, sections }: NamingSections): Uint8Array {
  const writer = new ByteWriter(32 + sections.length * 48);
  writer.writeVarint(total);
  writer.writeVarint(sections.length);
  writeNumbers(
    writer,
    sections.map(({ line }) => line),
  );
  writeTexts(
    writer,
    sections.map(({ nodeId }) => nodeId),
  );
  writeTexts(
    writer,
    sections.map(({ text }) => text),
  );
  return writer.finish();
}

/** The sections that name a symbol. @throws {FormatError}. */
export function decodeNamingSections(bytes: Uint8Array): NamingSections {
  const reader = new ByteReader(bytes, WHAT);
  const total = reader.readVarint();
  const count = readCount(reader, MIN_SYMBOL_BYTES);
  const lines = readNumbers(reader, count, "line");
  const nodeIds = readTexts(reader, count);
  const texts = readTexts(reader, count);
  reader.expectEnd();
  const sections = lines.map((line, at) => ({
    nodeId: nodeIds[at] as string,
    text: texts[at] as string,
    line: checkPlace(line, WHAT),
  }));
  return { total, sections };
}
