import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deflateRaw, inflateRaw } from "../../../indexer/base/codec.ts";
import vectors from "../../../schemas/index-format/vectors/chunk.json" with { type: "json" };
import { type ByteKey, bytesOfKey, keyOf } from "../../../src/core/bytes/key.ts";
import { ByteWriter, concatBytes, encodeUtf8 } from "../../../src/core/bytes/writer.ts";
import {
  type Chunk,
  decodeChunk,
  decodeOnce,
  encodeChunk,
  MAX_INFLATED_BYTES,
  MAX_KEY_BYTES,
  type TableEntry,
  valueAt,
} from "../../../src/core/format/chunk.ts";
import { findInChunks } from "../../../src/core/index/index-reader.ts";
import { deflateStored } from "../../support/deflate-stored.ts";
import {
  anyBytesNear,
  anyEntries,
  anyKey,
  bytesOfHex,
  decodeOrRefuse,
  expectTruncationsRefused,
  hexOf,
  refusalOf,
  withChecksum,
} from "../../support/format-cases.ts";
import { keyOfHex, toEntries } from "../../support/format-vectors.ts";
import { runs } from "../../support/runs.ts";

const ROOT_PREFIX = keyOf("");
const someEntries = anyEntries({ minLength: 1, maxLength: 30, valueBytes: 40 });

function entriesOfChunk(chunk: Chunk): TableEntry[] {
  return chunk.keys.map((key, index) => ({ key, value: Uint8Array.from(valueAt(chunk, index)) }));
}

function seedOf(table: string, prefix: ByteKey): Uint8Array {
  return concatBytes([encodeUtf8(table), new Uint8Array(1), bytesOfKey(prefix)]);
}

/** A chunk of table `t` with this payload: checksum and compression are right, whatever the payload is. */
function chunkOfPayload(payload: Uint8Array): Uint8Array {
  return withChecksum(seedOf("t", ROOT_PREFIX), deflateStored(payload));
}

function decodePayload(payload: Uint8Array): Promise<Chunk> {
  return decodeChunk("t", ROOT_PREFIX, chunkOfPayload(payload), inflateRaw);
}

function payloadOf(entries: readonly TableEntry[]): Uint8Array {
  let payload = new Uint8Array();
  encodeChunk("t", ROOT_PREFIX, entries, (bytes) => {
    payload = Uint8Array.from(bytes);
    return bytes;
  });
  return payload;
}

describe("chunk", () => {
  it.each(vectors.vectors)("holds the vector: $name", async ({ table, prefix, entries, payload, bytes }) => {
    let written = "";
    const encoded = encodeChunk(table, keyOfHex(prefix), toEntries(entries), (inflated) => {
      written = hexOf(inflated);
      return deflateStored(inflated);
    });
    expect(written).toBe(payload);
    expect(hexOf(encoded)).toBe(bytes);
    const decoded = await decodeChunk(table, keyOfHex(prefix), bytesOfHex(bytes), inflateRaw);
    expect(entriesOfChunk(decoded)).toEqual(toEntries(entries));
    expect(decoded.inflatedBytes).toBe(payload.length / 2);
  });

  it("comes back as it was written, whatever deflated it", async () => {
    await fc.assert(
      fc.asyncProperty(someEntries, anyKey, fc.string({ maxLength: 8 }), async (entries, prefix, table) => {
        for (const deflate of [deflateRaw, deflateStored]) {
          const chunk = await decodeChunk(table, prefix, encodeChunk(table, prefix, entries, deflate), inflateRaw);
          expect(entriesOfChunk(chunk)).toEqual(entries);
        }
      }),
    );
  });

  it("decodes or refuses any bytes", async () => {
    const valid = someEntries.map((entries) => encodeChunk("t", ROOT_PREFIX, entries, deflateRaw));
    await fc.assert(
      fc.asyncProperty(anyBytesNear(valid), async (bytes) => {
        await decodeOrRefuse(() => decodeChunk("t", ROOT_PREFIX, bytes, inflateRaw));
      }),
      { numRuns: runs(300) },
    );
  });

  it("decodes or refuses any bytes behind a checksum that fits them", async () => {
    await fc.assert(
      fc.asyncProperty(anyBytesNear(someEntries.map(payloadOf)), async (payload) => {
        const chunk = await decodeOrRefuse(() => decodePayload(payload));
        if (chunk === undefined) return;
        // What is accepted is a table: at least one key, keys ascending strictly, a value each.
        expect(chunk.keys.length).toBeGreaterThan(0);
        expect(chunk.starts.length).toBe(chunk.keys.length + 1);
        expect(chunk.starts.at(-1)).toBe(chunk.bytes.length);
        for (const [at, key] of chunk.keys.entries())
          if (at > 0) expect(key > (chunk.keys[at - 1] as string)).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });

  it("refuses every truncation instead of giving fewer entries", async () => {
    const entries = toEntries([
      ["61", "0102"],
      ["6162", ""],
      ["62", "030405"],
    ]);
    const decode = (bytes: Uint8Array): Promise<Chunk> => decodeChunk("t", ROOT_PREFIX, bytes, inflateRaw);
    await expectTruncationsRefused(encodeChunk("t", ROOT_PREFIX, entries, deflateRaw), decode);
    await expectTruncationsRefused(payloadOf(entries), decodePayload);
  });

  it("refuses what is left over behind the last value", async () => {
    const payload = concatBytes([payloadOf(toEntries([["61", "01"]])), Uint8Array.of(0)]);
    expect((await refusalOf(() => decodePayload(payload))).detail).toEqual({ code: "trailing-bytes", extra: 1 });
  });

  it("finds the values that a map finds, and nothing for other keys", async () => {
    await fc.assert(
      fc.asyncProperty(someEntries, fc.array(anyKey), async (entries, others) => {
        const chunk = await decodeChunk(
          "t",
          ROOT_PREFIX,
          encodeChunk("t", ROOT_PREFIX, entries, deflateStored),
          inflateRaw,
        );
        const map = new Map(entries.map(({ key, value }) => [key, value]));
        for (const key of [...map.keys(), ...others]) {
          const found = findInChunks([chunk], key);
          expect(found && Uint8Array.from(found)).toEqual(map.get(key));
        }
      }),
    );
  });

  it("is refused in another's place: of another table, under another prefix", async () => {
    const bytes = encodeChunk("terms", keyOf("ro"), toEntries([["726f", "01"]]), deflateRaw);
    await decodeChunk("terms", keyOf("ro"), bytes, inflateRaw);
    for (const [table, prefix] of [
      ["titles", "ro"],
      ["terms", "rp"],
      ["terms", ""],
      ["terms/directory", "ro"],
    ] as const) {
      const error = await refusalOf(() => decodeChunk(table, keyOf(prefix), bytes, inflateRaw));
      expect(error.detail.code).toBe("checksum");
      expect(error.what).toBe(`chunk of table ${table}`);
    }
  });

  it("finds every flipped bit by its checksum", async () => {
    const bytes = encodeChunk("t", ROOT_PREFIX, toEntries([["61", "0102"]]), deflateRaw);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = bytes.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      expect((await refusalOf(() => decodeChunk("t", ROOT_PREFIX, flipped, inflateRaw))).detail.code).toBe("checksum");
    }
  });

  it("refuses to be written with no entry, keys out of order, a key twice or a key that is too long", async () => {
    const encode = (rows: string[][]): Uint8Array => encodeChunk("t", ROOT_PREFIX, toEntries(rows), deflateStored);
    expect((await refusalOf(() => encode([]))).detail.code).toBe("malformed");
    expect((await refusalOf(() => encode([["62"], ["61"]]))).detail.code).toBe("keys-out-of-order");
    expect((await refusalOf(() => encode([["61"], ["61"]]))).detail.code).toBe("keys-out-of-order");
    expect((await refusalOf(() => encode([["61".repeat(MAX_KEY_BYTES + 1)]]))).detail.code).toBe("out-of-range");
    await decodeChunk("t", ROOT_PREFIX, encode([["61".repeat(MAX_KEY_BYTES)]]), inflateRaw);
  });

  it("refuses keys out of order, twice, too long, or sharing more than there is", async () => {
    const key = (shared: number, ...suffix: number[]): number[] => [shared, suffix.length, ...suffix, 0];
    const payload = (...keys: number[][]): Uint8Array => Uint8Array.from([keys.length, ...keys.flat()]);
    const codeOf = async (bytes: Uint8Array): Promise<string> =>
      (await refusalOf(() => decodePayload(bytes))).detail.code;
    expect(await codeOf(payload(key(0, 98), key(0, 97)))).toBe("keys-out-of-order");
    expect(await codeOf(payload(key(0, 98), key(1)))).toBe("keys-out-of-order");
    expect(await codeOf(payload(key(0, 98), key(2, 97)))).toBe("out-of-range");
    expect(await codeOf(payload(key(1, 98)))).toBe("out-of-range");
    const long = new ByteWriter();
    long.writeVarint(1);
    long.writeVarint(0);
    long.writeVarint(MAX_KEY_BYTES + 1);
    long.writeBytes(new Uint8Array(MAX_KEY_BYTES + 1));
    long.writeVarint(0);
    expect(await codeOf(long.finish())).toBe("out-of-range");
  });

  it("refuses a count of entries that its bytes cannot hold, before it makes room for them", async () => {
    for (const count of [[0], [2], [0xff, 0xff, 0xff, 0xff, 0x7f]]) {
      const payload = Uint8Array.from([...count, 0, 1, 97, 0]);
      expect((await refusalOf(() => decodePayload(payload))).detail.code).toMatch(/out-of-range|truncated|trailing/);
    }
    const huge = Uint8Array.from([0xff, 0xff, 0xff, 0xff, 0x7f, ...new Uint8Array(100)]);
    expect((await refusalOf(() => decodePayload(huge))).detail).toMatchObject({
      code: "out-of-range",
      what: "entry count",
    });
  });

  it("refuses front-coded keys that would unpack to far more memory than their bytes", async () => {
    // Each key but the first takes five bytes here and a kilobyte unpacked.
    const writer = new ByteWriter();
    const count = 200_000;
    writer.writeVarint(count);
    writer.writeVarint(0);
    writer.writeVarint(MAX_KEY_BYTES);
    writer.writeBytes(new Uint8Array(MAX_KEY_BYTES));
    writer.writeVarint(0);
    for (let at = 1; at < count; at++) {
      const changed = at % 256 === 0 ? 3 : 1;
      writer.writeVarint(MAX_KEY_BYTES - changed);
      writer.writeVarint(changed);
      for (let byte = changed - 1; byte >= 0; byte--) writer.writeByte((at >> (8 * byte)) & 0xff);
      writer.writeVarint(0);
    }
    const error = await refusalOf(() => decodePayload(writer.finish()));
    expect(error.detail).toMatchObject({ code: "out-of-range", what: "size of all keys" });
  });

  it("refuses to inflate beyond the limit", async () => {
    const bomb = deflateRaw(new Uint8Array(MAX_INFLATED_BYTES + 1));
    const bytes = withChecksum(seedOf("t", ROOT_PREFIX), bomb);
    expect(bytes.length).toBeLessThan(20_000);
    expect((await refusalOf(() => decodeChunk("t", ROOT_PREFIX, bytes, inflateRaw))).detail.code).toMatch(
      /inflate|out-of-range/,
    );
  });

  it("refuses to be written larger than readers would inflate", async () => {
    const value = new Uint8Array(MAX_INFLATED_BYTES);
    const error = await refusalOf(() => encodeChunk("t", ROOT_PREFIX, [{ key: keyOf("a"), value }], deflateStored));
    expect(error.detail).toMatchObject({ code: "out-of-range", limit: MAX_INFLATED_BYTES });
  });

  it("has its values decoded once, those that a cache dropped and other bytes each time", async () => {
    const entries = [
      { key: keyOf("a"), value: Uint8Array.of(1, 2) },
      { key: keyOf("b"), value: Uint8Array.of(3) },
    ];
    const decode = (bytes: Uint8Array): number[] => [...bytes];
    const bytes = encodeChunk("t", ROOT_PREFIX, entries, deflateRaw);
    const chunk = await decodeChunk("t", ROOT_PREFIX, bytes, inflateRaw);
    const [first, second] = [
      decodeOnce(valueAt(chunk, 0), decode, () => 2),
      decodeOnce(valueAt(chunk, 1), decode, () => 1),
    ];
    expect([first, second]).toEqual([[1, 2], [3]]);
    expect(decodeOnce(valueAt(chunk, 0), decode, () => 2)).toBe(first);
    const again = await decodeChunk("t", ROOT_PREFIX, bytes, inflateRaw);
    expect(decodeOnce(valueAt(again, 0), decode, () => 2)).not.toBe(first);
    const plain = Uint8Array.of(1, 2);
    expect(decodeOnce(plain, decode, () => 2)).not.toBe(decodeOnce(plain, decode, () => 2));
    // More than is kept at all: everything goes.
    decodeOnce(valueAt(chunk, 1), decode, () => 1);
    decodeOnce(valueAt(again, 1), decode, () => 2 ** 30);
    expect(decodeOnce(valueAt(chunk, 0), decode, () => 2)).not.toBe(first);
  });
});
