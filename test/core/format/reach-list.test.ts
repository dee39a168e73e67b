import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/reach-list.json" with { type: "json" };
import { EDGE_KINDS } from "../../../src/core/format/code-model.ts";
import {
  type Dependent,
  encodeReach,
  type FileReach,
  joinMasks,
  kindsOfMask,
  maskOf,
  TYPE_ONLY_MASK,
  visitReach,
} from "../../../src/core/format/reach-list.ts";
import { anyReach } from "../../support/any-code.ts";
import { testStructure } from "../../support/test-structure.ts";

/** Number of the file that is led to. */
const FILE = 7;

function decodeFile(bytes: Uint8Array): FileReach {
  let head: Omit<FileReach, "targets"> = { containers: [], natures: [], externals: [] };
  const targets: { symbol: number; guesses: number; dependents: Dependent[] }[] = [];
  visitReach(FILE, bytes, {
    head: (own) => {
      head = own;
    },
    target: (symbol, guesses) => targets.push({ symbol, guesses, dependents: [] }),
    dependent: (file, symbol, mask) => targets.at(-1)?.dependents.push({ file, symbol, mask }),
  });
  return { ...head, targets };
}

describe("what leads to a source file", () => {
  testStructure({
    ...vectors,
    any: anyReach,
    encode: (reach) => encodeReach(FILE, reach),
    decode: decodeFile,
  });

  it("takes three bytes a dependent where most are of files near by", () => {
    const dependents = Array.from({ length: 100 }, (_, at) => ({
      file: FILE + at,
      symbol: 3,
      mask: maskOf(["calls"]),
    }));
    const reach = {
      containers: [-1],
      natures: ["plain" as const],
      externals: [],
      targets: [{ symbol: 0, guesses: 0, dependents }],
    };
    expect(encodeReach(FILE, reach).length).toBeLessThan(4 * dependents.length + 16);
  });
});

describe("masks of kinds", () => {
  const anyKinds = fc.subarray([...EDGE_KINDS]);

  it("say which kinds they were made of, and join to the mask of both", () => {
    fc.assert(
      fc.property(anyKinds, anyKinds, fc.boolean(), fc.boolean(), (a, b, isTypeA, isTypeB) => {
        expect(kindsOfMask(maskOf(a, isTypeA))).toEqual(a);
        const joined = joinMasks(maskOf(a, isTypeA), maskOf(b, isTypeB));
        expect(new Set(kindsOfMask(joined))).toEqual(new Set([...a, ...b]));
        expect((joined & TYPE_ONLY_MASK) === TYPE_ONLY_MASK).toBe(isTypeA && isTypeB);
      }),
    );
  });
});
