import { beforeAll, describe, expect, it } from "vitest";
import { MAX_CONCURRENT_READS } from "../../../src/core/index/waves.ts";
import type { SearchAnswer } from "../../../src/core/search/answer.ts";
import { search } from "../../../src/core/search/search.ts";
import { type BuiltIndex, buildCollections, type Pages } from "../../support/build-index.ts";
import { ask } from "../../support/small-corpora.ts";

const WORDS = ["lantern", "harbour", "meadow", "quarry", "willow", "saddle", "thimble", "barrel"];
const wordOf = (n: number): string => `${WORDS[n % WORDS.length]}${String.fromCharCode(97 + (n % 23))}`;
const PAGES: Pages = Object.fromEntries(
  Array.from({ length: 300 }, (_, n) => {
    const words = Array.from({ length: 12 }, (__, at) => wordOf(n * 7 + at * at));
    return [
      `page-${n}.md`,
      `# Page ${wordOf(n)} own${n}\n\n${words.join(" ")}.\n\n## Part ${wordOf(n + 3)}\n\nMore ${wordOf(n * 5)}.\n`,
    ];
  }),
);
/** Small chunks, and so small a directory that only that of words gets a second level. */
const LIMITS = { target: 1_024, maxDirectory: 420 };
const QUERIES = [
  "lanterna",
  "own17",
  "harbourb meadowc",
  "quarryd willowe saddlef thimbleg barrelh",
  '"page lanterna"',
  "lant",
];

describe("a table of words with directories of two levels", () => {
  let deep: BuiltIndex;
  let flat: BuiltIndex;

  beforeAll(async () => {
    deep = await buildCollections([{ name: "docs", pages: PAGES }], LIMITS);
    flat = await buildCollections([{ name: "docs", pages: PAGES }], { ...LIMITS, maxDirectory: 1 << 20 });
  });

  const found = ({ hits, totalDocuments }: SearchAnswer): unknown => ({
    totalDocuments,
    hits: hits.map(({ id, score }) => ({ id, score })),
  });

  it("gives the documents and scores of a flat one, cold and warm", async () => {
    for (const query of QUERIES) {
      const { reader, next } = await deep.open();
      const request = ask(query, { asYouType: query === "lant" });
      const expected = found(await search((await flat.open()).reader, request));
      expect(found(await search(reader, request))).toEqual(expected);
      expect(found(await search(next(), request))).toEqual(expected);
    }
  });

  it("counts the reads of chunks, not of directories, once those are there", async () => {
    const { reader } = await deep.open();
    const keys = WORDS.map((word) => `${word}a` as never);
    const reads = [{ shard: 0, table: "terms", keys }] as const;
    const { reader: plain, source } = await deep.open();
    await plain.locate(reads);
    const before = source.rounds;
    await plain.read(reads);
    await reader.locate(reads);
    expect(Math.ceil(reader.countReads(reads) / MAX_CONCURRENT_READS)).toBe(source.rounds - before);
    // Of directories it would be these.
    expect(reader.countReads(reads)).toBeGreaterThan((await deep.open()).reader.countReads(reads));
  });

  it("takes four rounds cold and three warm for five words that stand side by side", async () => {
    const { reader, source, next } = await deep.open();
    const query = ask("quarryd willowe saddlef thimbleg barrelh", { limit: 5 });
    const answer = await search(reader, query);
    expect(answer.hits.length).toBeGreaterThan(0);
    expect([answer.cost.waves, source.rounds]).toEqual([4, 3]);
    source.reset();
    const other = await search(next(), ask("lanternc harbourv meadowk quarryp willowt", { limit: 5 }));
    expect(other.cost.waves).toBeLessThanOrEqual(3);
  });
});
