import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/edge-list.json" with { type: "json" };
import type { EdgeRecord } from "../../../src/core/format/code-model.ts";
import { decodeEdges, encodeEdges } from "../../../src/core/format/edge-tables.ts";
import { anyEdges } from "../../support/any-code.ts";
import { testStructure } from "../../support/test-structure.ts";

/** Number of the file that leads there. */
const FILE = 7;

describe("edges of a source file", () => {
  testStructure({
    ...vectors,
    any: anyEdges,
    encode: (edges) => encodeEdges(FILE, edges),
    decode: (bytes) => decodeEdges(FILE, bytes),
  });

  it("name a target once, however often they lead there", () => {
    const edge: EdgeRecord = {
      kind: "calls",
      tier: "scope",
      typeOnly: false,
      from: 0,
      at: { line: 1, column: 1 },
      to: { external: "npm:a-package-with-a-long-name" },
    };
    const [one, two] = [encodeEdges(FILE, [edge]), encodeEdges(FILE, [edge, edge])];
    expect(two.length - one.length).toBe(5);
  });
});
