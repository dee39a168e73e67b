/**
 * The table `reach` of a shard in memory: adjacency in both directions as arrays of numbers.
 *
 * Places are numbered through: of each file the file itself, then its symbols. Pure.
 */
import { type ByteKey, numberOfKey } from "../bytes/key.ts";
import { FormatError } from "../errors.ts";
import type { Chunk } from "../format/chunk.ts";
import { visitReach } from "../format/reach-list.ts";
import { entriesOf } from "../index/index-reader.ts";
import type { Reach, ReachDirection, ReachLink, ReachPlace } from "./reach-model.ts";

const WHAT = "table reach";
/** About what a name of something external takes beside its units, and a number in a list of them. */
const NAME_MEMORY = 48;
const NO_FILES: ReadonlySet<number> = new Set();

/** Neighbours of all places: those of place `p` are at `starts[p]` up to `starts[p + 1]`. */
interface Adjacency {
  readonly starts: Uint32Array;
  readonly places: Uint32Array;
  readonly masks: Uint16Array;
}

/** All of a shard. */
export interface WholeReach extends Reach {
  /** About what it takes. */
  readonly memoryBytes: number;
}

/** What one file's value says, on the way to the arrays. */
interface Growing {
  /** Number of each file's first place, and behind them of the first that there is not. */
  readonly firsts: number[];
  readonly containers: number[];
  readonly tests: number[];
  readonly externals: (readonly string[])[];
  readonly guesses: Map<number, number>;
  /** Of each dependent: the place it leads to, its file, its symbol, its mask. */
  readonly targets: number[];
  readonly files: number[];
  readonly symbols: number[];
  readonly masks: number[];
}

/** All of the table. @throws {FormatError} where it is not that of so many files, or names symbols that no file has. */
export function decodeWholeReach(shard: number, chunks: readonly Chunk[]): WholeReach {
  const growing: Growing = {
    firsts: [0],
    containers: [],
    tests: [],
    externals: [],
    guesses: new Map(),
    targets: [],
    files: [],
    symbols: [],
    masks: [],
  };
  for (const [key, value] of entriesOf(chunks)) addFile(growing, key, value);
  return toReach(shard, growing);
}

function addFile(growing: Growing, key: ByteKey, value: Uint8Array): void {
  const file = growing.firsts.length - 1;
  const number = numberOfKey(key);
  if (number !== file) {
    throw new FormatError(WHAT, { code: "malformed", reason: `file ${file} has the number ${number}` });
  }
  const first = growing.firsts[file] as number;
  let target = first;
  visitReach(file, value, {
    head: ({ containers, tests, externals }) => {
      growing.firsts.push(first + containers.length + 1);
      growing.containers.push(-1);
      growing.tests.push(0);
      for (const container of containers) growing.containers.push(container);
      for (const isTest of tests) growing.tests.push(Number(isTest));
      growing.externals.push(externals);
    },
    target: (symbol, guesses) => {
      target = first + symbol + 1;
      if (guesses > 0) growing.guesses.set(target, guesses);
    },
    dependent: (from, symbol, mask) => {
      growing.targets.push(target);
      growing.files.push(from);
      growing.symbols.push(symbol);
      growing.masks.push(mask);
    },
  });
}

function toReach(shard: number, { firsts, targets, guesses, ...growing }: Growing): WholeReach {
  const first = Uint32Array.from(firsts);
  const places = first.at(-1) as number;
  const from = Uint32Array.from(growing.files, (file, at) => {
    const place = (first[file] ?? places) + (growing.symbols[at] as number) + 1;
    const end = first[file + 1];
    if (end === undefined || place >= end) {
      const reason = `symbol ${growing.symbols[at]} of file ${file}, which has none such`;
      throw new FormatError(WHAT, { code: "malformed", reason });
    }
    return place;
  });
  const incoming = toAdjacency(places, Uint32Array.from(targets), from, growing.masks);
  const outgoing = toAdjacency(places, from, Uint32Array.from(targets), growing.masks);
  const containers = Int32Array.from(growing.containers);
  const tests = Uint8Array.from(growing.tests);
  const fileOf = (place: number): number => {
    let low = 0;
    let high = first.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((first[middle] as number) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  };
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
  const arrays = [first, containers, tests, ...Object.values(incoming), ...Object.values(outgoing)];
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
    isTest: (file, symbol) => tests[placeOf({ file, symbol })] === 1,
    externalsOf: (file) => growing.externals[file] ?? [],
    guessesOf: (place) => guesses.get(placeOf(place)) ?? 0,
    into: (place) => linksOf(incoming, placeOf(place)),
    outOf: (place) => linksOf(outgoing, placeOf(place)),
  };
}

/** Edges by their first end, in the order given. */
function toAdjacency(places: number, ends: Uint32Array, others: Uint32Array, masks: readonly number[]): Adjacency {
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
