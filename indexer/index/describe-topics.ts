/**
 * Categories and concepts of each access group of a corpus, and what is wrong with those that were written down. Pure.
 */

import type { Diagnostic } from "../base/diagnostic.ts";
import type { WrittenCategories } from "../config/categories-file.ts";
import type { CollectionConfig, TreelineConfig } from "../config/config.ts";
import type { GlossaryEntry } from "../config/glossary.ts";
import { type GroupCode, NO_CODE } from "../link/code/link-code.ts";
import type { DocumentCard } from "./cache/cached-document.ts";
import { decodeCandidates } from "./cache/candidate-codec.ts";
import type { LoadedDocument } from "./load-documents.ts";
import { type GroupTopics, mapTopics } from "./map-topics.ts";

/** What a maintainer wrote down about the corpus. */
export interface CorpusWords {
  readonly glossary: readonly GlossaryEntry[];
  readonly categories: WrittenCategories;
}

/** Topics of all access groups. */
export interface CorpusTopics {
  readonly groups: ReadonlyMap<string, GroupTopics>;
  readonly diagnostics: readonly (Diagnostic & { readonly collection: string })[];
}

/** Work out the topics of access groups. */
export function describeTopics(
  { collections }: TreelineConfig,
  loaded: readonly LoadedDocument[],
  code: ReadonlyMap<string, GroupCode>,
  groups: readonly string[],
  { glossary, categories }: CorpusWords,
): CorpusTopics {
  const topics = new Map(
    groups.map((group) => {
      const own = loaded.filter(({ card }) => (collections[card.collection] as CollectionConfig).access === group);
      const loaders = new Map(own.map(({ card, loadCandidates }) => [card, loadCandidates]));
      const input = {
        collections,
        documents: own.map(({ card }) => card),
        code: code.get(group) ?? NO_CODE,
        glossary,
        written: categories,
        showsEmpty: groups.length === 1,
        candidatesOf: (card: DocumentCard) => decodeCandidates((loaders.get(card) as () => Uint8Array)()),
      };
      return [group, mapTopics(input)] as const;
    }),
  );
  const all = [...topics.values()];
  const joined = joinFindings(all, collections[0]?.name ?? "");
  return { groups: topics, diagnostics: [...joined, ...all.flatMap(({ ofDocuments }) => ofDocuments)] };
}

/** What every group finds: what one does not know may be another's. They stand with the first collection. */
function joinFindings(topics: readonly GroupTopics[], collection: string): CorpusTopics["diagnostics"] {
  const [first, ...others] = topics;
  const isEverywhere = ({ code, line }: Diagnostic): boolean =>
    others.every(({ diagnostics }) => diagnostics.some((one) => one.code === code && one.line === line));
  return (first?.diagnostics ?? []).filter(isEverywhere).map((diagnostic) => ({ ...diagnostic, collection }));
}
