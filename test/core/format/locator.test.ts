import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/locator.json" with { type: "json" };
import type { ByteKey } from "../../../src/core/bytes/key.ts";
import { MAX_SEALED_BYTES, SEALED_STEP, type TableEntry } from "../../../src/core/format/chunk.ts";
import {
  CONTINUATION,
  collectionOf,
  countUnits,
  decodeLocator,
  encodeLocator,
  findBlock,
  hasDocument,
  isContinuation,
  LOCATOR_SLOTS,
  type LocatedDocument,
  type Locator,
  SHARES_BLOCK,
  sectionsOfUnits,
  sizeOfLocator,
  unitLength,
  unitsOf,
} from "../../../src/core/format/locator.ts";
import { decodeLength, FIRST_TEXT_UNIT } from "../../../src/core/format/postings.ts";
import { anyBytesNear, decodeOrRefuse, hexOf, refusalOf } from "../../support/format-cases.ts";
import { type LocatorRow, toEntries, toSlots } from "../../support/format-vectors.ts";
import { runs } from "../../support/runs.ts";

const PACKS = 4;
const LIMIT = 1000;
const anyByte = fc.integer({ min: 0, max: 255 });
const anyUnit = fc.record({ code: anyByte, steps: fc.integer({ min: 0, max: 300 }) });

const anyDocument: fc.Arbitrary<LocatedDocument & { readonly follows: boolean }> = fc
  .record({
    collection: fc.integer({ min: 0, max: 300 }),
    body: anyByte,
    title: anyByte,
    path: anyByte,
    description: anyByte,
    pack: fc.integer({ min: 0, max: PACKS - 1 }),
    offset: fc.integer({ min: 0, max: 2 ** 22 }),
    // Most documents lie behind the one before, as in a fresh build.
    follows: fc.boolean(),
    parts: fc.array(anyUnit, { minLength: 1, maxLength: 6 }),
  })
  .map(({ parts, ...rest }) => {
    const units = Uint8Array.from(parts, ({ code }) => code);
    // The first unit has none before it that it could continue, or whose block it could share.
    units[0] = (units[0] as number) & ~(CONTINUATION | SHARES_BLOCK);
    const lengths = parts.map(({ steps }, at) =>
      ((units[at] as number) & SHARES_BLOCK) === 0 ? steps * SEALED_STEP : 0,
    );
    return { ...rest, units, lengths };
  });

/** Documents of several values, with numbers that nobody has between them. */
const anySlots: fc.Arbitrary<(LocatedDocument | undefined)[]> = fc
  .array(fc.record({ document: anyDocument, gap: fc.constantFrom(0, 0, 0, 1, 40, 300) }), { maxLength: 12 })
  .map((rows) => {
    const slots: (LocatedDocument | undefined)[] = [];
    let end: { pack: number; offset: number } | undefined;
    for (const { document, gap } of rows) {
      if (slots.length + gap >= LIMIT) break;
      for (let empty = 0; empty < gap; empty++) slots.push(undefined);
      const { follows, ...rest } = document;
      const start = follows && end !== undefined ? end : { pack: rest.pack, offset: rest.offset };
      slots.push({ ...rest, ...start });
      end = { pack: start.pack, offset: start.offset + rest.lengths.reduce((sum, length) => sum + length, 0) };
    }
    return slots;
  });

function decode(entries: readonly TableEntry[], packs = PACKS, limit = LIMIT): Locator {
  const locator = decodeLocator(
    entries.map(({ key, value }): [ByteKey, Uint8Array] => [key, value]),
    packs,
    limit,
  );
  // Places are read when they are asked for.
  for (let document = 0; document < locator.slots; document++) {
    if (hasDocument(locator, document)) findBlock(locator, document, FIRST_TEXT_UNIT);
  }
  return locator;
}

/** What the functions say of every slot: the obvious way to hold a locator. */
function describeSlots(locator: Locator): (LocatedDocument | undefined)[] {
  return Array.from({ length: locator.slots }, (_, document) => {
    if (!hasDocument(locator, document)) return undefined;
    const from = locator.starts[document] as number;
    const units = unitsOf(locator, document);
    const blocks = units.map((unit) => findBlock(locator, document, unit));
    for (const [at, block] of blocks.entries()) {
      const next = blocks[at + 1];
      if (next === undefined) continue;
      if (next.first === block.first) expect(next).toEqual(block);
      else expect(next).toMatchObject({ pack: block.pack, offset: block.offset + block.length });
    }
    return {
      collection: collectionOf(locator, document),
      body: codeOfBody(locator.bodies[document] as number),
      title: locator.titles[document] as number,
      path: locator.paths[document] as number,
      description: locator.descriptions[document] as number,
      pack: blocks[0]?.pack ?? -1,
      offset: blocks[0]?.offset ?? -1,
      units: locator.codes.slice(from, from + units.length),
      lengths: blocks.map(({ first, length }, at) => (first === units[at] ? length : 0)),
    };
  });
}

function codeOfBody(words: number): number {
  for (let code = 0; code < 256; code++) if (Math.fround(decodeLength(code)) === words) return code;
  throw new Error(`no code stands for ${words} words`);
}

describe("locator", () => {
  it.each(vectors.vectors)("holds the vector: $name", ({ packs, slots, entries }) => {
    const documents = toSlots(slots as unknown as LocatorRow[]);
    const written = encodeLocator(documents).map(({ key, value }) => [
      hexOf(Uint8Array.from(key, (unit) => unit.charCodeAt(0))),
      hexOf(value),
    ]);
    expect(written).toEqual(entries);
    expect(describeSlots(decode(toEntries(entries), packs, documents.length))).toEqual(documents);
  });

  it.each(vectors.refused)("refuses: $why", async ({ entries, packs, slots, code }) => {
    expect((await refusalOf(() => decode(toEntries(entries), packs, slots))).detail.code).toBe(code);
  });

  it("comes back as it was written", () => {
    fc.assert(
      fc.property(anySlots, (slots) => {
        expect(describeSlots(decode(encodeLocator(slots)))).toEqual(slots);
      }),
    );
  });

  it("decodes or refuses any bytes in any of its values", async () => {
    const damaged = anySlots
      .map(encodeLocator)
      .filter((entries) => entries.length > 0)
      .chain((entries) =>
        fc.record({
          entries: fc.constant(entries),
          at: fc.nat({ max: entries.length - 1 }),
          value: fc
            .nat({ max: entries.length - 1 })
            .chain((from) => anyBytesNear(fc.constant(entries[from]?.value ?? new Uint8Array()))),
        }),
      );
    await fc.assert(
      fc.asyncProperty(damaged, async ({ entries, at, value }) => {
        const changed = entries.map((entry, index) => (index === at ? { ...entry, value } : entry));
        const locator = await decodeOrRefuse(() => decode(changed));
        if (locator === undefined) return;
        for (let document = 0; document < locator.slots; document++) {
          for (const unit of unitsOf(locator, document)) {
            const { pack, length } = findBlock(locator, document, unit);
            expect(pack).toBeLessThan(PACKS);
            expect(length).toBeLessThanOrEqual(MAX_SEALED_BYTES + SEALED_STEP);
          }
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  it("refuses every truncation of a value, and a value that is missing", async () => {
    const entries = toEntries(vectors.vectors[1]?.entries ?? []);
    for (const [at, { value }] of entries.entries()) {
      for (let length = 0; length < value.length; length++) {
        const cut = entries.map((entry, index) => (index === at ? { ...entry, value: value.slice(0, length) } : entry));
        await refusalOf(() => decode(cut));
      }
      const fewer = entries.filter((_, index) => index !== at);
      expect((await refusalOf(() => decode(fewer))).detail.code).toBe("malformed");
    }
  });

  it("refuses counts that nothing can have, before it makes room for them", async () => {
    const entries = encodeLocator([
      {
        collection: 0,
        body: 1,
        title: 0,
        path: 0,
        description: 0,
        units: Uint8Array.of(1),
        pack: 0,
        offset: 0,
        lengths: [32],
      },
    ]);
    for (const count of [
      [1, 0xff, 0xff, 0xff, 0xff, 0x7f],
      [1, 0xff, 0xff, 0xff, 0x07],
    ]) {
      const changed = entries.map((entry, at) => (at === 0 ? { ...entry, value: Uint8Array.from(count) } : entry));
      expect((await refusalOf(() => decode(changed))).detail.code).toMatch(/truncated|out-of-range/);
    }
  });

  it("knows nothing of documents and units that are not there", async () => {
    await fc.assert(
      fc.asyncProperty(anySlots, async (slots) => {
        const locator = decode(encodeLocator(slots));
        expect(hasDocument(locator, slots.length)).toBe(false);
        for (const [document, slot] of slots.entries()) {
          const behind = FIRST_TEXT_UNIT + (slot?.units.length ?? 0);
          expect(countUnits(locator, document)).toBe(slot?.units.length ?? 0);
          for (const unit of [FIRST_TEXT_UNIT - 1, behind]) {
            expect(unitLength(locator, document, unit)).toBe(0);
            expect(isContinuation(locator, document, unit)).toBe(false);
            expect((await refusalOf(() => findBlock(locator, document, unit))).detail.code).toBe("out-of-range");
          }
        }
      }),
      { numRuns: runs(30) },
    );
  });

  it("numbers sections by the units that do not continue one", () => {
    fc.assert(
      fc.property(anySlots, (slots) => {
        const locator = decode(encodeLocator(slots));
        for (const [document, slot] of slots.entries()) {
          const sections: number[] = [];
          for (const code of slot?.units ?? []) {
            const last = sections.at(-1) ?? -1;
            sections.push((code & CONTINUATION) === 0 ? last + 1 : last);
          }
          expect(Array.from(sectionsOfUnits(locator, document))).toEqual(sections);
          for (const [index, code] of slot?.units.entries() ?? []) {
            expect(unitLength(locator, document, FIRST_TEXT_UNIT + index)).toBe(
              (code & 0x3f) === 0 ? 0 : decodeLength(4 * (code & 0x3f) - 3),
            );
            expect(isContinuation(locator, document, FIRST_TEXT_UNIT + index)).toBe((code & CONTINUATION) !== 0);
          }
        }
      }),
    );
  });

  it("takes a few megabytes in memory for 100,000 documents of three units", () => {
    const documents = 100_000;
    const one: LocatedDocument = {
      collection: 1,
      body: 60,
      title: 3,
      path: 4,
      description: 0,
      units: Uint8Array.of(40, 41, 42),
      pack: 0,
      offset: 0,
      lengths: [320, 352, 384],
    };
    const entries = encodeLocator(Array.from({ length: documents }, () => one));
    const locator = decode(entries, 1, documents);
    expect(locator.slots).toBe(documents);
    expect(entries).toHaveLength(9 * Math.ceil(documents / LOCATOR_SLOTS));
    const arrays = Object.values(locator).filter((value) => ArrayBuffer.isView(value));
    const bytes = arrays.reduce((sum, array) => sum + array.byteLength, 0);
    expect(bytes).toBeLessThan(4_000_000);
    expect(Math.abs(sizeOfLocator(locator) - bytes)).toBeLessThan(100);
  });
});
