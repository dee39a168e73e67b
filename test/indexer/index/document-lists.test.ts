import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DocumentLists } from "../../../indexer/index/compact-lists.ts";
import { decodeNumbers } from "../../../src/core/format/postings.ts";
import { runs } from "../../support/runs.ts";

describe("DocumentLists", () => {
  it("keep the documents of each list, in whatever order lists are added to", () => {
    const anySteps = fc.array(
      fc.record({ list: fc.nat({ max: 3000 }), gap: fc.constantFrom(0, 1, 126, 127, 128, 16_000) }),
    );
    fc.assert(
      fc.property(anySteps, (steps) => {
        const lists = new DocumentLists();
        const expected = new Map<number, number[]>();
        let document = 0;
        for (const { list, gap } of steps) {
          lists.add(list, document, Uint8Array.of());
          expected.set(list, [...(expected.get(list) ?? []), document]);
          document += gap + 1;
        }
        for (const [list, documents] of expected) {
          expect(lists.count(list)).toBe(documents.length);
          expect(Array.from(decodeNumbers(lists.finish(list), "list"))).toEqual(documents);
        }
      }),
      { numRuns: runs(50) },
    );
  });

  it("keep the bytes behind each document, those of megabytes too", () => {
    const lists = new DocumentLists();
    const many = new Uint8Array(5 * 2 ** 20).fill(7);
    for (const document of [0, 1, 300]) {
      lists.add(1, document, many);
      lists.add(0, document, Uint8Array.of(1, 2, 3, 4), 1, 3);
    }
    expect(Array.from(lists.read(0))).toEqual([0, 2, 3, 0, 2, 3, 0xaa, 0x02, 2, 3]);
    const behind = lists.read(1);
    expect(behind.length).toBe(3 * many.length + 4);
    expect([behind[0], behind[1], behind[many.length], behind[many.length + 1], behind.at(-1)]).toEqual([
      0, 7, 7, 0, 7,
    ]);
  });

  it("refuse documents that do not ascend", () => {
    const lists = new DocumentLists();
    lists.add(4, 7);
    expect(() => lists.add(4, 7)).toThrow(RangeError);
    expect(() => lists.add(4, 8)).not.toThrow();
  });
});
