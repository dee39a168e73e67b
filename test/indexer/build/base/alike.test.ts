/** An index built on another one, edit after edit, and one built from scratch: the same answers to everything. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildCorpus } from "../../../../indexer/build/build.ts";
import { openDiskIndex } from "../../../../indexer/disk-source.ts";
import { IndexReader } from "../../../../src/core/index/index-reader.ts";
import type { SearchRequest } from "../../../../src/core/search/answer.ts";
import { search } from "../../../../src/core/search/search.ts";
import { listDocumentNames, listDocuments } from "../../../../src/core/tree/catalogue.ts";
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
      ),
    ),
    correct: fc.boolean(),
  })
  .map(({ query, correct }) => ask(query, { correct, limit: 50, withFacetCounts: true, explain: true }));

interface Built {
  readonly dir: string;
  readonly reused: boolean;
}

/** Put the pages into the folder in place of those before. */
async function replacePages(dir: string, pages: Pages): Promise<void> {
  await rm(join(dir, "docs"), { recursive: true, force: true });
  await writeFiles(join(dir, "docs"), pages);
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
  const { facetCounts, total } = await listDocuments(reader(), {
    query: "",
    collection: "",
    folder: "",
    filter: NO_FILTER,
    sort: "path",
    offset: 0,
    limit: 5,
  });
  const { id: _, builtAt: __, indexBytes: ___, textBytes: ____, ...generation } = reader().generation;
  return { documents, facetCounts, total, generation };
}

async function answer(reader: () => IndexReader, request: SearchRequest) {
  const { cost: _, positions: __, ...rest } = await search(reader(), request);
  return rest;
}

async function open(dir: string): Promise<() => IndexReader> {
  const { index } = await openDiskIndex(dir);
  return () => new IndexReader(index, "all");
}

describe("a build on a base", () => {
  it("answers everything as a build from scratch does, whatever the edits", { timeout: 600_000 }, async () => {
    let reused = 0;
    await fc.assert(
      fc.asyncProperty(
        manyPages,
        anyHistory,
        fc.boolean(),
        fc.array(anyRequest, { minLength: 6, maxLength: 6 }),
        async (pages, history, withCache, requests) => {
          const dir = await makeFolder();
          const cache = withCache ? "cache" : undefined;
          await replacePages(dir, pages);
          let before = (await build(dir, "start", undefined, cache), "start");
          let now = pages;
          for (const [step, edits] of history.entries()) {
            now = applyEdits(now, edits);
            await replacePages(dir, now);
            const next = `step-${step}`;
            const onBase = await build(dir, next, before, cache);
            before = next;
            if (onBase.reused) reused++;
            const scratch = await build(dir, "scratch");
            const [own, other] = [await open(onBase.dir), await open(scratch.dir)];
            expect(await describeAll(own)).toEqual(await describeAll(other));
            for (const request of requests) {
              const [got, wanted] = [await answer(own, request), await answer(other, request)];
              if (got.uncheckedDocuments + wanted.uncheckedDocuments > 0) continue;
              expect({ query: request.query, ...got }).toEqual({ query: request.query, ...wanted });
            }
          }
          await rm(dir, { recursive: true, force: true });
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 12), endOnFailure: true },
    );
    expect(reused).toBeGreaterThan(4);
  });
});
