/** What an index answers, in a form that two indexes of the same documents must agree on. */
import { openDiskIndex } from "../../indexer/base/index-source.ts";
import { readInsights } from "../../src/core/code/insights.ts";
import { findNearestDocuments, listDocumentNames, listDocuments } from "../../src/core/docs/catalogue.ts";
import { loadLinks, loadOutline, readPassages } from "../../src/core/docs/documents.ts";
import { NO_FILTER } from "../../src/core/docs/model.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import type { SearchRequest } from "../../src/core/search/answer.ts";
import { grep } from "../../src/core/search/grep.ts";
import { compileText } from "../../src/core/search/grep-pattern.ts";
import { search } from "../../src/core/search/search.ts";
import { type Suggestion, suggest } from "../../src/core/search/suggest.ts";
import { foldPhrase } from "../../src/core/text/phrase.ts";

const PATTERNS = ["alpha beta", "handler", "getUser", "e", "日本", "absent text"];
const TYPED = ["al", "route h", "get", "zet", "snake_case", "gama"];

/** All that an index says of its documents, and of itself. */
export async function describeAll(reader: () => IndexReader) {
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
  // Terms that were in deleted documents alone are counted until there is a new base.
  const { id: _, builtAt: __, indexBytes: ___, textBytes: ____, terms: _____, ...generation } = reader().generation;
  const insights = [];
  for (const collection of [undefined, ...reader().collections.map(({ name }) => name)]) {
    const { values } = await readInsights(reader(), collection);
    insights.push([collection, values]);
  }
  return { documents, lists, nearest, insights, generation, facetKeys: reader().facetKeys };
}

/** An answer as far as it must not depend on where texts lie. */
export async function answer(reader: () => IndexReader, request: SearchRequest) {
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

/** An answer without what statistics bear on, which lag until there is a new base: scores, orders, corrections. */
export function foundOf({ hits, corrections, missingWords, ...rest }: Awaited<ReturnType<typeof answer>>) {
  return { ...rest, hits: hits.map(({ id }) => id).sort() };
}

/** Matches of some patterns. What is looked into on the way may differ. */
export async function scan(reader: () => IndexReader) {
  const matches = [];
  for (const text of PATTERNS) {
    const found = [];
    // How much one call scans depends on where texts lie.
    for (let from: number | undefined = 0; from !== undefined; ) {
      const { files, next } = await grep(reader(), {
        pattern: compileText(text, false),
        collection: "",
        acceptsPath: () => true,
        filter: NO_FILTER,
        context: 1,
        from,
        offset: 0,
        // A call that ends at its limit does not say where the next one goes on.
        limit: 100_000,
      });
      found.push(...files.filter((file) => file.matches.length > 0));
      from = next;
    }
    matches.push({ text, files: found });
  }
  return { matches };
}

/** Texts that are suggested, by what was typed and the text without case and signs. */
export async function suggestAll(reader: () => IndexReader): Promise<Map<string, Suggestion>> {
  const found = new Map<string, Suggestion>();
  for (const query of TYPED) {
    const { suggestions } = await suggest(reader(), { query, limit: 100, collections: [] });
    for (const one of suggestions) found.set(`${query}: ${foldPhrase(one.text)}`, one);
  }
  return found;
}

/** Readers of an index for some access groups, each new. */
export async function open(dir: string, groups: readonly string[] | "all"): Promise<() => IndexReader> {
  const { index } = await openDiskIndex(dir);
  return () => new IndexReader(index, groups);
}
