/**
 * Tool `list_categories`: which subjects there are, with counts.
 */
import { CATEGORY_ORDERS, listCategories, readCategories } from "../../core/docs/categories.ts";
import type { Category } from "../../core/docs/model.ts";
import { MAX_LISTED_CONCEPTS } from "../../core/format/topics.ts";
import { quoteName } from "../../core/text/nearest.ts";
import { type JsonObject, listForms } from "../../surface/render/answer.ts";
import { foldLine, formatCount, formatTopicCounts } from "../../surface/render/text.ts";
import { expectCategories, namesAbove } from "../find-named.ts";
import { defineTool } from "../tool.ts";

const MAX_DESCRIPTION_LENGTH = 120;

export const listCategoriesTool = defineTool({
  name: "list_categories",
  description:
    "Categories with counts of documents, sections and concepts. Use to explore a corpus; next category_search.",
  parameters: {
    sort_by: { kind: "choice", values: CATEGORY_ORDERS, default: "popularity", aliases: ["sort", "order_by"] },
    limit: { kind: "integer", default: 50, maximum: 200 },
    include_hierarchy: { kind: "boolean", default: false },
    filter: { kind: "text", aliases: ["query", "text", "name"] },
  },
  pages: true,
  example: { sort_by: "popularity", limit: 20 },
  async run({ sort_by, limit, include_hierarchy, filter = "" }, { reader, offset }) {
    expectCategories(reader);
    const table = await readCategories(reader);
    const { categories, stats, isPartial } = await listCategories(table, sort_by, filter);
    const shown = categories.slice(offset, offset + limit);
    const named = filter === "" ? "" : ` with ${quoteName(filter)} in the name`;
    const part = shown.length < categories.length ? `, showing ${shown.length}` : "";
    return {
      summary: `Found ${formatCount(categories.length, "category", "categories")}${named}${part}.`,
      forms: toForms(shown, stats, categories.length, include_hierarchy),
      notes: [
        ...(categories.length === 0 ? ["Without filter, list_categories shows all of them."] : []),
        ...(isPartial
          ? [
              `Concepts together are those that categories list, ${MAX_LISTED_CONCEPTS} at most each; there may be more.`,
            ]
          : []),
      ],
      page: { offset, total: categories.length, items: "categories" },
    };
  },
});

function toForms(
  categories: readonly Category[],
  stats: Awaited<ReturnType<typeof listCategories>>["stats"],
  total: number,
  withHierarchy: boolean,
) {
  const toValue = (listed: readonly Category[], isFull: boolean): JsonObject => ({
    totalCategories: total,
    returnedCategories: listed.length,
    categories: listed.map((category) => toJson(category, withHierarchy, isFull)),
    aggregateStats: stats,
  });
  const { totalDocuments: documents, totalChunks: chunks, totalConcepts: concepts } = stats;
  const average = `${formatCount(stats.averageDocsPerCategory, "document")} and ${formatCount(stats.averageChunksPerCategory, "section")} a category`;
  const tail = total === 0 ? "" : `Together: ${formatTopicCounts({ documents, chunks, concepts })}; ${average}.`;
  const levels = [["categories", true] as const, ["names and counts", false, 1] as const];
  const text = (category: Category, isFull: boolean): string => formatCategory(category, withHierarchy, isFull);
  return listForms(categories, levels, { tail, more: "Fewer: filter or limit.", text, toJson: toValue, joined: true });
}

function formatCategory(category: Category, withHierarchy: boolean, isFull: boolean): string {
  const { id, name, description, aliases, related, own, children } = category;
  const path = namesAbove(category);
  const facts = [
    formatTopicCounts(own),
    ...(withHierarchy && path.length > 1 ? [`in ${path.slice(0, -1).join(" > ")}`] : []),
    ...(withHierarchy && children.length > 0 ? [`above ${children.map((child) => child.name).join(", ")}`] : []),
    ...(aliases.length > 0 ? [`also called ${aliases.join(", ")}`] : []),
    ...(isFull && related.length > 0 ? [`near ${related.map((other) => other.name).join(", ")}`] : []),
  ];
  const text = isFull && description !== "" ? `\n  ${foldLine(description, MAX_DESCRIPTION_LENGTH)}` : "";
  return `${name}${id === name ? "" : ` [${id}]`}: ${facts.join("; ")}${text}`;
}

function toJson(category: Category, withHierarchy: boolean, isFull: boolean): JsonObject {
  const { id, name, description, aliases, related, sources, own, parent, children } = category;
  return {
    id,
    name,
    description: isFull ? description : foldLine(description, MAX_DESCRIPTION_LENGTH),
    statistics: { documentCount: own.documents, chunkCount: own.chunks, conceptCount: own.concepts },
    ...(withHierarchy && {
      hierarchy: {
        parent: parent?.name ?? null,
        children: children.map((child) => child.name),
        depth: namesAbove(category).length - 1,
      },
    }),
    aliases,
    sources,
    relatedCategories: related.map((other) => other.name),
  };
}
