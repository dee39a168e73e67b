import { describe, expect, it } from "vitest";
import { keyOfNumber } from "../../../src/core/bytes/key.ts";
import { openReach } from "../../../src/core/code/reach.ts";
import { type Dependent, encodeReach, maskOf } from "../../../src/core/format/reach-list.ts";
import { refusalOf } from "../../support/format-cases.ts";
import { openTables } from "../../support/open-tables.ts";

/** A file of two symbols, and what leads to the first of them. */
function entry(number: number, ...dependents: readonly Dependent[]) {
  const reach = {
    containers: [-1, 0],
    natures: ["plain", "test"] as const,
    externals: ["npm:react"],
    targets: dependents.length === 0 ? [] : [{ symbol: 0, guesses: 0, dependents }],
  };
  return { key: keyOfNumber(number), value: encodeReach(number, reach) };
}

const CALLS = maskOf(["calls"]);

describe("the table reach", () => {
  it("is refused where a file is missing, or where no file has a symbol that leads somewhere", async () => {
    for (const entries of [
      [entry(0), entry(2)],
      [entry(1)],
      [entry(0, { file: 0, symbol: 2, mask: CALLS }), entry(1)],
      [entry(0, { file: 2, symbol: -1, mask: CALLS }), entry(1)],
    ]) {
      const { reader } = await openTables({ reach: entries });
      expect((await refusalOf(() => openReach(reader, 0))).detail.code).toBe("malformed");
    }
  });

  it("keeps what it takes in memory: some bytes for each place and edge", async () => {
    const few = await openTables({ reach: [entry(0, { file: 1, symbol: 1, mask: CALLS }), entry(1)] });
    const reach = await openReach(few.reader, 0);
    expect(reach.into({ file: 0, symbol: 0 })).toEqual([{ file: 1, symbol: 1, mask: CALLS }]);
    expect(reach.outOf({ file: 1, symbol: 1 })).toEqual([{ file: 0, symbol: 0, mask: CALLS }]);
    expect(reach.natureOf(1, 1)).toBe("test");
    expect(reach.externalsOf(1)).toEqual(["npm:react"]);
    // Nothing is there of what no file has.
    expect(reach.into({ file: 9, symbol: 3 })).toEqual([]);
    expect(reach.symbolCount(9)).toBe(0);
  });
});
