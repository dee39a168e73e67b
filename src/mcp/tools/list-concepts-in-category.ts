/**
 * Tool `list_concepts_in_category`: what a category's documents are about, or one document.
 */
import { oneDecimal, readContent } from "../../core/docs/categories.ts";
import { categoryShards, conceptIdOf, readTopics } from "../../core/docs/concepts.ts";
import { candidateIds, chooseCandidate } from "../../core/docs/documents.ts";
import { InputError } from "../../core/errors.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { compareNames } from "../../core/text/names.ts";
import {
  type ConceptListView,
  conceptListForms,
  type ListedConcept,
  summarizeConceptList,
} from "../../surface/render/topics.ts";
import { expectCategories, nameCategory, unknownDocument } from "../find-documents.ts";
import { defineTool } from "../tool.ts";

const NAME = "list_concepts_in_category";
const ORDERS = ["name", "document_count", "weight"] as const;
const MAX_RELATED = 3;
const EXAMPLE = { category: "guides", sort_by: "weight", limit: 20 };

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
    const list = concepts.map(
      (concept): ListedConcept => ({
        id: concept.id,
        name: concept.name,
        type: concept.type,
        documentCount: concept.documents,
        totalDocumentCount: concept.totalDocuments,
        weight: concept.weight,
        relatedConcepts: concept.related.slice(0, MAX_RELATED),
      }),
    );
    const view: ConceptListView = {
      subject: { kind: "category", id, name, description },
      totalDocuments: counts.documents,
      totalConcepts: counts.concepts,
      concepts: list,
    };
    return answer(await countEverywhere(reader, view, sort_by, limit), sort_by, limit);
  },
});

function answer(view: ConceptListView, order: (typeof ORDERS)[number], limit: number) {
  const shown = { ...view, concepts: sortConcepts(view.concepts, order).slice(0, limit) };
  return { summary: summarizeConceptList(shown), forms: conceptListForms(shown, average(view)) };
}

function average({ totalConcepts, totalDocuments }: ConceptListView): number {
  return oneDecimal(totalConcepts, totalDocuments);
}

/** Documents of a concept are counted by each access group; where there are several, all are asked. */
async function countEverywhere(
  reader: IndexReader,
  view: ConceptListView,
  order: (typeof ORDERS)[number],
  limit: number,
): Promise<ConceptListView> {
  if (categoryShards(reader).length < 2) return view;
  const shown = sortConcepts(view.concepts, order).slice(0, limit);
  const { concepts } = await readTopics(reader, { concepts: shown.map(({ name }) => name) });
  const counted = shown.map((concept) => ({
    ...concept,
    totalDocumentCount: concepts.get(concept.name)?.documents ?? concept.totalDocumentCount,
  }));
  return { ...view, concepts: counted };
}

function sortConcepts(concepts: readonly ListedConcept[], order: (typeof ORDERS)[number]): ListedConcept[] {
  const byName = (a: ListedConcept, b: ListedConcept): number => compareNames(a.name, b.name);
  const read = (concept: ListedConcept): number =>
    order === "name" ? 0 : order === "weight" ? concept.weight : concept.documentCount;
  return [...concepts].sort((a, b) => read(b) - read(a) || byName(a, b));
}

/** Concepts of one document. Two waves. @throws {InputError} for one that is not there. */
async function readOfDocument(reader: IndexReader, text: string): Promise<ConceptListView> {
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
    subject: { kind: "document", id, name: id, description: topics.preview },
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
