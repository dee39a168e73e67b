/**
 * Tool `category_search`: documents, concepts and sections of a category.
 */

import { type CategoryContent, type CategoryTable, countSections, readContent } from "../../core/docs/categories.ts";
import { readTopics } from "../../core/docs/concepts.ts";
import type { Category, TopicChunk, TopicConcept } from "../../core/docs/model.ts";
import { joinSlugs, makeDocumentId, makeNodeId, splitDocumentId } from "../../core/docs/node-id.ts";
import { collectionOf, hasDocument, isContinuation, unitsOf } from "../../core/format/locator.ts";
import type { TextBlock } from "../../core/format/text-block.ts";
import type { DocumentTopics, MemberDocument } from "../../core/format/topics.ts";
import type { BlockRead, IndexReader } from "../../core/index/index-reader.ts";
import { blockReads, residentTable } from "../../core/index/resident.ts";
import { type CategoryView, categoryForms, summarizeCategory } from "../../surface/render/topics.ts";
import { nameCategory } from "../find-documents.ts";
import { defineTool } from "../tool.ts";

const MAX_CONCEPTS_OF_DOCUMENT = 5;
const MAX_RELATED = 3;
const FRONTMATTER = /^---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/;

export const categorySearchTool = defineTool({
  name: "category_search",
  description:
    "Documents, concepts and (include_chunks) sections of a category by name, id or alias. Use to survey a subject; next search_documents or get_tree on a source.",
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
  example: { category: "guides", include_children: true },
  async run({ category: text, include_children, include_chunks, limit }, { reader }) {
    const named = await nameCategory(reader, text, include_chunks ? ["titles", "locator"] : []);
    if (!named.ok) return named.answer;
    const { table, category } = named;
    const content = await readContent(table, category, include_children);
    const view = await readView(reader, table, category, content, { limit, withChunks: include_chunks });
    return { summary: summarizeCategory(view), forms: categoryForms(view) };
  },
});

interface ViewOptions {
  readonly limit: number;
  readonly withChunks: boolean;
}

/** What is shown of a category. One wave. */
async function readView(
  reader: IndexReader,
  table: CategoryTable,
  category: Category,
  content: CategoryContent,
  { limit, withChunks }: ViewOptions,
): Promise<CategoryView> {
  const documents = content.documents.slice(0, limit);
  const concepts = content.concepts.slice(0, limit);
  const chunks = withChunks ? content.chunks.slice(0, limit) : [];
  const reads = sectionReadsOf(reader, chunks);
  const blocks = reads.filter((read) => read !== undefined);
  // Over several categories a document may count more than once; then its concepts say where they are.
  const names = content.below.length > 0 ? concepts.map(({ name }) => name) : [];
  const read = await readTopics(reader, { documentIds: documents.map(({ id }) => id), concepts: names, blocks });
  let next = 0;
  const beginnings = chunks.map(({ documentId }, at) =>
    reads[at] === undefined ? undefined : toBeginning(documentId, read.blocks[next++] as (typeof read.blocks)[number]),
  );
  const ids = new Set(content.documents.map(({ id }) => id));
  const nameOf = new Map(table.list.map(({ id, name }) => [id, name]));
  return {
    category,
    counts: content.counts,
    below: [...content.below].sort((a, b) => b.own.documents - a.own.documents).slice(0, limit),
    documents: documents.map((document) => toDocument(document, read.documents.get(document.id), nameOf)),
    concepts: concepts.map((concept) =>
      toConcept(concept, countSections(concept, read.concepts.get(concept.name), ids)),
    ),
    ...(withChunks && { chunks: chunks.flatMap((chunk, at) => toChunk(chunk, beginnings[at])) }),
  };
}

function sectionReadsOf(reader: IndexReader, chunks: readonly TopicChunk[]): ReturnType<typeof sectionReads> {
  return chunks.length === 0 ? [] : sectionReads(reader, chunks);
}

function toDocument(
  { id, sections }: MemberDocument,
  topics: DocumentTopics | undefined,
  nameOf: ReadonlyMap<string, string>,
): CategoryView["documents"][number] {
  return {
    source: id,
    preview: topics?.preview ?? "",
    concepts: (topics?.concepts ?? []).slice(0, MAX_CONCEPTS_OF_DOCUMENT).map(({ name }) => name),
    categories: (topics?.categories ?? []).flatMap((category) => nameOf.get(category) ?? []),
    chunkCount: sections,
  };
}

function toConcept(
  { name, type, category, weight, related }: TopicConcept,
  chunkCount: number,
): CategoryView["concepts"][number] {
  return { name, type, category, weight, chunkCount, relatedConcepts: related.slice(0, MAX_RELATED) };
}

function toChunk(
  { documentId, concepts, density }: TopicChunk,
  beginning: SectionBeginning | undefined,
): NonNullable<CategoryView["chunks"]> {
  if (beginning === undefined) return [];
  const { nodeId: id, text } = beginning;
  return [{ id, text, source: documentId, concepts, conceptDensity: density }];
}

/** A section by its place. */
interface SectionPlace {
  readonly documentId: string;
  readonly section: number;
}

/** A section with the beginning of its text. */
interface SectionBeginning {
  readonly nodeId: string;
  /** Without frontmatter. */
  readonly text: string;
}

/** What to read for sections; undefined for one that is not there. */
function sectionReads(reader: IndexReader, places: readonly SectionPlace[]): (BlockRead | undefined)[] {
  const numbers = numbersOf(reader, new Set(places.map(({ documentId }) => documentId)));
  return places.map(({ documentId, section }) => {
    const place = numbers.get(documentId);
    if (place === undefined) return undefined;
    const locator = residentTable(reader, place.shard, "locator");
    const starts = unitsOf(locator, place.number).filter((unit) => !isContinuation(locator, place.number, unit));
    const unit = starts[section];
    return unit === undefined ? undefined : blockReads(reader, place.shard, place.number, [unit])[0];
  });
}

/** The section that a block begins. */
function toBeginning(documentId: string, { path, ancestors, section, text }: TextBlock): SectionBeginning {
  const isRoot = section.level === 0;
  const slugPath = isRoot ? "" : joinSlugs(path, [...ancestors.map(({ slug }) => slug), section.slug]);
  return { nodeId: makeNodeId(documentId, slugPath), text: isRoot ? text.replace(FRONTMATTER, "") : text };
}

/** Shards and numbers of documents. */
function numbersOf(
  reader: IndexReader,
  ids: ReadonlySet<string>,
): ReadonlyMap<string, { readonly shard: number; readonly number: number }> {
  const paths = new Set([...ids].map((id) => splitDocumentId(id).path));
  const found = new Map<string, { readonly shard: number; readonly number: number }>();
  for (const { index: shard } of reader.shards) {
    const locator = residentTable(reader, shard, "locator");
    for (const [number, { path }] of residentTable(reader, shard, "titles").entries()) {
      if (!paths.has(path) || !hasDocument(locator, number)) continue;
      const id = makeDocumentId(reader.collectionAt(collectionOf(locator, number)).name, path);
      if (ids.has(id)) found.set(id, { shard, number });
    }
  }
  return found;
}
