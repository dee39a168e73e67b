/**
 * Value of the table `reach`: of one source file what leads to it, once each, with what its symbols are members of and what
 * it imports from outside.
 *
 * Layout: index-format v1, section 7.8. No places, no texts of symbols: all of it is small enough to be read at once and
 * walked in memory. Pure: bytes in, values out.
 */

import { unzigzag, zigzag } from "../bytes/numbers.ts";
import { ByteReader, expectRoom, readCount } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { checkLimit, FormatError, malformed } from "../errors.ts";
import { EDGE_KINDS, type EdgeKind } from "./code-model.ts";
import { list, numbers, readNumbers, readTexts, record, texts, writeNumbers } from "./columns.ts";

const WHAT = "table reach";
/** A symbol takes a byte, a target one in each of three columns, a file of dependents and a dependent one in each of two. */
const MIN_SYMBOL_BYTES = 1;
const MIN_TARGET_BYTES = 3;
const MIN_FILE_BYTES = 2;
const MIN_DEPENDENT_BYTES = 2;

/** Bits of a mask, the most frequent first, so that most masks take one byte. */
const FREQUENT_KINDS: readonly EdgeKind[] = ["calls", "type", "reads", "imports", "instantiates", "extends"];
const MASK_KINDS = [...FREQUENT_KINDS, ...EDGE_KINDS.filter((kind) => !FREQUENT_KINDS.includes(kind))];
/** Nothing of all these edges is left at run time. */
export const TYPE_ONLY_MASK = 1;
/** One more than the highest mask. */
const MASK_LIMIT = 2 ** (MASK_KINDS.length + 1);

/** A symbol of the file, or (symbol -1) the file as a whole, that something leads to. */
interface ReachTarget {
  readonly symbol: number;
  /** Symbols and files that may lead here by name alone. */
  readonly guesses: number;
  /** Ascending by file, then by symbol. */
  readonly dependents: readonly Dependent[];
}

/** What leads to a target: a symbol, or (symbol -1) the top level of a file. */
export interface Dependent {
  readonly file: number;
  readonly symbol: number;
  /** Kinds of the edges, and whether all of them are type-only: see `maskOf`. */
  readonly mask: number;
}

/** Symbols that walks tell apart: tests, types (what runs of them are their members), and what makes an instance of one. */
export const NATURES = ["plain", "test", "type", "constructor"] as const;
export type Nature = (typeof NATURES)[number];

export interface FileReach {
  /** Of each symbol the index of what it is a member of, or -1. */
  readonly containers: readonly number[];
  /** Of each symbol. */
  readonly natures: readonly Nature[];
  /** Names of what the file imports from outside of the corpus, in order. */
  readonly externals: readonly string[];
  /** Ascending by symbol. */
  readonly targets: readonly ReachTarget[];
}

/** The mask of some kinds of edges. */
export function maskOf(kinds: Iterable<EdgeKind>, typeOnly = false): number {
  let mask = typeOnly ? TYPE_ONLY_MASK : 0;
  for (const kind of kinds) mask |= 2 << MASK_KINDS.indexOf(kind);
  return mask;
}

/** Kinds of edges of a mask, in the order of the format. */
export function kindsOfMask(mask: number): EdgeKind[] {
  return EDGE_KINDS.filter((kind) => (mask & maskOf([kind])) !== 0);
}

/** Two masks of edges between the same ends as one. */
export function joinMasks(a: number, b: number): number {
  return ((a | b) & ~TYPE_ONLY_MASK) | (a & b & TYPE_ONLY_MASK);
}

/** Bytes of what is known of the file with this number. */
export function encodeReach(file: number, { containers, natures, externals, targets }: FileReach): Uint8Array {
  const writer = new ByteWriter(32 + containers.length * 4);
  const heads = containers.map(
    (container, at) => 4 * (container < 0 ? 0 : at - container) + NATURES.indexOf(natures[at] ?? "plain"),
  );
  list(numbers("container")).write(writer, [heads]);
  list(texts).write(writer, [externals]);
  const rows = targets.map(({ symbol, guesses, dependents }, at) => ({
    symbol: symbol - (targets[at - 1]?.symbol ?? -2) - 1,
    guesses,
    runs: runsOf(file, dependents),
  }));
  storedTargets.write(writer, [rows]);
  writeNumbers(
    writer,
    targets.flatMap(({ dependents }) => dependents.map(({ mask }) => mask)),
  );
  return writer.finish();
}

/** How targets are written; `visitReach` reads the same columns without objects. Symbols and files are gaps. */
const storedTargets = list(
  record({
    symbol: numbers("target"),
    guesses: numbers("guesses"),
    runs: list(record({ file: numbers("file"), symbols: list(numbers("symbol")) })),
  }),
);

function runsOf(target: number, dependents: readonly Dependent[]): { file: number; symbols: number[] }[] {
  const runs: { file: number; symbols: number[] }[] = [];
  for (const [at, { file, symbol }] of dependents.entries()) {
    const before = dependents[at - 1];
    if (before?.file === file) runs.at(-1)?.symbols.push(symbol - before.symbol - 1);
    else
      runs.push({ file: before === undefined ? zigzag(file - target) : file - before.file - 1, symbols: [symbol + 1] });
  }
  return runs;
}

/** Takes what a file's value says, in its order. */
interface ReachVisitor {
  readonly head: (head: Pick<FileReach, "containers" | "natures" | "externals">) => void;
  readonly target: (symbol: number, guesses: number) => void;
  /** Of the target before. */
  readonly dependent: (file: number, symbol: number, mask: number) => void;
}

/** What these bytes say of the file with this number, without an object for each dependent: a table has hundreds of thousands. @throws {FormatError}. */
export function visitReach(file: number, bytes: Uint8Array, visitor: ReachVisitor): void {
  const reader = new ByteReader(bytes, WHAT);
  const heads = readNumbers(reader, readCount(reader, MIN_SYMBOL_BYTES), "container");
  const externals = readTexts(reader, readCount(reader, 1));
  visitor.head({
    containers: heads.map((head, at) => containerAt(at, Math.floor(head / 4))),
    natures: heads.map((head) => NATURES[head % 4] as Nature),
    externals,
  });
  const targets = readCount(reader, MIN_TARGET_BYTES);
  const targetGaps = readNumbers(reader, targets, "target", heads.length);
  const guesses = readNumbers(reader, targets, "guesses");
  const runCounts = readSizes(reader, targets, MIN_FILE_BYTES);
  const runs = sumOf(runCounts);
  const fileGaps = readNumbers(reader, runs, "file");
  const sizes = readSizes(reader, runs, MIN_DEPENDENT_BYTES);
  const dependents = sumOf(sizes);
  const symbolGaps = readNumbers(reader, dependents, "symbol");
  const masks = readNumbers(reader, dependents, "kinds", MASK_LIMIT - 1);
  reader.expectEnd();
  let target = -2;
  let run = 0;
  let next = 0;
  for (let at = 0; at < targets; at++) {
    target += 1 + (targetGaps[at] as number);
    checkLimit(WHAT, "target", target, heads.length - 1);
    visitor.target(target, guesses[at] as number);
    let from = file;
    for (let own = 0; own < (runCounts[at] as number); own++, run++) {
      const gap = fileGaps[run] as number;
      from += own === 0 ? unzigzag(gap) : 1 + gap;
      const size = sizes[run] as number;
      if (from < 0 || size === 0) throw malformed(WHAT, `${size} uses in file ${from}`);
      let symbol = -2;
      for (const end = next + size; next < end; next++) {
        symbol += 1 + (symbolGaps[next] as number);
        const mask = masks[next] as number;
        if (mask <= TYPE_ONLY_MASK) {
          throw new FormatError(WHAT, { code: "out-of-range", what: "kinds", got: mask, limit: MASK_LIMIT - 1 });
        }
        visitor.dependent(from, symbol, mask);
      }
    }
  }
}

/** Sizes of lists whose members take so many bytes each at least. */
function readSizes(reader: ByteReader, count: number, bytesEach: number): number[] {
  const sizes = readNumbers(reader, count, "size of a list", reader.remaining);
  expectRoom(reader, sumOf(sizes), bytesEach);
  return sizes;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

function containerAt(at: number, distance: number): number {
  checkLimit(WHAT, "distance of a container", distance, at);
  return distance === 0 ? -1 : at - distance;
}
