/**
 * Concepts of a category or a document: as lines for a reader, and as the object that programs get.
 *
 * Pure: values in, blocks out.
 */
import type { ConceptType } from "../../core/format/topics.ts";
import type { AnswerForm, JsonObject } from "./answer.ts";
import { formatCount } from "./counts.ts";
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
      blocks: () => concepts.map((concept) => formatConcept(concept, isCategory, true)),
      json: (shown) => json(shown, true),
      joined: true,
      more,
    },
    {
      detail: "concepts",
      blocks: () => concepts.map((concept) => formatConcept(concept, isCategory, false)),
      json: (shown) => json(shown, false),
      joined: true,
      keepAtLeast: 1,
      more,
    },
    { detail: "counts", blocks: () => [], json: () => json(0, false), perItem: false, more },
  ];
}

function formatConcept(concept: ListedConcept, isCategory: boolean, isFull: boolean): string {
  const { name, type, weight, documentCount, totalDocumentCount, relatedConcepts } = concept;
  const count = isCategory
    ? `${documentCount} of ${formatCount(totalDocumentCount, "document")}`
    : formatCount(totalDocumentCount, "document");
  const near = isFull && relatedConcepts.length > 0 ? `; near ${relatedConcepts.join(", ")}` : "";
  return `${name} (${type}, ${weight}, ${count})${near}`;
}
