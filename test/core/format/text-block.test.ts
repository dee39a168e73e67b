import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deflateRaw, inflateRaw } from "../../../indexer/codec.ts";
import vectors from "../../../schemas/index-format/vectors/text-block.json" with { type: "json" };
import { keyOfNumber } from "../../../src/core/bytes/key.ts";
import { concatBytes, encodeUtf8 } from "../../../src/core/bytes/writer.ts";
import { type BlockSection, decodeBlock, encodeBlock, type TextBlock } from "../../../src/core/format/text-block.ts";
import { deflateStored } from "../../support/deflate-stored.ts";
import {
  anyBytesNear,
  bytesOfHex,
  decodeOrRefuse,
  expectTruncationsRefused,
  hexOf,
  refusalOf,
  withChecksum,
} from "../../support/format-cases.ts";

const DOCUMENT = 7;
const FIRST_UNIT = 2;
const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom("", "\r\n", "a\u0000b", "\ufeff# A"),
);
const anyCount = fc.integer({ min: 0, max: 100_000 });
const anyHeading = fc.record({
  level: fc.integer({ min: 0, max: 6 }),
  title: anyText,
  slug: anyText,
  anchor: anyText,
  startLine: anyCount,
  endLine: anyCount,
});

const anyBlock: fc.Arbitrary<TextBlock> = fc
  .record({
    path: anyText,
    title: anyText,
    contentHash: fc.string({ maxLength: 16 }),
    description: anyText,
    meta: fc.dictionary(anyText, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3, noNullPrototype: true }),
    ancestors: fc.array(fc.record({ ordinal: anyCount, heading: anyHeading }), { maxLength: 3 }),
    first: anyCount,
    units: fc.array(fc.record({ text: anyText, heading: fc.option(anyHeading, { nil: undefined }) }), { maxLength: 6 }),
  })
  .map(({ ancestors, first, units, ...rest }) => {
    let ordinal = first;
    return {
      ...rest,
      meta: JSON.parse(JSON.stringify(rest.meta)) as Record<string, unknown>,
      ancestors: ancestors.map(({ ordinal: own, heading }) => ({ ordinal: own, ...heading })),
      units: units.map(({ text, heading }) => ({
        text,
        section: heading === undefined ? undefined : { ordinal: ordinal++, ...heading },
      })),
    };
  });

function decode(bytes: Uint8Array): Promise<TextBlock> {
  return decodeBlock(DOCUMENT, FIRST_UNIT, bytes, inflateRaw);
}

function payloadOf(block: TextBlock): Uint8Array {
  let payload = new Uint8Array();
  encodeBlock(DOCUMENT, FIRST_UNIT, block, (bytes) => {
    payload = Uint8Array.from(bytes);
    return bytes;
  });
  return payload;
}

/** A block with this payload under the right checksum. */
function blockOfPayload(payload: Uint8Array): Uint8Array {
  const number = (value: number): Uint8Array => Uint8Array.from(keyOfNumber(value), (unit) => unit.charCodeAt(0));
  const seed = concatBytes([encodeUtf8("text"), new Uint8Array(1), number(DOCUMENT), number(FIRST_UNIT)]);
  return withChecksum(seed, deflateStored(payload));
}

describe("text block", () => {
  it.each(vectors.vectors)("holds the vector: $name", async ({ document, firstUnit, value, payload, bytes }) => {
    const block: TextBlock = {
      ...value,
      units: (value.units as readonly { text: string; section?: BlockSection }[]).map(({ text, section }) => ({
        text,
        section,
      })),
    };
    let written = "";
    const encoded = encodeBlock(document, firstUnit, block, (inflated) => {
      written = hexOf(inflated);
      return deflateStored(inflated);
    });
    expect(written).toBe(payload);
    expect(hexOf(encoded)).toBe(bytes);
    expect(await decodeBlock(document, firstUnit, bytesOfHex(bytes), inflateRaw)).toEqual(block);
  });

  it("comes back as it was written", async () => {
    await fc.assert(
      fc.asyncProperty(anyBlock, async (block) => {
        expect(await decode(encodeBlock(DOCUMENT, FIRST_UNIT, block, deflateRaw))).toEqual(block);
      }),
    );
  });

  it("holds the texts one behind the other, byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(anyBlock, async (block) => {
        const texts = encodeUtf8(block.units.map(({ text }) => text).join(""));
        const payload = payloadOf(block);
        expect(hexOf(payload.subarray(payload.length - texts.length))).toBe(hexOf(texts));
      }),
    );
  });

  it("decodes or refuses any bytes, behind a fitting checksum too", async () => {
    await fc.assert(
      fc.asyncProperty(anyBytesNear(anyBlock.map(payloadOf)), async (payload) => {
        await decodeOrRefuse(() => decode(payload));
        await decodeOrRefuse(() => decode(blockOfPayload(payload)));
      }),
      { numRuns: 500 },
    );
  });

  it("refuses any JSON that is not a block's", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
        const json = encodeUtf8(JSON.stringify(value));
        fc.pre(json.length < 128);
        await refusalOf(() => decode(blockOfPayload(concatBytes([Uint8Array.of(json.length), json]))));
      }),
    );
  });

  it("refuses sizes of texts that its bytes cannot hold, and JSON that is nested without end", async () => {
    const block = (units: string): Uint8Array => {
      const json = encodeUtf8(`["a.md","A","","",{},[],0,${units}]`);
      return blockOfPayload(concatBytes([Uint8Array.of((json.length & 0x7f) | 0x80, json.length >> 7), json]));
    };
    const wide = " ".repeat(100);
    expect((await refusalOf(() => decode(block(`[[9007199254740991]]${wide}`)))).detail.code).toBe("truncated");
    for (const size of ["-1", "0.5", "true", '"3"', "null"]) {
      expect((await refusalOf(() => decode(block(`[[${size}]]${wide}`)))).detail.code).toBe("malformed");
    }
    const deep = encodeUtf8(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
    const length = Uint8Array.of((deep.length & 0x7f) | 0x80, ((deep.length >> 7) & 0x7f) | 0x80, deep.length >> 14);
    expect((await refusalOf(() => decode(blockOfPayload(concatBytes([length, deep]))))).detail.code).toBe("malformed");
  });

  it("refuses every truncation", async () => {
    const [, { document, firstUnit, bytes, payload }] = vectors.vectors as unknown as [
      unknown,
      (typeof vectors.vectors)[0],
    ];
    await expectTruncationsRefused(bytesOfHex(bytes), (prefix) => decodeBlock(document, firstUnit, prefix, inflateRaw));
    await expectTruncationsRefused(bytesOfHex(payload), (prefix) => decode(blockOfPayload(prefix)));
    const longer = concatBytes([bytesOfHex(payload), Uint8Array.of(0)]);
    expect((await refusalOf(() => decode(blockOfPayload(longer)))).detail.code).toBe("trailing-bytes");
  });

  it("is refused in the place of another document's or another unit's block", async () => {
    const [{ bytes }] = vectors.vectors as unknown as [(typeof vectors.vectors)[0]];
    for (const [document, unit] of [
      [1, 2],
      [0, 3],
      [2, 0],
    ] as const) {
      const error = await refusalOf(() => decodeBlock(document, unit, bytesOfHex(bytes), inflateRaw));
      expect(error.detail.code).toBe("checksum");
    }
  });
});
