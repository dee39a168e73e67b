import { describe, expect, it } from "vitest";
import common from "../../../schemas/tools/common.schema.json" with { type: "json" };
import findSimilar from "../../../schemas/tools/find-similar.schema.json" with { type: "json" };
import getNodeContent from "../../../schemas/tools/get-node-content.schema.json" with { type: "json" };
import getTree from "../../../schemas/tools/get-tree.schema.json" with { type: "json" };
import grepDocuments from "../../../schemas/tools/grep-documents.schema.json" with { type: "json" };
import indexStatus from "../../../schemas/tools/index-status.schema.json" with { type: "json" };
import listDocuments from "../../../schemas/tools/list-documents.schema.json" with { type: "json" };
import navigateTree from "../../../schemas/tools/navigate-tree.schema.json" with { type: "json" };
import searchDocuments from "../../../schemas/tools/search-documents.schema.json" with { type: "json" };
import { offeredTools } from "../../../src/mcp/profiles.ts";
import { findMisfits, type Schema } from "../../support/json-schema.ts";
import { ask } from "./handbook.ts";

const SCHEMAS: Readonly<Record<string, Schema>> = {
  "common.schema.json": common,
  "find-similar.schema.json": findSimilar,
  "get-node-content.schema.json": getNodeContent,
  "get-tree.schema.json": getTree,
  "grep-documents.schema.json": grepDocuments,
  "index-status.schema.json": indexStatus,
  "list-documents.schema.json": listDocuments,
  "navigate-tree.schema.json": navigateTree,
  "search-documents.schema.json": searchDocuments,
};

/** Words of the handbook, and some more. */
const DRAFT = "Before you begin: use the package manager to install the server, then apt update.";
const INSTALL = "docs:guide/install.md";
const CALLS: readonly (readonly [tool: string, given: Readonly<Record<string, unknown>>])[] = [
  ["search_documents", { query: "lamp" }],
  ["search_documents", { query: "lamp", limit: 2, filters: { category: "recipe" } }],
  ["search_documents", { query: "wombat" }],
  ["search_documents", { query: "dim the lamp", include_content: true }],
  ["search_documents", { query: "lamp proxy", explain: true, ranking: "mixed" }],
  ["search_documents", { query: '"dim the lamp" OR wombat -proxy ins* type:guide' }],
  ["search_documents", { query: '"lamp wombat" lamp category:recipes path:*docs*' }],
  ["search_documents", { query: "inst" }],
  ["search_documents", { query: "instal proxi lampp" }],
  ["list_documents", { limit: 3 }],
  ["list_documents", { query: "wombat" }],
  ["get_tree", {}],
  ["get_tree", { doc_id: INSTALL }],
  ["get_tree", { path: "guide" }],
  ["get_node_content", { doc_id: INSTALL, node_ids: ["#linux", "#mac"] }],
  ["get_node_content", { node_ids: ["docs:changelog.md"], include_descendants: true }],
  ["get_node_content", { node_ids: ["docs:odd name %231 & more.md"] }],
  ...["subtree", "parent", "siblings", "next", "previous", "links_in", "links_out"].flatMap((direction) =>
    [INSTALL, `${INSTALL}#linux`].map((node_id) => ["navigate_tree", { node_id, direction }] as const),
  ),
  ["find_similar", { content: DRAFT }],
  ["find_similar", { content: DRAFT, threshold: 0, limit: 20 }],
  ["find_similar", { content: "Marsupials dig burrows underground near eucalyptus forests." }],
  ["grep_documents", { pattern: "lamp", context: 2 }],
  ["grep_documents", { pattern: "^## .*(linux|mac)$", regex: true }],
  ["grep_documents", { pattern: "wombat-free" }],
  ["index_status", {}],
];

describe("JSON answers", () => {
  it.each(CALLS)("of %s %j fit their schema at every budget", async (tool, given) => {
    const schema = `${tool.replaceAll("_", "-")}.schema.json`;
    for (const max_tokens of [150, 250, 400, 1000, 6000]) {
      const { json, texts } = await ask(tool, { ...given, format: "json", max_tokens });
      expect(findMisfits(json, schema, SCHEMAS)).toEqual([]);
      expect(JSON.parse(texts[0] ?? "")).toEqual(json);
    }
  });

  it("have a schema for every tool", () => {
    for (const { name } of offeredTools().tools) {
      expect(SCHEMAS[`${name.replaceAll("_", "-")}.schema.json`], name).toBeDefined();
    }
  });

  it("that do not fit are found", () => {
    const wrong = { total: "3", results: [{ id: "a" }], other: 1 };
    expect(findMisfits(wrong, "search-documents.schema.json", SCHEMAS)).toEqual([
      ".generation is missing",
      '.total is "3", not integer',
      ".results[0].title is missing",
      ".results[0].score is missing",
      ".results[0].sections is missing",
      ".other is not declared",
    ]);
  });
});
