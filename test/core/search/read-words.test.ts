import { describe, expect, it } from "vitest";
import { keyOf } from "../../../src/core/bytes/key.ts";
import { parseQuery } from "../../../src/core/search/query.ts";
import { toParameters } from "../../../src/core/search/ranking.ts";
import { readWords } from "../../../src/core/search/read-words.ts";
import { loadRefined } from "../../../src/core/search/refined.ts";
import { buildCollections } from "../../support/build-index.ts";

/** The words of the query stand side by side on many pages; one of them has far longer postings than the others. */
const PAGES = Object.fromEntries(
  Array.from({ length: 60 }, (_, n) => [
    `${n}.md`,
    `# Page ${n}\n\n${"The lantern alone. ".repeat(n % 9)}A lantern keeper polishes brass fittings at night.\n`,
  ]),
);

describe("readWords", () => {
  it("gives pairs in the order of the query, whatever the sizes of the chunks that hold their words", async () => {
    const limits = { target: 64, maxDirectory: 1 << 16 };
    const { reader } = await (await buildCollections([{ name: "docs", pages: PAGES }], limits)).open();
    const query = parseQuery("lantern keeper polishes brass fittings");
    const { pairs } = await readWords(
      reader,
      {
        words: query.words,
        pairs: query.pairs,
        phrasePairs: [],
        synonymPhrases: [],
        resident: ["locator"],
        also: [],
        ranking: toParameters({}),
        longer: new Set(),
        asYouType: false,
      },
      loadRefined,
    );
    const sizes = pairs.map(({ terms: [first = ""] }) => reader.chunkBytes(0, "terms", keyOf(first)));
    expect(sizes).not.toEqual([...sizes].sort((a, b) => a - b));
    expect(pairs.length).toBeGreaterThan(1);
    const wanted = query.pairs.map(({ terms }) => terms);
    expect(pairs.map(({ terms }) => terms)).toEqual(
      wanted.filter((pair) => pairs.some(({ terms }) => terms.join() === pair.join())),
    );
  });
});
