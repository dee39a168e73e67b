import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/locator.json" with { type: "json" };
import { MAX_SEALED_BYTES } from "../../../src/core/format/chunk.ts";
import {
  CONTINUATION,
  decodeLocator,
  encodeLocator,
  findBlock,
  type LocatedDocument,
  sectionsOfUnits,
  unitLength,
} from "../../../src/core/format/locator.ts";
import { FIRST_TEXT_UNIT } from "../../../src/core/format/postings.ts";
import { decodeLength } from "../../../src/core/format/quantize.ts";
import {
  anyBytesNear,
  bytesOfHex,
  decodeOrRefuse,
  expectTruncationsRefused,
  hexOf,
  refusalOf,
} from "../../support/format-cases.ts";
import { type LocatorRow, toSlots } from "../../support/format-vectors.ts";

const PACKS = 4;
const anyByte = fc.integer({ min: 0, max: 255 });

const anyDocument: fc.Arbitrary<LocatedDocument> = fc
  .record({
    collection: fc.integer({ min: 0, max: 300 }),
    lengths: fc.record({ body: anyByte, title: anyByte, path: anyByte, description: anyByte }),
    pack: fc.integer({ min: 0, max: PACKS - 1 }),
    offset: fc.integer({ min: 0, max: 2 ** 22 }),
    blocks: fc.array(fc.record({ units: fc.integer({ min: 1, max: 4 }), length: fc.integer({ min: 0, max: 5000 }) }), {
      minLength: 1,
      maxLength: 5,
    }),
    codes: fc.infiniteStream(anyByte),
  })
  .map(({ collection, lengths, pack, offset, blocks, codes }) => {
    let next = offset;
    const placed = blocks.map(({ units, length }) => {
      const block = { pack, offset: next, length, units };
      next += length;
      return block;
    });
    const count = blocks.reduce((sum, { units }) => sum + units, 0);
    const units = Uint8Array.from(codes.take(count));
    // The first unit has none before it that it could continue.
    units[0] = (units[0] as number) & ~CONTINUATION;
    return { collection, lengths, blocks: placed, units };
  });

/** Up to 64 slots; most documents lie behind the one before, as in a fresh build. */
const anySlots: fc.Arbitrary<(LocatedDocument | undefined)[]> = fc
  .array(fc.tuple(fc.option(anyDocument, { nil: undefined, freq: 4 }), fc.boolean()), { maxLength: 64 })
  .map((rows) => {
    let end: { pack: number; offset: number } | undefined;
    return rows.map(([document, follows]) => {
      if (document === undefined) return undefined;
      const first = document.blocks[0] as LocatedDocument["blocks"][number];
      const start = follows && end !== undefined ? end : first;
      const moved = document.blocks.map((block) => ({
        ...block,
        pack: start.pack,
        offset: start.offset + block.offset - first.offset,
      }));
      const last = moved.at(-1) as (typeof moved)[number];
      end = { pack: last.pack, offset: last.offset + last.length };
      return { ...document, blocks: moved };
    });
  });

describe("locator", () => {
  it.each(vectors.vectors)("holds the vector: $name", ({ packs, slots, hex }) => {
    const documents = toSlots(slots as unknown as LocatorRow[]);
    expect(hexOf(encodeLocator(documents))).toBe(hex);
    expect(decodeLocator(bytesOfHex(hex), packs)).toEqual(documents);
  });

  it.each(vectors.refused)("refuses $hex", async ({ hex, packs, code }) => {
    expect((await refusalOf(() => decodeLocator(bytesOfHex(hex), packs))).detail.code).toBe(code);
  });

  it("comes back as it was written", () => {
    fc.assert(
      fc.property(anySlots, (slots) => {
        expect(decodeLocator(encodeLocator(slots), PACKS)).toEqual(slots);
      }),
    );
  });

  it("decodes or refuses any bytes", async () => {
    await fc.assert(
      fc.asyncProperty(anyBytesNear(anySlots.map(encodeLocator)), async (bytes) => {
        const slots = await decodeOrRefuse(() => decodeLocator(bytes, PACKS));
        for (const document of slots ?? []) {
          if (document === undefined) continue;
          const units = document.blocks.reduce((sum, block) => sum + block.units, 0);
          expect(units).toBe(document.units.length);
          expect(document.blocks.every(({ pack, length }) => pack < PACKS && length <= MAX_SEALED_BYTES)).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("refuses every truncation", async () => {
    for (const { packs, hex } of vectors.vectors) {
      await expectTruncationsRefused(bytesOfHex(hex), (bytes) => decodeLocator(bytes, packs));
    }
  });

  it("refuses counts and lengths that nothing can have, before it makes room for them", async () => {
    const slots = (units: string, rest: string): Uint8Array => bytesOfHex(`01${units}${rest}`);
    for (const bytes of [
      slots("ffffffff7f", "0000000000ffffffff7f"),
      slots("ffffff08", "0000000000ffffff08"),
      slots("01", "000000000001010001ffffffff7f01"),
    ]) {
      expect((await refusalOf(() => decodeLocator(bytes, 1))).detail.code).toMatch(/truncated|out-of-range/);
    }
  });

  it("refuses a document whose first unit continues another", async () => {
    const error = await refusalOf(() => decodeLocator(bytesOfHex("01010000000000010100010580"), 1));
    expect(error.detail).toEqual({ code: "malformed", reason: "the first unit of a document continues nothing" });
  });

  it("finds the block that counting units one by one finds", async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        let unit = FIRST_TEXT_UNIT;
        for (const block of document.blocks) {
          for (let at = 0; at < block.units; at++) {
            expect(findBlock(document, unit + at)).toEqual({ block, firstUnit: unit });
          }
          unit += block.units;
        }
        expect((await refusalOf(() => findBlock(document, unit))).detail.code).toBe("out-of-range");
      }),
    );
  });

  it("numbers sections by the units that do not continue one", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const sections: number[] = [];
        for (const code of document.units) {
          const last = sections.at(-1) ?? -1;
          sections.push((code & CONTINUATION) === 0 ? last + 1 : last);
        }
        expect(Array.from(sectionsOfUnits(document))).toEqual(sections);
        for (const [index, code] of document.units.entries()) {
          expect(unitLength(document, FIRST_TEXT_UNIT + index)).toBe(decodeLength(code & 0x7f));
        }
      }),
    );
  });
});
