/**
 * What a base holds of terms, and in how many documents of an access group they stand now.
 */
import { type ByteKey, keyOf } from "../../../src/core/bytes/key.ts";
import { type PostingList, readHead } from "../../../src/core/format/postings.ts";
import { findInChunks } from "../../../src/core/index/index-reader.ts";
import type { PreparedDocument } from "../prepare-document.ts";
import type { BaseIndex } from "./open-base.ts";

/** Values of the table `terms` of each shard, by key; undefined where the base has none. */
export class BaseTerms {
  readonly #base: BaseIndex;
  readonly #values = new Map<ByteKey, readonly (Uint8Array | undefined)[]>();

  constructor(base: BaseIndex) {
    this.#base = base;
  }

  /** Read the values of some keys. */
  async load(keys: Iterable<ByteKey>): Promise<void> {
    const missing = [...new Set(keys)].filter((key) => !this.#values.has(key)).sort();
    if (missing.length === 0) return;
    const { reader, shards } = this.#base;
    const { tables } = await reader.read(shards.map(({ index }) => ({ shard: index, table: "terms", keys: missing })));
    const finders = tables.map((chunks) => {
      // Keys ascend, and so do chunks.
      let at = 0;
      return (key: ByteKey): Uint8Array | undefined => {
        while (at + 1 < chunks.length && ((chunks[at + 1]?.keys[0] ?? "") as string) <= key) at++;
        const chunk = chunks[at];
        return chunk === undefined ? undefined : findInChunks([chunk], key);
      };
    });
    for (const key of missing)
      this.#values.set(
        key,
        finders.map((find) => find(key)),
      );
  }

  /** A value of one shard. `load` must have read it. */
  value(shard: number, key: ByteKey): Uint8Array | undefined {
    const values = this.#values.get(key);
    if (values === undefined) throw new Error(`the value of ${JSON.stringify(key)} was not read`);
    return values[shard];
  }

  /** Documents of one shard that hold a term, as the base was written. */
  countIn(shard: number, term: string): number {
    return statedDocuments(this.value(shard, keyOf(term)));
  }

  /** Form of a term in one shard. */
  form(shard: number, term: string): PostingList["form"] | undefined {
    const value = this.value(shard, keyOf(term));
    return value === undefined ? undefined : readHead(value).form;
  }
}

/** How many documents a value of a term says hold it. */
function statedDocuments(value: Uint8Array | undefined): number {
  return value === undefined ? 0 : readHead(value).documents;
}

/** In how many documents of one access group each term stands that its changed documents hold or held. */
export class LiveCounts {
  readonly #shard: number;
  readonly #terms: BaseTerms;
  readonly #changes = new Map<string, number>();

  /** @param deleted Documents of the shard that are no longer valid, as they were; `added` those that are new. */
  constructor(
    shard: number,
    terms: BaseTerms,
    deleted: readonly PreparedDocument[],
    added: readonly PreparedDocument[],
  ) {
    this.#shard = shard;
    this.#terms = terms;
    for (const { inverted } of deleted) for (const term of inverted.terms) this.#change(term, -1);
    for (const { inverted } of added) for (const term of inverted.terms) this.#change(term, 1);
  }

  /** Terms that changed documents hold or held. */
  get touched(): Iterable<string> {
    return this.#changes.keys();
  }

  /** Documents that held a term when the base was written. */
  before(term: string): number {
    return this.#terms.countIn(this.#shard, term);
  }

  /** Documents that hold a term now. */
  now(term: string): number {
    return this.before(term) + (this.#changes.get(term) ?? 0);
  }

  #change(term: string, by: number): void {
    this.#changes.set(term, (this.#changes.get(term) ?? 0) + by);
  }
}
