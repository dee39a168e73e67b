/**
 * Edges among the source files of a shard, without places, in both directions: the table `reach`. It is read whole and kept
 * decoded as arrays of numbers; walks then read nothing. A table that is too large for that is not walked.
 */
import { numberOfKey } from "../bytes/key.ts";
import { countFirst } from "../bytes/numbers.ts";
import { InputError, malformed } from "../errors.ts";
import type { Chunk } from "../format/chunk.ts";
import { NATURES, type Nature, visitReach } from "../format/reach-list.ts";
import { areFlatWithin } from "../format/table.ts";
import { entriesOf, type IndexReader, type TableRead, type VisibleShard } from "../index/index-reader.ts";
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

/** More symbols than a file has: with it, places have numbers of their own. */
const STRIDE = 2 ** 24;

/** A number for a place, greater for greater files, then symbols. */
export function numberOfPlace({ file, symbol }: ReachPlace): number {
  return file * STRIDE + symbol + 1;
}

/** A place with all that it holds: members and their members of a symbol, every symbol of a file. */
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
function decodeTable(shard: number, chunks: readonly Chunk[]) {
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
    /** About what it takes. */
    memoryBytes:
      arrays.reduce((sum, { byteLength }) => sum + byteLength, 0) +
      names.reduce((sum, { length }) => sum + NAME_MEMORY + 2 * length, 0) +
      NAME_MEMORY * (guesses.size + growing.externals.length),
    symbolCount: (file: number): number => Math.max(0, (first[file + 1] ?? 0) - (first[file] ?? 0) - 1),
    /** Index of what a symbol is a member of, or -1. */
    containerOf: (file: number, symbol: number): number => containers[placeOf({ file, symbol })] ?? -1,
    natureOf: (file: number, symbol: number) => NATURES[natures[placeOf({ file, symbol })] ?? 0] as Nature,
    /** Names of what the file imports from outside of the corpus. */
    externalsOf: (file: number): readonly string[] => growing.externals[file] ?? [],
    /** How many more may lead to a place, by name alone. */
    guessesOf: (place: ReachPlace): number => guesses.get(placeOf(place)) ?? 0,
    into: (place: ReachPlace): readonly ReachLink[] => linksOf(incoming, placeOf(place)),
    outOf: (place: ReachPlace): readonly ReachLink[] => linksOf(outgoing, placeOf(place)),
  };
}

/** The source files of a shard. Edges of the tier `name` are no part of it. */
export type Reach = Readonly<ReturnType<typeof decodeTable>>;

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

/** Tables of more bytes, of all shards together, are not read. */
const MAX_BYTES = 2 * 1024 * 1024;
/** Reads that they may take: the others of a round are for what is looked up beside them. */
const MAX_READS = 4;

/** Whether the tables are small enough to be read. */
export function isReachAtHand(reader: IndexReader): boolean {
  const shards = codeShards(reader);
  const directories = shards.map(({ root }) => root.tables.reach);
  return areFlatWithin(directories, MAX_BYTES) && reader.countReads(allOf(shards)) <= MAX_READS;
}

/** What is read beside something else, so that `openReach` has nothing left to read; none where the tables are too large. */
export function readsOfReach(reader: IndexReader): TableRead[] {
  if (!isReachAtHand(reader)) return [];
  return allOf(codeShards(reader).filter(({ index }) => reader.recall(nameOf(index)) === undefined));
}

/** What leads where in a shard. One wave where it is not in memory, else none. @throws {InputError} where the tables are too large. */
export async function openReach(reader: IndexReader, shard: number): Promise<Reach> {
  const known = reader.recall(nameOf(shard)) as Reach | undefined;
  if (known !== undefined) return known;
  if (!isReachAtHand(reader)) {
    throw new InputError(
      "The graph of this index is too large to be walked; references and call_hierarchy show the places around one symbol.",
    );
  }
  const { tables } = await reader.read(readsOfReach(reader).filter((read) => read.shard === shard));
  const reach = decodeTable(shard, tables[0] ?? []);
  reader.remember(nameOf(shard), reach, reach.memoryBytes);
  return reach;
}

function allOf(shards: readonly VisibleShard[]): TableRead[] {
  return shards.map(({ index }) => ({ shard: index, table: "reach", keys: "all" }));
}

function nameOf(shard: number): string {
  return `reach/${shard}`;
}
