import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/pointer.json" with { type: "json" };
import { crc32 } from "../../../src/core/bytes/checksum.ts";
import { ByteWriter, concatBytes, encodeJson } from "../../../src/core/bytes/writer.ts";
import {
  decodePointer,
  encodePointer,
  generationOf,
  type Pointer,
  type PreviousGeneration,
  parsePointer,
  readBuildTime,
} from "../../../src/core/format/generation.ts";
import { FORMAT_VERSION } from "../../../src/core/format/root.ts";
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

const anyName = fc.string({ unit: "grapheme", maxLength: 20 });
const anyFiles: fc.Arbitrary<Pick<Pointer, "generation" | "root" | "manifest">> = fc
  .record({ root: anyIndexFile("root"), manifest: anyIndexFile("manifest") })
  .map((files) => ({ generation: generationOf(files.root), ...files }));
const anyPrevious = fc
  .tuple(anyFiles, anyName, anyName)
  .map(([files, commit, builtAt]): PreviousGeneration => ({ ...files, commit, builtAt }));
const anyPointer: fc.Arbitrary<Pointer> = fc
  .record({
    files: anyFiles,
    log: anyIndexFile("log"),
    previous: fc.array(anyPrevious, { maxLength: 3 }),
    rootBytes: fc.uint8Array({ maxLength: 60 }),
  })
  .map(({ files, ...rest }) => ({ ...files, ...rest }));

/** A pointer with these bytes behind the checksum. */
function fileOf(behind: Uint8Array): Uint8Array {
  const writer = new ByteWriter();
  writer.writeBytes(new TextEncoder().encode("TLPT"));
  writer.writeByte(FORMAT_VERSION);
  writer.writeUint32(crc32(behind));
  writer.writeBytes(behind);
  return writer.finish();
}

function anyOne(): Pointer {
  return { generation: "", root: "", manifest: "", log: "", previous: [], rootBytes: new Uint8Array() };
}

const vector = (at: number): Uint8Array => bytesOfHex(vectors.vectors[at]?.bytes ?? "");

describe("pointer", () => {
  it.each(vectors.vectors)("holds the vector: $name", ({ value, bytes }) => {
    const pointer = { ...value, rootBytes: bytesOfHex(value.rootBytes) };
    expect(hexOf(encodePointer(pointer))).toBe(bytes);
    expect(decodePointer(bytesOfHex(bytes))).toEqual(pointer);
  });

  it("comes back as it was written, the root file byte for byte", () => {
    fc.assert(
      fc.property(anyPointer, (pointer) => {
        expect(decodePointer(encodePointer(pointer))).toEqual(pointer);
      }),
    );
  });

  it("is refused with any name that is not that of an index file of its kind, wherever it stands", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyPointer,
        anyPrevious,
        fc.oneof(anyForeignName, anyIndexFile("pack")),
        async (pointer, one, name) => {
          for (const member of ["root", "manifest", "log", "generation"] as const) {
            const forged = { ...pointer, [member]: name };
            const before = { ...pointer, previous: [one, { ...one, [member]: name }] };
            for (const bad of member === "log" ? [forged] : [forged, before]) {
              const { detail } = await refusalOf(() => decodePointer(encodePointer(bad)));
              expect(detail.code).toBe("malformed");
              expect(parsePointer(encodePointer(bad))).toEqual(bad);
            }
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it("decodes or refuses any bytes, behind a fitting checksum too", async () => {
    const behind = anyPointer.map((pointer) => encodePointer(pointer).slice(9));
    await fc.assert(
      fc.asyncProperty(anyBytesNear(behind), async (bytes) => {
        await decodeOrRefuse(() => decodePointer(bytes));
        await decodeOrRefuse(() => decodePointer(fileOf(bytes)));
      }),
      { numRuns: runs(500) },
    );
  });

  it("refuses any JSON that is not a pointer's", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (value) => {
        const json = encodeJson(value);
        fc.pre(json.length < 128);
        await refusalOf(() => decodePointer(fileOf(concatBytes([Uint8Array.of(json.length), json]))));
      }),
    );
  });

  it("refuses every truncation: the embedded root stands under the checksum", async () => {
    await expectTruncationsRefused(vector(0), decodePointer);
    await expectTruncationsRefused(vector(1), decodePointer);
  });

  it("finds every flipped bit", async () => {
    const bytes = vector(1);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = bytes.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      await refusalOf(() => decodePointer(flipped));
    }
  });

  it("names both versions when it refuses a newer one, before it looks at anything else", async () => {
    const newer = vector(0);
    newer[4] = FORMAT_VERSION + 1;
    expect((await refusalOf(() => decodePointer(newer))).message).toBe(
      "pointer: format version 2 is not known, only up to 1",
    );
    expect((await refusalOf(() => decodePointer(newer.slice(0, 5)))).detail.code).toBe("unsupported-version");
  });

  it.each(vectors.timed)("says when it was built, to those who ask: $name", ({ value, bytes }) => {
    const { built, ...rest } = value;
    const pointer = { ...rest, rootBytes: bytesOfHex(value.rootBytes) };
    expect(hexOf(encodePointer({ ...pointer, built }))).toBe(bytes);
    expect(decodePointer(bytesOfHex(bytes))).toEqual(pointer);
    expect(readBuildTime(bytesOfHex(bytes))).toEqual(built);
  });

  it("says nothing where it does not know when it was built, or only how long that took", () => {
    fc.assert(fc.property(anyPointer, (pointer) => readBuildTime(encodePointer(pointer)) === undefined));
    const json = encodeJson({ buildMs: "000004510" });
    expect(readBuildTime(fileOf(concatBytes([Uint8Array.of(json.length), json])))).toBeUndefined();
  });

  it("is as long whatever the time", () => {
    const at = "2026-11-24T01:02:03.004Z";
    fc.assert(
      fc.property(anyPointer, fc.nat({ max: 999_999_999 }), (pointer, ms) => {
        const bytes = encodePointer({ ...pointer, built: { at, ms } });
        expect(readBuildTime(bytes)).toEqual({ at, ms });
        expect(bytes.length).toBe(encodePointer({ ...pointer, built: { at, ms: 0 } }).length);
      }),
    );
    expect(readBuildTime(encodePointer({ ...anyOne(), built: { at, ms: 1e12 } }))).toEqual({ at, ms: 999_999_999 });
    const made = { at, ms: 5, inputs: "0123456789abcdef" };
    expect(readBuildTime(encodePointer({ ...anyOne(), built: made }))).toEqual(made);
  });

  it("refuses a time that is none", async () => {
    for (const buildMs of [-1, 4510, "4510", "00000451x", null, []]) {
      const json = encodeJson({ builtAt: "2026-11-24T01:02:03.004Z", buildMs });
      const bytes = fileOf(concatBytes([Uint8Array.of(json.length), json]));
      expect((await refusalOf(() => readBuildTime(bytes))).detail.code).toBe("malformed");
    }
    for (const builtAt of ["", "yesterday", "2026-11-24", 5, null]) {
      const json = encodeJson({ builtAt, buildMs: "000004510" });
      const bytes = fileOf(concatBytes([Uint8Array.of(json.length), json]));
      expect((await refusalOf(() => readBuildTime(bytes))).detail.code).toBe("malformed");
    }
  });

  it("names its generation by the first twelve digits of the root's name", () => {
    expect(generationOf("0123456789abcdef0123456789abcdef.root")).toBe("0123456789ab");
    for (const { value } of vectors.vectors) expect(generationOf(value.root)).toBe(value.generation);
  });
});
