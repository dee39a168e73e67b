import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/manifest.json" with { type: "json" };
import { encodeJson } from "../../../src/core/bytes/writer.ts";
import { decodeManifest, encodeManifest, MAX_FILE_BYTES } from "../../../src/core/format/generation.ts";
import {
  anyBytesNear,
  bytesOfHex,
  decodeOrRefuse,
  expectTruncationsRefused,
  hexOf,
  refusalOf,
} from "../../support/format-cases.ts";
import { anyForeignName, anyIndexFile } from "../../support/index-names.ts";
import { runs } from "../../support/runs.ts";

const anyManifest = fc.record({
  format: fc.nat({ max: 10 }),
  files: fc.array(fc.record({ name: anyIndexFile("pack"), bytes: fc.nat({ max: MAX_FILE_BYTES }) }), { maxLength: 5 }),
});

describe("manifest", () => {
  it.each(vectors.vectors)("holds the vector with $value.files.length files", ({ value, hex }) => {
    expect(hexOf(encodeManifest(value))).toBe(hex);
    expect(decodeManifest(bytesOfHex(hex))).toEqual(value);
  });

  it("comes back as it was written", () => {
    fc.assert(
      fc.property(anyManifest, (manifest) => {
        expect(decodeManifest(encodeManifest(manifest))).toEqual(manifest);
      }),
    );
  });

  it("decodes or refuses any bytes, and any JSON", async () => {
    await fc.assert(
      fc.asyncProperty(anyBytesNear(anyManifest.map(encodeManifest)), fc.jsonValue(), async (bytes, value) => {
        await decodeOrRefuse(() => decodeManifest(bytes));
        await decodeOrRefuse(() => decodeManifest(encodeJson(value)));
      }),
      { numRuns: runs(300) },
    );
  });

  it("refuses every truncation", async () => {
    for (const { hex } of vectors.vectors) await expectTruncationsRefused(bytesOfHex(hex), decodeManifest);
  });

  it("is plain JSON, so that people and other programs can read it", () => {
    fc.assert(
      fc.property(anyManifest, (manifest) => {
        expect(JSON.parse(new TextDecoder().decode(encodeManifest(manifest)))).toEqual(manifest);
      }),
    );
  });

  it("refuses sizes that are none", async () => {
    for (const bytes of [-1, 0.5, "1", null]) {
      const manifest = encodeJson({ format: 1, files: [{ name: `${"0a".repeat(16)}.pack`, bytes }] });
      expect((await refusalOf(() => decodeManifest(manifest))).detail.code).toBe("malformed");
    }
  });

  it("refuses sizes that no file has", async () => {
    for (const bytes of [MAX_FILE_BYTES + 1, 1e15, Number.MAX_VALUE]) {
      const manifest = encodeManifest({ format: 1, files: [{ name: `${"0a".repeat(16)}.pack`, bytes }] });
      expect((await refusalOf(() => decodeManifest(manifest))).detail.code).toBe("out-of-range");
    }
  });

  it("refuses any name that is not that of an index file", async () => {
    await fc.assert(
      fc.asyncProperty(anyManifest, anyForeignName, async (manifest, name) => {
        const files = [...manifest.files, { name, bytes: 1 }];
        expect((await refusalOf(() => decodeManifest(encodeManifest({ ...manifest, files })))).detail.code).toBe(
          "malformed",
        );
      }),
    );
  });
});
