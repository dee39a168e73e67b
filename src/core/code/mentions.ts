/**
 * Which sections of pages name a symbol, and which symbols a page names. Both are left out where the caller does not see the
 * other end. Pure apart from the reader's I/O.
 */
import { type ByteKey, textOfKey } from "../bytes/key.ts";
import type { Chunk } from "../format/chunk.ts";
import {
  decodeNamedSymbols,
  decodeNamingSections,
  keyOfNamed,
  keyOfPage,
  type NamedSymbol,
  type NamingSections,
} from "../format/mention-list.ts";
import { codeShards } from "../index/code-shards.ts";
import { entriesOf, findInChunks, type IndexReader, type KeyRange, type TableRead } from "../index/index-reader.ts";
import { findFiles } from "./file-list.ts";

/** Of the sections that name one file or its symbols. */
const MAX_NAMING_CHUNKS = 4;

/** Sections that name a symbol or a file, by its id. One wave. */
export async function mentionsOf(reader: IndexReader, symbolId: string): Promise<NamingSections> {
  const key = keyOfNamed(symbolId);
  const { tables } = await reader.read(readsOf(reader, [key]));
  const lists = tables.flatMap((chunks) => {
    const value = findInChunks(chunks, key);
    return value === undefined ? [] : [decodeNamingSections(value)];
  });
  return {
    total: lists.reduce((sum, { total }) => sum + total, 0),
    sections: lists.flatMap(({ sections }) => sections),
  };
}

/** A section that names a symbol or file. */
export interface NamingSection {
  /** Id of what it names. */
  readonly symbolId: string;
  /** Id of the section. */
  readonly nodeId: string;
  readonly line: number;
}

/** What is read for the sections that name a file or anything in it. */
export function readsOfNaming(reader: IndexReader, documentIds: readonly string[]): TableRead[] {
  return documentIds.flatMap((id) => {
    const from = keyOfNamed(id);
    // The sign behind `#`: ids of other files that begin the same stand behind it.
    const keys = { from, to: `${from}$` as ByteKey, maxChunks: MAX_NAMING_CHUNKS };
    return codeShards(reader).map(({ index }): TableRead => ({ shard: index, table: "mentions", keys }));
  });
}

/** The sections out of what `readsOfNaming` read, in the order of the reads. */
export function namingIn(reads: readonly TableRead[], tables: readonly (readonly Chunk[])[]): NamingSection[] {
  return reads.flatMap(({ keys }, at) => {
    const { from, to } = keys as KeyRange;
    return [...entriesOf(tables[at] ?? [])].flatMap(([key, value]) => {
      if (key < from || key >= to) return [];
      const symbolId = textOfKey(key).slice(1);
      return decodeNamingSections(value).sections.map(({ nodeId, line }) => ({ symbolId, nodeId, line }));
    });
  });
}

/**
 * Symbols that pages name, of each page in its order. One wave, and one where the list of files is not in memory; none in an
 * index without source files.
 */
export async function mentionsInPages(
  reader: IndexReader,
  documentIds: readonly string[],
): Promise<readonly (readonly NamedSymbol[])[]> {
  const keys = documentIds.map(keyOfPage);
  const { tables } = await reader.read(keys.length === 0 ? [] : readsOf(reader, keys));
  const ofPages = documentIds.map((id, at) =>
    tables.flatMap((chunks) => {
      const value = findInChunks(chunks, keys[at] as ByteKey);
      return value === undefined ? [] : decodeNamedSymbols(id, value);
    }),
  );
  const fileOf = ({ symbolId }: NamedSymbol): string => symbolId.split("#")[0] ?? "";
  const ids = [...new Set(ofPages.flat().map(fileOf))];
  const places = await findFiles(reader, ids);
  const visible = new Set(ids.filter((_, at) => places[at] !== undefined));
  return ofPages.map((mentions) => mentions.filter((mention) => visible.has(fileOf(mention))));
}

function readsOf(reader: IndexReader, keys: readonly ByteKey[]): TableRead[] {
  return codeShards(reader).map(({ index }) => ({ shard: index, table: "mentions", keys }));
}
