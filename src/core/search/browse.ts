/**
 * Documents in another order than that of scores: those that a query only selects, and those that are sorted by a name.
 */
import { bodyWords, hasDocument } from "../format/locator.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { residentTable } from "../index/resident.ts";
import { compareNames } from "../text/names.ts";
import type { SearchSort } from "./answer.ts";
import type { ScoredDocument, Scoring } from "./scoring.ts";

/** Every document that may be found, in their order: what a query of fields alone asks for. */
export function listSelected({ shards, compare }: Scoring): ScoredDocument[] {
  return shards
    .flatMap(({ locator, selected }, shard) =>
      Array.from({ length: locator.slots }, (_, document) => document)
        .filter((document) => hasDocument(locator, document) && selected?.[document] !== 0)
        .map((document): ScoredDocument => ({ shard, document, score: 0, isFallback: false, sections: [] })),
    )
    .sort((a, b) => compare(a.shard, a.document, b.shard, b.document));
}

/** Documents by a key of the catalogue, or of their own. The titles must be resident. @throws {InputError} for an unknown key. */
export async function sortDocuments(
  reader: IndexReader,
  ranked: readonly ScoredDocument[],
  sort: Exclude<SearchSort, "relevance">,
): Promise<ScoredDocument[]> {
  if (typeof sort === "object") return (await import("./sort-by-key.ts")).sortByKey(reader, ranked, sort);
  const keyed = ranked.map((document) => {
    const shard = reader.shards[document.shard]?.index ?? 0;
    const name = residentTable(reader, shard, "titles").at(document.document);
    const words = bodyWords(residentTable(reader, shard, "locator"), document.document);
    return { document, path: name?.path ?? "", title: name?.title ?? "", words };
  });
  keyed.sort((a, b) => {
    if (sort === "words") return b.words - a.words || compareNames(a.path, b.path);
    return (sort === "title" ? compareNames(a.title, b.title) : 0) || compareNames(a.path, b.path);
  });
  return keyed.map(({ document }) => document);
}
