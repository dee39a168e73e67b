/**
 * Which sections of pages name a symbol, and which symbols a page names. Both are left out where the caller does not see the
 * other end. Pure apart from the reader's I/O.
 */
import {
  decodeNamedSymbols,
  decodeNamingSections,
  keyOfNamed,
  keyOfPage,
  type NamedSymbol,
  type NamingSections,
} from "../format/mention-list.ts";
import { codeShards } from "../index/code-shards.ts";
import { findInChunks, type IndexReader, type TableRead } from "../index/index-reader.ts";
import { findFiles } from "./file-list.ts";

/** Sections that name a symbol or a file, by its id. One wave. */
export async function mentionsOf(reader: IndexReader, symbolId: string): Promise<NamingSections> {
  const key = keyOfNamed(symbolId);
  const { tables } = await reader.read(readsOf(reader, key));
  const lists = tables.flatMap((chunks) => {
    const value = findInChunks(chunks, key);
    return value === undefined ? [] : [decodeNamingSections(value)];
  });
  return {
    total: lists.reduce((sum, { total }) => sum + total, 0),
    sections: lists.flatMap(({ sections }) => sections),
  };
}

/** Symbols that a page names, in the order of the page. One wave, and one where the list of files is not in memory. */
export async function mentionsIn(reader: IndexReader, documentId: string): Promise<readonly NamedSymbol[]> {
  const key = keyOfPage(documentId);
  const { tables } = await reader.read(readsOf(reader, key));
  const mentions = tables.flatMap((chunks) => {
    const value = findInChunks(chunks, key);
    return value === undefined ? [] : decodeNamedSymbols(documentId, value);
  });
  const fileOf = ({ symbolId }: NamedSymbol): string => symbolId.split("#")[0] ?? "";
  const ids = [...new Set(mentions.map(fileOf))];
  const places = await findFiles(reader, ids);
  const visible = new Set(ids.filter((_, at) => places[at] !== undefined));
  return mentions.filter((mention) => visible.has(fileOf(mention)));
}

function readsOf(reader: IndexReader, key: ReturnType<typeof keyOfPage>): TableRead[] {
  return codeShards(reader).map(({ index }) => ({ shard: index, table: "mentions", keys: [key] }));
}
