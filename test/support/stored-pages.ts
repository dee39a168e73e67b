/** Pages as the parse cache keeps them. */
import { type PackedDocument, packDocument } from "../../indexer/index/prepared-document.ts";
import type { Pages } from "./build-index.ts";
import { preparePages } from "./prepare-pages.ts";

/** The pages by their paths, in the order of these. */
export function storePages(pages: Pages): Map<string, PackedDocument> {
  return new Map(
    preparePages(pages).map(({ inverted, unitCodes, grams, blocks, candidates, ordered: words, ...card }) => [
      card.path,
      packDocument({ card, body: { inverted, unitCodes, grams, blocks }, candidates, words }),
    ]),
  );
}
