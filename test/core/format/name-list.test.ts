import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/name-list.json" with { type: "json" };
import { SYMBOL_KINDS } from "../../../src/core/format/code-model.ts";
import {
  decodeNameList,
  encodeNameList,
  foldSymbolName,
  keyOfName,
  readNameKey,
  tailsOf,
} from "../../../src/core/format/name-list.ts";
import { anyText } from "../../support/any-code.ts";
import { testStructure } from "../../support/test-structure.ts";

const NAME = "createstoreasynchronouslyfromconfiguration";
const SPELLINGS = [NAME, NAME.toUpperCase(), "CreateStoreAsynchronouslyFromConfiguration"];

const anyList: fc.Arbitrary<ReturnType<typeof decodeNameList>> = fc
  .record({
    more: fc.nat({ max: 5 }),
    places: fc.array(
      fc.record({
        file: fc.nat({ max: 20_000 }),
        symbol: fc.nat({ max: 300 }),
        kind: fc.constantFrom(...SYMBOL_KINDS),
        exported: fc.boolean(),
        isPublic: fc.boolean(),
        rank: fc.nat({ max: 255 }),
        name: fc.constantFrom(...SPELLINGS),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ more, places }) => ({ total: places.length + more, places }));

describe("symbols of a name", () => {
  testStructure({
    ...vectors,
    any: anyList,
    encode: ({ total, places }) => encodeNameList(NAME, total, places),
    decode: (bytes) => decodeNameList({ text: NAME, before: "" }, bytes),
  });

  it.each(vectors.keys)("have the keys of $name", ({ name, whole, tails }) => {
    expect(keyOfName("whole", foldSymbolName(name))).toBe(whole);
    expect(tailsOf(name).map(({ key }) => key)).toEqual(tails);
  });

  it("are written in the case of the name, behind what stands before a tail", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.constantFrom("getUserName", "HTTPServer", "_private", "ÄrgerÖl")), (name) => {
        for (const { key, tail } of tailsOf(name)) {
          const place = {
            file: 1,
            symbol: 2,
            kind: "method",
            exported: true,
            isPublic: true,
            rank: 3,
            name: tail,
          } as const;
          const read = readNameKey(key);
          const { places } = decodeNameList(read, encodeNameList(read.text, 1, [place]));
          expect(places).toEqual([{ ...place, name: read.before + tail }]);
        }
      }),
    );
  });

  it("keep the pieces of a list behind its name and before every longer one", () => {
    const keys = [0, 1, 300].map((piece) => keyOfName("whole", "get", piece) as string);
    expect([...keys, keyOfName("whole", "get a"), keyOfName("whole", "geta")].toSorted()).toEqual([
      ...keys,
      keyOfName("whole", "get a"),
      keyOfName("whole", "geta"),
    ]);
    expect(readNameKey(keyOfName("whole", "get", 300)).piece).toBe(300);
  });
});
