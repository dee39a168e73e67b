import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/file-record.json" with { type: "json" };
import { utf8Length } from "../../../src/core/bytes/encodings.ts";
import type { FileRecord } from "../../../src/core/format/code-model.ts";
import { decodeFileRecord, encodeFileRecord } from "../../../src/core/format/file-tables.ts";
import { anyFile } from "../../support/any-code.ts";
import { testStructure } from "../../support/test-structure.ts";

describe("records of source files", () => {
  testStructure({ ...vectors, any: anyFile, encode: encodeFileRecord, decode: decodeFileRecord });

  it("spend no text on paths that follow from names, the further ones of one path included", () => {
    const [vector] = vectors.vectors;
    const file = vector?.value as FileRecord;
    const renamed = { ...file, symbols: file.symbols.map((symbol) => ({ ...symbol, path: `${symbol.path}?` })) };
    const written = file.symbols.reduce((sum, { path }) => sum + utf8Length(path) + 1, 0);
    expect(file.symbols.map(({ path }) => path)).toContain("Store.open~2");
    expect(encodeFileRecord(renamed).length - encodeFileRecord(file).length).toBe(written);
  });
});
