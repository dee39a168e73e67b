/**
 * Waves: reads that go out together. Neighbours are read as one, at most six at once, all of it counted.
 *
 * Storage answers in tens of milliseconds whatever the size, and six connections are open at a time, so what a
 * request costs is how often it has to wait. Pure apart from the range source that is handed in.
 */
import { FormatError } from "../errors.ts";
import type { RangeSource } from "./range-source.ts";

/** Reads in flight at once. */
export const MAX_CONCURRENT_READS = 6;
/** Reading this many unwanted bytes between two wanted ranges is cheaper than another round of reads, */
export const MAX_GAP_BYTES = 4096;
/** and this many than one read more in the same round. */
const SMALL_GAP_BYTES = 1024;
/** Coalescing stops here, so that one read stays within what a Worker wants to hold at once. */
const MAX_READ_BYTES = 4 * 1024 * 1024;

export interface ByteRange {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/** Counters of one request; see `Cost` for their meaning. */
interface ReadCounters {
  waves: number;
  reads: number;
  bytes: number;
  maxConcurrentReads: number;
}

/**
 * The bytes of each range, in order. Waves = rounds of at most six reads, as many as gaps of `MAX_GAP_BYTES` leave. Wide gaps are
 * not read where their rounds have room for more reads.
 *
 * @param maxReads Reads to make do with, by reading through gaps however wide; no file takes less than one, and none grows
 *   beyond four megabytes by it.
 */
export async function readRanges(
  source: Pick<RangeSource, "readRange">,
  ranges: readonly ByteRange[],
  counters: ReadCounters,
  maxReads = Number.POSITIVE_INFINITY,
): Promise<Uint8Array[]> {
  const reads = planReads(ranges, maxReads);
  const results = new Array<Uint8Array>(ranges.length);
  for (let start = 0; start < reads.length; start += MAX_CONCURRENT_READS) {
    const round = reads.slice(start, start + MAX_CONCURRENT_READS);
    counters.waves++;
    counters.reads += round.length;
    counters.maxConcurrentReads = Math.max(counters.maxConcurrentReads, round.length);
    await Promise.all(
      round.map(async (read) => {
        const bytes = await source.readRange(read.file, read.offset, read.length);
        if (bytes.length < read.length) {
          throw new FormatError(read.file, { code: "truncated", need: read.length, have: bytes.length });
        }
        counters.bytes += bytes.length;
        for (const index of read.wanted) {
          const { offset, length } = ranges[index] as ByteRange;
          results[index] = bytes.subarray(offset - read.offset, offset - read.offset + length);
        }
      }),
    );
  }
  return results;
}

function planReads(ranges: readonly ByteRange[], maxReads: number): readonly CoalescedRead[] {
  const usual = mergeReads(coalesceRanges(ranges), maxReads);
  const room = Math.ceil(usual.length / MAX_CONCURRENT_READS) * MAX_CONCURRENT_READS;
  const cheap = mergeReads(coalesceRanges(ranges, SMALL_GAP_BYTES), Math.min(room, maxReads));
  // Reads that may not grow further can be too many.
  return cheap.length > room ? usual : cheap;
}

/** A read that serves one or more of the wanted ranges. */
interface CoalescedRead extends ByteRange {
  /** Indexes of the ranges it serves. */
  readonly wanted: readonly number[];
}

/** Merge ranges of one file that touch, overlap or lie at most so many bytes apart. */
export function coalesceRanges(ranges: readonly ByteRange[], maxGapBytes = MAX_GAP_BYTES): CoalescedRead[] {
  const order = [...ranges.keys()].sort((a, b) => compareRanges(ranges[a] as ByteRange, ranges[b] as ByteRange));
  const reads: (ByteRange & { length: number; wanted: number[] })[] = [];
  for (const index of order) {
    const range = ranges[index] as ByteRange;
    const last = reads.at(-1);
    const end = range.offset + range.length;
    if (
      last !== undefined &&
      last.file === range.file &&
      range.offset <= last.offset + last.length + maxGapBytes &&
      end - last.offset <= MAX_READ_BYTES
    ) {
      last.length = Math.max(last.length, end - last.offset);
      last.wanted.push(index);
    } else {
      reads.push({ ...range, wanted: [index] });
    }
  }
  return reads;
}

/** Bytes that `readRanges` reads for these ranges; undefined where it needs more than `maxReads`. */
export function measureReads(ranges: readonly ByteRange[], maxReads: number): number | undefined {
  const reads = planReads(ranges, maxReads);
  return reads.length > maxReads ? undefined : reads.reduce((sum, { length }) => sum + length, 0);
}

/** The same reads as few as asked for: the narrowest gaps between reads of one file are read through, as long as none grows too large. */
function mergeReads(reads: readonly CoalescedRead[], maxReads: number): readonly CoalescedRead[] {
  let surplus = reads.length - maxReads;
  if (surplus <= 0) return reads;
  const at = (index: number): CoalescedRead => reads[index] as CoalescedRead;
  const endOf = (index: number): number => at(index).offset + at(index).length;
  const widthBefore = (index: number): number => at(index).offset - endOf(index - 1);
  // Of reads that become one, the first knows the last, and the last the first.
  const other = [...reads.keys()];
  const gaps = other.filter((index) => at(index).file === reads[index - 1]?.file);
  for (const gap of gaps.sort((a, b) => widthBefore(a) - widthBefore(b))) {
    const first = other[gap - 1] as number;
    const last = other[gap] as number;
    if (surplus > 0 && endOf(last) - at(first).offset <= MAX_READ_BYTES) {
      other[first] = last;
      other[last] = first;
      surplus--;
    }
  }
  const merged: CoalescedRead[] = [];
  for (let first = 0; first < reads.length; ) {
    const last = other[first] as number;
    const wanted = reads.slice(first, last + 1).flatMap((read) => read.wanted);
    merged.push({ ...at(first), length: endOf(last) - at(first).offset, wanted });
    first = last + 1;
  }
  return merged;
}

function compareRanges(a: ByteRange, b: ByteRange): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.offset - b.offset;
}
