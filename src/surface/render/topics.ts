/**
 * Categories with their content, and lists of concepts, as lines and as JSON.
 */

import { listAbove } from "../../core/docs/categories.ts";
import type { Category } from "../../core/docs/model.ts";
import type { ConceptType, TopicCounts } from "../../core/format/topics.ts";
import { cutWithDots } from "../../core/text/short-text.ts";
import type { AnswerForm, JsonObject } from "./answer.ts";
import { formatCount } from "./numbers.ts";
import { foldLine } from "./text.ts";

const MAX_NAME_LENGTH = 120;

/** A concept in a list. */
export interface ListedConcept {
  readonly id: string;
  readonly name: string;
  readonly type: ConceptType;
  /** Documents of the category, or 1. */
  readonly documentCount: number;
  readonly totalDocumentCount: number;
  readonly weight: number;
  readonly relatedConcepts: readonly string[];
}

/** What is shown of concepts. */
export interface ConceptListView {
  readonly subject: {
    readonly kind: "category" | "document";
    readonly id: string;
    readonly name: string;
    readonly description: string;
  };
  readonly totalDocuments: number;
  readonly totalConcepts: number;
  readonly concepts: readonly ListedConcept[];
}

/** `Category routing: 34 concepts in 12 documents, showing 20.` */
export function summarizeConceptList({ subject, totalDocuments, totalConcepts, concepts }: ConceptListView): string {
  const { kind, name } = subject;
  const what = kind === "category" ? "Category" : "Document";
  const where = kind === "category" ? ` in ${formatCount(totalDocuments, "document")}` : "";
  const part = concepts.length < totalConcepts ? `, showing ${concepts.length}` : "";
  return `${what} ${foldLine(name, MAX_NAME_LENGTH)}: ${formatCount(totalConcepts, "concept")}${where}${part}.`;
}

/** The forms of a list, from the fullest to the barest. @param average Concepts a document. */
export function conceptListForms(view: ConceptListView, average: number): [AnswerForm, ...AnswerForm[]] {
  const { subject, totalDocuments, totalConcepts, concepts } = view;
  const { kind, id, name, description } = subject;
  const json = (shown: number, isFull: boolean): JsonObject => ({
    [kind]: { id, name, description },
    statistics: { totalDocuments, totalConcepts, averageConceptsPerDocument: average },
    concepts: concepts.slice(0, shown).map((concept) => (isFull ? concept : { ...concept, relatedConcepts: [] })),
  });
  const more = "Fewer: limit; one of them: concept_search.";
  const isCategory = kind === "category";
  return [
    {
      detail: "concepts with related ones",
      blocks: () => concepts.map((concept) => formatListedConcept(concept, isCategory, true)),
      json: (shown) => json(shown, true),
      joined: true,
      more,
    },
    {
      detail: "concepts",
      blocks: () => concepts.map((concept) => formatListedConcept(concept, isCategory, false)),
      json: (shown) => json(shown, false),
      joined: true,
      keepAtLeast: 1,
      more,
    },
    { detail: "counts", blocks: () => [], json: () => json(0, false), perItem: false, more },
  ];
}

function formatListedConcept(concept: ListedConcept, isCategory: boolean, isFull: boolean): string {
  const { name, type, weight, documentCount, totalDocumentCount, relatedConcepts } = concept;
  const count = isCategory
    ? `${documentCount} of ${formatCount(totalDocumentCount, "document")}`
    : formatCount(totalDocumentCount, "document");
  const near = isFull && relatedConcepts.length > 0 ? `; near ${relatedConcepts.join(", ")}` : "";
  return `${name} (${type}, ${weight}, ${count})${near}`;
}

/** UTF-16 units of a section's text in a list of sections. */
const CHUNK_LENGTH = 300;
/** Texts of the shorter form. */
const SHORT_LENGTH = 80;
const EMPTY =
  "No documents, chunks, or concepts are in this category: it is known, and nothing that was indexed belongs to it.";

/** What is shown of a category. */
export interface CategoryView {
  readonly category: Category;
  readonly counts: TopicCounts;
  /** Categories below it, where these were asked for. */
  readonly below: readonly Category[];
  readonly documents: readonly {
    readonly source: string;
    readonly preview: string;
    readonly concepts: readonly string[];
    readonly categories: readonly string[];
    readonly chunkCount: number;
  }[];
  readonly concepts: readonly {
    readonly name: string;
    readonly type: ConceptType;
    readonly category: string;
    readonly weight: number;
    readonly chunkCount: number;
    readonly relatedConcepts: readonly string[];
  }[];
  /** Where these were asked for; whole texts. */
  readonly chunks?: readonly {
    readonly id: string;
    readonly text: string;
    readonly source: string;
    readonly concepts: readonly string[];
    readonly conceptDensity: number;
  }[];
}

/** `Category routing: 12 documents, 80 sections, 34 concepts.` */
export function summarizeCategory({ category, counts, below }: CategoryView): string {
  const children = below.length === 0 ? "" : ", with all categories below it";
  return `Category ${foldLine(category.name, MAX_NAME_LENGTH)}: ${formatTopicCounts(counts)}${children}.`;
}

/** `12 documents, 80 sections, 34 concepts` */
export function formatTopicCounts({ documents, chunks, concepts }: TopicCounts): string {
  return [formatCount(documents, "document"), formatCount(chunks, "section"), formatCount(concepts, "concept")].join(
    ", ",
  );
}

/** Names from the top down to a category. */
export function hierarchyOf(category: Category): string[] {
  return listAbove(category)
    .map(({ name }) => name)
    .reverse();
}

/** The forms of a category, from the fullest to the barest. */
export function categoryForms(view: CategoryView): [AnswerForm, ...AnswerForm[]] {
  const more = "Fewer: limit; one document: get_tree.";
  const form = (detail: string, length: number): AnswerForm => ({
    detail,
    blocks: () => itemBlocks(view, length),
    json: (shown) => toJson(view, shown, length),
    joined: true,
    more,
  });
  if (view.counts.documents === 0) return [emptyForm(view)];
  return [
    form("documents, concepts and sections", CHUNK_LENGTH),
    { ...form("shorter texts", SHORT_LENGTH), keepAtLeast: 1 },
    {
      detail: "counts",
      blocks: () => [describeCategory(view.category)],
      json: () => ({ category: categoryJson(view.category), statistics: statisticsJson(view) }),
      joined: true,
      perItem: false,
      more,
    },
  ];
}

function emptyForm(view: CategoryView): AnswerForm {
  const { chunks } = view;
  return {
    detail: "the category",
    blocks: () => [describeCategory(view.category), EMPTY].filter((line) => line !== ""),
    json: () => ({
      category: categoryJson(view.category),
      statistics: statisticsJson(view),
      documents: [],
      concepts: [],
      ...(chunks !== undefined && { chunks: [] }),
      message: EMPTY,
    }),
    joined: true,
    perItem: false,
  };
}

/** What a category is, in lines. */
function describeCategory(category: Category): string {
  const { id, aliases, description, related } = category;
  const path = hierarchyOf(category);
  const facts = [
    `id ${id}`,
    ...(path.length > 1 ? [`in ${path.slice(0, -1).join(" > ")}`] : []),
    ...(aliases.length > 0 ? [`also called ${aliases.join(", ")}`] : []),
    ...(related.length > 0 ? [`near ${related.map(({ name }) => name).join(", ")}`] : []),
  ];
  return [facts.join("; "), ...(description === "" ? [] : [description])].join("\n");
}

/** One block for each document, concept and section; the first of each kind stands under a title. */
function itemBlocks(view: CategoryView, length: number): string[] {
  const { category, below, documents, concepts, chunks = [] } = view;
  const withTitle = (title: string, lines: readonly string[]): string[] =>
    lines.map((line, at) => (at === 0 ? `${title}\n${line}` : line));
  const children = below.map(({ name, own }) => `${name} (${own.documents})`).join(", ");
  const head = [describeCategory(category), ...(children === "" ? [] : [`Below it: ${children}`])].join("\n");
  const blocks = [
    ...withTitle(
      "Documents",
      documents.map((document) => formatDocument(document, length)),
    ),
    ...withTitle("Concepts", concepts.map(formatConcept)),
    ...withTitle(
      "Sections by density of concepts",
      chunks.map((chunk) => formatChunk(chunk, length)),
    ),
  ];
  return blocks.map((block, at) => (at === 0 ? `${head}\n${block}` : block));
}

function formatDocument(
  { source, preview, concepts, categories, chunkCount }: CategoryView["documents"][number],
  length: number,
): string {
  const text = preview === "" ? "" : `: ${foldLine(preview, length)}`;
  const about = concepts.length === 0 ? [] : [`about ${concepts.join(", ")}`];
  const also = categories.length < 2 ? [] : [`in ${categories.join(", ")}`];
  const rest = [...about, ...also].join("; ");
  return `${source} (${formatCount(chunkCount, "section")})${text}${rest === "" ? "" : `\n  ${rest}`}`;
}

function formatConcept({ name, type, weight, chunkCount, relatedConcepts }: CategoryView["concepts"][number]): string {
  const near = relatedConcepts.length === 0 ? "" : `; near ${relatedConcepts.join(", ")}`;
  return `${name} (${type}, ${weight}, ${formatCount(chunkCount, "section")})${near}`;
}

function formatChunk(
  { id, text, conceptDensity }: NonNullable<CategoryView["chunks"]>[number],
  length: number,
): string {
  return `${id} (${conceptDensity}): ${foldLine(text, length)}`;
}

function toJson(view: CategoryView, shown: number, length: number): JsonObject {
  const { documents, concepts, chunks } = view;
  const left = (before: number): number => Math.max(0, shown - before);
  return {
    category: categoryJson(view.category),
    statistics: statisticsJson(view),
    documents: documents
      .slice(0, shown)
      .map((document) => ({ ...document, preview: cutWithDots(document.preview, length) })),
    concepts: concepts.slice(0, left(documents.length)),
    ...(chunks !== undefined && {
      chunks: chunks
        .slice(0, left(documents.length + concepts.length))
        .map(({ id, text, source, concepts: own, conceptDensity }) => ({
          id,
          text: cutWithDots(text, length),
          source,
          concepts: own,
          conceptDensity,
        })),
    }),
  };
}

function categoryJson(category: Category): JsonObject {
  const { id, name, description, aliases, related } = category;
  return {
    id,
    name,
    description,
    hierarchy: hierarchyOf(category),
    aliases,
    relatedCategories: related.map((other) => other.name),
  };
}

function statisticsJson({ counts, below }: CategoryView): JsonObject {
  return {
    totalDocuments: counts.documents,
    totalChunks: counts.chunks,
    totalConcepts: counts.concepts,
    ...(below.length > 0 && {
      childCategories: below.map(({ id, name, own }) => ({
        id,
        name,
        documentCount: own.documents,
        chunkCount: own.chunks,
      })),
    }),
  };
}
