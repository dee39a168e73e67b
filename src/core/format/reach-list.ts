/**
 * Value of the table `reach`: of one source file what leads to it, once each, with what its symbols are members of and what
 * it imports from outside.
 *
 * Layout: index-format v1, section 7.8. No places, no texts of symbols: all of it is small enough to be read at once and
 * walked in memory. Pure: bytes in, values out.
 */
import { readCount } from "../bytes/read-count.ts";
import { ByteReader } from "../bytes/reader.ts";
import { unzigzag, zigzag } from "../bytes/signed.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import { readNumbers, readTexts, writeNumbers, writeTexts } from "./columns.ts";
import { EDGE_KINDS, type EdgeKind } from "./edge-kinds.ts";

const WHAT = "table reach";
/** A symbol takes a byte, a target one in each of three columns, a file of dependents and a dependent one in each of two. */
const MIN_SYMBOL_BYTES = 1;
const MIN_TARGET_BYTES = 3;
const MIN_FILE_BYTES = 2;
const MIN_DEPENDENT_BYTES = 2;

/** Bits of a mask, the most frequent first, so that most masks take one byte. */
const MASK_KINDS: readonly EdgeKind[] = [
  "calls",
  "type",
  "reads",
  "imports",
  "instantiates",
  "extends",
  ...EDGE_KINDS.filter((kind) => !["calls", "type", "reads", "imports", "instantiates", "extends"].includes(kind)),
];
/** Nothing of all these edges is left at run time. */
export const TYPE_ONLY_MASK = 1;
/** One more than the highest mask. */
const MASK_LIMIT = 2 ** (MASK_KINDS.length + 1);

/** A symbol of the file, or (symbol -1) the file as a whole, that something leads to. */
export interface ReachTarget {
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

/** What is known of a file. */
export interface FileReach {
  /** Of each symbol the index of what it is a member of, or -1. */
  readonly containers: readonly number[];
  /** Of each symbol whether it is a test. */
  readonly tests: readonly boolean[];
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
export function encodeReach(file: number, { containers, tests, externals, targets }: FileReach): Uint8Array {
  const dependents = targets.flatMap((target) => target.dependents);
  const runs = targets.map((target) => runsOf(target.dependents));
  const writer = new ByteWriter(32 + containers.length + dependents.length * 4);
  writer.writeVarint(containers.length);
  writeNumbers(
    writer,
    containers.map((container, at) => 2 * (container < 0 ? 0 : at - container) + Number(tests[at])),
  );
  writer.writeVarint(externals.length);
  writeTexts(writer, externals);
  writer.writeVarint(targets.length);
  writeNumbers(
    writer,
    targets.map(({ symbol }, at) => symbol - (targets[at - 1]?.symbol ?? -2) - 1),
  );
  writeNumbers(
    writer,
    targets.map(({ guesses }) => guesses),
  );
  writeNumbers(
    writer,
    runs.map(({ length }) => length),
  );
  for (const own of runs) {
    writeNumbers(
      writer,
      own.map((run, at) => {
        const before = own[at - 1];
        return before === undefined ? zigzag(run.file - file) : run.file - before.file - 1;
      }),
    );
  }
  for (const own of runs) {
    writeNumbers(
      writer,
      own.map(({ symbols }) => symbols.length),
    );
  }
  for (const { symbols } of runs.flat()) {
    writeNumbers(
      writer,
      symbols.map((symbol, at) => symbol - (symbols[at - 1] ?? -2) - 1),
    );
  }
  writeNumbers(
    writer,
    dependents.map(({ mask }) => mask),
  );
  return writer.finish();
}

/** What these bytes say of the file with this number. @throws {FormatError}. */
export function decodeReach(file: number, bytes: Uint8Array): FileReach {
  const reader = new ByteReader(bytes, WHAT);
  const heads = readNumbers(reader, readCount(reader, MIN_SYMBOL_BYTES), "container");
  const externals = readTexts(reader, readCount(reader, 1));
  const targetCount = readCount(reader, MIN_TARGET_BYTES);
  const targetGaps = readNumbers(reader, targetCount, "target", heads.length);
  const guesses = readNumbers(reader, targetCount, "guesses");
  const runCounts = readSizes(reader, targetCount, MIN_FILE_BYTES);
  const fileGaps = runCounts.map((count) => readNumbers(reader, count, "file"));
  const dependentCounts = runCounts.map((count) => readSizes(reader, count, MIN_DEPENDENT_BYTES));
  const symbolGaps = dependentCounts.map((counts) => counts.map((count) => readNumbers(reader, count, "symbol")));
  let before = -2;
  const targets = targetGaps.map((gap, target): ReachTarget => {
    const symbol = before + 1 + gap;
    before = symbol;
    if (symbol >= heads.length) throw outOfRange("target", symbol, heads.length - 1);
    let number = -1;
    const dependents = (fileGaps[target] as number[]).flatMap((fileGap, run): Dependent[] => {
      number = run === 0 ? file + unzigzag(fileGap) : number + 1 + fileGap;
      if (number < 0) throw new FormatError(WHAT, { code: "malformed", reason: `a use in file ${number}` });
      const gaps = symbolGaps[target]?.[run] ?? [];
      if (gaps.length === 0) throw new FormatError(WHAT, { code: "malformed", reason: "a file that does not lead here" });
      let last = -2;
      return gaps.map((symbolGap) => {
        last += 1 + symbolGap;
        const mask = reader.readVarint();
        if (mask >= MASK_LIMIT || mask <= TYPE_ONLY_MASK) throw outOfRange("kinds", mask, MASK_LIMIT - 1);
        return { file: number, symbol: last, mask };
      });
    });
    return { symbol, guesses: guesses[target] as number, dependents };
  });
  reader.expectEnd();
  return {
    containers: heads.map((head, at) => containerAt(at, Math.floor(head / 2))),
    tests: heads.map((head) => head % 2 === 1),
    externals,
    targets,
  };
}

interface Run {
  readonly file: number;
  readonly symbols: number[];
}

/** Dependents by file. */
function runsOf(dependents: readonly Dependent[]): Run[] {
  const runs: Run[] = [];
  for (const { file, symbol } of dependents) {
    const last = runs.at(-1);
    if (last?.file === file) last.symbols.push(symbol);
    else runs.push({ file, symbols: [symbol] });
  }
  return runs;
}

/** Sizes of lists whose members take so many bytes each at least. */
function readSizes(reader: ByteReader, count: number, bytesEach: number): number[] {
  const sizes = readNumbers(reader, count, "size of a list", reader.remaining);
  const need = sizes.reduce((sum, size) => sum + size, 0) * bytesEach;
  if (need > reader.remaining) throw new FormatError(WHAT, { code: "truncated", need, have: reader.remaining });
  return sizes;
}

function containerAt(at: number, distance: number): number {
  if (distance > at) throw outOfRange("distance of a container", distance, at);
  return distance === 0 ? -1 : at - distance;
}

function outOfRange(what: string, got: number, limit: number): FormatError {
  return new FormatError(WHAT, { code: "out-of-range", what, got, limit });
}
