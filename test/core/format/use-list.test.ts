import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/use-list.json" with { type: "json" };
import {
  countUses,
  decodeUses,
  encodeUses,
  keyOfUses,
  PIECE_PLACES,
  type UseRecord,
} from "../../../src/core/format/edge-tables.ts";
import { anyUse } from "../../support/any-code.ts";
import { testStructure } from "../../support/test-structure.ts";

const byFile = (uses: readonly UseRecord[]): UseRecord[] => [...uses].sort((a, b) => a.file - b.file);

describe("places that lead to a symbol", () => {
  testStructure({
    ...vectors,
    any: fc.array(anyUse, { minLength: 1, maxLength: 8 }).map(byFile),
    encode: (uses) => encodeUses(uses)[0] as Uint8Array,
    decode: (bytes) => [...decodeUses(bytes).uses],
  });

  it("come in pieces, of which the first says what each of them holds", () => {
    const uses = Array.from(
      { length: 2 * PIECE_PLACES + 5 },
      (_, at): UseRecord => ({
        kind: at < PIECE_PLACES ? "calls" : "reads",
        tier: at % 2 === 0 ? "scope" : "name",
        typeOnly: false,
        from: -1,
        at: { line: 1 + at, column: 3 },
        file: Math.floor(at / 100),
      }),
    );
    const pieces = encodeUses(uses).map(decodeUses);
    expect(pieces.flatMap((piece) => piece.uses)).toEqual(uses);
    expect(pieces.map((piece) => piece.uses.length)).toEqual([PIECE_PLACES, PIECE_PLACES, 5]);
    expect(pieces[0]?.pieces).toEqual(pieces.map((piece) => countUses(piece.uses)));
    expect(pieces.slice(1).every((piece) => piece.pieces.length === 0)).toBe(true);
  });

  it("have keys in the order of the pieces, that of no other id between them", () => {
    const keys = [0, 1, 2, 256].map((piece) => keyOfUses({ id: "code:a.ts#b" }, piece));
    expect(keys.toSorted()).toEqual(keys);
    expect((keyOfUses({ id: "code:a.ts#b.c" }) as string) > (keys[3] as string)).toBe(true);
    expect(keyOfUses({ id: "npm:a" })).not.toBe(keyOfUses({ external: "npm:a" }));
  });
});
