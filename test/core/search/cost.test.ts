import { beforeAll, describe, expect, it } from "vitest";
import { keyOf } from "../../../src/core/bytes/key.ts";
import { fileOfPack } from "../../../src/core/format/chunk.ts";
import { findEntry } from "../../../src/core/format/table.ts";
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
    return places.map((place) => ({ ...place, file: fileOfPack(index.root.shards[0]?.packs[place?.pack ?? 0] ?? "") }));
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
      (built.documents.get(hit.id)?.blocks ?? []).map((block) => ({ bytes: block.length })),
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

  it("of a word that no document holds is its chunk and the spelling table; of one as written its chunk alone", async () => {
    const opened = await built.open();
    const answer = await search(opened.reader, ask("unheardof", { withFacetCounts: true }));
    expect(answer.missingWords).toEqual(["unheardof"]);
    expect(answer.cost.waves).toBe(POINTER_WAVE + 2);
    expect(opened.source.rounds).toBe(2);
    // The table is in memory from then on.
    const again = await search(opened.next(), ask("unheardof farfetched"));
    expect(again.cost.waves).toBeLessThanOrEqual(1);
    for (const [query, more] of [
      ["unheardof", { correct: false }],
      ['"unheardof"', {}],
    ] as const) {
      const { reader, source } = await built.open();
      expect((await search(reader, ask(query, more))).cost.waves).toBe(POINTER_WAVE + 1);
      expect(source.rounds).toBe(1);
    }
  });

  it("of a corrected word is at most two waves more, cold and warm", async () => {
    const slip = (word: string): string => `${word.slice(0, -2)}${word.at(-1)}${word.at(-2)}`;
    const corrected: string[] = [];
    for (const word of ["waax", "wbcx", "wxyx"]) {
      const query = `${slip(word)} ${farApart
        .filter((one) => one !== word)
        .slice(0, 4)
        .join(" ")}`;
      const opened = await built.open();
      const cold = await search(opened.reader, ask(query));
      corrected.push(...cold.corrections.map((one) => one.written));
      expect(cold.cost.waves).toBeLessThanOrEqual(3 + 2);
      expect(opened.source.mostAtOnce).toBeLessThanOrEqual(6);
      const warm = await built.open();
      await search(warm.reader, ask(firstOf(1)));
      expect((await search(warm.next(), ask(query))).cost.waves).toBeLessThanOrEqual(2 + 2);
    }
    expect(corrected.length).toBeGreaterThan(0);
  });

  it("of a beginning or of one word is no more waves than of any word", async () => {
    for (const [query, more] of [
      ["w1*", {}],
      ["w1", { asYouType: true }],
      [farApart[3] ?? "", {}],
      [`${farApart[3]} ${farApart[5]} w*`, {}],
    ] as const) {
      const opened = await built.open();
      const cold = await search(opened.reader, ask(query, more));
      expect(cold.totalDocuments).toBeGreaterThan(0);
      expect(cold.cost.waves).toBeLessThanOrEqual(3);
      expect(opened.source.mostAtOnce).toBeLessThanOrEqual(6);
    }
  });

  it("of a phrase that only texts decide is bounded: three rounds of text, and six reads at once", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [
        `p${n}.md`,
        `# P${n}\n\n${Array.from({ length: 12 }, (__, m) => `## S${m}\n\nalpha ${Array.from({ length: 150 }, (_, at) => `f${n}x${m}y${(at * 7919) % 997}`).join(" ")} beta gamma\n\nthe end`).join("\n\n")}\n`,
      ]),
    );
    const texts = await buildPages(pages);
    for (const limit of [1, 5, 10, 50]) {
      const opened = await texts.open();
      const answer = await search(opened.reader, ask('"beta alpha gamma"', { limit }));
      expect(opened.source.mostAtOnce).toBeLessThanOrEqual(6);
      expect(answer.cost.waves).toBeLessThanOrEqual(3 + 3);
      expect(answer.uncheckedDocuments).toBeGreaterThan(0);
    }
  });

  it.each([
    ["words", Array.from({ length: 2500 }, (_, n) => `w${n}`).join(" ")],
    ["quoted words", Array.from({ length: 1400 }, (_, n) => `"w${n}"`).join(" ")],
    ["exclusions", `w1x ${Array.from({ length: 1200 }, (_, n) => `-"w${n} w${n + 1}"`).join(" ")}`],
    ["alternatives", Array.from({ length: 1200 }, (_, n) => `w${n}x`).join(" OR ")],
    ["beginnings", Array.from({ length: 1400 }, (_, n) => `w${n}*`).join(" ")],
    ["signs", '"-:*('.repeat(2000)],
    [
      "slips",
      Array.from({ length: 900 }, (_, n) => `slipping${"abcdefghij"[n % 10]}${"klmnopqrst"[((n / 10) % 10) | 0]}`).join(
        " ",
      ),
    ],
  ])("of ten thousand characters of %s is bounded by the words that are looked up", async (_, query) => {
    const { reader, source, index } = await built.open();
    const answer = await search(reader, ask(query.slice(0, 10_000)));
    expect(source.mostAtOnce).toBeLessThanOrEqual(6);
    // The text of the query's words at most twice, for those that are corrected, in rounds of six, and what is fixed.
    expect(answer.cost.reads).toBeLessThanOrEqual(2 * 128 + 64 + 20);
    expect(answer.cost.postingsDecoded).toBeLessThanOrEqual(
      2 * (128 + 64 * 50) * (index.root.shards[0]?.documents ?? 0),
    );
  });

  it("of an empty query is no more than opening", async () => {
    const { reader, source } = await built.open();
    const answer = await search(reader, ask("", { withFacetCounts: true }));
    expect(answer.cost.waves).toBeLessThanOrEqual(2);
    expect(source.reads.length).toBeLessThanOrEqual(1);
  });

  it("with a filter or a sort order is not more waves, of one document one more where documents are many", async () => {
    for (const more of [
      { filter: { include: { type: ["page"] }, exclude: {} } },
      { sort: "title" as const },
      { documentId: "docs:part-0/page-0.md" },
    ]) {
      const { reader, source } = await built.open();
      const answer = await search(reader, ask(firstOf(5), { ...more, withFacetCounts: true }));
      expect(answer.cost.waves).toBeLessThanOrEqual("documentId" in more ? 4 : 3);
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
