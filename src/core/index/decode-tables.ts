/**
 * Decoders of the resident tables that a plain query needs not, and names looked up one by one. Apart from the locator,
 * so that a page loads them when a query asks for them.
 */
import { type ByteKey, KEY_SEPARATOR, keyOfNumber, numberOfKey, textOfKey } from "../bytes/key.ts";
import { ByteReader } from "../bytes/reader.ts";
import { checkLimit, malformed } from "../errors.ts";
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
/** About what a value takes beside its bytes: a view of them, and its place in a map. */
const GROUP_MEMORY = 160;

/** What to read for the name of one document where the titles are not read whole. */
export function nameRead(shard: number, document: number): TableRead {
  return { shard, table: "titles", keys: [keyOfNumber(Math.floor(document / TITLE_SLOTS))] };
}

/** The name of a document in what `nameRead` gave. @throws {FormatError}. */
export function findName(chunks: readonly Chunk[], document: number): DocumentName | undefined {
  const bytes = findInChunks(chunks, keyOfNumber(Math.floor(document / TITLE_SLOTS)));
  return bytes === undefined ? undefined : decodeTitles(bytes)[document % TITLE_SLOTS];
}

/**
 * Names of a shard by number, as bytes until they are asked for: as objects those of a hundred thousand documents would
 * take most of an isolate's memory.
 */
export class DocumentNames {
  /** Values by group; absent where no document of a group exists. */
  readonly #groups = new Map<number, Uint8Array>();
  readonly #deleted: ReadonlySet<number>;
  /** Names of the group that was asked for last: who goes through all of them decodes each group once. */
  #last: { readonly group: number; readonly names: readonly (DocumentName | undefined)[] } = { group: -1, names: [] };
  /** One more than the highest number that may have a name. */
  readonly slots: number;
  /** What it takes in memory, in bytes. */
  readonly memoryBytes: number;

  /** @throws {FormatError} for numbers from `limit` on. */
  constructor(chunks: readonly Chunk[], limit: number, deleted: ReadonlySet<number> = new Set()) {
    this.#deleted = deleted;
    let bytes = GROUP_MEMORY;
    let slots = 0;
    for (const [key, value] of entriesOf(chunks)) {
      if (key.length !== 4) throw malformed("table titles", "a key is not a number");
      const group = numberOfKey(key);
      slots = group * TITLE_SLOTS + readTitleCount(new ByteReader(value, "titles"));
      checkLimit("table titles", "slots", slots, limit);
      this.#groups.set(group, value);
      bytes += value.length + GROUP_MEMORY;
    }
    this.slots = slots;
    this.memoryBytes = bytes;
  }

  /** The name of a document; undefined where there is none with this number. @throws {FormatError} on damage. */
  at(document: number): DocumentName | undefined {
    if (this.#deleted.has(document)) return undefined;
    const group = Math.floor(document / TITLE_SLOTS);
    if (this.#last.group !== group) {
      const bytes = this.#groups.get(group);
      this.#last = { group, names: bytes === undefined ? [] : decodeTitles(bytes) };
    }
    return this.#last.names[document % TITLE_SLOTS];
  }

  /** Numbers with their names, ascending; documents that are not there are left out. @throws {FormatError} on damage. */
  *entries(): Generator<readonly [document: number, name: DocumentName]> {
    for (let document = 0; document < this.slots; document++) {
      const name = this.at(document);
      if (name !== undefined) yield [document, name];
    }
  }
}

function decodeTitles(bytes: Uint8Array): (DocumentName | undefined)[] {
  const reader = new ByteReader(bytes, "titles");
  const names = Array.from({ length: readTitleCount(reader) }, () => {
    const path = reader.readString();
    const title = reader.readString();
    return path === "" ? undefined : { path, title };
  });
  reader.expectEnd();
  return names;
}

function readTitleCount(reader: ByteReader): number {
  const count = reader.readVarint();
  checkLimit(reader.what, "slots", count, TITLE_SLOTS);
  return count;
}

/** What begins the names of the table's entries that results are sorted by. They are no facets: nothing lists or counts them. */
export const SORT_PREFIX = "sort:";

/**
 * Facets of a shard, without deleted documents; values that none is left of are not there.
 *
 * @param usable Keys that are facets of the corpus; all when absent.
 * @throws {FormatError}.
 */
export function decodeFacets(
  chunks: readonly Chunk[],
  deleted: ReadonlySet<number>,
  usable?: ReadonlySet<string>,
): FacetLists {
  const facets = new Map<string, Map<string, Uint32Array>>();
  for (const [name, bytes] of entriesOf(chunks)) {
    const at = name.indexOf(KEY_SEPARATOR);
    if (at < 0) throw malformed("table facets", `no value in key ${JSON.stringify(name)}`);
    const key = textOfKey(name.slice(0, at) as ByteKey);
    if (usable?.has(key) === false && !key.startsWith(SORT_PREFIX)) continue;
    const values = facets.get(key) ?? new Map<string, Uint32Array>();
    const numbers = decodeNumbers(bytes, "facet", deleted);
    if (numbers.length === 0) continue;
    values.set(textOfKey(name.slice(at + 1) as ByteKey), numbers);
    facets.set(key, values);
  }
  return facets;
}
