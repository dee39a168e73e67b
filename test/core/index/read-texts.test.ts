import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TextBlock } from "../../../src/core/format/text-block.ts";
import type { BlockRead } from "../../../src/core/index/index-reader.ts";
import { openTextBudget, readTexts } from "../../../src/core/index/read-texts.ts";
import { runs } from "../../support/runs.ts";

const BLOCK: Omit<TextBlock, "text"> = {
  ...{ path: "a.md", title: "", ancestors: [] },
  section: { level: 0, title: "", slug: "", anchor: "", startLine: 1, endLine: 1 },
};

/** Lists of blocks that have so many characters, with what reads them and notes what each round held. */
function makeBlocks(lengths: readonly (readonly number[])[]): {
  readonly lists: BlockRead[][];
  readonly read: (blocks: readonly BlockRead[]) => Promise<TextBlock[]>;
  readonly rounds: number[];
} {
  const rounds: number[] = [];
  const lists = lengths.map((own, document) =>
    own.map((_, unit) => ({
      shard: 0,
      document,
      unit,
      place: { first: 0, pack: 0, offset: 0, length: 32 },
      path: undefined,
    })),
  );
  const read = async (blocks: readonly BlockRead[]): Promise<TextBlock[]> => {
    const texts = blocks.map(({ document, unit }) => "x".repeat(lengths[document]?.[unit] ?? 0));
    rounds.push(texts.join("").length);
    return texts.map((text) => ({ ...BLOCK, text }));
  };
  return { lists, read, rounds };
}

describe("texts of blocks", () => {
  it("are one round where they are short", async () => {
    const { lists, read, rounds } = makeBlocks(Array.from({ length: 5 }, () => [1000, 2000, 300, 1000, 7000]));
    const found = await readTexts(lists, read, openTextBudget(1_000_000));
    expect(found.map(({ blocks, whole }) => [blocks.length, whole])).toEqual(lists.map(() => [5, 5]));
    expect(rounds).toHaveLength(1);
  });

  it("are whole where they fill the room to the last character, and cut where they are one longer", async () => {
    const { lists, read } = makeBlocks([[100, 200], [301]]);
    const found = await readTexts(lists, read, openTextBudget(1000), 300);
    expect(found.map(({ blocks, whole }) => [blocks.map(({ text }) => text.length), whole])).toEqual([
      [[100, 200], 2],
      [[300], 0],
    ]);
  });

  it("hold, together and of each list, no more than they may, and what is left out comes last", async () => {
    const lengths = fc.array(fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 12 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(lengths, fc.nat(20_000), fc.nat(8000), async (wanted, all, each) => {
        const { lists, read } = makeBlocks(wanted);
        const found = await readTexts(lists, read, openTextBudget(all), each);
        const sums = found.map(({ blocks }) => blocks.reduce((sum, { text }) => sum + text.length, 0));
        expect(sums.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(all);
        for (const [list, { blocks, whole }] of found.entries()) {
          const own = wanted[list] ?? [];
          expect(sums[list]).toBeLessThanOrEqual(each);
          expect(blocks.slice(0, whole).map(({ text }) => text.length)).toEqual(own.slice(0, whole));
          if (whole === own.length) continue;
          const isFull = sums[list] === each || sums.reduce((sum, one) => sum + one, 0) === all;
          expect(isFull).toBe(true);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it("are not read behind what fills the bound, though the index does not say how long they are", async () => {
    const { lists, read, rounds } = makeBlocks([Array.from({ length: 500 }, () => 1_000_000)]);
    await readTexts(lists, read, openTextBudget(4_000_000));
    expect(rounds.reduce((sum, one) => sum + one, 0)).toBeLessThan(40_000_000);
    rounds.length = 0;
    await readTexts(lists, read, { left: 4_000_000, aBlock: 1_000_000 });
    expect(rounds).toEqual([1, 1, 1, 1].map((one) => one * 1_000_000));
  });
});
