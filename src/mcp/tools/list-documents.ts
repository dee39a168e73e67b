/**
 * Tool `list_documents`: the catalogue with its facets, a page at a time.
 */
import { checkCollection, listDocuments } from "../../core/docs/catalogue.ts";
import { NO_FILTER } from "../../core/docs/model.ts";
import { type AnswerForm, listForms } from "../../surface/render/answer.ts";
import { formatFacetCounts } from "../../surface/render/facets.ts";
import { foldLine, formatCount } from "../../surface/render/text.ts";
import { formatDocumentLine } from "../../surface/render/tree.ts";
import { defineTool } from "../tool.ts";

const MAX_QUOTED_QUERY = 80;
const FACET_LIMITS = { keys: 5, values: 6 };

export const listDocumentsTool = defineTool({
  name: "list_documents",
  description: "Catalogue by title or path with facet counts. Use to browse or find filters; next search_documents.",
  parameters: {
    query: { kind: "text" },
    collection: { kind: "text" },
    filters: { kind: "filter" },
    sort: { kind: "choice", values: ["path", "title", "words"] },
    limit: { kind: "integer", default: 30, maximum: 100 },
  },
  pages: true,
  example: { query: "install", filters: { type: "guide" } },
  isKept: true,
  async run({ query, collection, filters, sort, limit }, { reader, offset }) {
    if (collection !== undefined) checkCollection(reader, collection);
    const list = await listDocuments(reader, {
      query: query ?? "",
      collection: collection ?? "",
      folder: "",
      filter: filters ?? NO_FILTER,
      sort: sort ?? "path",
      offset,
      limit,
    });
    const { total, documents } = list;
    const named =
      query === undefined ? "" : ` with ${JSON.stringify(foldLine(query, MAX_QUOTED_QUERY))} in title or path`;
    const shown =
      documents.length === total ? "" : `, showing ${offset === 0 ? "" : `${offset + 1}–`}${offset + documents.length}`;
    return {
      summary: `Found ${formatCount(total, "document")}${named}${shown}.`,
      forms: toForms(list, reader.generation.documents),
      notes:
        total === 0 ? ["search_documents searches the texts; list_documents without query shows what there is."] : [],
      page: { offset, total, items: "documents" },
    };
  },
});

function toForms(
  { documents, total, facetCounts, catalogueFacetCounts }: Awaited<ReturnType<typeof listDocuments>>,
  all: number,
): AnswerForm[] {
  const selection = formatFacetCounts(facetCounts, total, FACET_LIMITS);
  const catalogue = total === all ? "" : formatFacetCounts(catalogueFacetCounts, all, FACET_LIMITS);
  const tail = [
    ...(selection === "" ? [] : [`Facets of these ${total}: ${selection}`]),
    ...(catalogue === "" ? [] : [`Facets of all ${all}: ${catalogue}`]),
  ].join("\n");
  const levels = [["entries with facets", true] as const, ["ids, titles and sizes", false, 1] as const];
  const [full, bare] = listForms(documents, levels, {
    text: (document) => formatDocumentLine(document),
    toJson: (shown, isFull) => ({
      total,
      documents: isFull ? shown : shown.map(({ id, title, sections, words }) => ({ id, title, sections, words })),
      ...(isFull && { facetCounts }),
      // Of everything the counts are the same.
      ...(isFull && total !== all && { catalogueFacetCounts }),
    }),
    joined: true,
    more: "Fewer documents: query, filters or limit.",
  });
  return [{ ...(full as AnswerForm), tail }, bare as AnswerForm];
}
