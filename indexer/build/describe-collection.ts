/**
 * What the index root says of a collection: its configuration as far as readers need it, and how much it holds. Pure.
 */
import type { CollectionInfo } from "../../src/core/format/collection.ts";
import type { DocumentCard } from "../cache/cached-document.ts";
import type { CollectionConfig } from "../config.ts";

/** Describe the collection at `index`; `documents` are those of all collections. */
export function describeCollection(
  collection: CollectionConfig,
  index: number,
  documents: readonly Pick<DocumentCard, "collection" | "sections" | "words">[],
  commit: string,
): CollectionInfo {
  const own = documents.filter((document) => document.collection === index);
  const { name, kind, weight, baseUrl, version, access, repository, language } = collection;
  return {
    name,
    kind,
    weight,
    baseUrl,
    version,
    access,
    commit,
    repository,
    language,
    documents: own.length,
    sections: own.reduce((sum, document) => sum + document.sections.length, 0),
    words: own.reduce((sum, document) => sum + document.words, 0),
  };
}
