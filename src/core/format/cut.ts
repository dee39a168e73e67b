/**
 * Where a table is cut into chunks: decided by the keys' hashes, so that an edit moves only cuts near itself.
 *
 * Rules: index-format v1, section 3.2. Pure.
 */
import { hashKey } from "../bytes/checksum.ts";
import type { TableEntry } from "./chunk.ts";

/** Bytes an entry costs besides key and value: three varints. */
const ENTRY_OVERHEAD = 3;
/** A run is only split when it is this much over the target. */
const SPLIT_FROM = 1.5;
const HASH_RANGE = 2 ** 32;

/**
 * Split sorted entries into runs of about `target` bytes. Every entry stands in exactly one run, order kept.
 *
 * Entries are taken as they come and no more of them kept than lie between two strong cuts.
 */
export function* cutEntries(entries: Iterable<TableEntry>, target: number): Generator<TableEntry[]> {
  let run: TableEntry[] = [];
  for (const entry of entries) {
    const before = run.at(-1);
    const isLarge = entry.value.length > target;
    if (before !== undefined && (isLarge || hashKey(entry.key) / HASH_RANGE < roundedWeight(before) / (2 * target))) {
      yield* splitRun(run, target);
      run = [];
    }
    if (isLarge) yield [entry];
    else run.push(entry);
  }
  if (run.length > 0) yield* splitRun(run, target);
}

function* splitRun(run: readonly TableEntry[], target: number): Generator<TableEntry[]> {
  const starts: number[] = [];
  let size = 0;
  for (const entry of run) {
    starts.push(size);
    size += weight(entry);
  }
  if (size <= SPLIT_FROM * target) {
    yield [...run];
    return;
  }
  const parts = Math.round(size / target);
  let begin = 0;
  for (let part = 1; part < parts; part++) {
    const cut = findCut(run, starts, (part * size) / parts, target / 4, begin + 1);
    if (cut === undefined) continue;
    yield run.slice(begin, cut);
    begin = cut;
  }
  yield run.slice(begin);
}

/**
 * Index of the entry with the smallest hash among those that start within `reach` of `ideal`; the one that starts
 * nearest where none does, so that no chunk takes in what two should.
 */
function findCut(
  run: readonly TableEntry[],
  starts: readonly number[],
  ideal: number,
  reach: number,
  from: number,
): number | undefined {
  let best: number | undefined;
  let bestHash = Number.POSITIVE_INFINITY;
  let nearest: number | undefined;
  let distance = Number.POSITIVE_INFINITY;
  for (let i = from; i < run.length; i++) {
    const start = starts[i] as number;
    if (Math.abs(start - ideal) < distance) {
      distance = Math.abs(start - ideal);
      nearest = i;
    }
    if (start < ideal - reach) continue;
    if (start > ideal + reach) break;
    const hash = hashKey((run[i] as TableEntry).key);
    if (hash < bestHash) {
      bestHash = hash;
      best = i;
    }
  }
  return best ?? nearest;
}

function weight(entry: TableEntry): number {
  return entry.key.length + entry.value.length + ENTRY_OVERHEAD;
}

/** In powers of two, so that a value which grows a little keeps the cut behind it. */
function roundedWeight(entry: TableEntry): number {
  return 2 ** Math.ceil(Math.log2(weight(entry)));
}
