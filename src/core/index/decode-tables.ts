/**
 * Decoders of the resident tables that a plain query needs not, and names looked up one by one. Apart from the locator,
 * so that a page loads them when a query asks for them. Pure.
 */
import { type ByteKey, KEY_SEPARATOR, keyOfNumber, numberOfKey, textOfKey } from "../bytes/key.ts";
import { ByteReader } from "../bytes/reader.ts";
import { FormatError } from "../errors.ts";
import type { Chunk } from "../format/chunk.ts";
import { decodeNumbers } from "../format/postings.ts";
import { entriesOf, findInChunks, type TableRead } from "./index-reader.ts";

/** Path and title of a document, by number. */
export interface DocumentName {
  readonly path: string;
  readonly title: string;
}

/** Facets of a shard: key → value → document numbers, ascending. */
export type FacetLists = ReadonlyMap<string, ReadonlyMap<string, Uint32Array>>;

/** Documents per value of the table `titles`. */
export const TITLE_SLOTS = 64;

/** What to read for the name of one document where the titles are not read whole. */
export function nameRead(shard: number, document: number): TableRead {
  return { shard, table: "titles", keys: [keyOfNumber(Math.floor(document / TITLE_SLOTS))] };
}

/** The name of a document in what `nameRead` gave. @throws {FormatError}. */
export function findName(chunks: readonly Chunk[], document: number): DocumentName | undefined {
  const bytes = findInChunks(chunks, keyOfNumber(Math.floor(document / TITLE_SLOTS)));
  return bytes === undefined ? undefined : decodeTitles(bytes)[document % TITLE_SLOTS];
}

/** Names of a shard by number. @throws {FormatError} for numbers from `limit` on. */
export function decodeNames(chunks: readonly Chunk[], limit: number): (DocumentName | undefined)[] {
  const slots: (DocumentName | undefined)[] = [];
  for (const [key, bytes] of entriesOf(chunks)) {
    if (key.length !== 4) throw new FormatError("table titles", { code: "malformed", reason: "a key is not a number" });
    const first = numberOfKey(key) * TITLE_SLOTS;
    const decoded = decodeTitles(bytes);
    const end = first + decoded.length;
    if (end > limit) throw new FormatError("table titles", { code: "out-of-range", what: "slots", got: end, limit });
    // Sorted keys come with gaps where no document of a block exists.
    while (slots.length < first) slots.push(undefined);
    for (const slot of decoded) slots.push(slot);
  }
  return slots;
}

function decodeTitles(bytes: Uint8Array): (DocumentName | undefined)[] {
  const reader = new ByteReader(bytes, "titles");
  const count = reader.readVarint();
  if (count > TITLE_SLOTS) {
    throw new FormatError(reader.what, { code: "out-of-range", what: "slots", got: count, limit: TITLE_SLOTS });
  }
  const names = Array.from({ length: count }, () => {
    const path = reader.readString();
    const title = reader.readString();
    return path === "" ? undefined : { path, title };
  });
  reader.expectEnd();
  return names;
}

/** Facets of a shard. @throws {FormatError}. */
export function decodeFacets(chunks: readonly Chunk[]): FacetLists {
  const facets = new Map<string, Map<string, Uint32Array>>();
  for (const [name, bytes] of entriesOf(chunks)) {
    const at = name.indexOf(KEY_SEPARATOR);
    if (at < 0)
      throw new FormatError("table facets", { code: "malformed", reason: `no value in key ${JSON.stringify(name)}` });
    const key = textOfKey(name.slice(0, at) as ByteKey);
    const values = facets.get(key) ?? new Map<string, Uint32Array>();
    values.set(textOfKey(name.slice(at + 1) as ByteKey), decodeNumbers(bytes, "facet"));
    facets.set(key, values);
  }
  return facets;
}
