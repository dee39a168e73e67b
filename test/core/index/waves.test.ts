import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StaleGenerationError } from "../../../src/core/errors.ts";
import {
  type ByteRange,
  coalesceRanges,
  MAX_CONCURRENT_READS,
  MAX_GAP_BYTES,
  measureReads,
  readRanges,
} from "../../../src/core/index/waves.ts";
import { countReads, createMemorySource } from "../../support/memory-source.ts";
import { runs } from "../../support/runs.ts";

const FILE_BYTES = 200_000;
const FILES = ["a.pack", "b.pack", "c.pack"];
const files = new Map(
  FILES.map((name, file) => [
    name,
    Uint8Array.from({ length: FILE_BYTES }, (_, at) => (at * 31 + (at >> 8) + file) & 0xff),
  ]),
);

const anyRange: fc.Arbitrary<ByteRange> = fc
  .record({
    file: fc.constantFrom(...FILES),
    offset: fc.integer({ min: 0, max: FILE_BYTES }),
    length: fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 60_000 })),
  })
  .map(({ file, offset, length }) => ({ file, offset, length: Math.min(length, FILE_BYTES - offset) }));
const anyRanges = fc.array(anyRange, { maxLength: 40 });

function noCounts(): Parameters<typeof readRanges>[2] {
  return { waves: 0, reads: 0, bytes: 0, maxConcurrentReads: 0 };
}

function range(offset: number, length: number, file = "a.pack"): ByteRange {
  return { file, offset, length };
}

describe("coalesceRanges", () => {
  it("covers every range in one read of its file, and serves each range once", () => {
    fc.assert(
      fc.property(anyRanges, (ranges) => {
        const reads = coalesceRanges(ranges);
        expect(reads.flatMap(({ wanted }) => wanted).sort((a, b) => a - b)).toEqual(ranges.map((_, index) => index));
        for (const read of reads) {
          for (const index of read.wanted) {
            const wanted = ranges[index] as ByteRange;
            expect(wanted.file).toBe(read.file);
            expect(wanted.offset).toBeGreaterThanOrEqual(read.offset);
            expect(wanted.offset + wanted.length).toBeLessThanOrEqual(read.offset + read.length);
          }
        }
      }),
    );
  });

  it("reads no gap wider than the limit, and leaves no neighbours apart that lie nearer", () => {
    fc.assert(
      fc.property(anyRanges, (ranges) => {
        const reads = coalesceRanges(ranges);
        for (const read of reads) {
          let end = read.offset;
          for (const index of read.wanted) {
            const wanted = ranges[index] as ByteRange;
            expect(wanted.offset - end).toBeLessThanOrEqual(MAX_GAP_BYTES);
            end = Math.max(end, wanted.offset + wanted.length);
          }
          expect(end).toBe(read.offset + read.length);
        }
        for (const [at, read] of reads.entries()) {
          const next = reads[at + 1];
          if (next?.file === read.file) {
            expect(next.offset - (read.offset + read.length)).toBeGreaterThan(MAX_GAP_BYTES);
          }
        }
      }),
    );
  });

  it("merges up to a gap of 4,096 bytes and not beyond", () => {
    expect(coalesceRanges([range(0, 10), range(10 + MAX_GAP_BYTES, 10)])).toHaveLength(1);
    expect(coalesceRanges([range(0, 10), range(11 + MAX_GAP_BYTES, 10)])).toHaveLength(2);
    expect(coalesceRanges([range(0, 10), range(10, 10, "b.pack")])).toHaveLength(2);
  });

  it("takes ranges that repeat, overlap or lie inside one another as one read", () => {
    const reads = coalesceRanges([range(50, 10), range(0, 100), range(90, 50), range(50, 10)]);
    expect(reads).toHaveLength(1);
    expect(reads[0]).toMatchObject({ offset: 0, length: 140 });
  });

  it("stops merging at four megabytes, but reads a larger range as it is", () => {
    const mebibyte = 1024 * 1024;
    const many = Array.from({ length: 6 }, (_, at) => range(at * mebibyte, mebibyte));
    expect(coalesceRanges(many).map(({ length }) => length / mebibyte)).toEqual([4, 2]);
    expect(coalesceRanges([range(0, 5 * mebibyte)])).toHaveLength(1);
  });
});

describe("readRanges", () => {
  it("gives each range its bytes, whatever is read together", async () => {
    await fc.assert(
      fc.asyncProperty(anyRanges, async (ranges) => {
        const source = countReads(createMemorySource(files));
        const counters = noCounts();
        const results = await readRanges(source, ranges, counters);
        for (const [index, { file, offset, length }] of ranges.entries()) {
          expect(results[index]).toEqual(files.get(file)?.slice(offset, offset + length));
        }
        const widest = coalesceRanges(ranges);
        const waves = Math.ceil(widest.length / MAX_CONCURRENT_READS);
        expect(counters.waves).toBe(waves);
        expect(counters.reads).toBeGreaterThanOrEqual(widest.length);
        expect(counters.reads).toBeLessThanOrEqual(waves * MAX_CONCURRENT_READS);
        expect(counters.bytes).toBeLessThanOrEqual(widest.reduce((sum, { length }) => sum + length, 0));
        expect(counters.bytes).toBe(source.reads.reduce((sum, { length }) => sum + length, 0));
        // What it counts is what happened.
        expect(source.reads.length).toBe(counters.reads);
        expect(source.rounds).toBe(counters.waves);
        expect(source.mostAtOnce).toBe(counters.maxConcurrentReads);
      }),
      { numRuns: runs(60) },
    );
  });

  it("fills a round, the narrowest gaps read through first", async () => {
    const source = countReads(createMemorySource(files));
    const ranges = [0, 1000, 1900, 4000, 6000, 8000, 9900, 12_000].map((offset) => range(offset, 100));
    await readRanges(source, ranges, noCounts());
    expect(source.reads.map(({ offset, length }) => [offset, length])).toEqual([
      [0, 2000],
      ...[4000, 6000, 8000, 9900, 12_000].map((offset) => [offset, 100]),
    ]);
  });

  it("joins no reads to one beyond four megabytes, and closes the gaps of others in their place", async () => {
    const megabyte = 1_000_000;
    const large = [0, 1, 2, 3, 4].map((at) => range(at * megabyte, megabyte));
    const small = Array.from({ length: 12 }, (_, at) => range(8 * megabyte + at * 1500, 100));
    const given: ByteRange[] = [];
    const readRange = async (file: string, offset: number, length: number): Promise<Uint8Array> => {
      given.push({ file, offset, length });
      return new Uint8Array(length);
    };
    const counters = noCounts();
    await readRanges({ readRange }, [...large, ...small], counters);
    expect(counters.waves).toBe(1);
    expect(given.slice(0, 2)).toEqual([range(0, 4 * megabyte), range(4 * megabyte, megabyte)]);
    expect(given).toHaveLength(6);
    expect(measureReads(large, 1)).toBeUndefined();
  });

  it("needs no more rounds than wide gaps leave, however large reads are", async () => {
    const readRange = async (_file: string, _offset: number, length: number): Promise<Uint8Array> =>
      new Uint8Array(length);
    const anyLarge = fc.record({
      gap: fc.constantFrom(0, 300, 1000, 4000, 5000),
      length: fc.constantFrom(100, 500_000, 1_500_000, 2_500_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyLarge, { maxLength: 30 }), async (pieces) => {
        let end = 0;
        const ranges = pieces.map(({ gap, length }) => {
          end += gap + length;
          return range(end - length, length);
        });
        const counters = noCounts();
        await readRanges({ readRange }, ranges, counters);
        expect(counters.waves).toBe(Math.ceil(coalesceRanges(ranges).length / MAX_CONCURRENT_READS));
      }),
      { numRuns: runs(60) },
    );
  });

  it("never has more than six reads under way", async () => {
    const source = countReads(createMemorySource(files));
    const counters = noCounts();
    await readRanges(
      source,
      Array.from({ length: 20 }, (_, at) => range(at * 10_000, 10)),
      counters,
    );
    expect(source.mostAtOnce).toBe(6);
    expect(counters).toEqual({ waves: 4, reads: 20, bytes: 200, maxConcurrentReads: 6 });
  });

  it("reads nothing and counts nothing when nothing is asked", async () => {
    const counters = noCounts();
    expect(await readRanges(createMemorySource(files), [], counters)).toEqual([]);
    expect(counters).toEqual(noCounts());
  });

  it("adds to counters that have counted before", async () => {
    const counters = { waves: 1, reads: 1, bytes: 500, maxConcurrentReads: 1 };
    await readRanges(createMemorySource(files), [range(0, 10), range(50_000, 20)], counters);
    expect(counters).toEqual({ waves: 2, reads: 3, bytes: 530, maxConcurrentReads: 2 });
  });

  it("passes on what goes wrong with a read", async () => {
    const gone = readRanges(createMemorySource(files), [range(0, 1), range(0, 1, "gone.pack")], noCounts());
    await expect(gone).rejects.toBeInstanceOf(StaleGenerationError);
  });

  it.each([0, 5, 9])("refuses a read of 10 bytes that returns %i", async (have) => {
    const short = { ...createMemorySource(files), readRange: async () => new Uint8Array(have) };
    await expect(readRanges(short, [range(0, 10)], noCounts())).rejects.toMatchObject({
      name: "FormatError",
      detail: { code: "truncated", need: 10, have },
    });
  });
});

describe("reads that are to be few", () => {
  it("give every range its bytes in as many reads as asked for, or one a file, and cost what was measured", async () => {
    await fc.assert(
      fc.asyncProperty(anyRanges, fc.integer({ min: 1, max: 8 }), async (ranges, maxReads) => {
        const source = countReads(createMemorySource(files));
        const counters = noCounts();
        const results = await readRanges(source, ranges, counters, maxReads);
        for (const [at, { file, offset, length }] of ranges.entries()) {
          expect(results[at]).toEqual(files.get(file)?.subarray(offset, offset + length));
        }
        const distinct = new Set(ranges.map(({ file }) => file)).size;
        const plain = coalesceRanges(ranges).length;
        expect(source.reads.length).toBeGreaterThanOrEqual(Math.min(plain, Math.max(maxReads, distinct)));
        expect(source.reads.length).toBeLessThanOrEqual(Math.max(maxReads, distinct));
        const measured = measureReads(ranges, maxReads);
        expect(measured).toBe(distinct > maxReads ? undefined : counters.bytes);
      }),
    );
  });

  it("read through the narrowest gaps", async () => {
    const ranges = [range(0, 10), range(10_000, 10), range(16_000, 10), range(90_000, 10), range(0, 10, "b.pack")];
    const source = countReads(createMemorySource(files));
    await readRanges(source, ranges, noCounts(), 3);
    expect(source.reads).toEqual([range(0, 16_010), range(90_000, 10), range(0, 10, "b.pack")]);
    expect(measureReads(ranges, 1)).toBeUndefined();
    expect(measureReads([], 0)).toBe(0);
  });
});
