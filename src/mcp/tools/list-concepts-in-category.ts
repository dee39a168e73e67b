/**
 * Tool `list_concepts_in_category`: what a category's documents are about, or one document.
 */
import { oneDecimal, readContent } from "../../core/docs/categories.ts";
import { categoryShards, conceptIdOf, readTopics } from "../../core/docs/concepts.ts";
import { candidateIds, chooseCandidate } from "../../core/docs/documents.ts";
import { InputError } from "../../core/errors.ts";
import type { ConceptType } from "../../core/format/topics.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { compareNames } from "../../core/text/names.ts";
import { type JsonObject, listForms } from "../../surface/render/answer.ts";
import { formatCount } from "../../surface/render/numbers.ts";
import { foldLine } from "../../surface/render/text.ts";
import { expectCategories, nameCategory, unknownDocument } from "../find-named.ts";
import { defineTool } from "../tool.ts";

const NAME = "list_concepts_in_category";
const ORDERS = ["name", "document_count", "weight"] as const;
const MAX_RELATED = 3;
const MAX_NAME_LENGTH = 120;
const EXAMPLE = { category: "guides", sort_by: "weight", limit: 20 };

/** A concept in the list of a category, or of a document, where `documentCount` is 1. */
interface ListedConcept {
  readonly id: string;
  readonly name: string;
  readonly type: ConceptType;
  readonly documentCount: number;
  readonly totalDocumentCount: number;
  readonly weight: number;
  readonly relatedConcepts: readonly string[];
}

/** All concepts of a category or document. */
interface ConceptList {
  readonly kind: "category" | "document";
  readonly subject: { readonly id: string; readonly name: string; readonly description: string };
  readonly totalDocuments: number;
  readonly totalConcepts: number;
  readonly concepts: readonly ListedConcept[];
}

export const listConceptsInCategoryTool = defineTool({
  name: NAME,
  description:
    "What the documents of a category are about, or with doc_id one document: concepts with type, weight and related ones. Use to learn the terms of a subject; next concept_search.",
  parameters: {
    category: { kind: "text", aliases: ["name", "category_name", "category_id"] },
    doc_id: { kind: "text" },
    sort_by: { kind: "choice", values: ORDERS, default: "document_count", aliases: ["sort", "order_by"] },
    limit: { kind: "integer", default: 50, maximum: 200 },
  },
  example: EXAMPLE,
  async run({ category: text, doc_id, sort_by, limit }, { reader }) {
    if ((text === undefined) === (doc_id === undefined)) {
      throw new InputError("Give category or doc_id, exactly one of them.");
    }
    expectCategories(reader);
    if (doc_id !== undefined) return answer(await readOfDocument(reader, doc_id), sort_by, limit);
    const named = await nameCategory(reader, text as string);
    if (!named.ok) return named.answer;
    const { concepts, counts } = await readContent(named.table, named.category, false);
    const { id, name, description } = named.category;
    const list: ConceptList = {
      kind: "category",
      subject: { id, name, description },
      totalDocuments: counts.documents,
      totalConcepts: counts.concepts,
      concepts: concepts.map(({ documents, totalDocuments, related, ...concept }) => ({
        id: concept.id,
        name: concept.name,
        type: concept.type,
        documentCount: documents,
        totalDocumentCount: totalDocuments,
        weight: concept.weight,
        relatedConcepts: related.slice(0, MAX_RELATED),
      })),
    };
    return answer(await countEverywhere(reader, list, sort_by, limit), sort_by, limit);
  },
});

function answer(list: ConceptList, order: (typeof ORDERS)[number], limit: number) {
  const { kind, subject, totalDocuments, totalConcepts } = list;
  const isCategory = kind === "category";
  const concepts = sortConcepts(list.concepts, order).slice(0, limit);
  const where = isCategory ? ` in ${formatCount(totalDocuments, "document")}` : "";
  const part = concepts.length < totalConcepts ? `, showing ${concepts.length}` : "";
  const averageConceptsPerDocument = oneDecimal(totalConcepts, totalDocuments);
  const toJson = (shown: readonly ListedConcept[], isFull: boolean): JsonObject => ({
    [kind]: subject,
    statistics: { totalDocuments, totalConcepts, averageConceptsPerDocument },
    concepts: shown.map((concept) => (isFull ? concept : { ...concept, relatedConcepts: [] })),
  });
  const text = (
    { name, type, weight, documentCount, totalDocumentCount, relatedConcepts }: ListedConcept,
    isFull: boolean,
  ): string => {
    const count = `${isCategory ? `${documentCount} of ` : ""}${formatCount(totalDocumentCount, "document")}`;
    const near = isFull && relatedConcepts.length > 0 ? `; near ${relatedConcepts.join(", ")}` : "";
    return `${name} (${type}, ${weight}, ${count})${near}`;
  };
  const more = "Fewer: limit; one of them: concept_search.";
  const levels = [["concepts with related ones", true] as const, ["concepts", false, 1] as const];
  return {
    summary: `${isCategory ? "Category" : "Document"} ${foldLine(subject.name, MAX_NAME_LENGTH)}: ${formatCount(totalConcepts, "concept")}${where}${part}.`,
    forms: listForms(concepts, levels, { text, toJson, joined: true, more }),
  };
}

/** Documents of a concept are counted by each access group; where there are several, all are asked. */
async function countEverywhere(
  reader: IndexReader,
  list: ConceptList,
  order: (typeof ORDERS)[number],
  limit: number,
): Promise<ConceptList> {
  if (categoryShards(reader).length < 2) return list;
  const shown = sortConcepts(list.concepts, order).slice(0, limit);
  const { concepts } = await readTopics(reader, { concepts: shown.map(({ name }) => name) });
  const counted = shown.map((concept) => ({
    ...concept,
    totalDocumentCount: concepts.get(concept.name)?.documents ?? concept.totalDocumentCount,
  }));
  return { ...list, concepts: counted };
}

function sortConcepts(concepts: readonly ListedConcept[], order: (typeof ORDERS)[number]): ListedConcept[] {
  const byName = (a: ListedConcept, b: ListedConcept): number => compareNames(a.name, b.name);
  const read = (concept: ListedConcept): number =>
    order === "name" ? 0 : order === "weight" ? concept.weight : concept.documentCount;
  return [...concepts].sort((a, b) => read(b) - read(a) || byName(a, b));
}

/** Concepts of one document. Two waves. @throws {InputError} for one that is not there. */
async function readOfDocument(reader: IndexReader, text: string): Promise<ConceptList> {
  const ids = candidateIds(reader, text);
  const { documents } = await readTopics(reader, { documentIds: ids });
  const id = chooseCandidate(ids.map((one) => (documents.has(one) ? one : undefined)));
  const topics = documents.get(id ?? "");
  if (id === undefined || topics === undefined) {
    throw await unknownDocument(reader, text, { tool: NAME, example: (near) => ({ doc_id: near }) });
  }
  const names = topics.concepts.map(({ name }) => name);
  const { concepts } = await readTopics(reader, { concepts: names });
  return {
    kind: "document",
    subject: { id, name: id, description: topics.preview },
    totalDocuments: 1,
    totalConcepts: topics.concepts.length,
    concepts: topics.concepts.map((own): ListedConcept => {
      const whole = concepts.get(own.name);
      return {
        id: conceptIdOf(own),
        name: own.name,
        type: own.type,
        documentCount: 1,
        totalDocumentCount: whole?.documents ?? 1,
        weight: own.weight,
        relatedConcepts: (whole?.related ?? []).slice(0, MAX_RELATED),
      };
    }),
  };
}
