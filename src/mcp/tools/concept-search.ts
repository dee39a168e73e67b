/**
 * Tool `concept_search`: where a concept is explained, and what is near it.
 */
import { conceptIdOf, findConcept } from "../../core/docs/categories.ts";
import { loadOutlines } from "../../core/docs/documents.ts";
import { makeOrdinalId } from "../../core/docs/node-id.ts";
import { InputError } from "../../core/errors.ts";
import type { ConceptEntry, ConceptPlace } from "../../core/format/topics.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { quoteName } from "../../core/text/nearest.ts";
import { type AnswerForm, type JsonObject, listForms } from "../../surface/render/answer.ts";
import { foldLine, formatCount, formatLines } from "../../surface/render/text.ts";
import { expectCategories } from "../find-named.ts";
import { defineTool, formatExample } from "../tool.ts";

/** Documents of which the outline is read; the sections of others are named by their ordinals. */
const MAX_OUTLINES = 20;
const MAX_SUMMARY_LENGTH = 120;

export const conceptSearchTool = defineTool({
  name: "concept_search",
  description:
    "Documents that hold a concept, with their best sections, and concepts near it. Use for a term out of list_concepts_in_category; next get_node_content.",
  parameters: {
    concept: {
      kind: "text",
      required: true,
      aliases: ["name", "concept_name", "concept_id", "id", "term", "query", "text", "q"],
    },
    limit: { kind: "integer", default: 10, maximum: 100 },
  },
  pages: true,
  example: { concept: "caching" },
  async run({ concept: text, limit }, { reader, offset }) {
    expectCategories(reader);
    const found = await findConcept(reader, text);
    if (!found.ok) {
      const [name] = found.nearest;
      const example =
        name === undefined
          ? formatExample("search_documents", { query: text })
          : formatExample("concept_search", { concept: name });
      throw new InputError(
        `There is no concept ${quoteName(text)}; search_documents searches the texts.`,
        found.nearest,
        example,
      );
    }
    const { concept } = found;
    const places = await describePlaces(reader, concept.places.slice(offset, offset + limit));
    const { name, type, weight, documents, chunks } = concept;
    const part = places.length < documents ? `, showing ${places.length}` : "";
    const listed = concept.places.length;
    return {
      summary: `Concept ${name} (${type}, ${weight}): in ${formatCount(documents, "document")} and ${formatCount(chunks, "section")}${part}.`,
      forms: toForms(concept, places),
      notes: listed < documents ? [`Listed are the ${listed} documents that say most about it.`] : [],
      page: { offset, total: listed, items: "documents" },
    };
  },
});

/** Places with what their documents call them. One wave. */
async function describePlaces(reader: IndexReader, places: readonly ConceptPlace[]) {
  const ids = places.slice(0, MAX_OUTLINES).map(({ documentId }) => documentId);
  const outlines = await loadOutlines(reader, ids);
  return places.map(({ documentId, section, weight: relevance, sections: chunkCount }, at) => {
    const outline = outlines[at];
    const own = outline?.sections[section];
    return {
      source: documentId,
      title: outline?.document.title ?? "",
      nodeId: own?.nodeId ?? makeOrdinalId(documentId, section),
      heading: own?.title ?? "",
      summary: own === undefined ? "" : own.summary || (section === 0 ? (outline?.document.description ?? "") : ""),
      lines: own === undefined ? "" : formatLines(own.startLine, own.endLine),
      relevance,
      chunkCount,
    };
  });
}

/** A document of a concept, with the section that says most about it. */
type FoundPlace = Awaited<ReturnType<typeof describePlaces>>[number];

function toForms(concept: ConceptEntry, places: readonly FoundPlace[]): AnswerForm[] {
  const { name, type, weight, documents, chunks, related } = concept;
  const toJson = (shown: readonly FoundPlace[], isFull: boolean): JsonObject => ({
    concept: {
      id: conceptIdOf(concept),
      name,
      type,
      weight,
      documentCount: documents,
      chunkCount: chunks,
      relatedConcepts: related,
    },
    documents: shown.map(({ source, title, nodeId, heading, summary, relevance, chunkCount }) => ({
      source,
      title,
      section: { id: nodeId, heading, ...(isFull && { summary }) },
      relevance,
      chunkCount,
    })),
  });
  const levels = [["sections with summaries", true] as const, ["sections", false, 1] as const];
  return listForms(places, levels, {
    tail: related.length === 0 ? "" : `Near it: ${related.join(", ")}`,
    more: "Fewer: limit; read one with get_node_content.",
    text: formatPlace,
    toJson,
    joined: true,
  });
}

function formatPlace({ nodeId, lines, heading, summary, chunkCount }: FoundPlace, isFull: boolean): string {
  const place = lines === "" ? "" : `@${lines} `;
  const title = heading === "" ? "" : ` ${foldLine(heading, MAX_SUMMARY_LENGTH)}`;
  const text = isFull && summary !== "" ? `: ${foldLine(summary, MAX_SUMMARY_LENGTH)}` : "";
  return `${place}${nodeId}${title} (${formatCount(chunkCount, "section")} of the page)${text}`;
}
