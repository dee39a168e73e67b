import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/patches.json" with { type: "json" };
import { bytesOfKey } from "../../../src/core/bytes/key.ts";
import { decodePatch, encodePatch, type KeyedPatch, keyOfPatch, type Patch } from "../../../src/core/format/delta.ts";
import { TABLE_NAMES, type TableName } from "../../../src/core/format/table.ts";
import {
  anyBytesNear,
  anyKey,
  bytesOfHex,
  decodeOrRefuse,
  expectTruncationsRefused,
  hexOf,
  refusalOf,
} from "../../support/format-cases.ts";
import { keyOfHex } from "../../support/format-vectors.ts";

type PatchRow =
  | { readonly kind: "absent" }
  | { readonly kind: "value"; readonly value: string }
  | Extract<Patch, { kind: "stated" }>;

function toPatch(row: PatchRow): Patch {
  return row.kind === "value" ? { kind: "value", value: bytesOfHex(row.value) } : row;
}

const anyCount = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 2 ** 24 }));
const anyPatch: fc.Arbitrary<Patch> = fc.oneof(
  fc.constant<Patch>({ kind: "absent" }),
  fc.uint8Array({ maxLength: 20 }).map((value): Patch => ({ kind: "value", value })),
  fc
    .record({
      documents: anyCount,
      body: anyCount,
      title: anyCount,
      path: anyCount,
      description: anyCount,
      units: anyCount,
    })
    .map((frequencies): Patch => ({ kind: "stated", frequencies })),
);
const anyKeyed: fc.Arbitrary<KeyedPatch> = fc.record({
  table: fc.constantFrom(...TABLE_NAMES),
  key: anyKey,
  patch: anyPatch,
});

describe("patches", () => {
  it.each(vectors.vectors)("hold the vector: $name", ({ table, key, entryKey, patch, bytes }) => {
    const keyed = { table: table as TableName, key: keyOfHex(key), patch: toPatch(patch as PatchRow) };
    expect(hexOf(bytesOfKey(keyOfPatch(keyed.table, keyed.key)))).toBe(entryKey);
    expect(hexOf(encodePatch(keyed.patch))).toBe(bytes);
    expect(decodePatch(keyOfHex(entryKey), bytesOfHex(bytes))).toEqual(keyed);
  });

  it.each(vectors.refused)("refuse: $entryKey → $bytes", async ({ entryKey, bytes, code }) => {
    expect((await refusalOf(() => decodePatch(keyOfHex(entryKey), bytesOfHex(bytes)))).detail.code).toBe(code);
  });

  it("come back as they were written, with their table and key", () => {
    fc.assert(
      fc.property(anyKeyed, (keyed) => {
        expect(decodePatch(keyOfPatch(keyed.table, keyed.key), encodePatch(keyed.patch))).toEqual(keyed);
      }),
    );
  });

  it("sort by table, then as the table's own keys do", () => {
    fc.assert(
      fc.property(fc.constantFrom(...TABLE_NAMES), anyKey, anyKey, (table, a, b) => {
        expect(keyOfPatch(table, a) < keyOfPatch(table, b)).toBe(a < b);
      }),
    );
  });

  it("are decoded or refused, whatever the bytes and the key", async () => {
    await fc.assert(
      fc.asyncProperty(anyBytesNear(anyPatch.map(encodePatch)), anyKey, anyKeyed, async (bytes, key, { table }) => {
        await decodeOrRefuse(() => decodePatch(keyOfPatch(table, key), bytes));
        await decodeOrRefuse(() => decodePatch(key, bytes));
      }),
    );
  });

  it("of counts are refused when they are cut short", async () => {
    const bytes = bytesOfHex(vectors.vectors.at(-1)?.bytes ?? "");
    const key = keyOfPatch("terms", keyOfHex("61"));
    await expectTruncationsRefused(bytes, (prefix) => decodePatch(key, prefix));
  });
});
