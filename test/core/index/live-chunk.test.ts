import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ByteKey, keyOf } from "../../../src/core/bytes/key.ts";
import { type Chunk, findInChunk, makeChunk, type TableEntry, valueAt } from "../../../src/core/format/chunk.ts";
import { encodePatch, keyOfPatch, type Patch } from "../../../src/core/format/delta.ts";
import { encodeDocument } from "../../../src/core/format/document-records.ts";
import { encodePair, keyOfPair } from "../../../src/core/format/pairs.ts";
import { decodePostings, encodeNumbers, encodeUnits, PostingBuilder } from "../../../src/core/format/postings.ts";
import { TABLE_NAMES, type TableName } from "../../../src/core/format/table.ts";
import { encodeSuggestions } from "../../../src/core/format/word-tables.ts";
import { type BaseChanges, readPatches, toLiveChunk } from "../../../src/core/index/live-chunk.ts";
import { refusalOf } from "../../support/format-cases.ts";

const START = "" as ByteKey;

function chunkOf(entries: Readonly<Record<string, Uint8Array>>): Chunk {
  const sorted = Object.entries(entries).map(([key, value]): TableEntry => ({ key: key as ByteKey, value }));
  return makeChunk(
    sorted.sort((a, b) => (a.key < b.key ? -1 : 1)),
    1000,
  );
}

function read(chunk: Chunk): Record<string, Uint8Array> {
  return Object.fromEntries(chunk.keys.map((key, at) => [key, valueAt(chunk, at)]));
}

function changesOf(
  deleted: readonly number[],
  patches: Readonly<Record<string, Patch>> = {},
  table: TableName = "terms",
): BaseChanges {
  const list = Object.entries(patches).map(([key, patch]) => [key as ByteKey, patch] as const);
  return { deleted: new Set(deleted), patches: new Map([[table, list.sort(([a], [b]) => (a < b ? -1 : 1))]]) };
}

function postings(...documents: readonly number[]): Uint8Array {
  const builder = new PostingBuilder();
  for (const document of documents) {
    builder.add(document, encodeUnits([{ unit: 2, frequency: 1, heading: false, code: false }]));
  }
  return builder.finish(false, () => 0);
}

const value = (...bytes: readonly number[]): Patch => ({ kind: "value", value: Uint8Array.from(bytes) });
const ABSENT: Patch = { kind: "absent" };

describe("toLiveChunk", () => {
  it("takes deleted documents out of the values of every kind, and values that have no other", () => {
    const place = (document: number) => ({ collection: 0, count: 1, document, ordinal: 1, anchor: "" });
    const texts = (...documents: readonly number[]) =>
      encodeSuggestions(
        "route",
        documents.map((n) => ({ text: `Route ${n}`, kind: "heading", places: [place(n)] })),
      );
    const row = (n: number): Uint8Array =>
      encodeDocument({
        ...{ number: n, words: 0, sections: 0, lines: 0, skip: 0, hash: "0".repeat(16), title: "t", description: "" },
        ...{ facets: [], meta: {} },
      });
    const cases: readonly [TableName, string, Uint8Array, Uint8Array][] = [
      ["terms", "rout", postings(1, 2, 3), postings(1, 3)],
      ["terms", keyOfPair("rout", "handl"), encodePair([1, 2], [1, 1]), encodePair([1], [1])],
      ["facets", "tags\0web", encodeNumbers([2, 9]), encodeNumbers([9])],
      ["trigrams", "rout", encodeNumbers([0, 2]), encodeNumbers([0])],
      ["suggestions", "route", texts(1, 2), texts(1)],
      ["documents", "docs:a.md", row(1), row(1)],
      ["links", "docs:a.md", Uint8Array.of(1), Uint8Array.of(1)],
    ];
    for (const [table, key, before, behind] of cases) {
      const live = toLiveChunk(table, chunkOf({ [key]: before }), changesOf([2]), { from: START, to: undefined });
      expect([table, key, read(live)]).toEqual([table, key, { [key]: behind }]);
    }
    const gone: readonly [TableName, Uint8Array][] = [
      ["terms", postings(2)],
      ["facets", encodeNumbers([2])],
      ["suggestions", texts(2)],
      ["documents", row(2)],
    ];
    for (const [table, own] of gone) {
      const live = toLiveChunk(table, chunkOf({ route: own }), changesOf([2]), { from: START, to: undefined });
      expect([table, live.keys]).toEqual([table, []]);
    }
  });

  it("puts patches before, between and behind the keys of a chunk, in order", () => {
    const chunk = chunkOf({ c: Uint8Array.of(3), f: Uint8Array.of(6), h: Uint8Array.of(8) });
    const changes = changesOf(
      [],
      { a: value(1), d: value(4), f: value(60), h: ABSENT, i: value(9), b: ABSENT },
      "links",
    );
    const live = toLiveChunk("links", chunk, changes, { from: START, to: undefined });
    expect(live.keys).toEqual(["a", "c", "d", "f", "i"]);
    expect(read(live)).toEqual({
      a: Uint8Array.of(1),
      c: Uint8Array.of(3),
      d: Uint8Array.of(4),
      f: Uint8Array.of(60),
      i: Uint8Array.of(9),
    });
  });

  it("takes patches of the chunk's own span alone, and of its own table", () => {
    const patches = { a: value(1), m: value(2), z: value(3) };
    const keysIn = (from: string, to: string | undefined, table: TableName = "links") =>
      toLiveChunk(table, chunkOf({ n: Uint8Array.of(0) }), changesOf([], patches, "links"), {
        from: from as ByteKey,
        to: to as ByteKey | undefined,
      }).keys;
    expect(keysIn("", "m")).toEqual(["a", "n"]);
    expect(keysIn("m", "z")).toEqual(["m", "n"]);
    expect(keysIn("m", undefined)).toEqual(["m", "n", "z"]);
    expect(keysIn("", undefined, "sections")).toEqual(["n"]);
  });

  it("makes a chunk of an empty table out of patches", () => {
    const live = toLiveChunk("links", makeChunk([], 0), changesOf([], { a: value(7), b: ABSENT }, "links"), {
      from: START,
      to: undefined,
    });
    expect(read(live)).toEqual({ a: Uint8Array.of(7) });
    expect(findInChunk(live, keyOf("a"))).toEqual(Uint8Array.of(7));
  });

  it("states the counts that a patch says, of the documents that are left", () => {
    const builder = new PostingBuilder();
    for (let document = 0; document < 2200; document++) {
      builder.add(document, encodeUnits([{ unit: 2, frequency: 1, heading: false, code: false }]));
    }
    const long = builder.finish(false, () => 0);
    const frequencies = { documents: 2199, body: 2199, title: 0, path: 0, description: 0, units: 2199 };
    const changes = changesOf([5], { rout: { kind: "stated", frequencies }, zzz: { kind: "stated", frequencies } });
    const live = toLiveChunk("terms", chunkOf({ rout: long }), changes, { from: START, to: undefined });
    // What a patch counts and the base does not hold is nowhere.
    expect(live.keys).toEqual(["rout"]);
    const list = decodePostings(valueAt(live, 0));
    expect([list.frequencies, list.documents.length]).toEqual([frequencies, 2199]);
  });

  it("gives what taking all patches in one go over the whole table gives, however the table is cut", () => {
    const key = fc.string({ unit: fc.constantFrom(..."abc"), minLength: 1, maxLength: 3 });
    const entries = fc.dictionary(key, fc.uint8Array({ minLength: 1, maxLength: 2 }), { maxKeys: 12 });
    const patches = fc.dictionary(key, fc.option(fc.uint8Array({ minLength: 1, maxLength: 2 })), { maxKeys: 8 });
    fc.assert(
      fc.property(entries, patches, fc.uniqueArray(key, { maxLength: 4 }), (before, patched, borders) => {
        const toPatch = (bytes: Uint8Array | null): Patch =>
          bytes === null ? ABSENT : { kind: "value", value: bytes };
        const changes = changesOf(
          [],
          Object.fromEntries(Object.entries(patched).map(([name, bytes]) => [name, toPatch(bytes)])),
          "links",
        );
        const wanted = { ...before, ...patched };
        for (const name of Object.keys(wanted)) if (wanted[name] === null) delete wanted[name];
        const cuts = ["", ...[...borders].sort()];
        const found: Record<string, Uint8Array> = {};
        for (const [at, from] of cuts.entries()) {
          const to = cuts[at + 1];
          const own = Object.entries(before).filter(([name]) => name >= from && (to === undefined || name < to));
          const span = { from: from as ByteKey, to: to as ByteKey | undefined };
          const live = toLiveChunk("links", chunkOf(Object.fromEntries(own)), changes, span);
          expect([...live.keys].sort()).toEqual([...live.keys]);
          Object.assign(found, read(live));
        }
        expect(found).toEqual(wanted);
      }),
    );
  });

  it("refuses values that are none where documents are taken away", async () => {
    for (const table of ["terms", "facets", "trigrams", "suggestions", "documents"] as const) {
      const broken = chunkOf({ a: Uint8Array.of(0x80) });
      await refusalOf(() => toLiveChunk(table, broken, changesOf([0]), { from: START, to: undefined }));
    }
  });
});

describe("readPatches", () => {
  it("sorts patches out by table, keys ascending, and refuses what is none", async () => {
    const entries: Record<string, Uint8Array> = {};
    for (const table of TABLE_NAMES) {
      for (const key of ["b", "a", "a\0b"]) entries[keyOfPatch(table, key as ByteKey)] = encodePatch(ABSENT);
    }
    const patches = readPatches([chunkOf(entries)]);
    expect([...patches.keys()].sort()).toEqual([...TABLE_NAMES].sort());
    for (const list of patches.values()) expect(list.map(([key]) => key)).toEqual(["a", "a\0b", "b"]);
    expect(readPatches([]).size).toBe(0);
    await refusalOf(() => readPatches([chunkOf({ nothing: Uint8Array.of(0) })]));
  });
});
