/**
 * The same pages in one access group and over several: the same hits with the same scores, but for pairs, which each
 * group keeps by itself. And what a group answers is the same whatever other groups there are, to the last byte read.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SearchAnswer, SearchRequest } from "../../../src/core/search/answer.ts";
import { search } from "../../../src/core/search/search.ts";
import { anyOperators } from "../../support/any-query.ts";
import { buildCollections, type OpenReader, type Pages } from "../../support/build-index.ts";
import { runs } from "../../support/runs.ts";
import { anyPages, anyQuery, ask } from "../../support/small-corpora.ts";

const GROUPS = ["public", "staff", "partners"];

interface Corpus {
  readonly whole: OpenReader;
  readonly shared: OpenReader;
}

/** So many pages that words and pairs stand in many of them. */
const manyPages: fc.Arbitrary<Pages> = fc
  .tuple(anyPages, anyPages, anyPages, anyPages)
  .map((parts) => Object.assign({}, ...parts.map((pages, at) => prefixed(pages, `part-${at}`))) as Pages);

function prefixed(pages: Pages, folder: string): Pages {
  return Object.fromEntries(Object.entries(pages).map(([path, text]) => [`${folder}/${path}`, text]));
}

async function openBoth(pages: Pages, seed: number): Promise<Corpus> {
  const part = (group: number): Pages =>
    Object.fromEntries(
      Object.entries(pages).filter(([path], at) => (path.length * 7 + at * 13 + seed) % GROUPS.length === group),
    );
  const parts = GROUPS.map((group, at) => ({
    name: `c-${group}`,
    access: group,
    weight: at + 1,
    pages: part(at),
  })).filter((collection) => Object.keys(collection.pages).length > 0);
  const whole = await buildCollections(parts.map(({ access: _, ...collection }) => collection));
  const shared = await buildCollections(parts);
  return { whole: await whole.open("all"), shared: await shared.open("all") };
}

/** What an answer says, ties in the order of ids. Numbers of documents, and with them positions, are the index's own. */
function comparable({ cost: _, positions: __, hits: found, ...rest }: SearchAnswer) {
  const hits = rounded(found);
  const plain = hits.map(({ id, score, isFallback, sections, explanation }) => ({
    id,
    score,
    isFallback,
    sections: sections.map(({ ordinal, score: own }) => ({ ordinal, score: own })),
    explanation,
  }));
  return { ...rest, hits: plain.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)) };
}

function idsOf({ hits, interpretation }: SearchAnswer) {
  return { interpretation, ids: hits.map(({ id }) => id).sort() };
}

/** Sums of the same numbers in another order differ in the last digit. */
function rounded<T>(value: T): T {
  const round = (_: string, member: unknown): unknown =>
    typeof member === "number" ? Math.round(member * 1e9) / 1e9 : member;
  return JSON.parse(JSON.stringify(value, round)) as T;
}

async function askBoth({ whole, shared }: Corpus, request: SearchRequest): Promise<[SearchAnswer, SearchAnswer]> {
  return [await search(whole.next(), request), await search(shared.next(), request)];
}

const anyRequest = fc.record({
  query: fc.oneof(
    anyQuery,
    anyOperators,
    fc.constantFrom(
      '"route handler"',
      '"the cache" OR "alpha beta"',
      'alpha -"beta gamma" -delta',
      "rou* ha*",
      "rou",
      "handlre cahce",
      "alpha tags:red -tags:blue",
      "title:route path:*guide*",
      '"get user" snake_case',
      "hand",
    ),
  ),
  asYouType: fc.boolean(),
  correct: fc.boolean(),
});

describe("search over shards", () => {
  it("gives the hits, scores and notes of one index, whatever the query", async () => {
    await fc.assert(
      fc.asyncProperty(
        manyPages,
        fc.nat(),
        fc.array(anyRequest, { minLength: 8, maxLength: 8 }),
        async (pages, seed, requests) => {
          const corpus = await openBoth(pages, seed);
          for (const { query, ...more } of requests) {
            const ranking = { term_proximity_bonus: 0 };
            const request = ask(query, { ...more, ranking, limit: 50, withFacetCounts: true, explain: true });
            const [whole, shared] = await askBoth(corpus, request);
            if (whole.uncheckedDocuments + shared.uncheckedDocuments > 0) continue;
            // Where pairs decide on a phrase, its document's best sections are shown; where the text does, those with it.
            const told = query.includes('"') ? idsOf : comparable;
            expect({ query, ...told(shared) }).toEqual({ query, ...told(whole) });
          }
        },
      ),
      { numRuns: runs(15), endOnFailure: true },
    );
  });

  it("answers for one group as if there were no other, and reads the same for it", async () => {
    await fc.assert(
      fc.asyncProperty(
        manyPages,
        manyPages,
        fc.array(anyRequest, { minLength: 8, maxLength: 8 }),
        async (pages, others, requests) => {
          const own = { name: "own", pages };
          const alone = await buildCollections([own]);
          const hidden = { name: "hidden", access: "staff", pages: others };
          const beside = await buildCollections([own, hidden]);
          for (const { query, ...more } of requests) {
            const request = ask(query, { ...more, limit: 50, withFacetCounts: true, explain: true });
            const { cost, ...expected } = await search((await alone.open()).next(), request);
            const { cost: costBeside, ...answer } = await search((await beside.open()).next(), request);
            expect({ query, ...answer }).toEqual({ query, ...expected });
            // Who does not see all groups looks up which facets a query may name.
            if (!query.includes(":")) expect({ query, ...costBeside }).toEqual({ query, ...cost });
          }
        },
      ),
      { numRuns: runs(15), endOnFailure: true },
    );
  });
});
