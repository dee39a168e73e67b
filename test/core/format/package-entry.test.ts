import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/package-entry.json" with { type: "json" };
import {
  decodeExports,
  decodeImported,
  decodePackage,
  encodeExports,
  encodeImported,
  encodePackage,
  keyOfExports,
  keyOfPackage,
  PACKAGE_KEYS,
} from "../../../src/core/format/package-entry.ts";
import { anyExports, anyImported, anyPackage } from "../../support/any-code.ts";
import { keyOfHex } from "../../support/format-vectors.ts";
import { testStructure } from "../../support/test-structure.ts";

describe("facts of a package", () => {
  testStructure({
    vectors: vectors.packages,
    refused: vectors.refusedPackages,
    any: anyPackage,
    encode: encodePackage,
    decode: decodePackage,
  });
});

describe("exports of a module", () => {
  testStructure({
    vectors: vectors.exports,
    refused: vectors.refusedExports,
    any: anyExports,
    encode: encodeExports,
    decode: decodeExports,
  });
});

describe("files that are imported by a name", () => {
  testStructure({
    vectors: vectors.imported,
    refused: vectors.refusedImported,
    any: anyImported,
    encode: encodeImported,
    decode: decodeImported,
  });
});

describe("keys of packages", () => {
  it.each(vectors.keys)("hold the vector: $module, $name", ({ facts, exports, ...key }) => {
    expect(keyOfPackage(key)).toBe(keyOfHex(facts));
    expect(keyOfExports("package", key.module, key.name)).toBe(keyOfHex(exports));
  });

  it("of facts lie in one range, long names told apart", () => {
    const long = "m".repeat(2_000);
    for (const key of [
      { module: "a", name: "" },
      { module: "\u{10ffff}", name: long },
      { module: long, name: "b" },
    ]) {
      const facts = keyOfPackage(key) as string;
      expect(facts >= PACKAGE_KEYS.from && facts < PACKAGE_KEYS.to).toBe(true);
      expect(facts.length).toBeLessThanOrEqual(1_024);
    }
    expect(keyOfPackage({ module: long, name: "b" })).not.toBe(keyOfPackage({ module: `${long}m`, name: "b" }));
  });
});

describe("keys of exports", () => {
  it.each(vectors.exportKeys)("hold the vector: $kind $names", ({ kind, names, key }) => {
    expect(keyOfExports(kind as "entry", ...names)).toBe(keyOfHex(key));
  });
});
