import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deflateRaw, inflateRaw } from "../../../indexer/base/codec.ts";
import vectors from "../../../schemas/index-format/vectors/root.json" with { type: "json" };
import { crc32 } from "../../../src/core/bytes/checksum.ts";
import { ByteWriter, concatBytes, encodeJson } from "../../../src/core/bytes/writer.ts";
import { SEALED_STEP } from "../../../src/core/format/chunk.ts";
import { MAX_DOCUMENTS } from "../../../src/core/format/postings.ts";
import {
  type CollectionInfo,
  decodeRoot,
  encodeRoot,
  FORMAT_VERSION,
  type Root,
  type ShardRoot,
  type ShardTotals,
} from "../../../src/core/format/root.ts";
import { encodeDirectory, TABLE_NAMES } from "../../../src/core/format/table.ts";
import { LANGUAGES } from "../../../src/core/text/language.ts";
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
import { type DirectoryRow, toDirectoryEntries } from "../../support/format-vectors.ts";
import { runs } from "../../support/runs.ts";

interface RootRow extends Omit<Root, "shards"> {
  readonly shards: readonly (Omit<ShardRoot, "tables"> & {
    readonly tables: Readonly<Record<string, { readonly height: number; readonly entries: readonly DirectoryRow[] }>>;
  })[];
}

function toRoot(row: RootRow): Root {
  return {
    ...row,
    shards: row.shards.map((shard) => ({
      ...shard,
      tables: Object.fromEntries(
        Object.entries(shard.tables).map(([name, { height, entries }]) => [
          name,
          { height, entries: toDirectoryEntries(entries) },
        ]),
      ) as unknown as ShardRoot["tables"],
    })),
  };
}

const anyCount = fc.integer({ min: 0, max: 1_000_000 });
const anyText = fc.string({ unit: "grapheme", maxLength: 12 });
const anyCollection = fc.record({
  name: anyText,
  kind: fc.constantFrom("docs" as const, "code" as const, "site" as const),
  weight: fc.double({ min: 0.1, max: 10, noNaN: true }),
  baseUrl: anyText,
  version: anyText,
  access: anyText,
  commit: anyText,
  repository: anyText,
  folder: fc.option(anyText, { nil: undefined }),
  language: fc.constantFrom(...LANGUAGES),
  documents: anyCount,
  sections: anyCount,
  words: anyCount,
});
const anyDirectory = fc
  .uniqueArray(
    fc.record({ prefix: anyKey, offset: anyCount, length: anyCount.map((steps) => (steps % 500_000) * SEALED_STEP) }),
    {
      selector: ({ prefix }) => prefix,
      maxLength: 4,
    },
  )
  .map((rows) => ({
    height: rows.length % 2,
    entries: rows.sort((a, b) => (a.prefix < b.prefix ? -1 : 1)).map((row) => ({ ...row, pack: 0 })),
  }));
const anyTotals: fc.Arbitrary<ShardTotals> = fc.record({
  documents: anyCount,
  units: anyCount,
  terms: anyCount,
  described: anyCount,
  lengths: fc.record({ body: anyCount, title: anyCount, path: anyCount, description: anyCount }),
});
const anyBase: fc.Arbitrary<ShardRoot> = fc
  .record({
    group: anyText,
    totals: anyTotals,
    written: fc.option(anyTotals, { nil: undefined }),
    spare: fc.nat({ max: 20 }),
    indexBytes: anyCount,
    textBytes: anyCount,
    deleted: fc.uniqueArray(fc.nat({ max: 3000 }), { maxLength: 5 }).map((numbers) => numbers.sort((a, b) => a - b)),
    tables: fc.record(Object.fromEntries(TABLE_NAMES.map((name) => [name, anyDirectory]))) as unknown as fc.Arbitrary<
      ShardRoot["tables"]
    >,
  })
  .map(({ totals, written, spare, ...shard }) => ({
    ...shard,
    ...totals,
    slots: (shard.deleted.at(-1) ?? -1) + 1 + spare,
    ...(written !== undefined && { written }),
  }));
/** Bases, and what some of them were built on with. */
const anyShards: fc.Arbitrary<ShardRoot[]> = fc
  .array(
    fc.record({ base: anyBase, delta: fc.option(anyBase), gaps: fc.array(fc.nat({ max: 9 }), { maxLength: 4 }) }),
    {
      maxLength: 2,
    },
  )
  .map((parts) => [
    ...parts.map(({ base }) => base),
    ...parts.flatMap(({ base: { group }, delta, gaps }, base): ShardRoot[] => {
      if (delta === null) return [];
      const positions = gaps.map((_, at) => gaps.slice(0, at + 1).reduce((sum, gap) => sum + gap, 0));
      return [{ ...delta, group, deleted: [], slots: gaps.length, delta: { base, positions } }];
    }),
  ]);
const anyRoot: fc.Arbitrary<Root> = fc.record({
  commit: anyText,
  builtAt: anyText,
  collections: fc.array(anyCollection, { maxLength: 2 }),
  ranking: fc.dictionary(
    anyText.filter((name) => name !== "__proto__"),
    fc.double({ noNaN: true, min: 0, max: 9 }),
    { maxKeys: 3 },
  ),
  facetKeys: fc.array(anyText, { maxLength: 3 }),
  facetKeysLeftOut: fc.array(anyText, { maxLength: 3 }),
  skippedFiles: anyCount,
  diagnostics: anyCount,
  logBytes: anyCount,
  indexBytes: anyCount,
  textBytes: anyCount,
  packs: fc.array(anyText, { minLength: 1, maxLength: 3 }),
  settings: anyText,
  basePacks: anyCount,
  shards: anyShards,
});

function bodyOf(root: Root): Uint8Array {
  let body = new Uint8Array();
  encodeRoot(root, (bytes) => {
    body = Uint8Array.from(bytes);
    return bytes;
  });
  return body;
}

/** A root file with this body: everything in front of it is right. */
function fileOfBody(body: Uint8Array): Uint8Array {
  const compressed = deflateStored(body);
  const writer = new ByteWriter();
  writer.writeBytes(new TextEncoder().encode("TLRT"));
  writer.writeByte(FORMAT_VERSION);
  writer.writeUint32(compressed.length);
  writer.writeUint32(crc32(compressed));
  writer.writeBytes(compressed);
  return writer.finish();
}

function bodyWithHeader(header: unknown, ...directories: readonly Uint8Array[]): Uint8Array {
  const writer = new ByteWriter();
  const json = encodeJson(header);
  writer.writeVarint(json.length);
  writer.writeBytes(json);
  for (const directory of directories) {
    writer.writeVarint(directory.length);
    writer.writeBytes(directory);
  }
  return writer.finish();
}

const vectorNamed = (name: string) => {
  const found = vectors.vectors.find((vector) => vector.name === name);
  if (found === undefined) throw new Error(`no vector ${name}`);
  return { bytes: bytesOfHex(found.bytes), value: toRoot(found.value as unknown as RootRow) };
};

describe("search root", () => {
  it.each(vectors.vectors)("holds the vector: $name", async ({ value, body, bytes }) => {
    const root = toRoot(value as unknown as RootRow);
    expect(hexOf(bodyOf(root))).toBe(body);
    expect(hexOf(encodeRoot(root, deflateStored))).toBe(bytes);
    expect(await decodeRoot(bytesOfHex(bytes), inflateRaw)).toEqual(root);
  });

  it("comes back as it was written", async () => {
    await fc.assert(
      fc.asyncProperty(anyRoot, async (root) => {
        expect(await decodeRoot(encodeRoot(root, deflateRaw), inflateRaw)).toEqual(root);
      }),
    );
  });

  it("decodes or refuses any bytes, behind a fitting checksum too", async () => {
    await fc.assert(
      fc.asyncProperty(anyBytesNear(anyRoot.map(bodyOf)), async (body) => {
        await decodeOrRefuse(() => decodeRoot(body, inflateRaw));
        await decodeOrRefuse(() => decodeRoot(fileOfBody(body), inflateRaw));
      }),
      { numRuns: runs(400) },
    );
  });

  it("refuses any JSON that is not a root's", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
        await refusalOf(() => decodeRoot(fileOfBody(bodyWithHeader(value)), inflateRaw));
      }),
    );
  });

  it("refuses a header with any field of another kind", async () => {
    const { value } = vectorNamed("one shard");
    const { shards, ...header } = value;
    const [{ tables: _, ...shard }] = shards as unknown as [ShardRoot];
    const { deleted: __, ...written } = shard;
    const whole = { ...header, shards: [{ ...written, tables: [] }] };
    const empty = { height: 0, entries: [] };
    expect(await decodeRoot(fileOfBody(bodyWithHeader(whole)), inflateRaw)).toEqual({
      ...value,
      shards: [{ ...shard, tables: Object.fromEntries(TABLE_NAMES.map((name) => [name, empty])) }],
    });
    const wrong = [null, [], {}, "x", -1, 0.5, true, [[]], { a: 1 }];
    for (const key of Object.keys(whole)) {
      for (const other of wrong) {
        const bytes = fileOfBody(bodyWithHeader({ ...whole, [key]: other }));
        const root = await decodeOrRefuse(() => decodeRoot(bytes, inflateRaw));
        // Some wrong values are right elsewhere: a text for a text, an empty list for a list.
        if (root !== undefined) expect(typeof root[key as keyof Root]).toBe(typeof whole[key as keyof typeof whole]);
      }
    }
    for (const key of [...Object.keys(shard).filter((name) => name !== "deleted"), "written", "delta"]) {
      const bytes = fileOfBody(bodyWithHeader({ ...whole, shards: [{ ...shard, tables: [], [key]: [1] }] }));
      expect((await refusalOf(() => decodeRoot(bytes, inflateRaw))).detail.code).toBe("malformed");
    }
  });

  it("takes collections without a language as English, and refuses a language that it does not know", async () => {
    const { value } = vectorNamed("no shard");
    const [{ language: _, ...collection }] = value.collections as [CollectionInfo];
    const withCollection = (other: object): Uint8Array =>
      fileOfBody(bodyWithHeader({ ...value, collections: [other], shards: [] }));
    const root = await decodeRoot(withCollection(collection), inflateRaw);
    expect(root.collections).toEqual([{ ...collection, language: "english" }]);
    const refused = await refusalOf(() =>
      decodeRoot(withCollection({ ...collection, language: "klingon" }), inflateRaw),
    );
    expect(refused.detail).toEqual({ code: "malformed", reason: "unknown language klingon" });
    const nested = await refusalOf(() => decodeRoot(withCollection({ ...collection, language: [1] }), inflateRaw));
    expect(nested.detail.code).toBe("malformed");
  });

  it("refuses more slots than a shard may have", async () => {
    const { value } = vectorNamed("one shard");
    const [shard] = value.shards as unknown as [ShardRoot];
    const root = (slots: number): Uint8Array => encodeRoot({ ...value, shards: [{ ...shard, slots }] }, deflateStored);
    await decodeRoot(root(MAX_DOCUMENTS), inflateRaw);
    expect((await refusalOf(() => decodeRoot(root(MAX_DOCUMENTS + 1), inflateRaw))).detail.code).toBe("out-of-range");
  });

  it("refuses deleted documents that are none of the shard's, or no numbers", async () => {
    const { value } = vectorNamed("what was built on a base");
    const [base, ...others] = value.shards as unknown as [ShardRoot];
    const root = (deleted: readonly number[]): Uint8Array =>
      encodeRoot({ ...value, shards: [{ ...base, deleted }, ...others] }, deflateStored);
    expect((await decodeRoot(root([0, base.slots - 1]), inflateRaw)).shards[0]?.deleted).toEqual([0, base.slots - 1]);
    const beyond = await refusalOf(() => decodeRoot(root([0, base.slots]), inflateRaw));
    expect(beyond.detail).toEqual({
      code: "out-of-range",
      what: "deleted document",
      got: base.slots,
      limit: base.slots - 1,
    });
    // Written as differences: what descends cannot be said, and what is no count is refused.
    for (const gaps of [[-1], [1, -1], [0.5], ["1"], [null], 3, "", {}]) {
      const { tables: _, ...shard } = base;
      const header = { ...value, shards: [{ ...shard, tables: [], deleted: gaps }] };
      const refused = await refusalOf(() => decodeRoot(fileOfBody(bodyWithHeader(header)), inflateRaw));
      expect(refused.detail.code).toBe("malformed");
    }
  });

  it("refuses a delta of another group, of no shard, of itself, of a delta, or of a base that has one", async () => {
    const { value } = vectorNamed("what was built on a base");
    const [base, delta] = value.shards as unknown as [ShardRoot, ShardRoot];
    const positions = delta.delta?.positions ?? [];
    const refuse = async (...shards: readonly ShardRoot[]): Promise<void> => {
      const bytes = encodeRoot({ ...value, shards }, deflateStored);
      expect((await refusalOf(() => decodeRoot(bytes, inflateRaw))).detail.code).toBe("malformed");
    };
    const on = (at: number): ShardRoot => ({ ...delta, delta: { base: at, positions } });
    await refuse(base, { ...delta, group: `${base.group}-other` });
    await refuse(base, on(1));
    await refuse(base, on(2));
    await refuse(base, delta, on(1));
    await refuse(base, delta, delta);
    await refuse(on(1), on(0));
    expect(
      (await decodeRoot(encodeRoot({ ...value, shards: [on(1), base] }, deflateStored), inflateRaw)).shards,
    ).toHaveLength(2);
  });

  it("refuses positions of another number of documents than the delta has", async () => {
    const { value } = vectorNamed("what was built on a base");
    const [base, delta] = value.shards as unknown as [ShardRoot, ShardRoot];
    const positions = delta.delta?.positions ?? [];
    expect(positions.length).toBeGreaterThan(1);
    for (const wrong of [[], positions.slice(1), [...positions, positions.at(-1) ?? 0]]) {
      const shards = [base, { ...delta, delta: { base: 0, positions: wrong } }];
      const bytes = encodeRoot({ ...value, shards }, deflateStored);
      expect((await refusalOf(() => decodeRoot(bytes, inflateRaw))).detail.code).toBe("malformed");
    }
  });

  it("refuses every truncation, and what is left over", async () => {
    const { bytes } = vectorNamed("one shard");
    await expectTruncationsRefused(bytes, (prefix) => decodeRoot(prefix, inflateRaw));
    const longer = concatBytes([bytes, Uint8Array.of(0)]);
    expect((await refusalOf(() => decodeRoot(longer, inflateRaw))).detail.code).toBe("trailing-bytes");
    const body = bodyOf(vectorNamed("one shard").value);
    await expectTruncationsRefused(body, (prefix) => decodeRoot(fileOfBody(prefix), inflateRaw));
  });

  it("finds every flipped bit", async () => {
    const { bytes } = vectorNamed("no shard");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = bytes.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      await refusalOf(() => decodeRoot(flipped, inflateRaw));
    }
  });

  it("names both versions when it refuses a newer one, and says what it found instead of a root", async () => {
    const { bytes } = vectorNamed("no shard");
    const newer = bytes.slice();
    newer[4] = FORMAT_VERSION + 1;
    const version = await refusalOf(() => decodeRoot(newer, inflateRaw));
    expect(version.detail).toEqual({ code: "unsupported-version", got: FORMAT_VERSION + 1, supported: FORMAT_VERSION });
    expect(version.message).toBe("search root: format version 2 is not known, only up to 1");
    const foreign = await refusalOf(() => decodeRoot(new TextEncoder().encode("<!doctype html>"), inflateRaw));
    expect(foreign.message).toBe('search root: found magic "<!do", expected TLRT');
  });

  it("passes over tables that it does not know and takes missing ones as empty", async () => {
    const { value } = vectorNamed("one shard");
    const { shards, ...header } = value;
    const [{ tables, ...shard }] = shards as unknown as [ShardRoot];
    const later = { ...header, shards: [{ ...shard, tables: ["positions", "terms"] }] };
    const body = bodyWithHeader(later, Uint8Array.of(1, 2, 3), encodeDirectory(tables.terms));
    const root = await decodeRoot(fileOfBody(body), inflateRaw);
    expect(root.shards[0]?.tables.terms).toEqual(tables.terms);
    expect(root.shards[0]?.tables.locator).toEqual({ height: 0, entries: [] });
  });
});
