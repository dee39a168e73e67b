import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyOf } from "../../../src/core/bytes/key.ts";
import {
  decodeFrequency,
  decodeLength,
  decodePostings,
  encodeFrequency,
  encodeLength,
  pinAverage,
} from "../../../src/core/format/postings.ts";
import { readWithResident, residentTable } from "../../../src/core/index/resident.ts";
import { parseQuery } from "../../../src/core/search/query.ts";
import {
  DEFAULT_RANKING,
  inverseDocumentFrequency,
  saturate,
  sumStatistics,
} from "../../../src/core/search/ranking.ts";
import { scoreDocuments, withSections } from "../../../src/core/search/score.ts";
import type { Scoring } from "../../../src/core/search/scoring.ts";
import { analyzeText } from "../../../src/core/text/analyze.ts";
import { buildPages, type Pages } from "../../support/build-index.ts";
import { runs } from "../../support/runs.ts";
import { anyPages, anyQuery } from "../../support/small-corpora.ts";

/** Everything that scoring needs, read off an index. */
async function loadScoring(pages: Pages, query: string, ranking = DEFAULT_RANKING) {
  const built = await buildPages(pages);
  const { reader } = await built.open();
  const { words, length } = parseQuery(query);
  const terms = words.map(({ terms: [term = ""], count }) => ({ term, count }));
  await readWithResident(reader, ["locator", "titles"]);
  const values = await reader.lookUp(
    0,
    "terms",
    terms.map(({ term }) => keyOf(term)),
  );
  const scoring: Scoring = {
    words: terms.map(({ term, count }, at) => ({
      term,
      count,
      alternatives: [{ term, weight: 1, isLonger: false, lists: [values[at] && decodePostings(values[at])] }],
    })),
    pairs: [],
    names: [],
    queryLength: length,
    longerLast: false,
    shards: [{ locator: residentTable(reader, 0, "locator"), selected: undefined, weightOf: () => 1 }],
    statistics: sumStatistics(reader.shards.map(({ root }) => root)),
    ranking,
  };
  const titles = residentTable(reader, 0, "titles");
  return { scoring, built, terms, pathOf: (document: number) => titles.at(document)?.path ?? "" };
}

/** What a page of the small corpora says, read with nothing but its lines: title, and the text of each section. */
function readPlainly(text: string): { title: string; sections: string[] } {
  const lines = text.split("\n");
  const body = lines.slice(lines.indexOf("---", 1) + 1);
  const title = (body.find((line) => line.startsWith("# ")) ?? "").slice(2);
  // The page's heading is its title and belongs to the root, whose text it is not.
  const sections = [""];
  for (const line of body) {
    if (line.startsWith("# ") || line === "```") continue;
    if (/^#{2,} /.test(line)) sections.push(line.replace(/^#+ /, ""));
    else sections[sections.length - 1] += `\n${line}`;
  }
  return { title, sections: [`${title}\n${sections[0]}`, ...sections.slice(1)] };
}

/** BM25 over body and title, by the book, with the steps in which the format keeps frequencies and lengths. */
function scorePlainly(pages: Pages, query: string): Map<string, number> {
  const { k1, b, title: titleWeight } = DEFAULT_RANKING;
  const wanted = parseQuery(query).words.map(({ terms: [term = ""], count }) => ({ term, count }));
  const documents = Object.entries(pages).map(([path, text]) => {
    const { title, sections } = readPlainly(text);
    const count = (part: string, term: string): number =>
      analyzeText(part).filter((token) => token.term === term).length;
    const length = (part: string): number => analyzeText(part).filter(({ kind }) => kind !== "whole").length;
    const scored = (frequency: number): number => (frequency > 0 ? decodeFrequency(encodeFrequency(frequency)) : 0);
    return {
      path,
      body: (term: string) => sections.reduce((sum, part) => sum + scored(count(part, term)), 0),
      title: (term: string) => scored(count(title, term)),
      bodyLength: sections.reduce((sum, part) => sum + length(part), 0),
      titleLength: length(title),
    };
  });
  const n = documents.length;
  const average = (lengths: readonly number[]): number => pinAverage(lengths.reduce((a, c) => a + c, 0) / n);
  const bodyAverage = average(documents.map(({ bodyLength }) => bodyLength));
  const titleAverage = average(documents.map(({ titleLength }) => titleLength));
  const scores = new Map<string, number>();
  for (const { term, count } of wanted) {
    const idf = (frequency: number): number => count * Math.log(1 + (n - frequency + 0.5) / (frequency + 0.5));
    const bodyWeight = idf(documents.filter((document) => document.body(term) > 0).length);
    const nameWeight = idf(documents.filter((document) => document.title(term) > 0).length);
    for (const document of documents) {
      const part = (frequency: number, length: number, of: number): number =>
        frequency === 0 ? 0 : (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * length) / of));
      const bodyLength = decodeLength(encodeLength(document.bodyLength, 255));
      const score =
        bodyWeight * part(document.body(term), bodyLength, bodyAverage) +
        titleWeight * nameWeight * part(document.title(term), document.titleLength, titleAverage);
      if (score > 0) scores.set(document.path, (scores.get(document.path) ?? 0) + score);
    }
  }
  return scores;
}

describe("scoreDocuments", () => {
  it("gives the scores of plain BM25 over body and title", async () => {
    const ranking = { ...DEFAULT_RANKING, path: 0, description: 0, titleCoverage: 0, nameCoverage: 0, sections: 0 };
    await fc.assert(
      fc.asyncProperty(anyPages, anyQuery, async (pages, query) => {
        const { scoring, pathOf } = await loadScoring(pages, query, ranking);
        const scores = new Map(scoreDocuments(scoring).inOrder.map(({ document, score }) => [pathOf(document), score]));
        const expected = scorePlainly(pages, query);
        expect([...scores.keys()].sort()).toEqual([...expected.keys()].sort());
        for (const [path, score] of expected) expect(scores.get(path)).toBeCloseTo(score, 4);
      }),
      { numRuns: runs(40) },
    );
  });

  it("finds exactly the documents that hold a term, best first", async () => {
    await fc.assert(
      fc.asyncProperty(anyPages, anyQuery, async (pages, query) => {
        const { scoring, built, terms, pathOf } = await loadScoring(pages, query);
        const ranked = scoreDocuments(scoring).inOrder;
        const holding = [...built.documents.values()].filter(({ inverted }) =>
          terms.some(({ term }) => inverted.terms.includes(term)),
        );
        expect(ranked.map(({ document }) => pathOf(document)).sort()).toEqual(holding.map(({ path }) => path).sort());
        for (const [at, { score, sections }] of ranked.entries()) {
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(ranked[at - 1]?.score ?? Number.POSITIVE_INFINITY);
          expect(sections.length).toBeGreaterThan(0);
          expect(sections.length).toBeLessThanOrEqual(3);
        }
      }),
      { numRuns: runs(40) },
    );
  });

  it("names sections that hold a word of the query, with the unit that holds most of it", async () => {
    const filler = Array.from({ length: 200 }, (_, n) => `filler${n}`).join(" ");
    const page = `# Page\n\n## First\n\n${filler}\n\n${filler} needle\n\n## Second\n\nneedle thread\n`;
    const { scoring } = await loadScoring({ "a.md": page, "b.md": "# Other" }, "needle thread");
    const [best] = scoreDocuments(scoring).inOrder;
    // Unit 2 is the root, 3 and 4 are the first section, of which the second piece holds the word, 5 is the second.
    expect(best?.sections.map(({ ordinal, unit }) => [ordinal, unit])).toEqual([
      [2, 5],
      [1, 4],
    ]);
  });

  it("lets the root section stand for a page that is found by its names alone", async () => {
    const { scoring } = await loadScoring({ "needle/a.md": "# Page\n\nText." }, "needle");
    expect(scoreDocuments(scoring).inOrder[0]?.sections.map(({ ordinal, unit }) => [ordinal, unit])).toEqual([[0, 2]]);
  });

  it("leaves out documents that are not selected, and weighs those of a collection", async () => {
    const { scoring } = await loadScoring({ "a.md": "# Needle", "b.md": "# Needle", "c.md": "# Needle" }, "needle");
    const [shard] = scoring.shards;
    if (shard === undefined) throw new Error("no shard");
    const scoreWith = (change: Partial<typeof shard>) =>
      scoreDocuments({ ...scoring, shards: [{ ...shard, ...change }] }).inOrder.map(({ document, score }) => ({
        document,
        score,
      }));
    expect(scoreWith({ selected: Uint8Array.of(1, 0, 1) }).map(({ document }) => document)).toEqual([0, 2]);
    const plain = scoreWith({});
    expect(scoreWith({ weightOf: () => 2 }).map(({ score }) => score)).toEqual(plain.map(({ score }) => score * 2));
  });

  it("breaks ties by document number", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`p${String(n).padStart(2, "0")}.md`, "# Needle"]),
    );
    const { scoring } = await loadScoring(pages, "needle");
    expect(scoreDocuments(scoring).inOrder.map(({ document }) => document)).toEqual(
      Array.from({ length: 30 }, (_, n) => n),
    );
  });
});

describe("scoreDocuments of some documents", () => {
  it("orders as many as are wanted as it does all, and names all that it found", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 260 }, (_, n) => [
        `p${n}.md`,
        `# ${n % 7 === 0 ? "Needle" : "Page"}\n\n${"needle ".repeat(1 + (n % 5))}${"other ".repeat(n % 11)}`,
      ]),
    );
    const { scoring } = await loadScoring(pages, "needle");
    const all = scoreDocuments(scoring);
    for (const [count, withOthers] of [
      [10, false],
      [230, false],
      [10, true],
    ] as const) {
      const some = scoreDocuments(scoring, { count, withOthers });
      const inOrder = Math.max(200, count);
      expect(some.inOrder.slice(0, inOrder)).toEqual(all.inOrder.slice(0, inOrder));
      expect([some.total, some.members]).toEqual([260, all.members]);
      if (withOthers) expect(new Set(some.inOrder.map(({ document }) => document)).size).toBe(260);
    }
  });

  it("puts documents that hold longer words alone behind the others, however good they are", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 260 }, (_, n) => [
        `p${n}.md`,
        n < 230 ? "# Needles\n\nneedles needles" : "# Page\n\nneedle",
      ]),
    );
    const { scoring } = await loadScoring(pages, "needle");
    const lists = scoring.words[0]?.alternatives[0]?.lists ?? [];
    const [list] = lists;
    if (list === undefined) throw new Error("not found");
    const isLonger = list.documents.map((document) => (document < 230 ? 1 : 0));
    const documents = Uint32Array.from(list.documents.filter((_, at) => isLonger[at] === 0));
    const pick = <T extends { filter(test: (value: number, at: number) => boolean): T }>(values: T): T =>
      values.filter((_, at) => isLonger[at] === 0);
    const own = {
      ...list,
      documents,
      body: pick(list.body),
      code: pick(list.code),
      title: pick(list.title),
      path: pick(list.path),
      description: pick(list.description),
      unitsAt: pick(list.unitsAt),
    };
    const longer: Scoring = {
      ...scoring,
      longerLast: true,
      words: scoring.words.map((word) => ({
        ...word,
        alternatives: [
          { term: "needle", weight: 1, isLonger: false, lists: [own] },
          { term: "needles", weight: 1, isLonger: true, lists },
        ],
      })),
    };
    const all = scoreDocuments(longer).inOrder;
    expect(all.slice(0, 30).every(({ isFallback }) => !isFallback)).toBe(true);
    expect(scoreDocuments(longer, { count: 10, withOthers: false }).inOrder.slice(0, 200)).toEqual(all.slice(0, 200));
  });
});

describe("withSections", () => {
  it("finds the sections of documents that were ordered without them, and leaves scores as they are", async () => {
    const { scoring } = await loadScoring({ "a.md": "# A\n\n## B\n\nneedle", "b.md": "# C" }, "needle");
    const [whole] = scoreDocuments(scoring).inOrder;
    if (whole === undefined) throw new Error("not found");
    const [filled] = withSections([{ ...whole, score: 1, sections: [] }], scoring);
    expect(filled).toEqual({ ...whole, score: 1 });
    expect(withSections([whole], scoring)).toEqual([whole]);
  });
});

describe("the parts of BM25", () => {
  it("weigh rare terms more, and never less than nothing", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.nat(), fc.nat(), (documents, a, b) => {
        const [rare, common] = [a % (documents + 1), b % (documents + 1)].sort((x, y) => x - y) as [number, number];
        expect(inverseDocumentFrequency(documents, rare)).toBeGreaterThanOrEqual(
          inverseDocumentFrequency(documents, common),
        );
        expect(inverseDocumentFrequency(documents, common)).toBeGreaterThan(0);
      }),
    );
  });

  it("saturate: more is worth more, but never more than k1 + 1, and long texts are worth less", () => {
    const { k1, b } = DEFAULT_RANKING;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.double({ min: 0.01, max: 50, noNaN: true }),
        (frequency, length) => {
          const value = saturate(frequency, length, k1, b);
          expect(value).toBeLessThan(k1 + 1);
          expect(saturate(frequency + 1, length, k1, b)).toBeGreaterThan(value);
          expect(saturate(frequency, length * 2, k1, b)).toBeLessThan(value);
        },
      ),
    );
  });
});
