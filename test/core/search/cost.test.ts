import { beforeAll, describe, expect, it } from "vitest";
import { keyOf } from "../../../src/core/bytes/key.ts";
import { findEntry } from "../../../src/core/format/directory.ts";
import { MAX_GAP_BYTES } from "../../../src/core/index/waves.ts";
import { search } from "../../../src/core/search/search.ts";
import { analyzeText } from "../../../src/core/text/analyze.ts";
import { type BuiltIndex, buildPages, type OpenReader } from "../../support/build-index.ts";
import { ask, makeLargeCorpus } from "../../support/small-corpora.ts";

const POINTER_WAVE = 1;

describe("the cost of a search", () => {
  let built: BuiltIndex;
  /** Words whose terms lie in chunks of their own, far from one another: each is a read. */
  let farApart: string[];

  beforeAll(async () => {
    const pages = makeLargeCorpus(500);
    built = await buildPages(pages);
    const { index } = await built.open();
    const entries = index.root.shards[0]?.tables.terms.entries ?? [];
    const words = new Set(Object.values(pages).join(" ").match(/w\w+x/g));
    const byChunk = new Map<number, string>();
    for (const word of words) {
      const [token] = analyzeText(word);
      byChunk.set(findEntry(entries, keyOf(token?.term ?? "")), word);
    }
    let end = Number.NEGATIVE_INFINITY;
    farApart = [...byChunk]
      .sort(([a], [b]) => a - b)
      .filter(([at]) => {
        const entry = entries[at];
        if (entry === undefined || entry.offset <= end + MAX_GAP_BYTES) return false;
        end = entry.offset + entry.length;
        return true;
      })
      .map(([, word]) => word);
    expect(farApart.length).toBeGreaterThanOrEqual(14);
  });

  function firstOf(count: number): string {
    return farApart.slice(0, count).join(" ");
  }

  /** Places that the root names for the chunks of some words and for whole tables. */
  function placesOf({ index }: OpenReader, words: readonly string[], ...tables: ("locator" | "titles" | "facets")[]) {
    const root = index.root.shards[0]?.tables;
    const terms = words.flatMap((word) =>
      analyzeText(word).map(({ term }) => findEntry(root?.terms.entries ?? [], keyOf(term))),
    );
    const chunks = [...new Set(terms)].map((at) => root?.terms.entries[at]);
    const places = [...chunks, ...tables.flatMap((table) => root?.[table].entries ?? [])];
    return places.map((place) => ({ ...place, file: `${index.root.packs[place?.pack ?? 0]}.pack` }));
  }

  it.each([1, 2, 3, 4, 5])("of %i words is three waves cold, the pointer's among them, and two warm", async (count) => {
    const opened = await built.open();
    const { reader, source } = opened;
    const words = farApart.slice(0, count);
    const answer = await search(reader, ask(words.join(" "), { withFacetCounts: true }));
    expect(answer.hits.length).toBeGreaterThan(0);
    expect(answer.cost.waves).toBe(3);
    expect(source.rounds).toBe(3 - POINTER_WAVE);
    expect(source.mostAtOnce).toBeLessThanOrEqual(6);
    expect(answer.cost.maxConcurrentReads).toBe(Math.max(1, source.mostAtOnce));
    expect(answer.cost.reads).toBe(source.reads.length + 1);
    // Warm, other words: their chunks and the text of their sections.
    source.reset();
    const warm = await search(opened.next(), ask(farApart.slice(count, 2 * count).join(" ")));
    expect(warm.cost.waves).toBe(2);
    expect(source.rounds).toBe(2);
    expect(source.mostAtOnce).toBeLessThanOrEqual(6);
    // The same again: nothing is read.
    source.reset();
    const again = await search(opened.next(), ask(words.join(" "), { withFacetCounts: true }));
    expect(again.cost).toMatchObject({ waves: 0, reads: 0, bytes: 0 });
    expect(source.reads).toEqual([]);
    expect(again.hits).toEqual(answer.hits);
  });

  it("is the chunks of its words with the locator, then the text of its best sections with titles and facets", async () => {
    const opened = await built.open();
    const words = farApart.slice(2, 5);
    const answer = await search(opened.reader, ask(words.join(" ")));
    const wanted = placesOf(opened, words, "locator", "titles", "facets");
    const blocks = answer.hits.flatMap((hit) =>
      (built.documents.get(hit.id)?.blocks ?? []).map(({ bytes }) => ({ bytes: bytes.length })),
    );
    const needed = wanted.reduce((sum, place) => sum + (place.length ?? 0), 0);
    const read = opened.source.reads.reduce((sum, { length }) => sum + length, 0);
    const mostText = blocks
      .map(({ bytes }) => bytes)
      .sort((a, b) => b - a)
      .slice(0, 5)
      .reduce((sum, bytes) => sum + bytes, 0);
    // Beside what it needs there are gaps, of which a read takes in none above 4,096 bytes.
    expect(read).toBeLessThanOrEqual(needed + mostText + opened.source.reads.length * MAX_GAP_BYTES);
    for (const place of wanted) {
      const covered = opened.source.reads.some(
        (one) =>
          one.file === place.file &&
          one.offset <= (place.offset ?? 0) &&
          one.offset + one.length >= (place.offset ?? 0) + (place.length ?? 0),
      );
      expect(covered).toBe(true);
    }
    // No chunk of the terms is read that lies apart from those of the words.
    const terms = opened.index.root.shards[0]?.tables.terms.entries ?? [];
    const touched = terms.filter((entry) =>
      opened.source.reads.some(
        (one) => one.offset <= entry.offset && one.offset + one.length >= entry.offset + entry.length,
      ),
    );
    expect(touched.length).toBeLessThan(terms.length / 2);
  });

  it("grows by rounds of six reads with more words, and no word is dropped", async () => {
    const { reader, source } = await built.open();
    const words = farApart.slice(0, 12);
    const answer = await search(reader, ask(words.join(" ")));
    expect(answer.scoredTerms).toEqual(words.flatMap((word) => analyzeText(word).map(({ term }) => term)));
    expect(answer.missingWords).toEqual([]);
    expect(source.mostAtOnce).toBe(6);
    // Twelve chunks and the locator in three rounds, the text in one.
    expect(answer.cost.waves).toBe(POINTER_WAVE + 3 + 1);
    expect(source.rounds).toBe(3 + 1);
    for (const word of words) {
      const alone = await search((await built.open()).reader, ask(word, { limit: 500 }));
      const ids = new Set(
        (await search((await built.open()).reader, ask(words.join(" "), { limit: 500 }))).hits.map(({ id }) => id),
      );
      expect(alone.hits.every(({ id }) => ids.has(id))).toBe(true);
    }
  });

  it("of words that no document holds is their chunks alone", async () => {
    const opened = await built.open();
    const answer = await search(opened.reader, ask("absent", { withFacetCounts: true }));
    expect(answer.cost.waves).toBe(2);
    expect(opened.source.rounds).toBe(1);
  });

  it("of an empty query is no more than opening", async () => {
    const { reader, source } = await built.open();
    const answer = await search(reader, ask("", { withFacetCounts: true }));
    expect(answer.cost.waves).toBeLessThanOrEqual(2);
    expect(source.reads.length).toBeLessThanOrEqual(1);
  });

  it("with a filter, a sort order or one document is not more waves", async () => {
    for (const more of [
      { filter: { include: { type: ["page"] }, exclude: {} } },
      { sort: "title" as const },
      { documentId: "docs:part-0/page-0.md" },
    ]) {
      const { reader, source } = await built.open();
      const answer = await search(reader, ask(firstOf(5), { ...more, withFacetCounts: true }));
      expect(answer.cost.waves).toBeLessThanOrEqual(3);
      expect(source.mostAtOnce).toBeLessThanOrEqual(6);
    }
  });

  it("counts postings and bytes inflated", async () => {
    const { reader } = await built.open();
    const answer = await search(reader, ask(farApart[0] ?? ""));
    expect(answer.cost.postingsDecoded).toBe(answer.totalDocuments);
    expect(answer.cost.bytesInflated).toBeGreaterThan(answer.cost.bytes / 4);
    expect(answer.cost.cacheHits).toBe(0);
  });
});
