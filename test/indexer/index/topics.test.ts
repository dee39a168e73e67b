/** Categories and concepts of whole builds, held against counts that are made the obvious way. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openDiskIndex } from "../../../indexer/base/index-source.ts";
import { buildCorpus } from "../../../indexer/index/build.ts";
import { substanceOf } from "../../../indexer/index/levels/choose-levels.ts";
import { entriesOf, IndexReader } from "../../../src/core/index/index-reader.ts";
import { groupShards } from "../../../src/core/index/shards.ts";
import { anyHistory, applyEdits } from "../../support/edit-history.ts";
import { runs } from "../../support/runs.ts";
import { type FolderAnswer, type ServedFolder, serveFiles } from "../../support/serve-folder.ts";
import { anyPages } from "../../support/small-corpora.ts";
import { makeFolder, readFolder, writeFiles } from "../../support/temporary-folder.ts";
import { LIBRARY } from "../../support/topic-pages.ts";

const NAMES = ["alpha", "Beta", "gamma ray", "delta", "x"];
const ALIASES = ["one", "two", "ALPHA", "beta", "delta"];
const REFERENCES = [...NAMES, "one", "two", "5", "missing", ""];

interface RandomCategory {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly parent: string;
}

const anyTaxonomy: fc.Arbitrary<RandomCategory[]> = fc.array(
  fc.record({
    name: fc.constantFrom(...NAMES),
    aliases: fc.uniqueArray(fc.constantFrom(...ALIASES), { maxLength: 2 }),
    parent: fc.constantFrom(...REFERENCES),
  }),
  { maxLength: 6 },
);

interface RandomPage {
  readonly folder: string;
  readonly tags: readonly string[];
  readonly category: string;
  readonly sections: number;
}

const anyPageSet: fc.Arbitrary<RandomPage[]> = fc.array(
  fc.record({
    folder: fc.constantFrom("", "alpha/", "gamma_ray/sub/", "zeta/01-Delta/", "zeta/"),
    tags: fc.uniqueArray(fc.constantFrom("beta", "TWO", "Gamma-Ray", "tag", "__proto__"), { maxLength: 3 }),
    category: fc.constantFrom("", "one", "x", "Alpha", "free"),
    sections: fc.nat({ max: 3 }),
  }),
  { minLength: 1, maxLength: 8 },
);

const WORDS = ["route handler", "load balancing", "event sourcing", "saga pattern"];

function textOf({ tags, category, sections }: RandomPage, at: number): string {
  const head = [`tags: ${JSON.stringify(tags)}`, ...(category === "" ? [] : [`category: ${category}`])];
  const body = Array.from({ length: sections }, (_, section) => {
    const word = WORDS[(at + section) % WORDS.length];
    return `## About ${word} ${section}\n\nThe ${word} is a ${word}.\n`;
  });
  return `---\n${head.join("\n")}\n---\n# Page ${at}\n\n${body.join("\n")}`;
}

const fold = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, "-");

/** What each name stands for, the obvious way: names first, then aliases, in the order of the file; else itself. */
function resolver(taxonomy: readonly RandomCategory[]): (name: string) => string {
  const names = new Map<string, string>();
  for (const { name } of taxonomy) names.set(fold(name), fold(name));
  for (const { name, aliases } of taxonomy) {
    for (const alias of aliases) if (!names.has(fold(alias))) names.set(fold(alias), fold(name));
  }
  return (name) => names.get(fold(name)) ?? fold(name);
}

interface ListedCategory {
  readonly id: string;
  readonly name: string;
  readonly statistics: { readonly documentCount: number; readonly chunkCount: number; readonly conceptCount: number };
  readonly hierarchy: { readonly parent: string | null; readonly children: readonly string[]; readonly depth: number };
}

interface Listing {
  readonly totalCategories: number;
  readonly categories: readonly ListedCategory[];
  readonly aggregateStats: Readonly<Record<string, unknown>>;
}

async function listAll({ ask }: ServedFolder, groups: readonly string[] | "all" = "all"): Promise<Listing> {
  const { json } = await ask("list_categories", { limit: 200, include_hierarchy: true, max_tokens: 6000 }, groups);
  return json as unknown as Listing;
}

/** Concepts of a document by id. */
async function conceptsOf({ ask }: ServedFolder, id: string, groups: readonly string[] | "all"): Promise<string[]> {
  const { json } = await ask("list_concepts_in_category", { doc_id: id, limit: 200, max_tokens: 6000 }, groups);
  return (json as { concepts: { id: string }[] }).concepts.map((concept) => concept.id);
}

/** Of each concept the sections of each document that hold it. */
async function placesOfConcepts(
  { ask }: ServedFolder,
  groups: readonly string[],
  ids: ReadonlySet<string>,
): Promise<Map<string, Map<string, number>>> {
  const found = new Map<string, Map<string, number>>();
  for (const concept of ids) {
    const { json } = await ask("concept_search", { concept, limit: 100, max_tokens: 6000 }, groups);
    const { concept: own, documents } = json as {
      concept: { name: string };
      documents: { source: string; chunkCount: number }[];
    };
    found.set(own.name, new Map(documents.map(({ source, chunkCount }) => [source, chunkCount])));
  }
  return found;
}

interface SectionRecount {
  readonly served: ServedFolder;
  readonly groups: readonly string[];
  readonly sectionsOf: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Concepts of a category count the sections of its documents alone, each once. */
async function recountSections(
  { served, groups, sectionsOf }: SectionRecount,
  category: string,
  documents: readonly string[],
  include_children: boolean,
): Promise<void> {
  const given = { category, include_children, limit: 100, max_tokens: 6000 };
  const { concepts } = (await served.ask("category_search", given, groups)).json as {
    concepts: { name: string; chunkCount: number }[];
  };
  for (const { name, chunkCount } of concepts) {
    const places = sectionsOf.get(name);
    const wanted = documents.reduce((sum, id) => sum + (places?.get(id) ?? 0), 0);
    expect({ category, name, chunkCount }).toEqual({ category, name, chunkCount: wanted });
  }
}

function descendants(name: string, byName: ReadonlyMap<string, ListedCategory>): string[] {
  const { children } = (byName.get(name) as ListedCategory).hierarchy;
  return children.flatMap((child) => [child, ...descendants(child, byName)]);
}

describe("categories of a build", () => {
  it("count what a recount counts, whatever the taxonomy", { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(anyTaxonomy, anyPageSet, fc.boolean(), async (taxonomy, pages, isGrouped) => {
        const collectionOf = (at: number): string => (isGrouped && at % 2 === 1 ? "team" : "docs");
        const files: Record<string, string> = { "categories.json": JSON.stringify({ categories: taxonomy }) };
        const sources: { id: string; collection: string; page: RandomPage }[] = [];
        for (const [at, page] of pages.entries()) {
          const path = `${page.folder}page-${at}.md`;
          const collection = collectionOf(at);
          files[`${collection}/${path}`] = textOf(page, at);
          sources.push({ id: `${collection}:${path}`, collection, page });
        }
        const names = ["docs", ...(sources.some(({ collection }) => collection === "team") ? ["team"] : [])];
        files["treeline.config.json"] = JSON.stringify({
          collections: names.map((name) => ({ name, root: name, access: name === "team" ? "team" : "public" })),
        });
        const served = await serveFiles(files);
        for (const groups of [["public", "team"], ["public"], ["team"]]) {
          const seen = sources.filter(({ collection }) => groups.includes(collection === "team" ? "team" : "public"));
          if (seen.length === 0) continue;
          await recount(served, taxonomy, seen, groups);
        }
      }),
      { numRuns: runs(25), endOnFailure: true },
    );
  });

  async function recount(
    served: ServedFolder,
    taxonomy: readonly RandomCategory[],
    sources: readonly { id: string; collection: string; page: RandomPage }[],
    groups: readonly string[],
  ): Promise<void> {
    const resolve = resolver(taxonomy);
    const members = new Map<string, Set<number>>();
    for (const [at, { collection, page }] of sources.entries()) {
      const folder = page.folder.split("/").filter(Boolean).at(-1)?.replace(/^01-/, "") ?? collection;
      for (const name of [folder, ...page.tags, ...(page.category === "" ? [] : [page.category])]) {
        const folded = resolve(name);
        members.set(folded, (members.get(folded) ?? new Set()).add(at));
      }
    }
    const concepts = await Promise.all(sources.map(({ id }) => conceptsOf(served, id, groups)));
    const chunksOf = (at: number): number => (sources[at] as (typeof sources)[number]).page.sections + 1;
    const count = (documents: ReadonlySet<number>) => ({
      documents: documents.size,
      chunks: [...documents].reduce((sum, at) => sum + chunksOf(at), 0),
      concepts: new Set([...documents].flatMap((at) => concepts[at] ?? [])).size,
    });
    const sectionsOf = await placesOfConcepts(served, groups, new Set(concepts.flat()));
    const listing = await listAll(served, groups);
    const byName = new Map(listing.categories.map((category) => [category.name, category]));
    expect(byName.size).toBe(listing.categories.length);
    const documentsOf = (name: string): ReadonlySet<number> => members.get(resolve(name)) ?? new Set();
    for (const { name, statistics, hierarchy } of listing.categories) {
      const { documentCount, chunkCount, conceptCount } = statistics;
      expect({ name, documents: documentCount, chunks: chunkCount, concepts: conceptCount }).toEqual({
        name,
        ...count(documentsOf(name)),
      });
      if (hierarchy.parent !== null) expect(byName.get(hierarchy.parent)?.hierarchy.children).toContain(name);
      const below = descendants(name, byName);
      expect(new Set(below).size).toBe(below.length);
      const given = { category: name, include_children: true, limit: 100, max_tokens: 6000 };
      const { json, waves } = await served.ask("category_search", given, groups);
      const found = json as {
        category: { hierarchy: readonly string[] };
        statistics: { totalDocuments: number; totalChunks: number; totalConcepts: number };
        documents: { source: string; chunkCount: number }[];
      };
      const union = new Set([name, ...below].flatMap((one) => [...documentsOf(one)]));
      const wanted = count(union);
      expect(found.category.hierarchy.length).toBe(hierarchy.depth + 1);
      expect(found.statistics).toMatchObject({
        totalDocuments: wanted.documents,
        totalChunks: wanted.chunks,
        totalConcepts: wanted.concepts,
      });
      expect(found.documents.map(({ source }) => source).sort()).toEqual(
        [...union].map((at) => (sources[at] as (typeof sources)[number]).id).sort(),
      );
      expect(waves).toBeLessThanOrEqual(2);
      const idsOf = (some: ReadonlySet<number>): string[] => [...some].map((at) => sources[at]?.id ?? "");
      await recountSections({ served, groups, sectionsOf }, name, idsOf(documentsOf(name)), false);
      await recountSections({ served, groups, sectionsOf }, name, idsOf(union), true);
    }
    for (const name of members.keys()) expect(listing.categories.map((one) => resolve(one.name))).toContain(name);
    // What no document is in is shown where there is one group alone.
    const collections = new Set(sources.map(({ collection }) => collection));
    if (groups.length > 1 && collections.size === 1)
      for (const { name } of taxonomy) expect([...byName.keys()].map(resolve)).toContain(resolve(name));
    expect(listing.aggregateStats).toMatchObject(namedTotals(count(new Set(sources.map((_, at) => at)))));
    const filtered = (await served.ask("list_categories", { filter: "A", limit: 200, max_tokens: 6000 }, groups)).json;
    const matching = listing.categories.filter(({ name }) => name.toLowerCase().includes("a"));
    const union = new Set(matching.flatMap(({ name }) => [...documentsOf(name)]));
    expect(filtered).toMatchObject({ totalCategories: matching.length, aggregateStats: namedTotals(count(union)) });
  }

  function namedTotals({ documents, chunks, concepts }: { documents: number; chunks: number; concepts: number }) {
    return { totalDocuments: documents, totalChunks: chunks, totalConcepts: concepts };
  }
});

/** Entries of the map's tables, as a reader sees them. */
async function readMap(dir: string): Promise<Map<string, string>> {
  const { index } = await openDiskIndex(dir);
  const reader = new IndexReader(index, "all");
  const found = new Map<string, string>();
  for (const { index: shard, root } of groupShards(reader)) {
    for (const table of ["categories", "concepts"] as const) {
      const { tables } = await reader.read([{ shard, table, keys: "all" }]);
      for (const [key, value] of entriesOf(tables[0] ?? [])) {
        // Weights and counts lag; what entries name does not.
        const substance = substanceOf(key, value) ?? Buffer.from(value).toString("hex");
        found.set(`${root.group} ${table} ${key}`, JSON.stringify(substance));
      }
    }
  }
  return found;
}

describe("topics of a build on a base", () => {
  it("are those of a build from scratch, whatever the edits", { timeout: 600_000 }, async () => {
    let reused = 0;
    await fc.assert(
      fc.asyncProperty(fc.tuple(anyPages, anyPages, anyPages, anyPages), anyHistory, async (parts, history) => {
        const dir = await makeFolder();
        let pages = Object.assign(
          {},
          ...parts.map((some, at) =>
            Object.fromEntries(Object.entries(some).map(([path, text]) => [`part-${at}/${path}`, text])),
          ),
        ) as Readonly<Record<string, string>>;
        await writeFiles(join(dir, "start"), pages);
        await buildCorpus({ dir: join(dir, "start"), outDir: join(dir, "base") });
        let base = "base";
        for (const [step, edits] of history.entries()) {
          pages = applyEdits(pages, edits);
          await writeFiles(join(dir, `pages-${step}`), pages);
          const [own, scratch] = [join(dir, `own-${step}`), join(dir, `scratch-${step}`)];
          const built = await buildCorpus({ dir: join(dir, `pages-${step}`), outDir: own, base: join(dir, base) });
          await buildCorpus({ dir: join(dir, `pages-${step}`), outDir: scratch });
          if (built.base !== "") reused++;
          expect(await readMap(own)).toEqual(await readMap(scratch));
          base = `own-${step}`;
        }
      }),
      { numRuns: runs(10), endOnFailure: true },
    );
    expect(reused).toBeGreaterThan(3);
  });

  it("follow an edit of categories.json without a new base", async () => {
    const dir = await makeFolder();
    await writeFiles(join(dir, "docs"), LIBRARY);
    await buildCorpus({ dir: join(dir, "docs"), outDir: join(dir, "base") });
    await writeFiles(join(dir, "docs"), {
      "categories.json": '{"categories": [{"name": "learning", "aliases": ["ML"]}]}',
    });
    const own = await buildCorpus({ dir: join(dir, "docs"), outDir: join(dir, "own"), base: join(dir, "base") });
    expect(own.base).not.toBe("");
    await buildCorpus({ dir: join(dir, "docs"), outDir: join(dir, "scratch") });
    expect(await readMap(join(dir, "own"))).toEqual(await readMap(join(dir, "scratch")));
  });
});

describe("an index with categories", () => {
  it("is the same byte for byte when it is built again, elsewhere and in other threads", async () => {
    const dir = await makeFolder();
    await writeFiles(join(dir, "docs"), LIBRARY);
    await cp(join(dir, "docs"), join(dir, "elsewhere", "docs"), { recursive: true });
    await buildCorpus({ dir: join(dir, "docs"), outDir: join(dir, "one"), threads: 0 });
    await buildCorpus({ dir: join(dir, "elsewhere", "docs"), outDir: join(dir, "two"), threads: 2 });
    expect(await readFolder(join(dir, "two"))).toEqual(await readFolder(join(dir, "one")));
  });

  it("reports what cannot be followed with file and line", async () => {
    const { ask } = await serveFiles({
      "a.md": "# A\n\nText.\n",
      "categories.json": '{"categories": [\n{"name": "x", "parent": "y"},\n{"name": "y", "parent": "x"}]}',
    });
    const found: FolderAnswer = await ask("diagnostics", { format: "text" });
    expect(found.text).toContain("docs:categories.json (1 result)\n  @3 Warning - category-cycle");
    expect(found.text).toContain("would form a cycle");
  });
});
