/**
 * Asks an index for a known item.
 */

import { loadOutline } from "../../src/core/docs/documents.ts";
import type { IndexReader } from "../../src/core/index/index-reader.ts";
import { makeSearchRequest } from "../../src/core/search/answer.ts";
import { search } from "../../src/core/search/search.ts";
import type { KnownItem } from "./cut-items.ts";

const DEPTH = 5;

/** The first five sections of an answer, and whether the item's own section and page are among them. */
export interface ItemAnswer {
  readonly hasSection: boolean;
  readonly hasPage: boolean;
  readonly got: readonly string[];
}

/** Searches for an item's query. */
export async function askItem(reader: IndexReader, item: KnownItem): Promise<ItemAnswer> {
  const answer = await search(reader, makeSearchRequest(item.query, { excerpts: 0 }));
  const first = answer.hits.flatMap((hit) => hit.sections.map((section) => ({ hit, section }))).slice(0, DEPTH);
  const own = first.filter(({ hit }) => hit.path === item.path);
  const outline = own[0] === undefined ? undefined : await loadOutline(reader, own[0].hit.id);
  return {
    hasSection: own.some(({ section: { ordinal } }) => {
      const section = outline?.sections[ordinal];
      return section !== undefined && section.startLine <= item.line && item.line <= section.endLine;
    }),
    hasPage: own.length > 0,
    got: first.map(({ section }) => section.nodeId),
  };
}
