/**
 * Known items over a folder of Markdown pages: shares whose section is among the first five, and ranks of page titles.
 */
import { meanOf } from "../../indexer/cli/commands/eval.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { makeSearchRequest } from "../../src/core/search/answer.ts";
import { search } from "../../src/core/search/search.ts";
import { askItem } from "../quality/ask-item.ts";
import { cutItems, drawByHash, ITEM_KINDS } from "../quality/cut-items.ts";
import { listTitles, readPages } from "../quality/titles.ts";
import type { Measured } from "./floors.ts";
import { buildAndOpen } from "./judged-set.ts";

/** Measures up to `count` items of each kind; `outDir` receives the index. `title` is a mean reciprocal rank. */
export async function measureKnownItems(dir: string, outDir: string, count: number): Promise<Measured> {
  const { index } = await buildAndOpen(dir, outDir);
  const pages = readPages(dir);
  const items = cutItems(pages);
  const figures: Record<string, number> = {};
  let asked = 0;
  for (const kind of ITEM_KINDS) {
    const ofKind = items.filter((item) => item.kind === kind);
    const drawn = drawByHash(ofKind, count, ({ path, query }) => `${path} ${query}`);
    const found: number[] = [];
    for (const item of drawn) found.push((await askItem(new IndexReader(index, "all"), item)).hasSection ? 1 : 0);
    figures[kind] = meanOf(found);
    asked += drawn.length;
  }
  const reciprocalRanks: number[] = [];
  for (const { path, title } of drawByHash(listTitles(pages), count, (page) => page.path)) {
    const { hits } = await search(new IndexReader(index, "all"), makeSearchRequest(title, { excerpts: 0 }));
    const rank = hits.findIndex((hit) => hit.path === path) + 1;
    reciprocalRanks.push(rank === 0 ? 0 : 1 / rank);
  }
  figures.title = meanOf(reciprocalRanks);
  return { figures, size: `${asked + reciprocalRanks.length} items` };
}
