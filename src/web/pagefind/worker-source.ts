/**
 * Pages of a Worker's index: one GET for what is asked, without headers of its own, so that no browser asks for permission
 * first.
 */

import type { FacetCounts } from "../../core/docs/model.ts";
import type { PagesFound } from "../../core/search/find-pages.ts";
import type { PageText } from "../../core/search/read-pages.ts";
import { ANY, hasShape } from "../has-shape.ts";
import type { PageSource } from "./one-index.ts";

/** Pages that the Worker reads for one request at most. */
const MAX_KEYS = 20;

/** What answers are like, as far as it is used. */
const COUNTS: FacetCounts = { [ANY]: { [ANY]: 0 } };
const FOUND: PagesFound = {
  generation: "",
  pages: [{ key: "", score: 0 }],
  terms: [],
  unfiltered: 0,
  counts: undefined,
};
const BOTH_COUNTS = { filtered: COUNTS, all: COUNTS };
const PAGES: { readonly pages: readonly PageText[] } = {
  pages: [
    {
      ...{ key: "", title: "", description: "", url: "", isSitePage: true, meta: {}, facets: { [ANY]: [""] } },
      ...{ words: [""], joiner: " ", wordCount: 0 },
      matches: [{ at: 0, weight: 0, rarity: 0 }],
      anchors: [{ level: 0, id: "", title: "", at: 0 }],
    },
  ],
};

/**
 * The pages of a Worker.
 *
 * @param folder Address of `pagefind/` below that of the corpus.
 * @param send How to send a request; `fetch` unless a test says otherwise.
 */
export function createWorkerSource(
  folder: string,
  send: (url: string) => Promise<Response> = (url) => fetch(url),
): PageSource {
  const ask = async <T>(question: object, sample: T): Promise<T> => {
    const response = await send(`${folder}pages?ask=${encodeURIComponent(JSON.stringify(question))}`);
    const json: unknown = await response.json().catch(() => undefined);
    if (response.ok && json !== undefined && hasShape(json, sample)) return json;
    if (response.ok) throw new Error(`${folder}pages answers, but not as Treeline does`);
    throw new Error(
      hasShape(json, { error: "" }) ? json.error : `${folder}pages answers with status ${response.status}`,
    );
  };
  return {
    async prepare() {
      // The module came from there: the connection is open.
    },
    async check() {
      await ask({ count: { added: {}, language: "" } }, COUNTS);
    },
    async preload() {
      // A search is one request: one that nobody may ask for in the end is not sent.
    },
    count: (request) => ask({ count: request }, COUNTS),
    async find(request) {
      const { counts, ...found } = await ask({ find: request }, FOUND);
      return { ...found, counts: hasShape(counts, BOTH_COUNTS) ? counts : undefined };
    },
    async read({ generation, terms }, keys) {
      const starts = Array.from({ length: Math.ceil(keys.length / MAX_KEYS) }, (_, at) => at * MAX_KEYS);
      const read = (start: number): Promise<{ readonly pages: readonly PageText[] }> =>
        ask({ read: { generation, terms, keys: keys.slice(start, start + MAX_KEYS) } }, PAGES);
      return (await Promise.all(starts.map(read))).flatMap(({ pages }) => pages);
    },
  };
}
