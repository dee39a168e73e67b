/**
 * Categories and concepts of one access group: entries of the tables `categories` and `concepts`.
 *
 * Keys are names and ids, values name documents by their ids and sections by their ordinals: what stands in one entry does not
 * depend on how many others there are, so that a build on a base patches few of them. Pure.
 */

import { makeDocumentId } from "../../src/core/docs/node-id.ts";
import {
  type CategoryMembers,
  encodeCategory,
  encodeCounts,
  encodeMembers,
  keyOfCategory,
  keyOfMembers,
  TOTALS_KEY,
  type TopicCounts,
} from "../../src/core/format/category-entry.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import {
  type ConceptPlace,
  encodeConcept,
  encodeTopics,
  keyOfConcept,
  keyOfTopics,
} from "../../src/core/format/concept-entry.ts";
import { analyzerOf } from "../../src/core/text/analyzers.ts";
import { compareNames } from "../../src/core/text/compare-names.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import type { WrittenCategories } from "../config/categories-file.ts";
import type { CollectionConfig } from "../config/config.ts";
import type { GlossaryEntry } from "../config/glossary.ts";
import type { GroupCode } from "../link/code/link-code.ts";
import { type ChosenConcepts, chooseConcepts, type DocumentConcept, weightOf } from "../topics/choose-concepts.ts";
import { type CollectedCategories, type CollectedCategory, collectCategories } from "../topics/collect-categories.ts";
import { countTopics } from "../topics/count-topics.ts";
import type { ConceptCandidate } from "../topics/find-candidates.ts";
import { findRelated } from "../topics/related-concepts.ts";
import type { DocumentCard } from "./cache/cached-document.ts";
import { listMembers, type TopicDocument } from "./category-members.ts";

/** What the topics of an access group are made of. */
export interface TopicsInput {
  readonly collections: readonly CollectionConfig[];
  /** In the order of their collections. */
  readonly documents: readonly DocumentCard[];
  readonly code: GroupCode;
  readonly glossary: readonly GlossaryEntry[];
  readonly written: WrittenCategories;
  /** Whether categories that no document is in are shown: what other groups hold is not for this one's readers. */
  readonly showsEmpty: boolean;
  readonly candidatesOf: (document: DocumentCard) => readonly ConceptCandidate[];
}

/** Topics of an access group. */
export interface GroupTopics {
  readonly categories: readonly TableEntry[];
  readonly concepts: readonly TableEntry[];
  /** About the file that categories are written down in. */
  readonly diagnostics: readonly Diagnostic[];
  /** About documents of the group. */
  readonly ofDocuments: readonly (Diagnostic & { readonly collection: string })[];
}

/** Documents that a concept lists. */
const MAX_PLACES = 100;
/** Related concepts that a concept lists. */
const MAX_RELATED = 5;
/** What frontmatter says a page's categories in. */
const NAMING_KEYS = ["category", "categories", "tags", "type"];

/** The topics of an access group. */
export function mapTopics(input: TopicsInput): GroupTopics {
  const documents = input.documents.map((card) => toTopicDocument(card, input));
  const collected = collectCategories(
    input.written.categories,
    input.documents.map((card, at) => ({
      collection: collectionOf(card, input).name,
      path: card.path,
      description: card.description,
      names: namesOf(card),
      package: documents[at]?.package ?? "",
    })),
    input.written.file,
  );
  const chosen = chooseConcepts(
    input.documents.map((card, at) => ({
      candidates: () => input.candidatesOf(card),
      acronyms: card.acronyms,
      analyzer: analyzerOf(collectionOf(card, input).language),
      symbols: documents[at]?.symbols ?? [],
    })),
    input.glossary,
  );
  const related = findRelated(chosen);
  return {
    categories: categoryEntries(input, documents, collected, chosen, related),
    concepts: [...conceptEntries(documents, chosen, related), ...topicEntries(documents, collected, chosen)],
    diagnostics: collected.diagnostics,
    ofDocuments: chosen.shared.map(({ expansion, winner, other, source }) => {
      const card = input.documents[source] as DocumentCard;
      const message = `${winner} and ${other} both stand for "${expansion}", which leads to ${winner}`;
      const { name: collection } = collectionOf(card, input);
      return { severity: "info", code: "shared-expansion", message, path: card.path, line: 0, collection };
    }),
  };
}

function collectionOf({ collection }: DocumentCard, { collections }: TopicsInput): CollectionConfig {
  return collections[collection] as CollectionConfig;
}

/** A document with what is known of it. */
interface KnownDocument extends TopicDocument {
  readonly package: string;
  readonly symbols: readonly { readonly name: string; readonly section: number }[];
  readonly preview: string;
}

function toTopicDocument(card: DocumentCard, input: TopicsInput): KnownDocument {
  const id = makeDocumentId(collectionOf(card, input).name, card.path);
  const file = card.isSource ? filesById(input.code).get(id) : undefined;
  const symbols = (file?.symbols ?? [])
    .filter(({ flags, parent }) => parent === -1 && flags.includes("exported") && !flags.includes("inner"))
    .sort((a, b) => b.rank - a.rank || compareNames(a.path, b.path))
    .map(({ name, section }) => ({ name, section }));
  return {
    id,
    path: card.path,
    sections: card.sections.length,
    rows: () => card.sections,
    package: file?.package ?? "",
    symbols,
    preview: card.preview,
  };
}

const knownFiles = new WeakMap<GroupCode, ReadonlyMap<string, GroupCode["files"][number]>>();

function filesById(code: GroupCode): ReadonlyMap<string, GroupCode["files"][number]> {
  const known = knownFiles.get(code);
  if (known !== undefined) return known;
  const made = new Map(code.files.map((file) => [file.id, file]));
  knownFiles.set(code, made);
  return made;
}

/** What a page's frontmatter calls its categories: lists, or one text, of tags with commas between them. */
function namesOf({ meta }: DocumentCard): string[] {
  return NAMING_KEYS.flatMap((key) => {
    const value = Object.hasOwn(meta, key) ? meta[key] : undefined;
    const list = Array.isArray(value) ? value : [value];
    return list.flatMap((entry: unknown) => {
      if (typeof entry === "number" || typeof entry === "boolean") return [String(entry)];
      if (typeof entry !== "string") return [];
      return key === "tags" ? entry.split(",") : [entry];
    });
  });
}

function categoryEntries(
  { showsEmpty }: TopicsInput,
  documents: readonly KnownDocument[],
  { categories, ofDocument }: CollectedCategories,
  chosen: ChosenConcepts,
  related: readonly (readonly number[])[],
): TableEntry[] {
  const index = new Map(categories.map((category, at) => [category, at]));
  const parents = categories.map(({ parent }) => (parent === undefined ? -1 : (index.get(parent) as number)));
  const memberships = ofDocument.map((own) => own.map((category) => index.get(category) as number));
  const { own, all, total } = countTopics({
    parents,
    memberships,
    chunks: documents.map(({ sections }) => sections),
    concepts: chosen.ofDocument.map((list) => list.map(({ concept }) => concept)),
  });
  const membersOf: number[][] = categories.map(() => []);
  for (const [document, list] of memberships.entries())
    for (const category of list) membersOf[category]?.push(document);
  const { documentCounts } = countConcepts(chosen);
  const facts = { documents, chosen, related, documentCounts };
  const isShown = (at: number): boolean => showsEmpty || (all[at] as TopicCounts).documents > 0;
  return [
    { key: TOTALS_KEY, value: encodeCounts(total) },
    ...categories.flatMap((category, at): TableEntry[] => {
      if (!isShown(at)) return [];
      const members: CategoryMembers = listMembers(membersOf[at] ?? [], facts);
      const entry = {
        id: category.id,
        name: category.name,
        description: category.description,
        parent: category.parent?.id ?? "",
        aliases: category.aliases,
        related: category.related.filter((other) => isShown(index.get(other) as number)).map(({ id }) => id),
        own: own[at] as TopicCounts,
        all: all[at] as TopicCounts,
      };
      const isEmpty = members.documents.length === 0;
      return [
        { key: keyOfCategory(category.id), value: encodeCategory(entry) },
        ...(isEmpty ? [] : [{ key: keyOfMembers(category.id), value: encodeMembers(members) }]),
      ];
    }),
  ];
}

/** Of each concept the documents that have it and the sections that hold it. */
function countConcepts({ concepts, ofDocument }: ChosenConcepts): {
  readonly documentCounts: Uint32Array;
  readonly chunkCounts: Uint32Array;
} {
  const documentCounts = new Uint32Array(concepts.length);
  const chunkCounts = new Uint32Array(concepts.length);
  for (const list of ofDocument) {
    for (const { concept, uses } of list) {
      documentCounts[concept] = (documentCounts[concept] as number) + 1;
      chunkCounts[concept] = (chunkCounts[concept] as number) + uses.length;
    }
  }
  return { documentCounts, chunkCounts };
}

function conceptEntries(
  documents: readonly KnownDocument[],
  chosen: ChosenConcepts,
  related: readonly (readonly number[])[],
): TableEntry[] {
  const { concepts, ofDocument } = chosen;
  const { documentCounts, chunkCounts } = countConcepts(chosen);
  const places: ConceptPlace[][] = concepts.map(() => []);
  for (const [at, list] of ofDocument.entries()) {
    const { id } = documents[at] as KnownDocument;
    for (const { concept, score, uses, best } of list) {
      places[concept]?.push({ documentId: id, weight: weightOf(score), sections: uses.length, section: best });
    }
  }
  return concepts.flatMap((concept, at): TableEntry[] => {
    const value = encodeConcept({
      name: concept.name,
      type: concept.type,
      weight: concept.weight,
      documents: documentCounts[at] as number,
      chunks: chunkCounts[at] as number,
      related: (related[at] ?? []).slice(0, MAX_RELATED).map((other) => concepts[other]?.name ?? ""),
      places: (places[at] ?? [])
        .sort((a, b) => b.weight - a.weight || compareNames(a.documentId, b.documentId))
        .slice(0, MAX_PLACES),
    });
    // An expansion leads to its acronym without another look-up.
    const keys = [concept.key, ...(concept.alias === "" ? [] : [concept.alias])];
    return keys.map((key) => ({ key: keyOfConcept(key), value }));
  });
}

function topicEntries(
  documents: readonly KnownDocument[],
  { ofDocument }: CollectedCategories,
  { concepts, ofDocument: conceptsOf }: ChosenConcepts,
): TableEntry[] {
  return documents.map(({ id, preview }, at) => ({
    key: keyOfTopics(id),
    value: encodeTopics({
      preview,
      categories: (ofDocument[at] as readonly CollectedCategory[]).map((category) => category.id),
      concepts: (conceptsOf[at] as readonly DocumentConcept[])
        .map(({ concept, score, uses }) => {
          const { name, type } = concepts[concept] as (typeof concepts)[number];
          return { name, type, weight: weightOf(score), sections: uses.length };
        })
        .sort((a, b) => b.weight - a.weight || compareNames(a.name, b.name)),
    }),
  }));
}
