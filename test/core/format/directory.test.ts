import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inflateRaw } from "../../../indexer/base/codec.ts";
import vectors from "../../../schemas/index-format/vectors/directory.json" with { type: "json" };
import { type ByteKey, keyOf } from "../../../src/core/bytes/key.ts";
import { ByteWriter } from "../../../src/core/bytes/writer.ts";
import { type Chunk, decodeChunk, encodeChunk, MAX_SEALED_BYTES, SEALED_STEP } from "../../../src/core/format/chunk.ts";
import {
  type Directory,
  type DirectoryEntry,
  decodeDirectory,
  encodeDirectory,
  findEntry,
  fromDirectoryChunk,
  separatingPrefix,
  toTableEntry,
} from "../../../src/core/format/table.ts";
import { deflateStored } from "../../support/deflate-stored.ts";
import {
  anyBytesNear,
  anyKey,
  bytesOfHex,
  decodeOrRefuse,
  expectTruncationsRefused,
  hexOf,
  refusalOf,
} from "../../support/format-cases.ts";
import { toDirectoryEntries } from "../../support/format-vectors.ts";
import { runs } from "../../support/runs.ts";

const PACKS = 3;
const anyPlace = fc.record({
  pack: fc.integer({ min: 0, max: PACKS - 1 }),
  offset: fc.integer({ min: 0, max: 2 ** 22 }),
  length: fc.integer({ min: 0, max: 300 }).map((steps) => steps * SEALED_STEP),
  // Most chunks lie behind the one before.
  follows: fc.boolean(),
});

/** Directories as the build writes them and others: places in any order, prefixes ascending. */
const anyDirectory: fc.Arbitrary<Directory> = fc
  .record({
    height: fc.integer({ min: 0, max: 1 }),
    rows: fc.uniqueArray(fc.tuple(anyKey, anyPlace), { selector: ([key]) => key, maxLength: 25 }),
  })
  .map(({ height, rows }) => {
    const entries: DirectoryEntry[] = [];
    for (const [prefix, { follows, ...place }] of rows.sort(([a], [b]) => (a < b ? -1 : 1))) {
      const before = entries.at(-1);
      const at = before !== undefined && follows ? { pack: before.pack, offset: before.offset + before.length } : place;
      entries.push({ prefix, length: place.length, pack: at.pack, offset: at.offset });
    }
    return { height, entries };
  });

function chunkOf(entries: readonly DirectoryEntry[]): Promise<Chunk> {
  return decodeChunk("t", keyOf(""), encodeChunk("t", keyOf(""), entries.map(toTableEntry), deflateStored), inflateRaw);
}

describe("directory", () => {
  it.each(vectors.vectors)("holds the vector: $name", ({ packs, value, hex }) => {
    const directory = { height: value.height, entries: toDirectoryEntries(value.entries) };
    expect(hexOf(encodeDirectory(directory))).toBe(hex);
    expect(decodeDirectory(bytesOfHex(hex), "t", packs)).toEqual(directory);
  });

  it.each(vectors.refused)("refuses $hex", async ({ hex, packs, code }) => {
    expect((await refusalOf(() => decodeDirectory(bytesOfHex(hex), "t", packs))).detail.code).toBe(code);
  });

  it("comes back as it was written", () => {
    fc.assert(
      fc.property(anyDirectory, (directory) => {
        expect(decodeDirectory(encodeDirectory(directory), "t", PACKS)).toEqual(directory);
      }),
    );
  });

  it("decodes or refuses any bytes", async () => {
    await fc.assert(
      fc.asyncProperty(anyBytesNear(anyDirectory.map(encodeDirectory)), async (bytes) => {
        const directory = await decodeOrRefuse(() => decodeDirectory(bytes, "t", PACKS));
        for (const { pack, length } of directory?.entries ?? []) {
          expect(pack).toBeLessThan(PACKS);
          expect(length).toBeLessThanOrEqual(MAX_SEALED_BYTES);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it("refuses every truncation", async () => {
    for (const { packs, hex } of vectors.vectors) {
      await expectTruncationsRefused(bytesOfHex(hex), (bytes) => decodeDirectory(bytes, "t", packs));
    }
  });

  it("refuses chunks of a size that none can have, so that nobody makes room for one", async () => {
    const entry = { prefix: keyOf(""), pack: 0, offset: 0 };
    const encoded = (length: number): Uint8Array => encodeDirectory({ height: 0, entries: [{ ...entry, length }] });
    decodeDirectory(encoded(MAX_SEALED_BYTES), "t", 1);
    for (const length of [MAX_SEALED_BYTES + SEALED_STEP, 2 ** 35 - SEALED_STEP]) {
      expect((await refusalOf(() => decodeDirectory(encoded(length), "t", 1))).detail.code).toBe("out-of-range");
      const chunk = await chunkOf([{ ...entry, length }]);
      expect((await refusalOf(() => fromDirectoryChunk(chunk, "t", 1))).detail.code).toBe("out-of-range");
    }
  });

  it("takes one byte for the place of a chunk that lies behind the one before", () => {
    const entries = Array.from({ length: 100 }, (_, at) => ({
      prefix: String.fromCharCode(at) as ByteKey,
      pack: 0,
      offset: at * 1024,
      length: 1024,
    }));
    // Shared, length and letter of the prefix, one byte of length, one of place.
    expect(encodeDirectory({ height: 0, entries }).length).toBeLessThanOrEqual(100 * 5 + 5);
  });

  it("finds the last entry whose prefix is not above the key", () => {
    fc.assert(
      fc.property(anyDirectory, anyKey, ({ entries }, key) => {
        let expected = -1;
        for (const [at, entry] of entries.entries()) if (entry.prefix <= key) expected = at;
        expect(findEntry(entries, key)).toBe(expected);
      }),
    );
  });
});

describe("separatingPrefix", () => {
  it("is above the last key before, not above the first key, and as short as can be", () => {
    fc.assert(
      fc.property(anyKey, anyKey, (a, b) => {
        fc.pre(a !== b);
        const [last, first] = a < b ? [a, b] : [b, a];
        const prefix = separatingPrefix(last, first);
        expect(prefix > last).toBe(true);
        expect(prefix <= first).toBe(true);
        expect(first.startsWith(prefix)).toBe(true);
        expect(prefix.slice(0, -1) > last).toBe(false);
      }),
    );
    expect(separatingPrefix(undefined, keyOf("anything"))).toBe("");
  });
});

describe("directory chunk", () => {
  it.each(vectors.chunkEntries)("holds the vector for prefix $row.prefix", async ({ row, value }) => {
    const entries = toDirectoryEntries([row]);
    expect(entries.map((entry) => hexOf(toTableEntry(entry).value))).toEqual([value]);
    expect(fromDirectoryChunk(await chunkOf(entries), "t", row.pack + 1)).toEqual(entries);
  });

  it("comes back as it was written", async () => {
    await fc.assert(
      fc.asyncProperty(anyDirectory, async ({ entries }) => {
        fc.pre(entries.length > 0);
        expect(fromDirectoryChunk(await chunkOf(entries), "t", PACKS)).toEqual(entries);
      }),
    );
  });

  it("decodes or refuses any values, and every truncation of one", async () => {
    const chunkWith = (bytes: Uint8Array): Chunk => ({
      keys: [keyOf("")],
      bytes,
      starts: Uint32Array.of(0, bytes.length),
      inflatedBytes: 0,
      memoryBytes: 0,
    });
    const valid = anyPlace.map((place) => toTableEntry({ prefix: keyOf(""), ...place }).value);
    await fc.assert(
      fc.asyncProperty(anyBytesNear(valid), async (value) => {
        await decodeOrRefuse(() => fromDirectoryChunk(chunkWith(value), "t", PACKS));
      }),
    );
    const value = toTableEntry({ prefix: keyOf(""), pack: 2, offset: 70_000, length: 3008 }).value;
    await expectTruncationsRefused(value, (bytes) => fromDirectoryChunk(chunkWith(bytes), "t", PACKS));
    const longer = new ByteWriter();
    longer.writeBytes(value);
    longer.writeByte(0);
    expect((await refusalOf(() => fromDirectoryChunk(chunkWith(longer.finish()), "t", PACKS))).detail.code).toBe(
      "trailing-bytes",
    );
  });
});
