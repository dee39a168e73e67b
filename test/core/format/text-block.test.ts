import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deflateRaw, inflateRaw } from "../../../indexer/base/codec.ts";
import vectors from "../../../schemas/index-format/vectors/text-block.json" with { type: "json" };
import { keyOfNumber } from "../../../src/core/bytes/key.ts";
import { ByteWriter, concatBytes, encodeUtf8 } from "../../../src/core/bytes/writer.ts";
import { SEALED_STEP } from "../../../src/core/format/chunk.ts";
import { decodeBlock, encodeBlock, sealBlock, type TextBlock } from "../../../src/core/format/text-block.ts";
import { slugify } from "../../../src/core/text/names.ts";
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
import { runs } from "../../support/runs.ts";

const UNIT = 2;
const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom("", "\r\n", "a\u0000b", "\ufeff# A"),
);
const anyCount = fc.integer({ min: 0, max: 100_000 });
/** Slugs and anchors mostly follow from the title. */
const anyHeading = fc
  .record({
    title: anyText,
    slug: fc.option(anyText, { nil: undefined }),
    anchor: fc.option(anyText, { nil: undefined }),
  })
  .map(({ title, slug = slugify(title), anchor = slug }) => ({ title, slug, anchor }));
const anySection = fc.oneof(
  fc.record({ level: fc.integer({ min: 1, max: 6 }), startLine: anyCount, endLine: anyCount, heading: anyHeading }),
  fc.record({ startLine: anyCount, endLine: anyCount, anchor: fc.oneof(fc.constant(""), anyText) }),
);

const anyBlock: fc.Arbitrary<TextBlock> = fc
  .record({
    path: anyText,
    title: anyText,
    above: fc.array(anyHeading, { maxLength: 3 }),
    own: anySection,
    text: anyText,
  })
  .map(({ above, own, ...rest }) => {
    const { startLine, endLine } = own;
    if (!("heading" in own)) {
      const root = { level: 0, title: "", slug: "", anchor: own.anchor, startLine, endLine };
      return { ...rest, ancestors: [], section: root };
    }
    const ancestors = above.map(({ title, slug }) => ({ title, slug }));
    return { ...rest, ancestors, section: { level: own.level, ...own.heading, startLine, endLine } };
  });

type Units = [TextBlock, ...TextBlock[]];

/** Neighbouring units of one page. */
const anyUnits: fc.Arbitrary<Units> = fc
  .tuple(anyBlock, fc.array(anyBlock, { maxLength: 2 }))
  .map(([first, others]) => [first, ...others.map((unit) => ({ ...unit, path: first.path, title: first.title }))]);

async function decode(bytes: Uint8Array): Promise<TextBlock[]> {
  return decodeBlock(UNIT, bytes, inflateRaw);
}

function payloadOf(...units: Units): Uint8Array {
  return encodeBlock(units);
}

/** A block with this payload under the right checksum. */
function blockOfPayload(payload: Uint8Array): Uint8Array {
  const number = Uint8Array.from(keyOfNumber(UNIT), (unit) => unit.charCodeAt(0));
  return withChecksum(concatBytes([encodeUtf8("text"), new Uint8Array(1), number]), deflateStored(payload));
}

describe("text block", () => {
  it.each(vectors.vectors)("holds the vector: $name", async ({ unit, value, payload, bytes }) => {
    const encoded = encodeBlock(value as unknown as Units);
    expect(hexOf(encoded)).toBe(payload);
    expect(hexOf(sealBlock(unit, encoded, deflateStored))).toBe(bytes);
    expect(await decodeBlock(unit, bytesOfHex(bytes), inflateRaw)).toEqual(value);
  });

  it("comes back as it was written, in whole steps", async () => {
    await fc.assert(
      fc.asyncProperty(anyUnits, async (units) => {
        const bytes = sealBlock(UNIT, encodeBlock(units), deflateRaw);
        expect(bytes.length % SEALED_STEP).toBe(0);
        expect(await decode(bytes)).toEqual(units);
      }),
    );
  });

  it("ends with its text, byte for byte", () => {
    fc.assert(
      fc.property(anyBlock, (block) => {
        const text = encodeUtf8(block.text);
        const payload = payloadOf(block);
        expect(hexOf(payload.subarray(payload.length - text.length))).toBe(hexOf(text));
      }),
    );
  });

  it("spends one byte each on a slug and an anchor that follow from the title", () => {
    const section = { level: 2, title: "How to install", slug: "how-to-install", anchor: "how-to-install" };
    const block = (own: typeof section): TextBlock => ({
      path: "a.md",
      title: "A",
      ancestors: [],
      section: { ...own, startLine: 1, endLine: 2 },
      text: "",
    });
    const usual = payloadOf(block(section)).length;
    expect(payloadOf(block({ ...section, anchor: "setup" })).length).toBe(usual + 5);
    expect(payloadOf(block({ ...section, slug: "x", anchor: "x" })).length).toBe(usual + 1);
  });

  it("decodes or refuses any bytes, behind a fitting checksum too", async () => {
    await fc.assert(
      fc.asyncProperty(anyBytesNear(anyUnits.map((units) => payloadOf(...units))), async (payload) => {
        await decodeOrRefuse(() => decode(payload));
        await decodeOrRefuse(() => decode(blockOfPayload(payload)));
      }),
      { numRuns: runs(500) },
    );
  });

  it("refuses a count of ancestors that its bytes cannot hold", async () => {
    const writer = new ByteWriter();
    writer.writeString("a.md");
    writer.writeString("A");
    writer.writeBytes(Uint8Array.from([2, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0]));
    const many = await refusalOf(() => decode(blockOfPayload(writer.finish())));
    expect(many.detail).toMatchObject({ code: "out-of-range", what: "ancestors" });
  });

  it("refuses every truncation, and what is left over", async () => {
    const [, { unit, bytes, payload }] = vectors.vectors as unknown as [unknown, (typeof vectors.vectors)[0]];
    await expectTruncationsRefused(bytesOfHex(bytes), (prefix) => decodeBlock(unit, prefix, inflateRaw));
    await expectTruncationsRefused(bytesOfHex(payload), (prefix) => decode(blockOfPayload(prefix)));
    const longer = concatBytes([bytesOfHex(payload), Uint8Array.of(0)]);
    expect((await refusalOf(() => decode(blockOfPayload(longer)))).detail.code).toBe("truncated");
  });

  it("is refused in the place of another unit's block", async () => {
    const [{ bytes }] = vectors.vectors as unknown as [(typeof vectors.vectors)[0]];
    for (const unit of [0, 3, 258]) {
      const error = await refusalOf(() => decodeBlock(unit, bytesOfHex(bytes), inflateRaw));
      expect(error.detail.code).toBe("checksum");
    }
  });
});
