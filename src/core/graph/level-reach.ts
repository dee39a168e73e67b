/**
 * What leads where in a shard whose table `reach` is too large to be read whole: read file by file as a walk comes to them,
 * within a number of reads. Pure apart from the reader's I/O.
 */
import { keyOfNumber } from "../bytes/key.ts";
import { FormatError } from "../errors.ts";
import { decodeEdges } from "../format/edge-list.ts";
import { decodeReach, type FileReach, joinMasks, maskOf, type ReachTarget } from "../format/reach-list.ts";
import { findInChunks, type IndexReader, type TableRead } from "../index/index-reader.ts";
import {
  numberOfPlace,
  placeOfNumber,
  type Reach,
  type ReachDirection,
  type ReachLink,
  type ReachPlace,
} from "./reach-model.ts";

/** Reads that a walk takes at most. */
const MAX_READS = 12;

interface KnownFile extends FileReach {
  readonly targetOf: ReadonlyMap<number, ReachTarget>;
}

/** See the header. */
export class LevelReach implements Reach {
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
