/**
 * Posting lists of terms, read in one wave with whatever resident tables the caller needs beside them.
 */
import { keyOf } from "../bytes/key.ts";
import { decodePostings, type PostingList } from "../format/postings.ts";
import { findInChunks, type IndexReader, type TableRead } from "../index/index-reader.ts";
import { type ResidentTable, readWithResident } from "../index/resident.ts";

/** Per term, its list in each visible shard; undefined where it does not occur. */
export async function readPostings(
  reader: IndexReader,
  terms: readonly string[],
  resident: readonly ResidentTable[],
): Promise<(PostingList | undefined)[][]> {
  const keys = terms.map(keyOf);
  const reads = reader.shards.map(({ index }): TableRead => ({ shard: index, table: "terms", keys }));
  const { tables } = await readWithResident(reader, resident, reads);
  return keys.map((key, at) =>
    tables.map((chunks) => {
      return decodeList(reader, findInChunks(chunks, key), terms[at] ?? "");
    }),
  );
}

/** The list that a value holds, counted as part of the request's cost; undefined for no value. */
export function decodeList(reader: IndexReader, bytes: Uint8Array | undefined, term: string): PostingList | undefined {
  if (bytes === undefined) return undefined;
  const list = decodePostings(bytes, `postings of ${JSON.stringify(term)}`);
  reader.countPostings(list.documents.length);
  return list;
}
