/** An index built on another one, edit after edit, and one built from scratch: the same answers to everything. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildCorpus } from "../../../../indexer/build/build.ts";
import { openDiskIndex } from "../../../../indexer/disk-source.ts";
import { readInsights } from "../../../../src/core/graph/read-insights.ts";
import { IndexReader } from "../../../../src/core/index/index-reader.ts";
import type { SearchRequest } from "../../../../src/core/search/answer.ts";
import { grep } from "../../../../src/core/search/grep.ts";
import { makeLiteralPattern } from "../../../../src/core/search/grep-literal.ts";
import { search } from "../../../../src/core/search/search.ts";
import { findSimilar } from "../../../../src/core/search/similar.ts";
import { type OrderTexts, type Suggestion, suggest } from "../../../../src/core/search/suggest.ts";
import { foldPhrase } from "../../../../src/core/text/phrase.ts";
import { findNearestDocuments, listDocumentNames, listDocuments } from "../../../../src/core/tree/catalogue.ts";
import { loadLinks, loadOutline, readPassages } from "../../../../src/core/tree/documents.ts";
import { NO_FILTER } from "../../../../src/core/tree/facet-filter.ts";
import { anyOperators } from "../../../support/any-query.ts";
import type { Pages } from "../../../support/build-index.ts";
import { anyHistory, applyEdits } from "../../../support/edit-history.ts";
import { anyPages, anyQuery, ask } from "../../../support/small-corpora.ts";
import { makeFolder, writeFiles } from "../../../support/temporary-folder.ts";

/** So many pages that words and pairs stand in many of them, and few edits are few. */
const manyPages: fc.Arbitrary<Pages> = fc
  .tuple(anyPages, anyPages, anyPages, anyPages, anyPages)
  .map((parts) => Object.assign({}, ...parts.map((pages, at) => prefixed(pages, `part-${at}`))) as Pages);

function prefixed(pages: Pages, folder: string): Pages {
  return Object.fromEntries(Object.entries(pages).map(([path, text]) => [`${folder}/${path}`, text]));
}

const anyRequest: fc.Arbitrary<SearchRequest> = fc
  .record({
    query: fc.oneof(
      anyQuery,
      anyOperators,
      fc.constantFrom(
        '"route handler"',
        'alpha -"beta gamma" -delta',
        "handlre cahce",
        "alpha tags:red -tags:blue",
        "title:route path:*guide*",
        '"get user" snake_case',
        '"the alpha"',
        '"beta and the"',
        '"and the" OR "how the"',
        '"alpha how beta"',
        'alpha -"the beta"',
      ),
    ),
    correct: fc.boolean(),
  })
  .map(({ query, correct }) => ask(query, { correct, limit: 200, withFacetCounts: true, explain: true }));

/** Part 4 and part 3 belong to a group of their own. */
const GROUPS = {
  collections: [
    { name: "docs", exclude: ["part-3/**", "part-4/**"] },
    { name: "team", root: "part-4", access: "team" },
    { name: "more", root: "part-3", access: "team" },
  ],
};
const PATTERNS = ["alpha beta", "handler", "getUser", "e", "日本", "absent text"];
const DRAFTS = [
  "alpha beta gamma delta epsilon zeta route handler cache render",
  "the route handler and how getUserName",
];
const TYPED = ["al", "route h", "get", "zet", "snake_case", "gama"];

interface Built {
  readonly dir: string;
  readonly reused: boolean;
}

/** Put the pages into the folder in place of those before. */
async function replacePages(dir: string, pages: Pages, isGrouped: boolean): Promise<void> {
  await rm(join(dir, "docs"), { recursive: true, force: true });
  await writeFiles(join(dir, "docs"), pages);
  // Roots of collections have to be there.
  const config = { "treeline.config.json": JSON.stringify(GROUPS), "part-3/z.md": "# Z\n", "part-4/z.md": "# Z\n" };
  if (isGrouped) await writeFiles(join(dir, "docs"), config);
}

async function build(dir: string, out: string, base?: string, cacheDir?: string): Promise<Built> {
  const summary = await buildCorpus({
    dir: join(dir, "docs"),
    outDir: join(dir, out),
    ...(base !== undefined && { base: join(dir, base) }),
    ...(cacheDir !== undefined && { cacheDir: join(dir, cacheDir) }),
  });
  return { dir: join(dir, out), reused: summary.base !== "" };
}

async function describeAll(reader: () => IndexReader) {
  const names = await listDocumentNames(reader());
  const documents = [];
  for (const { id } of [...names].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const outline = await loadOutline(reader(), id);
    if (outline === undefined) throw new Error(`no outline of ${id}`);
    const request = { outline, startLine: 1, endLine: outline.document.lines, withFrontmatter: true };
    const [passage] = await readPassages(reader(), [request]);
    documents.push({ outline, links: await loadLinks(reader(), outline), text: passage?.text });
  }
  const lists = [];
  for (const [query, sort] of [
    ["", "path"],
    ["alpha", "title"],
    ["page 1", "words"],
  ] as const) {
    const list = { query, collection: "", folder: "", filter: NO_FILTER, sort, offset: 0, limit: 50 };
    const { cost: __, ...catalogue } = { cost: 0, ...(await listDocuments(reader(), list)) };
    lists.push(catalogue);
  }
  const nearest = await findNearestDocuments(reader(), "part-0/a/page-33.md", 3);
  const { id: _, builtAt: __, indexBytes: ___, textBytes: ____, ...generation } = reader().generation;
  const insights = [];
  for (const collection of [undefined, ...reader().collections.map(({ name }) => name)]) {
    const { values, failed } = await readInsights(reader(), collection);
    insights.push([collection, values, failed]);
  }
  return { documents, lists, nearest, insights, generation, facetKeys: reader().facetKeys };
}

async function answer(reader: () => IndexReader, request: SearchRequest) {
  // What the index leaves open of phrases is read, and shown, in an order that depends on where texts lie.
  const isOpen = request.query.includes('"');
  const {
    cost: _,
    positions = [],
    hits,
    ...rest
  } = await search(reader(), isOpen ? { ...request, excerpts: 0 } : request);
  return {
    ...rest,
    hits: isOpen ? [...hits].sort((one, other) => (one.id < other.id ? -1 : 1)) : hits,
    // A page ends early where reading texts costs too much, which depends on where they lie, too.
    isWhole: positions.length === 0 || (positions.at(-1) ?? 0) >= rest.totalDocuments,
  };
}

/** Matches of some patterns, and sections like some drafts. What is looked into on the way may differ. */
async function scan(reader: () => IndexReader) {
  const matches = [];
  for (const text of PATTERNS) {
    const { files, total } = await grep(reader(), {
      pattern: makeLiteralPattern(text, false),
      collection: "",
      acceptsPath: () => true,
      filter: NO_FILTER,
      context: 1,
      offset: 0,
      limit: 1000,
    });
    matches.push({ text, total, files: files.filter((file) => file.matches.length > 0) });
  }
  const similar = [];
  for (const content of DRAFTS) {
    const request = { content, limit: 10, threshold: 0.05, collection: undefined };
    const { sections } = await findSimilar(reader(), request);
    similar.push(sections.map(({ outline, section, ...rest }) => [outline.document.id, section.ordinal, rest]));
  }
  return { matches, similar };
}

/** Texts that are suggested, by what was typed and the text without case and signs. */
async function suggestAll(reader: () => IndexReader): Promise<Map<string, Suggestion>> {
  const found = new Map<string, Suggestion>();
  for (const query of TYPED) {
    const { suggestions } = await suggest(reader(), { query, limit: 100, collections: [] }, allTexts);
    for (const one of suggestions) found.set(`${query}: ${foldPhrase(one.text)}`, one);
  }
  return found;
}

/** Takes what there is as it comes. */
const allTexts: OrderTexts = (_, texts, limit) => texts.map((_, at) => at).slice(0, limit);

async function open(dir: string, groups: readonly string[] | "all"): Promise<() => IndexReader> {
  const { index } = await openDiskIndex(dir);
  return () => new IndexReader(index, groups);
}

describe("a build on a base", () => {
  it("answers everything as a build from scratch does, whatever the edits", { timeout: 600_000 }, async () => {
    let reused = 0;
    let suggested = 0;
    let missed = 0;
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        manyPages,
        anyHistory,
        fc.boolean(),
        fc.boolean(),
        fc.array(anyRequest, { minLength: 6, maxLength: 6 }),
        async (pages, history, withCache, isGrouped, requests) => {
          const dir = await makeFolder();
          const cache = withCache ? "cache" : undefined;
          await replacePages(dir, pages, isGrouped);
          let before = "start";
          await build(dir, before, undefined, cache);
          let now = pages;
          for (const [step, edits] of history.entries()) {
            now = applyEdits(now, edits);
            await replacePages(dir, now, isGrouped);
            const next = `step-${step}`;
            const onBase = await build(dir, next, before, cache);
            before = next;
            if (onBase.reused) reused++;
            const scratch = await build(dir, "scratch");
            for (const groups of isGrouped ? (["all", ["public"], ["team"]] as const) : (["all"] as const)) {
              const [own, other] = [await open(onBase.dir, groups), await open(scratch.dir, groups)];
              expect(await describeAll(own)).toEqual(await describeAll(other));
              expect(await scan(own)).toEqual(await scan(other));
              const [found, wanted] = [await suggestAll(own), await suggestAll(other)];
              for (const { documentId, nodeId, text } of found.values()) {
                const outline = await loadOutline(own(), documentId);
                const ordinal = Number(/#n(\d+)$/.exec(nodeId)?.[1] ?? 0);
                expect([nodeId, outline?.sections[ordinal]?.title]).toEqual([nodeId, text]);
              }
              suggested += wanted.size;
              missed += [...wanted.keys()].filter((name) => !found.has(name)).length;
              for (const request of requests) {
                const [got, expected] = [await answer(own, request), await answer(other, request)];
                if (got.uncheckedDocuments + expected.uncheckedDocuments > 0) continue;
                if (!got.isWhole || !expected.isWhole) continue;
                compared++;
                expect({ query: request.query, groups, ...got }).toEqual({ query: request.query, groups, ...expected });
              }
            }
          }
          await rm(dir, { recursive: true, force: true });
        },
      ),
      {
        numRuns: Number(process.env.RUNS ?? 8),
        endOnFailure: true,
        ...(process.env.SEED !== undefined && { seed: Number(process.env.SEED) }),
      },
    );
    expect(reused).toBeGreaterThan(4);
    expect(suggested).toBeGreaterThan(100);
    expect(compared).toBeGreaterThan(30);
    // What stood best in a page that was deleted is not suggested until there is a new base.
    expect(missed / suggested).toBeLessThan(0.1);
  });
});
