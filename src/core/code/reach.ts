/**
 * What leads where among the source files of a shard, without places: the table `reach`, both ways.
 *
 * Where the tables of all shards are small they are read whole, beside whatever else is read, and kept decoded; walks then
 * read nothing. Else what a walk needs is read level by level, bounded, and what was not read is told. Which of the two
 * it is follows from the index alone. Pure apart from the reader's I/O.
 */

import { keyOfNumber } from "../bytes/key.ts";
import { FormatError } from "../errors.ts";
import { decodeEdges } from "../format/edge-list.ts";
import { decodeReach, type FileReach, joinMasks, maskOf, type ReachTarget } from "../format/reach-list.ts";
import { codeShards } from "../index/code-shards.ts";
import { findInChunks, type IndexReader, type TableRead, type VisibleShard } from "../index/index-reader.ts";
import {
  numberOfPlace,
  placeOfNumber,
  type Reach,
  type ReachDirection,
  type ReachLink,
  type ReachPlace,
} from "./reach-model.ts";
import { decodeWholeReach, type WholeReach } from "./whole-reach.ts";

/** Reads that a walk takes at most. */
const MAX_READS = 12;

/** Tables of more bytes, of all shards together, are read level by level. */
const MAX_WHOLE_BYTES = 2 * 1024 * 1024;
/** Reads that they may take: the others of a round are for what is looked up beside them. */
const MAX_WHOLE_READS = 4;

/** How to read. */
export interface ReachOptions {
  /** Level by level, however small the table is. */
  readonly isByLevel?: boolean;
  /** Reads of a walk that goes level by level; 12 when absent. */
  readonly maxReads?: number;
}

/** Whether the tables are read whole. */
export function isReachWhole(reader: IndexReader): boolean {
  if (reader.residency === "shown") return false;
  const shards = codeShards(reader);
  const bytes = shards.reduce((sum, { root }) => sum + bytesOf(root), 0);
  return (
    shards.every(({ root }) => root.tables.reach.height === 0) &&
    bytes <= MAX_WHOLE_BYTES &&
    reader.countReads(allOf(shards)) <= MAX_WHOLE_READS
  );
}

/** What is read beside something else, so that `openReach` has nothing left to read; none where it goes level by level. */
export function readsOfReach(reader: IndexReader): TableRead[] {
  if (!isReachWhole(reader)) return [];
  return allOf(codeShards(reader).filter(({ index }) => reader.recall(nameOf(index)) === undefined));
}

/** What leads where in a shard. One wave where it is read whole and not in memory, else none. */
export async function openReach(reader: IndexReader, shard: number, options: ReachOptions = {}): Promise<Reach> {
  if (options.isByLevel === true || !isReachWhole(reader)) return new LevelReach(reader, shard, options.maxReads);
  const known = reader.recall(nameOf(shard)) as WholeReach | undefined;
  if (known !== undefined) return known;
  const { tables } = await reader.read(readsOfReach(reader).filter((read) => read.shard === shard));
  const reach = decodeWholeReach(shard, tables[0] ?? []);
  reader.remember(nameOf(shard), reach, reach.memoryBytes);
  return reach;
}

function allOf(shards: readonly VisibleShard[]): TableRead[] {
  return shards.map(({ index }) => ({ shard: index, table: "reach", keys: "all" }));
}

function bytesOf({ tables }: VisibleShard["root"]): number {
  return tables.reach.entries.reduce((sum, { length }) => sum + length, 0);
}

function nameOf(shard: number): string {
  return `reach/${shard}`;
}

interface KnownFile extends FileReach {
  readonly targetOf: ReadonlyMap<number, ReachTarget>;
}

/** See the header. */
class LevelReach implements Reach {
  readonly shard: number;
  readonly isWhole = false;
  readonly #reader: IndexReader;
  readonly #files = new Map<number, KnownFile>();
  /** What each symbol of a file leads to. */
  readonly #outgoing = new Map<number, ReadonlyMap<number, readonly ReachLink[]>>();
  #readsLeft: number;

  constructor(reader: IndexReader, shard: number, maxReads = MAX_READS) {
    this.#reader = reader;
    this.shard = shard;
    this.#readsLeft = maxReads;
  }

  async fetch(direction: ReachDirection, files: Iterable<number>): Promise<ReadonlySet<number>> {
    const isKnown = (file: number): boolean =>
      this.#files.has(file) && (direction === "in" || this.#outgoing.has(file));
    const wanted = [...new Set(files)].filter((file) => !isKnown(file));
    const readsOf = (count: number): TableRead[] => {
      const keys = wanted.slice(0, count).map(keyOfNumber);
      const reach: TableRead = { shard: this.shard, table: "reach", keys };
      return direction === "in" ? [reach] : [reach, { shard: this.shard, table: "edges", keys }];
    };
    if (wanted.length === 0) return new Set();
    // Directories of two levels come first: only they say how many reads it is.
    await this.#reader.locate(readsOf(wanted.length));
    const count = this.#countAffordable(wanted.length, readsOf);
    const reads = readsOf(count);
    this.#readsLeft -= count === 0 ? 0 : this.#reader.countReads(reads);
    const { tables } = count === 0 ? { tables: [] } : await this.#reader.read(reads);
    for (const file of wanted.slice(0, count)) {
      const key = keyOfNumber(file);
      const value = findInChunks(tables[0] ?? [], key);
      if (value === undefined) {
        throw new FormatError("table reach", { code: "malformed", reason: `there is no source file ${file}` });
      }
      const reach = decodeReach(file, value);
      this.#files.set(file, { ...reach, targetOf: new Map(reach.targets.map((target) => [target.symbol, target])) });
      const edges = findInChunks(tables[1] ?? [], key);
      if (direction === "out") this.#outgoing.set(file, edges === undefined ? new Map() : readOutgoing(file, edges));
    }
    return new Set(wanted.slice(count));
  }

  /** How many of the files fit into the reads that are left. */
  #countAffordable(files: number, readsOf: (count: number) => TableRead[]): number {
    let low = 0;
    let high = files;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#reader.countReads(readsOf(middle)) <= this.#readsLeft) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  symbolCount(file: number): number {
    return this.#files.get(file)?.containers.length ?? 0;
  }

  containerOf(file: number, symbol: number): number {
    return this.#files.get(file)?.containers[symbol] ?? -1;
  }

  isTest(file: number, symbol: number): boolean {
    return this.#files.get(file)?.tests[symbol] ?? false;
  }

  externalsOf(file: number): readonly string[] {
    return this.#files.get(file)?.externals ?? [];
  }

  guessesOf({ file, symbol }: ReachPlace): number {
    return this.#files.get(file)?.targetOf.get(symbol)?.guesses ?? 0;
  }

  into({ file, symbol }: ReachPlace): readonly ReachLink[] {
    return this.#files.get(file)?.targetOf.get(symbol)?.dependents ?? [];
  }

  outOf({ file, symbol }: ReachPlace): readonly ReachLink[] {
    return this.#outgoing.get(file)?.get(symbol) ?? [];
  }
}

/** What each symbol leads to, ascending by file and symbol, as the table `reach` says it of the other ends. */
function readOutgoing(file: number, bytes: Uint8Array): ReadonlyMap<number, readonly ReachLink[]> {
  const masks = new Map<number, Map<number, number>>();
  for (const { kind, tier, typeOnly, from, to } of decodeEdges(file, bytes)) {
    if (!("file" in to) || tier === "name" || (to.file === file && to.symbol === from)) continue;
    const own = masks.get(from) ?? new Map<number, number>();
    masks.set(from, own);
    const number = numberOfPlace(to);
    const mask = maskOf([kind], typeOnly);
    const before = own.get(number);
    own.set(number, before === undefined ? mask : joinMasks(before, mask));
  }
  return new Map(
    [...masks].map(([from, own]) => [
      from,
      [...own].sort(([a], [b]) => a - b).map(([number, mask]) => ({ ...placeOfNumber(number), mask })),
    ]),
  );
}
