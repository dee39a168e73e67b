/**
 * Tool `category_search`: documents, concepts and sections of a category.
 */

import { type CategoryTable, countSections, readContent, readTopics } from "../../core/docs/categories.ts";
import { loadOutlines, readPassages } from "../../core/docs/documents.ts";
import type { Category, TopicChunk } from "../../core/docs/model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { cutWithDots } from "../../core/text/short-text.ts";
import type { AnswerForm, JsonObject } from "../../surface/render/answer.ts";
import { foldLine, formatCount, formatTopicCounts } from "../../surface/render/text.ts";
import { nameCategory, namesAbove } from "../find-named.ts";
import { defineTool } from "../tool.ts";

const MAX_NAME_LENGTH = 120;
const MAX_CONCEPTS_OF_DOCUMENT = 5;
const MAX_RELATED = 3;
/** UTF-16 units of a section's text in a list of sections, and in the shorter form. */
const CHUNK_LENGTH = 300;
const SHORT_LENGTH = 80;
const EMPTY =
  "No documents, chunks, or concepts are in this category: it is known, and nothing that was indexed belongs to it.";
/** Compressed bytes that are read of a section: more than is shown. */
const CHUNK_BYTES = 4096;

export const categorySearchTool = defineTool({
  name: "category_search",
  description:
    "Documents, concepts and (include_chunks) sections of a category by name, id or alias. Use to survey a subject; next search_documents or get_tree.",
  parameters: {
    category: {
      kind: "text",
      required: true,
      aliases: ["name", "category_name", "category_id", "id", "query", "text"],
    },
    include_children: { kind: "boolean", default: false, aliases: ["include_descendants", "recursive"] },
    include_chunks: { kind: "boolean", default: false, aliases: ["include_sections"] },
    limit: { kind: "integer", default: 10, maximum: 100 },
  },
  pages: true,
  example: { category: "guides", include_children: true },
  async run({ category: text, include_children, include_chunks, limit }, { reader, offset }) {
    const named = await nameCategory(reader, text);
    if (!named.ok) return named.answer;
    const { table, category } = named;
    const content = await readContent(table, category, include_children);
    const { documents, concepts, chunks } = content;
    const longest = Math.max(documents.length, concepts.length, include_chunks ? chunks.length : 0);
    const beyond = offset + limit < longest ? offset + limit : undefined;
    const view = await readView(reader, table, category, content, { offset, limit }, include_chunks);
    const children = view.below.length === 0 ? "" : ", with all categories below it";
    return {
      summary: `Category ${foldLine(category.name, MAX_NAME_LENGTH)}: ${formatTopicCounts(content.counts)}${children}.`,
      forms: toForms(view),
      // Three lists go on together: the next page is behind this one of the longest.
      page: { offset: 0, total: 0, items: "entries", beyond },
    };
  },
});

/** What is shown of a category. One wave, two more for sections. */
async function readView(
  reader: IndexReader,
  table: CategoryTable,
  category: Category,
  content: Awaited<ReturnType<typeof readContent>>,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  withChunks: boolean,
) {
  const pageOf = <T>(list: readonly T[]): T[] => list.slice(offset, offset + limit);
  const documents = pageOf(content.documents);
  const concepts = pageOf(content.concepts);
  // Over several categories a document may count more than once; then its concepts say where they are.
  const names = content.below.length > 0 ? concepts.map(({ name }) => name) : [];
  const read = await readTopics(reader, { documentIds: documents.map(({ id }) => id), concepts: names });
  const ids = new Set(content.documents.map(({ id }) => id));
  const nameOf = new Map(table.list.map(({ id, name }) => [id, name]));
  return {
    category,
    counts: content.counts,
    below: [...content.below].sort((a, b) => b.own.documents - a.own.documents).slice(0, limit),
    documents: documents.map(({ id, sections }) => {
      const topics = read.documents.get(id);
      return {
        source: id,
        preview: topics?.preview ?? "",
        concepts: (topics?.concepts ?? []).slice(0, MAX_CONCEPTS_OF_DOCUMENT).map(({ name }) => name),
        categories: (topics?.categories ?? []).flatMap((one) => nameOf.get(one) ?? []),
        chunkCount: sections,
      };
    }),
    concepts: concepts.map((concept) => {
      const { name, type, weight, relevance, related } = concept;
      const chunkCount = countSections(concept, read.concepts.get(name), ids);
      const relatedConcepts = related.slice(0, MAX_RELATED);
      return { name, type, category: concept.category, weight, relevance, chunkCount, relatedConcepts };
    }),
    chunks: withChunks ? await readChunks(reader, pageOf(content.chunks)) : [],
    withChunks,
  };
}

type View = Awaited<ReturnType<typeof readView>>;

/** Documents, concepts and sections with their texts, then with shorter ones, then counts. */
function toForms(view: View): AnswerForm[] {
  const { category, counts, below, documents, concepts, chunks, withChunks } = view;
  const head: JsonObject = {
    category: {
      id: category.id,
      name: category.name,
      description: category.description,
      hierarchy: namesAbove(category),
      aliases: category.aliases,
      relatedCategories: category.related.map(({ name }) => name),
    },
    statistics: {
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
    },
  };
  const about = describeCategory(category);
  const joined = true as const;
  if (counts.documents === 0) {
    const json = { ...head, documents: [], concepts: [], ...(withChunks && { chunks: [] }), message: EMPTY };
    return [{ detail: "the category", blocks: () => [about, EMPTY], json: () => json, joined, perItem: false }];
  }
  const more = "Fewer: limit; one document: get_tree.";
  const form = (detail: string, length: number): AnswerForm => ({
    detail,
    blocks: () => itemBlocks(view, length),
    json: (shown) => {
      const left = shown - documents.length;
      const listed = chunks.slice(0, Math.max(0, left - concepts.length));
      return {
        ...head,
        documents: documents.slice(0, shown).map((one) => ({ ...one, preview: cutWithDots(one.preview, length) })),
        concepts: concepts.slice(0, Math.max(0, left)),
        ...(withChunks && { chunks: listed.map((one) => ({ ...one, text: cutWithDots(one.text, length) })) }),
      };
    },
    joined,
    more,
  });
  return [
    form("documents, concepts and sections", CHUNK_LENGTH),
    { ...form("shorter texts", SHORT_LENGTH), keepAtLeast: 1 },
    { detail: "counts", blocks: () => [about], json: () => head, joined, perItem: false, more },
  ];
}

/** What a category is, in lines. */
function describeCategory(category: Category): string {
  const { id, aliases, description, related } = category;
  const path = namesAbove(category);
  const facts = [
    `id ${id}`,
    ...(path.length > 1 ? [`in ${path.slice(0, -1).join(" > ")}`] : []),
    ...(aliases.length > 0 ? [`also called ${aliases.join(", ")}`] : []),
    ...(related.length > 0 ? [`near ${related.map(({ name }) => name).join(", ")}`] : []),
  ];
  return [facts.join("; "), ...(description === "" ? [] : [description])].join("\n");
}

/** One block for each document, concept and section; the first of each kind stands under a title. */
function itemBlocks({ category, below, documents, concepts, chunks }: View, length: number): string[] {
  const under = (title: string, lines: readonly string[]): string[] =>
    lines.map((line, at) => (at === 0 ? `${title}\n${line}` : line));
  const children = below.map(({ name, own }) => `${name} (${own.documents})`).join(", ");
  const head = [describeCategory(category), ...(children === "" ? [] : [`Below it: ${children}`])].join("\n");
  const ofDocuments = documents.map(({ source, preview, concepts: own, categories, chunkCount }) => {
    const rest = [
      ...(own.length === 0 ? [] : [`about ${own.join(", ")}`]),
      ...(categories.length < 2 ? [] : [`in ${categories.join(", ")}`]),
    ].join("; ");
    const text = preview === "" ? "" : `: ${foldLine(preview, length)}`;
    return `${source} (${formatCount(chunkCount, "section")})${text}${rest === "" ? "" : `\n  ${rest}`}`;
  });
  const ofConcepts = concepts.map(({ name, type, weight, relevance, chunkCount, relatedConcepts }) => {
    const near = relatedConcepts.length === 0 ? "" : `; near ${relatedConcepts.join(", ")}`;
    return `${name} (${type}, weight ${weight}, relevance ${relevance}, ${formatCount(chunkCount, "section")})${near}`;
  });
  const ofChunks = chunks.map(({ id, text, conceptDensity }) => `${id} (${conceptDensity}): ${foldLine(text, length)}`);
  const blocks = [
    ...under("Documents", ofDocuments),
    ...under("Concepts", ofConcepts),
    ...under("Sections by density of concepts", ofChunks),
  ];
  return blocks.map((block, at) => (at === 0 ? `${head}\n${block}` : block));
}

/** Sections with their texts. */
async function readChunks(reader: IndexReader, chunks: readonly TopicChunk[]) {
  const outlines = await loadOutlines(
    reader,
    chunks.map(({ documentId }) => documentId),
  );
  const found = chunks.flatMap((chunk, at) => {
    const outline = outlines[at];
    const section = outline?.sections[chunk.section];
    return outline === undefined || section === undefined ? [] : [{ chunk, outline, section }];
  });
  const passages = await readPassages(
    reader,
    found.map(({ outline, section: { startLine, endLine } }) => ({
      ...{ outline, startLine, endLine },
      withFrontmatter: false,
    })),
    CHUNK_BYTES,
  );
  return found.map(({ chunk: { documentId, concepts, density }, section: { nodeId } }, at) => {
    return { id: nodeId, text: passages[at]?.text ?? "", source: documentId, concepts, conceptDensity: density };
  });
}
