/** Pages as the parse cache keeps them. */
import { packDocument } from "../../indexer/index/cache/packed-document.ts";
import type { StoredDocument } from "../../indexer/index/cache/segment.ts";
import type { Pages } from "./build-index.ts";
import { preparePages } from "./prepare-pages.ts";

/** The pages in the order of their paths, each under its path as the key. */
export function storePages(pages: Pages): StoredDocument[] {
  return preparePages(pages).map(({ inverted, unitCodes, grams, blocks, candidates, ...card }) => ({
    key: card.path,
    ...packDocument({ card, body: { inverted, unitCodes, grams, blocks }, candidates }),
  }));
}
