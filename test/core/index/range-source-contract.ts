/**
 * What every range source holds to, whatever it reads from: one contract, run for disk, fetch, R2 and memory.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FormatError, StaleGenerationError } from "../../../src/core/errors.ts";
import { POINTER_FILE, type PointerObject, type RangeSource } from "../../../src/core/index/range-source.ts";

/** A source with a way to change what it reads. */
export interface SourceUnderTest {
  readonly source: RangeSource;
  /** Put a file where the source reads it, in the place of an older one of that name. */
  readonly put: (file: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  readonly remove: (file: string) => Promise<void>;
  readonly close?: () => Promise<void>;
}

const FILE = `${"c0".repeat(16)}.pack`;
const MISSING = `${"0c".repeat(16)}.pack`;
const BYTES = Uint8Array.from({ length: 10_000 }, (_, at) => (at * 7 + (at >> 8)) & 0xff);

/** Describe a source by the contract. */
export function describeRangeSource(name: string, open: () => Promise<SourceUnderTest>): void {
  describe(name, () => {
    let under: SourceUnderTest;

    beforeAll(async () => {
      under = await open();
      await under.put(FILE, BYTES);
    });

    afterAll(async () => {
      await under.close?.();
    });

    it("gives exactly the bytes asked for: the first, the last, some, all, none", async () => {
      for (const [offset, length] of [
        [0, 1],
        [BYTES.length - 1, 1],
        [4000, 2345],
        [0, BYTES.length],
        [5000, 0],
        [BYTES.length, 0],
      ] as const) {
        const { readRange, readFresh = readRange } = under.source;
        for (const read of [readRange, readFresh]) {
          const bytes = await read.call(under.source, FILE, offset, length);
          expect(Uint8Array.from(bytes)).toEqual(BYTES.slice(offset, offset + length));
        }
      }
    });

    it("answers reads that are under way at once each with its own bytes", async () => {
      const offsets = Array.from({ length: 12 }, (_, at) => at * 800);
      const answers = await Promise.all(offsets.map((offset) => under.source.readRange(FILE, offset, 50)));
      expect(answers.map((bytes) => Uint8Array.from(bytes))).toEqual(offsets.map((at) => BYTES.slice(at, at + 50)));
    });

    it("calls a range that goes past the end truncated instead of giving fewer bytes", async () => {
      for (const [offset, length] of [
        [BYTES.length - 1, 2],
        [0, BYTES.length + 1],
        [BYTES.length, 1],
        [BYTES.length + 5000, 10],
      ] as const) {
        const error = await failureOf(under.source.readRange(FILE, offset, length));
        expect(error).toBeInstanceOf(FormatError);
        expect((error as FormatError).detail).toMatchObject({ code: "truncated", need: length });
      }
    });

    it("calls a file that is not there a stale generation, and names it", async () => {
      const error = await failureOf(under.source.readRange(MISSING, 0, 1));
      expect(error).toBeInstanceOf(StaleGenerationError);
      expect((error as StaleGenerationError).file).toBe(MISSING);
    });

    it("knows no pointer before one is published and after it is gone", async () => {
      await under.remove(POINTER_FILE);
      expect(await under.source.readPointer()).toBeUndefined();
      expect(await under.source.readPointer("a tag from before")).toBeUndefined();
      await under.put(POINTER_FILE, BYTES.slice(0, 20));
      await pointerOf(under.source.readPointer());
      await under.remove(POINTER_FILE);
      expect(await under.source.readPointer()).toBeUndefined();
    });

    it("says that the pointer is unchanged as long as it is, and gives the new bytes once it changed", async () => {
      await under.put(POINTER_FILE, BYTES.slice(0, 20));
      const first = await pointerOf(under.source.readPointer());
      expect(Uint8Array.from(first.bytes)).toEqual(BYTES.slice(0, 20));
      expect(await under.source.readPointer(first.etag)).toBe("unchanged");
      expect((await pointerOf(under.source.readPointer("another tag"))).etag).toBe(first.etag);
      await under.put(POINTER_FILE, BYTES.slice(100, 130));
      const second = await pointerOf(under.source.readPointer(first.etag));
      expect(Uint8Array.from(second.bytes)).toEqual(BYTES.slice(100, 130));
      expect(second.etag).not.toBe(first.etag);
      expect(await under.source.readPointer(second.etag)).toBe("unchanged");
    });
  });
}

async function pointerOf(read: Promise<PointerObject | "unchanged" | undefined>): Promise<PointerObject> {
  const pointer = await read;
  if (pointer === undefined || pointer === "unchanged") throw new Error(`no pointer but ${pointer}`);
  return pointer;
}

async function failureOf(read: Promise<unknown>): Promise<unknown> {
  return read.then(
    () => new Error("the read succeeded"),
    (error: unknown) => error,
  );
}
