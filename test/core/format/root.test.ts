import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDeflate, deflateRaw, inflateRaw } from "../../../indexer/base/codec.ts";
import vectors from "../../../schemas/index-format/vectors/root.json" with { type: "json" };
import { crc32 } from "../../../src/core/bytes/checksum.ts";
import { ByteWriter, concatBytes, encodeJson } from "../../../src/core/bytes/writer.ts";
import { SEALED_STEP } from "../../../src/core/format/chunk.ts";
import { MAX_DOCUMENTS } from "../../../src/core/format/postings.ts";
import {
  type CollectionInfo,
  decodeRoot,
  encodeLevel,
  encodeRoot,
  FORMAT_VERSION,
  isEmbedded,
  type Level,
  splitRoot,
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
import { anyIndexFile } from "../../support/index-names.ts";
import { runs } from "../../support/runs.ts";

type ShardTotals = Pick<Level, "documents" | "units" | "terms" | "described" | "lengths">;

type RootHeader = Parameters<typeof encodeRoot>[0];

/** A level as a root lists it, with what its file says. */
interface ListedLevel {
  readonly name: string;
  readonly deleted: readonly number[];
  readonly level: Level;
}

interface LevelRow extends Omit<ListedLevel, "level"> {
  readonly level: Omit<Level, "tables" | "phrases"> & {
    readonly phrases?: Level["phrases"];
    readonly tables: Readonly<Record<string, { readonly height: number; readonly entries: readonly DirectoryRow[] }>>;
  };
  readonly body: string;
}

interface RootRow extends RootHeader {
  readonly levels: readonly LevelRow[];
}

/** All levels here are small. */
const none = async (): Promise<never> => {
  throw new Error("a level was asked for");
};

const NO_DIRECTORY = { height: 0, entries: [] };

function toLevel({ name, deleted, level: { tables, phrases = [], ...level } }: LevelRow): ListedLevel {
  const directories = TABLE_NAMES.map((table) => {
    const { height, entries } = tables[table] ?? NO_DIRECTORY;
    return [table, { height, entries: toDirectoryEntries(entries) }];
  });
  return { name, deleted, level: { ...level, phrases, tables: Object.fromEntries(directories) as Level["tables"] } };
}

function encodeAll(header: RootHeader, levels: readonly ListedLevel[], deflate = deflateRaw): Uint8Array {
  const files = levels.map(({ level, ...listed }) => ({ ...listed, bytes: encodeLevel(level, deflate) }));
  return concatBytes([encodeRoot(header, files, deflate), ...files.map(({ bytes }) => bytes)]);
}

/** What stands deflated in a file. */
function bodyOf(encode: (deflate: (bytes: Uint8Array) => Uint8Array<ArrayBuffer>) => unknown): Uint8Array {
  let body = new Uint8Array();
  encode((bytes) => {
    body = Uint8Array.from(bytes);
    return Uint8Array.from(bytes);
  });
  return body;
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
const anyDictionary = fc.uint8Array({ maxLength: 40 }).map((bytes) => String.fromCharCode(...bytes));
const anyLevel: fc.Arbitrary<ListedLevel> = fc
  .record({
    name: anyIndexFile("level"),
    group: anyText,
    totals: anyTotals,
    spare: fc.nat({ max: 20 }),
    indexBytes: anyCount,
    textBytes: anyCount,
    newer: fc.constantFrom(undefined, true as const),
    withoutCode: fc.constantFrom(undefined, true as const),
    packs: fc.array(anyText, { minLength: 1, maxLength: 3 }),
    phrases: fc.array(fc.nat({ max: 2 ** 22 - 1 }), { maxLength: 4 }).map((hashes) => hashes.sort((a, b) => a - b)),
    dictionary: anyDictionary,
    deleted: fc.uniqueArray(fc.nat({ max: 3000 }), { maxLength: 5 }).map((numbers) => numbers.sort((a, b) => a - b)),
    tables: fc.record(Object.fromEntries(TABLE_NAMES.map((name) => [name, anyDirectory]))) as unknown as fc.Arbitrary<
      Level["tables"]
    >,
  })
  .map(({ name, deleted, totals, spare, newer, withoutCode, ...level }) => ({
    name,
    deleted,
    level: {
      ...level,
      ...totals,
      ...(newer !== undefined && { newer }),
      ...(withoutCode !== undefined && { withoutCode }),
      slots: (deleted.at(-1) ?? -1) + 1 + spare,
    },
  }));
const anyHeader: fc.Arbitrary<RootHeader> = fc.record({
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
  settings: anyText,
});
const anyRoot = fc.record({ header: anyHeader, levels: fc.array(anyLevel, { maxLength: 3 }) });

/** A file with this body: everything in front of it is right. */
function fileOfBody(body: Uint8Array, magic = "TLRT"): Uint8Array {
  const compressed = deflateStored(body);
  const writer = new ByteWriter();
  writer.writeBytes(new TextEncoder().encode(magic));
  writer.writeByte(FORMAT_VERSION);
  writer.writeUint32(compressed.length);
  writer.writeUint32(crc32(compressed));
  writer.writeBytes(compressed);
  return writer.finish();
}

/** A level's file with this header. */
function levelFile(header: unknown, ...directories: readonly Uint8Array[]): Uint8Array {
  const writer = new ByteWriter();
  const json = encodeJson(header);
  writer.writeVarint(json.length);
  writer.writeBytes(json);
  for (const directory of directories) {
    writer.writeVarint(directory.length);
    writer.writeBytes(directory);
  }
  return fileOfBody(writer.finish(), "TLLV");
}

const vectorNamed = (name: string) => {
  const found = vectors.vectors.find((vector) => vector.name === name);
  if (found === undefined) throw new Error(`no vector ${name}`);
  const { levels, ...header } = found.value as unknown as RootRow;
  return { bytes: bytesOfHex(found.bytes), header, levels: levels.map(toLevel) };
};

describe("search root", () => {
  it.each(vectors.vectors)("holds the vector: $name", async ({ value, body, bytes }) => {
    const { levels: rows, ...header } = value as unknown as RootRow;
    const levels = rows.map(toLevel);
    const files = levels.map(({ level, ...listed }) => ({ ...listed, bytes: encodeLevel(level, deflateStored) }));
    expect(hexOf(bodyOf((deflate) => encodeRoot(header, files, deflate)))).toBe(body);
    for (const [at, { level }] of levels.entries()) {
      expect(hexOf(bodyOf((deflate) => encodeLevel(level, deflate)))).toBe(rows[at]?.body);
    }
    expect(hexOf(encodeAll(header, levels, deflateStored))).toBe(bytes);
    const { shards, ...rest } = await decodeRoot(bytesOfHex(bytes), inflateRaw, none);
    expect(rest).toEqual(header);
    expect(shards.map(({ level, deleted }) => [level, deleted])).toEqual(levels.map((own) => [own.name, own.deleted]));
    expect(shards.map(({ tables }) => tables)).toEqual(levels.map(({ level }) => level.tables));
    expect(shards.map(({ phrases }) => phrases)).toEqual(levels.map(({ level }) => level.phrases));
  });

  it("inflates the chunk of its vector", async () => {
    const { bytes, inflated, deflated } = vectors.vectors.find(({ name }) => name === "a dictionary") ?? {};
    const { shards } = await decodeRoot(bytesOfHex(bytes as string), inflateRaw, none);
    expect(hexOf((await shards[0]?.inflate(bytesOfHex(deflated as string), 100)) ?? new Uint8Array())).toBe(inflated);
  });

  it("comes back as it was written, with counts of the documents that are left", async () => {
    await fc.assert(
      fc.asyncProperty(anyRoot, async ({ header, levels }) => {
        const { shards, ...rest } = await decodeRoot(encodeAll(header, levels), inflateRaw, none);
        expect(rest).toEqual(header);
        for (const [at, { name, deleted, level }] of levels.entries()) {
          const {
            level: file,
            documents,
            units,
            described,
            lengths,
            inflate,
            ...shard
          } = shards[at] as (typeof shards)[number];
          const { documents: all, units: allUnits, described: _, lengths: __, ...written } = level;
          expect([file, shard]).toEqual([name, { ...written, deleted }]);
          expect(documents).toBe(Math.max(0, all - deleted.length));
          if (deleted.length === 0)
            expect({ units, described, lengths }).toMatchObject({
              units: allUnits,
              described: level.described,
              lengths: level.lengths,
            });
          else expect(units).toBeLessThanOrEqual(allUnits);
        }
      }),
    );
  });

  it("inflates what was deflated with the dictionary of the oldest level of the group", async () => {
    await fc.assert(
      fc.asyncProperty(anyRoot, fc.uint8Array({ maxLength: 200 }), async ({ header, levels }, bytes) => {
        const { shards } = await decodeRoot(encodeAll(header, levels), inflateRaw, none);
        for (const { group, inflate } of shards) {
          const { dictionary = "" } = shards.find((shard) => shard.group === group) ?? {};
          const deflated = createDeflate(dictionary)(concatBytes([Buffer.from(dictionary, "latin1"), bytes]));
          expect(hexOf(await inflate(deflated, 1 + dictionary.length + bytes.length))).toBe(
            hexOf(concatBytes([Buffer.from(dictionary, "latin1"), bytes])),
          );
        }
      }),
    );
  });

  it("stands before the files of its levels, which can be told apart", () => {
    fc.assert(
      fc.property(anyRoot, ({ header, levels }) => {
        const [, ...files] = splitRoot(encodeAll(header, levels));
        expect(files.map(hexOf)).toEqual(levels.map(({ level }) => hexOf(encodeLevel(level, deflateRaw))));
      }),
    );
  });

  it("decodes or refuses any bytes, behind a fitting checksum too", async () => {
    const anyBody = anyRoot.map(({ header }) => bodyOf((deflate) => encodeRoot(header, [], deflate)));
    await fc.assert(
      fc.asyncProperty(anyBytesNear(anyBody), async (body) => {
        await decodeOrRefuse(() => decodeRoot(body, inflateRaw, none));
        await decodeOrRefuse(() => decodeRoot(fileOfBody(body), inflateRaw, none));
      }),
      { numRuns: runs(400) },
    );
    const { header } = vectorNamed("no shard");
    const anyLevelBody = anyLevel.map(({ level }) => bodyOf((deflate) => encodeLevel(level, deflate)));
    await fc.assert(
      fc.asyncProperty(anyBytesNear(anyLevelBody), async (body) => {
        const file = { name: "x.level", bytes: fileOfBody(body, "TLLV"), deleted: [] };
        const bytes = concatBytes([encodeRoot(header, [file], deflateRaw), file.bytes]);
        await decodeOrRefuse(() => decodeRoot(bytes, inflateRaw, none));
      }),
      { numRuns: runs(400) },
    );
  });

  it("refuses any JSON that is not a root's", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
        await refusalOf(() => decodeRoot(fileOfBody(encodeJson(value)), inflateRaw, none));
      }),
    );
  });

  it("refuses a header with any field of another kind", async () => {
    const { header } = vectorNamed("one shard");
    const whole = { ...header, levels: [] };
    expect(await decodeRoot(fileOfBody(encodeJson(whole)), inflateRaw, none)).toEqual({ ...header, shards: [] });
    const wrong = [null, [], {}, "x", -1, 0.5, true, [[]], { a: 1 }];
    for (const key of Object.keys(whole)) {
      for (const other of wrong) {
        const bytes = fileOfBody(encodeJson({ ...whole, [key]: other }));
        const root = await decodeOrRefuse(() => decodeRoot(bytes, inflateRaw, none));
        // Some wrong values are right elsewhere: a text for a text, an empty list for a list.
        if (root !== undefined && key !== "levels")
          expect(typeof root[key as keyof RootHeader]).toBe(typeof whole[key as keyof typeof whole]);
      }
    }
  });

  /** A root that lists this file as its only level. */
  function rootOf(bytes: Uint8Array, deleted: readonly number[] = []): Uint8Array {
    const { header } = vectorNamed("no shard");
    return concatBytes([encodeRoot(header, [{ name: "x.level", bytes, deleted }], deflateStored), bytes]);
  }

  it("refuses a level with any field of another kind", async () => {
    const { level } = vectorNamed("one shard").levels[0] as ListedLevel;
    const whole = { ...level, tables: [] };
    expect((await decodeRoot(rootOf(levelFile(whole)), inflateRaw, none)).shards).toHaveLength(1);
    for (const key of Object.keys(whole).filter((name) => name !== "newer")) {
      const bytes = rootOf(levelFile({ ...whole, [key]: ["1", null] }));
      expect((await refusalOf(() => decodeRoot(bytes, inflateRaw, none))).detail.code).toBe("malformed");
    }
  });

  it("refuses a dictionary that no stored block holds", async () => {
    const { level } = vectorNamed("one shard").levels[0] as ListedLevel;
    const decodeWith = (length: number): ReturnType<typeof decodeRoot> => {
      const bytes = levelFile({ ...level, tables: [], dictionary: "x".repeat(length) });
      const { header } = vectorNamed("no shard");
      const root = encodeRoot(header, [{ name: "x.level", bytes, deleted: [] }], deflateStored);
      return decodeRoot(root, inflateRaw, async () => bytes);
    };
    await decodeWith(0xffff);
    expect((await refusalOf(() => decodeWith(0x10000))).detail.code).toBe("out-of-range");
  });

  it("refuses another number of levels than it lists, and another level in the place of one", async () => {
    const { header, levels, bytes } = vectorNamed("two levels of a group");
    const [root, older, newer] = splitRoot(bytes) as [Uint8Array, Uint8Array, Uint8Array];
    for (const files of [[root], [root, older], [root, older, newer, newer]]) {
      expect((await refusalOf(() => decodeRoot(concatBytes(files), inflateRaw, none))).detail.code).toBe("malformed");
    }
    for (const files of [
      [root, newer, older],
      [root, older, older],
    ]) {
      expect((await refusalOf(() => decodeRoot(concatBytes(files), inflateRaw, none))).detail.code).toBe("checksum");
    }
    expect((await decodeRoot(encodeAll(header, levels), inflateRaw, none)).shards).toHaveLength(2);
  });

  it("has large levels read by their names", async () => {
    const { header, levels } = vectorNamed("one shard");
    const [{ name, level }] = levels as [ListedLevel];
    const packs = Array.from({ length: 1000 }, (_, at) => `${level.packs[0]}${at}`);
    const bytes = encodeLevel({ ...level, packs }, deflateStored);
    expect(isEmbedded({ bytes: bytes.length })).toBe(false);
    const root = encodeRoot(header, [{ name, bytes, deleted: [] }], deflateStored);
    const read: unknown[] = [];
    const { shards } = await decodeRoot(root, inflateRaw, async (...asked) => {
      read.push(asked);
      return bytes;
    });
    expect(read).toEqual([[name, bytes.length]]);
    expect(shards[0]?.packs).toEqual(packs);
    const other = encodeLevel({ ...level, packs: packs.slice(1) }, deflateStored);
    expect((await refusalOf(() => decodeRoot(root, inflateRaw, async () => other))).detail.code).toBe("checksum");
    const both = concatBytes([root, bytes]);
    expect((await refusalOf(() => decodeRoot(both, inflateRaw, async () => bytes))).detail.code).toBe("malformed");
  });

  it("takes collections without a language as English, and refuses a language that it does not know", async () => {
    const { header } = vectorNamed("no shard");
    const [{ language: _, ...collection }] = header.collections as [CollectionInfo];
    const withCollection = (other: object): Uint8Array =>
      fileOfBody(encodeJson({ ...header, collections: [other], levels: [] }));
    const root = await decodeRoot(withCollection(collection), inflateRaw, none);
    expect(root.collections).toEqual([{ ...collection, language: "english" }]);
    const refused = await refusalOf(() =>
      decodeRoot(withCollection({ ...collection, language: "klingon" }), inflateRaw, none),
    );
    expect(refused.detail).toEqual({ code: "malformed", reason: "unknown language klingon" });
    const nested = await refusalOf(() =>
      decodeRoot(withCollection({ ...collection, language: [1] }), inflateRaw, none),
    );
    expect(nested.detail.code).toBe("malformed");
  });

  it("refuses more slots than a shard may have", async () => {
    const { level } = vectorNamed("one shard").levels[0] as ListedLevel;
    const root = (slots: number): Uint8Array => rootOf(encodeLevel({ ...level, slots }, deflateStored));
    await decodeRoot(root(MAX_DOCUMENTS), inflateRaw, none);
    expect((await refusalOf(() => decodeRoot(root(MAX_DOCUMENTS + 1), inflateRaw, none))).detail.code).toBe(
      "out-of-range",
    );
  });

  it("refuses deleted documents that are none of the level's, or no numbers", async () => {
    const { level } = vectorNamed("one shard").levels[0] as ListedLevel;
    const { slots } = level;
    const file = encodeLevel(level, deflateStored);
    expect((await decodeRoot(rootOf(file, [0, slots - 1]), inflateRaw, none)).shards[0]?.deleted).toEqual([
      0,
      slots - 1,
    ]);
    const beyond = await refusalOf(() => decodeRoot(rootOf(file, [0, slots]), inflateRaw, none));
    expect(beyond.detail).toEqual({ code: "out-of-range", what: "deleted document", got: slots, limit: slots - 1 });
    // Written as differences: what descends cannot be said, and what is no count is refused.
    const { header } = vectorNamed("no shard");
    for (const gaps of [[-1], [1, -1], [0.5], ["1"], [null], 3, "", {}]) {
      const listed = { name: "x.level", bytes: file.length, checksum: 0, deleted: gaps };
      const root = concatBytes([fileOfBody(encodeJson({ ...header, levels: [listed] })), file]);
      expect((await refusalOf(() => decodeRoot(root, inflateRaw, none))).detail.code).toBe("malformed");
    }
  });

  it("refuses every truncation, and what is left over", async () => {
    const { bytes } = vectorNamed("one shard");
    await expectTruncationsRefused(bytes, (prefix) => decodeRoot(prefix, inflateRaw, none));
    await refusalOf(() => decodeRoot(concatBytes([bytes, Uint8Array.of(0)]), inflateRaw, none));
    const { level } = vectorNamed("one shard").levels[0] as ListedLevel;
    const body = bodyOf((deflate) => encodeLevel(level, deflate));
    await expectTruncationsRefused(body, (prefix) => decodeRoot(rootOf(fileOfBody(prefix, "TLLV")), inflateRaw, none));
  });

  it("finds every flipped bit", async () => {
    const { bytes } = vectorNamed("two levels of a group");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = bytes.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      await refusalOf(() => decodeRoot(flipped, inflateRaw, none));
    }
  });

  it("names both versions when it refuses a newer one, and says what it found instead of a root", async () => {
    const { bytes } = vectorNamed("no shard");
    const newer = bytes.slice();
    newer[4] = FORMAT_VERSION + 1;
    const version = await refusalOf(() => decodeRoot(newer, inflateRaw, none));
    expect(version.detail).toEqual({ code: "unsupported-version", got: FORMAT_VERSION + 1, supported: FORMAT_VERSION });
    expect(version.message).toBe("search root: format version 2 is not known, only up to 1");
    const foreign = await refusalOf(() => decodeRoot(new TextEncoder().encode("<!doctype html>"), inflateRaw, none));
    expect(foreign.message).toBe('search root: found magic "<!do", expected TLRT');
  });

  it("passes over tables that it does not know and takes missing ones as empty", async () => {
    const { tables, ...level } = (vectorNamed("one shard").levels[0] as ListedLevel).level;
    const later = { ...level, tables: ["positions", "terms"] };
    const file = levelFile(later, Uint8Array.of(1, 2, 3), encodeDirectory(tables.terms));
    const root = await decodeRoot(rootOf(file), inflateRaw, none);
    expect(root.shards[0]?.tables.terms).toEqual(tables.terms);
    expect(root.shards[0]?.tables.locator).toEqual(NO_DIRECTORY);
  });
});
