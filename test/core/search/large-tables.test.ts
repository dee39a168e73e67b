import { beforeAll, describe, expect, it } from "vitest";
import { IndexReader } from "../../../src/core/index/index-reader.ts";
import type { SearchAnswer, SearchRequest } from "../../../src/core/search/answer.ts";
import { search } from "../../../src/core/search/search.ts";
import { type BuiltIndex, buildPages, type OpenReader, type Pages } from "../../support/build-index.ts";
import { ask } from "../../support/small-corpora.ts";

const PAGES: Pages = Object.fromEntries(
  Array.from({ length: 400 }, (_, n) => [
    `part-${n % 7}/page-${n}.md`,
    `---\ntags: [t${n % 3}]\n---\n# Page number ${n} about ${["rivers", "bridges", "castles", "forests"][n % 4]}\n\nEvery page names a lantern${" lantern".repeat(n % 5)}. Its own word is own${n}.\n`,
  ]),
);
const NOTHING_WHOLE = { titles: 0, facets: 0, files: 0 };

describe("titles and facets that are too large to be read whole", () => {
  let built: BuiltIndex;

  beforeAll(async () => {
    built = await buildPages(PAGES);
  });

  async function openLarge(): Promise<Pick<OpenReader, "source" | "reader">> {
    const { index, source } = await built.open();
    return { source, reader: new IndexReader({ ...index, wholeTableLimits: NOTHING_WHOLE }) };
  }

  async function run(changes: Partial<SearchRequest>, query = "lantern"): Promise<SearchAnswer> {
    return search((await openLarge()).reader, ask(query, changes));
  }

  async function runWhole(changes: Partial<SearchRequest>, query = "lantern"): Promise<SearchAnswer> {
    return search((await built.open()).reader, ask(query, changes));
  }

  it.each([0, 1, 5, 10])("leave the hits their names, %i of them by their text", async (excerpts) => {
    const whole = await runWhole({ excerpts, limit: 10 });
    const large = await run({ excerpts, limit: 10 });
    const named = ({ id, title, path, url, sections }: SearchAnswer["hits"][number]) => ({
      id,
      title,
      path,
      url,
      sections,
    });
    expect(large.hits).toHaveLength(10);
    expect(large.hits.map(named)).toEqual(whole.hits.map(named));
  });

  it("are looked up in rounds of six reads, each counted as a wave, and never read whole", async () => {
    const { reader, source } = await openLarge();
    const answer = await search(reader, ask("lantern", { limit: 10, excerpts: 5, withFacetCounts: "at-hand" }));
    expect(source.mostAtOnce).toBeLessThanOrEqual(6);
    expect(answer.cost.waves).toBe(source.rounds);
    const { titles, facets } = reader.index.root.shards[0]?.tables ?? {};
    expect(titles?.entries.length).toBeGreaterThan(4);
    const isRead = (place: { readonly pack: number; readonly offset: number; readonly length: number }): boolean =>
      source.reads.some(
        ({ file, offset, length }) =>
          file === reader.rangeOf(0, place).file &&
          offset <= place.offset &&
          offset + length >= place.offset + place.length,
      );
    expect(titles?.entries.every(isRead)).toBe(false);
    expect(facets?.entries.length).toBeGreaterThan(0);
  });

  it("need no look-up where every hit is named by its text", async () => {
    const { reader, source } = await openLarge();
    const answer = await search(reader, ask("own17", { limit: 1 }));
    expect(answer.hits.map(({ path }) => path)).toEqual(["part-3/page-17.md"]);
    expect(answer.cost.waves).toBe(2);
    expect(source.rounds).toBe(2);
  });

  it("leave facet counts out, unless they are asked for or the facets are in memory", async () => {
    const counts = (await runWhole({ withFacetCounts: true })).facetCounts;
    expect(Object.keys(counts)).toContain("tags");
    expect((await runWhole({ withFacetCounts: "at-hand" })).facetCounts).toEqual(counts);
    const without = await run({ withFacetCounts: "at-hand" });
    expect(without.facetCounts).toEqual({});
    expect(without.hits.every(({ facets }) => Object.keys(facets).length === 0)).toBe(true);
    expect((await run({ withFacetCounts: true })).facetCounts).toEqual(counts);
    const filter = { include: { tags: ["t1"] }, exclude: {} };
    const filtered = await run({ withFacetCounts: "at-hand", filter });
    expect(filtered.facetCounts).toEqual((await runWhole({ withFacetCounts: true, filter })).facetCounts);
    expect(filtered.hits[0]?.facets).toMatchObject({ tags: ["t1"] });
  });

  it("are read whole where the answer cannot be made otherwise", async () => {
    for (const changes of [{ sort: "title" }, { sort: "path" }] as const) {
      const paths = ({ hits }: SearchAnswer): string[] => hits.map(({ path }) => path);
      expect(paths(await run(changes))).toEqual(paths(await runWhole(changes)));
    }
    const one = await run({ documentId: "docs:part-3/page-17.md" });
    expect(one.hits.map(({ id }) => id)).toEqual(["docs:part-3/page-17.md"]);
    expect((await run({}, "lantern path:part-3")).hits.every(({ path }) => path.startsWith("part-3/"))).toBe(true);
  });
});
