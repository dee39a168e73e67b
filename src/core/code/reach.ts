/**
 * Edges among the source files of a shard, without places, in both directions: the table `reach`.
 *
 * Small tables are read whole and kept decoded as arrays of numbers; walks then read nothing. Of large ones a walk reads
 * level by level, bounded, and says what it did not read. The index alone decides which.
 */
import { keyOfNumber, numberOfKey } from "../bytes/key.ts";
import { countFirst } from "../bytes/numbers.ts";
import { malformed } from "../errors.ts";
import type { Chunk } from "../format/chunk.ts";
import { decodeEdges } from "../format/edge-tables.ts";
import {
  decodeReach,
  type FileReach,
  joinMasks,
  maskOf,
  NATURES,
  type Nature,
  type ReachTarget,
  visitReach,
} from "../format/reach-list.ts";
import { areFlatWithin } from "../format/table.ts";
import { entriesOf, findInChunks, type IndexReader, type TableRead, type VisibleShard } from "../index/index-reader.ts";
import { codeShards } from "../index/shards.ts";

/** A symbol of a file, or (symbol -1) the file as a whole. */
export interface ReachPlace {
  readonly file: number;
  readonly symbol: number;
}

/** A place at the other end, with the kinds of the edges between: a mask of `reach-list.ts`. */
export interface ReachLink extends ReachPlace {
  readonly mask: number;
}

/** Which way to go: to what leads to a place, or to what it leads to. */
export type ReachDirection = "in" | "out";

/** The source files of a shard. Edges of the tier `name` are no part of it. */
export interface Reach {
  readonly shard: number;
  /** Whether all of it is in memory. */
  readonly isWhole: boolean;
  /**
   * Make known what leads to or from some files. What is asked of a file that was not fetched so is empty.
   *
   * @returns Files that were not read, as the bound on reads was met.
   */
  fetch(direction: ReachDirection, files: Iterable<number>): Promise<ReadonlySet<number>>;
  symbolCount(file: number): number;
  /** Index of what a symbol is a member of, or -1. */
  containerOf(file: number, symbol: number): number;
  natureOf(file: number, symbol: number): Nature;
  /** Names of what the file imports from outside of the corpus. */
  externalsOf(file: number): readonly string[];
  /** How many more may lead to a place, by name alone. */
  guessesOf(place: ReachPlace): number;
  into(place: ReachPlace): readonly ReachLink[];
  outOf(place: ReachPlace): readonly ReachLink[];
}

/** More symbols than a file has: with it, places have numbers of their own. */
const STRIDE = 2 ** 24;

/** A number for a place, greater for greater files, then symbols. */
export function numberOfPlace({ file, symbol }: ReachPlace): number {
  return file * STRIDE + symbol + 1;
}

/** The place that `numberOfPlace` gave this number. */
function placeOfNumber(number: number): ReachPlace {
  return { file: Math.floor(number / STRIDE), symbol: (number % STRIDE) - 1 };
}

/** A place with all that it holds: members and their members of a symbol, every symbol of a file. The file is fetched. */
export function withMembers(reach: Reach, place: ReachPlace): ReachPlace[] {
  const { file, symbol } = place;
  const held = [place];
  const isIn = new Set([symbol]);
  // Containers stand before their members.
  for (let at = symbol + 1; at < reach.symbolCount(file); at++) {
    if (symbol >= 0 && !isIn.has(reach.containerOf(file, at))) continue;
    isIn.add(at);
    held.push({ file, symbol: at });
  }
  return held;
}

const WHAT = "table reach";
/** About what a name of something external takes beside its units, and a number in a list of them. */
const NAME_MEMORY = 48;
const NO_FILES: ReadonlySet<number> = new Set();

interface WholeReach extends Reach {
  /** About what it takes. */
  readonly memoryBytes: number;
}

/** What the values of all files say. @throws {FormatError} where the table is not that of so many files. */
function gatherFiles(chunks: readonly Chunk[]) {
  // Number of each file's first place, and behind them of the first that there is not.
  const firsts = [0];
  const containers: number[] = [];
  const natures: number[] = [];
  const externals: (readonly string[])[] = [];
  const guesses = new Map<number, number>();
  // Of each dependent: the place it leads to, its file, its symbol, its mask.
  const targets: number[] = [];
  const files: number[] = [];
  const symbols: number[] = [];
  const masks: number[] = [];
  for (const [key, value] of entriesOf(chunks)) {
    const file = firsts.length - 1;
    const number = numberOfKey(key);
    if (number !== file) throw malformed(WHAT, `file ${file} has the number ${number}`);
    const first = firsts[file] as number;
    let target = first;
    visitReach(file, value, {
      head: (own) => {
        firsts.push(first + own.containers.length + 1);
        containers.push(-1);
        natures.push(0);
        for (const container of own.containers) containers.push(container);
        for (const nature of own.natures) natures.push(NATURES.indexOf(nature));
        externals.push(own.externals);
      },
      target: (symbol, more) => {
        target = first + symbol + 1;
        if (more > 0) guesses.set(target, more);
      },
      dependent: (from, symbol, mask) => {
        targets.push(target);
        files.push(from);
        symbols.push(symbol);
        masks.push(mask);
      },
    });
  }
  return { firsts, containers, natures, externals, guesses, targets, files, symbols, masks };
}

/** All of the table. @throws {FormatError} where it is not that of so many files, or names symbols that no file has. */
function decodeWholeReach(shard: number, chunks: readonly Chunk[]): WholeReach {
  const { firsts, targets, guesses, ...growing } = gatherFiles(chunks);
  const first = Uint32Array.from(firsts);
  const places = first.at(-1) as number;
  const from = Uint32Array.from(growing.files, (file, at) => {
    const place = (first[file] ?? places) + (growing.symbols[at] as number) + 1;
    const end = first[file + 1];
    if (end === undefined || place >= end) {
      throw malformed(WHAT, `symbol ${growing.symbols[at]} of file ${file}, which has none such`);
    }
    return place;
  });
  const incoming = toAdjacency(places, Uint32Array.from(targets), from, growing.masks);
  const outgoing = toAdjacency(places, from, Uint32Array.from(targets), growing.masks);
  const containers = Int32Array.from(growing.containers);
  const natures = Uint8Array.from(growing.natures);
  const fileOf = (place: number): number =>
    countFirst(first.length - 1, (file) => (first[file] as number) <= place) - 1;
  const placeOf = ({ file, symbol }: ReachPlace): number => (first[file] ?? places) + symbol + 1;
  const linksOf = ({ starts, places: others, masks }: Adjacency, place: number): ReachLink[] => {
    const links: ReachLink[] = [];
    for (let at = starts[place] ?? 0; at < (starts[place + 1] ?? 0); at++) {
      const other = others[at] as number;
      const file = fileOf(other);
      links.push({ file, symbol: other - (first[file] as number) - 1, mask: masks[at] as number });
    }
    return links;
  };
  const arrays = [first, containers, natures, ...Object.values(incoming), ...Object.values(outgoing)];
  const names = growing.externals.flat();
  return {
    shard,
    isWhole: true,
    memoryBytes:
      arrays.reduce((sum, { byteLength }) => sum + byteLength, 0) +
      names.reduce((sum, { length }) => sum + NAME_MEMORY + 2 * length, 0) +
      NAME_MEMORY * (guesses.size + growing.externals.length),
    fetch: (_direction: ReachDirection, _files: Iterable<number>) => Promise.resolve(NO_FILES),
    symbolCount: (file) => Math.max(0, (first[file + 1] ?? 0) - (first[file] ?? 0) - 1),
    containerOf: (file, symbol) => containers[placeOf({ file, symbol })] ?? -1,
    natureOf: (file, symbol) => NATURES[natures[placeOf({ file, symbol })] ?? 0] as Nature,
    externalsOf: (file) => growing.externals[file] ?? [],
    guessesOf: (place) => guesses.get(placeOf(place)) ?? 0,
    into: (place) => linksOf(incoming, placeOf(place)),
    outOf: (place) => linksOf(outgoing, placeOf(place)),
  };
}

/** Edges by their first end, in the order given. */
function toAdjacency(places: number, ends: Uint32Array, others: Uint32Array, masks: readonly number[]) {
  const starts = new Uint32Array(places + 1);
  for (const end of ends) starts[end + 1] = (starts[end + 1] as number) + 1;
  for (let place = 0; place < places; place++)
    starts[place + 1] = (starts[place + 1] as number) + (starts[place] as number);
  const next = starts.slice();
  const sorted = { starts, places: new Uint32Array(ends.length), masks: new Uint16Array(ends.length) };
  for (let edge = 0; edge < ends.length; edge++) {
    const end = ends[edge] as number;
    const at = next[end] as number;
    next[end] = at + 1;
    sorted.places[at] = others[edge] as number;
    sorted.masks[at] = masks[edge] as number;
  }
  return sorted;
}

/** Neighbours of all places: those of place `p` are at `starts[p]` up to `starts[p + 1]`. */
type Adjacency = Readonly<ReturnType<typeof toAdjacency>>;

/** Reads that a walk takes at most. */
const MAX_READS = 12;

/** Tables of more bytes, of all shards together, are read level by level. */
const MAX_WHOLE_BYTES = 2 * 1024 * 1024;
/** Reads that they may take: the others of a round are for what is looked up beside them. */
const MAX_WHOLE_READS = 4;

interface ReachOptions {
  /** Level by level, however small the table is. */
  readonly isByLevel?: boolean;
  /** Reads of a walk that goes level by level; 12 when absent. */
  readonly maxReads?: number;
}

/** Whether the tables are read whole. */
export function isReachWhole(reader: IndexReader): boolean {
  if (reader.residency === "shown") return false;
  const shards = codeShards(reader);
  return (
    areFlatWithin(
      shards.map(({ root }) => root.tables.reach),
      MAX_WHOLE_BYTES,
    ) && reader.countReads(allOf(shards)) <= MAX_WHOLE_READS
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
    const count = countFirst(wanted.length, (at) => this.#reader.countReads(readsOf(at + 1)) <= this.#readsLeft);
    const reads = readsOf(count);
    this.#readsLeft -= count === 0 ? 0 : this.#reader.countReads(reads);
    const { tables } = count === 0 ? { tables: [] } : await this.#reader.read(reads);
    for (const file of wanted.slice(0, count)) {
      const key = keyOfNumber(file);
      const value = findInChunks(tables[0] ?? [], key);
      if (value === undefined) throw malformed("table reach", `there is no source file ${file}`);
      const reach = decodeReach(file, value);
      this.#files.set(file, { ...reach, targetOf: new Map(reach.targets.map((target) => [target.symbol, target])) });
      const edges = findInChunks(tables[1] ?? [], key);
      if (direction === "out") this.#outgoing.set(file, edges === undefined ? new Map() : readOutgoing(file, edges));
    }
    return new Set(wanted.slice(count));
  }

  symbolCount(file: number): number {
    return this.#files.get(file)?.containers.length ?? 0;
  }

  containerOf(file: number, symbol: number): number {
    return this.#files.get(file)?.containers[symbol] ?? -1;
  }

  natureOf(file: number, symbol: number): Nature {
    return this.#files.get(file)?.natures[symbol] ?? "plain";
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
