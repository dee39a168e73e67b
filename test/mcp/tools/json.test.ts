import { describe, expect, it } from "vitest";
import analyzeImpact from "../../../schemas/tools/analyze-impact.schema.json" with { type: "json" };
import callHierarchy from "../../../schemas/tools/call-hierarchy.schema.json" with { type: "json" };
import categorySearch from "../../../schemas/tools/category-search.schema.json" with { type: "json" };
import common from "../../../schemas/tools/common.schema.json" with { type: "json" };
import completion from "../../../schemas/tools/completion.schema.json" with { type: "json" };
import conceptSearch from "../../../schemas/tools/concept-search.schema.json" with { type: "json" };
import describePackage from "../../../schemas/tools/describe-package.schema.json" with { type: "json" };
import diagnostics from "../../../schemas/tools/diagnostics.schema.json" with { type: "json" };
import findPath from "../../../schemas/tools/find-path.schema.json" with { type: "json" };
import findSimilar from "../../../schemas/tools/find-similar.schema.json" with { type: "json" };
import findSymbol from "../../../schemas/tools/find-symbol.schema.json" with { type: "json" };
import getDependencies from "../../../schemas/tools/get-dependencies.schema.json" with { type: "json" };
import getGraphSummary from "../../../schemas/tools/get-graph-summary.schema.json" with { type: "json" };
import getNodeContent from "../../../schemas/tools/get-node-content.schema.json" with { type: "json" };
import getTree from "../../../schemas/tools/get-tree.schema.json" with { type: "json" };
import grep from "../../../schemas/tools/grep.schema.json" with { type: "json" };
import grepDocuments from "../../../schemas/tools/grep-documents.schema.json" with { type: "json" };
import indexStatus from "../../../schemas/tools/index-status.schema.json" with { type: "json" };
import inspect from "../../../schemas/tools/inspect.schema.json" with { type: "json" };
import inspectSymbols from "../../../schemas/tools/inspect-symbols.schema.json" with { type: "json" };
import listCategories from "../../../schemas/tools/list-categories.schema.json" with { type: "json" };
import listConcepts from "../../../schemas/tools/list-concepts-in-category.schema.json" with { type: "json" };
import listDocuments from "../../../schemas/tools/list-documents.schema.json" with { type: "json" };
import logs from "../../../schemas/tools/logs.schema.json" with { type: "json" };
import map from "../../../schemas/tools/map.schema.json" with { type: "json" };
import navigateTree from "../../../schemas/tools/navigate-tree.schema.json" with { type: "json" };
import openSession from "../../../schemas/tools/open-session.schema.json" with { type: "json" };
import read from "../../../schemas/tools/read.schema.json" with { type: "json" };
import readTargets from "../../../schemas/tools/read-targets.schema.json" with { type: "json" };
import references from "../../../schemas/tools/references.schema.json" with { type: "json" };
import rename from "../../../schemas/tools/rename.schema.json" with { type: "json" };
import search from "../../../schemas/tools/search.schema.json" with { type: "json" };
import searchDocuments from "../../../schemas/tools/search-documents.schema.json" with { type: "json" };
import searchNodes from "../../../schemas/tools/search-nodes.schema.json" with { type: "json" };
import sessionState from "../../../schemas/tools/session-state.schema.json" with { type: "json" };
import { callTool, findTool } from "../../../src/mcp/call.ts";
import { offeredTools } from "../../../src/mcp/profiles.ts";
import { openSessions } from "../../session/open-memory.ts";
import { findMisfits, type Schema } from "../../support/json-schema.ts";
import { fileNameOf } from "../../support/tool-files.ts";
import { ask, services } from "./handbook.ts";
import { ask as askWorkshop } from "./workshop.ts";

const SCHEMAS: Readonly<Record<string, Schema>> = {
  "analyze-impact.schema.json": analyzeImpact,
  "call-hierarchy.schema.json": callHierarchy,
  "category-search.schema.json": categorySearch,
  "common.schema.json": common,
  "completion.schema.json": completion,
  "concept-search.schema.json": conceptSearch,
  "describe-package.schema.json": describePackage,
  "diagnostics.schema.json": diagnostics,
  "find-path.schema.json": findPath,
  "get-dependencies.schema.json": getDependencies,
  "find-similar.schema.json": findSimilar,
  "find-symbol.schema.json": findSymbol,
  "get-graph-summary.schema.json": getGraphSummary,
  "get-node-content.schema.json": getNodeContent,
  "get-tree.schema.json": getTree,
  "grep.schema.json": grep,
  "grep-documents.schema.json": grepDocuments,
  "index-status.schema.json": indexStatus,
  "inspect.schema.json": inspect,
  "inspect-symbols.schema.json": inspectSymbols,
  "list-categories.schema.json": listCategories,
  "list-concepts-in-category.schema.json": listConcepts,
  "list-documents.schema.json": listDocuments,
  "logs.schema.json": logs,
  "map.schema.json": map,
  "navigate-tree.schema.json": navigateTree,
  "open-session.schema.json": openSession,
  "read.schema.json": read,
  "read-targets.schema.json": readTargets,
  "references.schema.json": references,
  "rename.schema.json": rename,
  "search.schema.json": search,
  "search-documents.schema.json": searchDocuments,
  "search-nodes.schema.json": searchNodes,
  "session-state.schema.json": sessionState,
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
  ["list_categories", {}],
  ["list_categories", { include_hierarchy: true, filter: "re", sort_by: "name" }],
  ["list_categories", { filter: "no such" }],
  ["category_search", { category: "docs", include_children: true, include_chunks: true }],
  ["category_search", { category: "recipes", limit: 3 }],
  ["category_search", { category: "recipe", max_tokens: 200 }],
  ["list_concepts_in_category", { category: "recipes" }],
  ["list_concepts_in_category", { doc_id: INSTALL }],
  ["concept_search", { concept: "lamp" }],
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
  ["get_graph_summary", {}],
  ["get_graph_summary", { collection: "notes", force_refresh: true }],
  ["search", { queries: ["lamp", "install behind a proxy | HTTP_PROXY", "wombat", "instal proxi"] }],
  ["search", { queries: ["lamp"], path: "recipes !*.txt", in: "docs" }],
  ["grep", { patterns: ["lamp", "^## .*(linux|mac)$", "(", "wombat-free", "LANTERN"], context: 1 }],
  ["grep", { patterns: ["lamp"], names: true, tests: true, limit: 2 }],
  ["read", { targets: [INSTALL, `${INSTALL}:10-20`, `${INSTALL}#linux`, "changelog.md", "no/such.md"] }],
  ["map", {}],
  ["map", { path: "guide" }],
  ["map", { path: INSTALL }],
  ["map", { path: "gide" }],
];

const STORE = "code:src/store/store.ts";
const CODE_CALLS: typeof CALLS = [
  ["get_graph_summary", {}],
  ["get_graph_summary", { collection: "code" }],
  ["find_symbol", { query: "find" }],
  ["find_symbol", { query: "*shape*", limit: 3 }],
  ["find_symbol", { query: "nothing at all" }],
  ["read", { file: STORE }],
  ["read", { file: STORE, preview_mode: "expanded", start_line: 30, end_line: 60 }],
  ["read", { file: STORE, preview_mode: "raw" }],
  ["read", { file: "docs:index.md", preview_mode: "raw", start_line: 3 }],
  ["inspect", { symbol: "Store.find" }],
  ["inspect", { symbol: "Closable" }],
  ["references", { symbol: "formatLamp" }],
  ["references", { symbol: "Store", include: ["types"], limit: 2 }],
  ["call_hierarchy", { symbol: "isWanted", depth: 5 }],
  ["call_hierarchy", { symbol: "main", direction: "callees", depth: 2 }],
  ["completion", { prefix: "Store." }],
  ["completion", { prefix: "zzz" }],
  ["search_nodes", { include: ["calls", "called_by", "signature"] }],
  ["get_dependencies", {}],
  ["get_dependencies", { target: "src/main.ts", depth: 3, direction: "both" }],
  ["get_dependencies", { target: "tools", direction: "both", depth: 5 }],
  ["get_dependencies", { target: "src/tools/report.py" }],
  ["get_dependencies", { target: "Store", mermaid: true, depth: 2 }],
  ["analyze_impact", { target: "Lamp", depth: 10 }],
  ["analyze_impact", { target: "util" }],
  ["analyze_impact", { target: "src/main.ts" }],
  ["describe_package", { package: "shapes" }],
  ["describe_package", { package: "tools" }],
  ["find_path", { from: "code:src/main.ts#main", to: "isWanted" }],
  ["find_path", { from: "isWanted", to: "src/main.ts" }],
  ["rename", { symbol: "formatLamp", new_name: "showLamp" }],
  ["rename", { symbol: "Store.find", new_name: "class" }],
  ["diagnostics", {}],
  ["diagnostics", { severity: ["error"] }],
  ["logs", { level: "info" }],
  ["get_tree", { doc_id: STORE }],
  ["get_tree", { path: "src" }],
  ["get_node_content", { node_ids: [`${STORE}#Store.name`, `${STORE}#openStore.retry`] }],
  ["search", { queries: ["find a lamp in the store"], in: "code" }],
  ["grep", { patterns: ["find", "class"], path: "src/store" }],
  ["read", { targets: ["Store.find", "src/store/store.ts", "src/store/lamp.ts:3", "src/main.ts#main"], lines: 9 }],
  [
    "inspect",
    { symbols: ["Store", "Store.find", "close", "formatLamp calls", "Lamp rename", "src/main.ts", "nothing"] },
  ],
  ["inspect", { symbols: ["Closable implements", "isWanted callees"], tests: true }],
  ["map", { path: "src" }],
  ["map", { path: "src/store/store.ts" }],
];

async function expectToFit(
  askIndex: typeof ask,
  tool: string,
  given: Readonly<Record<string, unknown>>,
): Promise<void> {
  const found = findTool(offeredTools(), tool, given);
  const schema = `${found === undefined ? tool : fileNameOf(found)}.schema.json`;
  for (const max_tokens of [150, 250, 400, 1000, 6000]) {
    const { json, texts } = await askIndex(tool, { ...given, format: "json", max_tokens });
    expect(findMisfits(json, schema, SCHEMAS)).toEqual([]);
    expect(JSON.parse(texts[0] ?? "")).toEqual(json);
  }
}

describe("JSON answers", () => {
  it.each(CODE_CALLS)("of %s %j fit their schema at every budget", async (tool, given) => {
    await expectToFit(askWorkshop, tool, given);
  });

  it.each(CALLS)("of %s %j fit their schema at every budget", async (tool, given) => {
    await expectToFit(ask, tool, given);
  });

  it("of a session fit their schemas, with sections that were left out", async () => {
    const asking = { ...services, sessions: openSessions({ now: 0 }), origin: "https://docs.example" };
    const settings = { scope: { collections: ["docs"], filters: { not: { tags: "linux" } } }, token_budget: 9000 };
    let session: unknown;
    for (const [tool, given] of [
      ["open_session", settings],
      ["search_documents", { query: "lamp" }],
      ["search_documents", { query: "lamp proxy" }],
      ["session_state", {}],
    ] as const) {
      const { structuredContent } = await callTool(
        offeredTools(),
        tool,
        { ...given, format: "json", ...(session !== undefined && { session }) },
        asking,
      );
      session ??= structuredContent?.session;
      expect(findMisfits(structuredContent, `${tool.replaceAll("_", "-")}.schema.json`, SCHEMAS)).toEqual([]);
    }
  });

  it("have a schema for every tool", () => {
    for (const tool of offeredTools().tools)
      expect(SCHEMAS[`${fileNameOf(tool)}.schema.json`], tool.name).toBeDefined();
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
