/**
 * Tool `list_concepts_in_category`: what a category's documents are about, or one document.
 */
import {
  categoryShards,
  compareLabels,
  conceptIdOf,
  oneDecimal,
  readContent,
  readTopics,
} from "../../core/docs/categories.ts";
import { candidateIds, chooseCandidate } from "../../core/docs/documents.ts";
import { InputError } from "../../core/errors.ts";
import type { ConceptType } from "../../core/format/topics.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { type JsonObject, listForms } from "../../surface/render/answer.ts";
import { foldLine, formatCount } from "../../surface/render/text.ts";
import { expectCategories, nameCategory, unknownDocument } from "../find-named.ts";
import { defineTool } from "../tool.ts";

const NAME = "list_concepts_in_category";
const ORDERS = ["name", "document_count", "weight", "relevance"] as const;
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
  /** How much it says in the whole corpus, and of the category or document. */
  readonly weight: number;
  readonly relevance: number;
  readonly relatedConcepts: readonly string[];
}

/** Concepts of a category or document. */
interface ConceptList {
  readonly kind: "category" | "document";
  readonly subject: { readonly id: string; readonly name: string; readonly description: string };
  readonly totalDocuments: number;
  readonly totalConcepts: number;
  /** Not all where there are very many; of a document those that it is about. */
  readonly concepts: readonly ListedConcept[];
}

export const listConceptsInCategoryTool = defineTool({
  name: NAME,
  description:
    "Concepts of a category, or with doc_id of one document, with weights and related ones. Use to learn the terms of a subject; next concept_search.",
  parameters: {
    category: { kind: "text", aliases: ["name", "category_name", "category_id"] },
    doc_id: { kind: "text" },
    sort_by: { kind: "choice", values: ORDERS, default: "document_count", aliases: ["sort", "order_by"] },
    limit: { kind: "integer", default: 50, maximum: 200 },
  },
  pages: true,
  example: EXAMPLE,
  async run({ category: text, doc_id, sort_by, limit }, { reader, offset }) {
    if ((text === undefined) === (doc_id === undefined)) {
      throw new InputError("Give category or doc_id, exactly one of them.");
    }
    expectCategories(reader);
    const page = { order: sort_by, offset, limit };
    if (doc_id !== undefined) return answer(await readOfDocument(reader, doc_id), page);
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
        relevance: concept.relevance,
        relatedConcepts: related.slice(0, MAX_RELATED),
      })),
    };
    return answer(await countEverywhere(reader, list, page), page);
  },
});

interface ListPage {
  readonly order: (typeof ORDERS)[number];
  readonly offset: number;
  readonly limit: number;
}

function answer(list: ConceptList, page: ListPage) {
  const { kind, subject, totalDocuments, totalConcepts } = list;
  const isCategory = kind === "category";
  const concepts = pageOf(list.concepts, page);
  const listed = list.concepts.length;
  const leading = isCategory ? "that set it apart most" : "that it is about; it holds the others too";
  const where = isCategory ? ` in ${formatCount(totalDocuments, "document")}` : "";
  const part = concepts.length < totalConcepts ? `, showing ${concepts.length}` : "";
  const averageConceptsPerDocument = oneDecimal(totalConcepts, totalDocuments);
  const toJson = (shown: readonly ListedConcept[], isFull: boolean): JsonObject => ({
    [kind]: subject,
    statistics: { totalDocuments, totalConcepts, averageConceptsPerDocument },
    concepts: shown.map((concept) => (isFull ? concept : { ...concept, relatedConcepts: [] })),
  });
  const text = (
    { name, type, weight, relevance, documentCount, totalDocumentCount, relatedConcepts }: ListedConcept,
    isFull: boolean,
  ): string => {
    const count = `${isCategory ? `${documentCount} of ` : ""}${formatCount(totalDocumentCount, "document")}`;
    const near = isFull && relatedConcepts.length > 0 ? `; near ${relatedConcepts.join(", ")}` : "";
    return `${name} (${type}, weight ${weight}, relevance ${relevance}, ${count})${near}`;
  };
  const more = "Fewer: limit; one of them: concept_search.";
  const levels = [["concepts with related ones", true] as const, ["concepts", false, 1] as const];
  return {
    summary: `${isCategory ? "Category" : "Document"} ${foldLine(subject.name, MAX_NAME_LENGTH)}: ${formatCount(totalConcepts, "concept")}${where}${part}.`,
    forms: listForms(concepts, levels, { text, toJson, joined: true, more }),
    notes: listed < totalConcepts ? [`Listed are the ${formatCount(listed, "concept")} ${leading}.`] : [],
    page: { offset: page.offset, total: listed, items: "concepts" },
  };
}

/** Documents of a concept are counted by each access group; where there are several, all are asked. */
async function countEverywhere(reader: IndexReader, list: ConceptList, page: ListPage): Promise<ConceptList> {
  if (categoryShards(reader).length < 2) return list;
  const { concepts } = await readTopics(reader, { concepts: pageOf(list.concepts, page).map(({ name }) => name) });
  const counted = list.concepts.map((concept) => ({
    ...concept,
    totalDocumentCount: concepts.get(concept.name)?.documents ?? concept.totalDocumentCount,
  }));
  return { ...list, concepts: counted };
}

function pageOf(concepts: readonly ListedConcept[], { order, offset, limit }: ListPage): ListedConcept[] {
  const read = ({ documentCount, weight, relevance }: ListedConcept): number =>
    ({ name: 0, document_count: documentCount, weight, relevance })[order];
  return [...concepts].sort((a, b) => read(b) - read(a) || compareLabels(a, b)).slice(offset, offset + limit);
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
    totalConcepts: topics.held,
    concepts: topics.concepts.map((own): ListedConcept => {
      const whole = concepts.get(own.name);
      return {
        id: conceptIdOf(own),
        name: own.name,
        type: own.type,
        documentCount: 1,
        totalDocumentCount: whole?.documents ?? 1,
        weight: whole?.weight ?? own.weight,
        relevance: own.weight,
        relatedConcepts: (whole?.related ?? []).slice(0, MAX_RELATED),
      };
    }),
  };
}
