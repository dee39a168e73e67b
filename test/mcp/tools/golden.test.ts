/**
 * What agents read, word for word: answers of every tool over the handbook, of those for code over the workshop, in
 * `test/golden/tools/`.
 *
 * After a wanted change `npm run test:unit -- golden -u` writes them anew; the review reads the difference.
 */
import { describe, expect, it } from "vitest";
import { callTool } from "../../../src/mcp/call.ts";
import { offeredTools } from "../../../src/mcp/profiles.ts";
import { openSessions } from "../../session/open-memory.ts";
import { ask, services } from "./handbook.ts";
import { ask as askWorkshop } from "./workshop.ts";

type Call = readonly [tool: string, given: Readonly<Record<string, unknown>>];

const INSTALL = "docs:guide/install.md";
const GOLDEN: Readonly<Record<string, readonly Call[]>> = {
  search: [
    ["search", { queries: ["install behind a proxy"] }],
    ["search", { queries: ["dim the lamp", "memory that is needed | requirements", "wombat", "instal lantren"] }],
    ["search", { queries: ["lamp", "lamp"], path: "recipes/**", in: "docs", max_tokens: 200 }],
    ["search", { queries: ["lamp"], path: "recipez" }],
    ["search", { queries: [] }],
  ],
  grep: [
    ["grep", { patterns: ["HTTP_PROXY"] }],
    ["grep", { patterns: ["(apt|brew) install", "lamp", "lamp(", "no such line", "LAMP"], limit: 3 }],
    ["grep", { patterns: ["lamp"], path: "recipes !*9*", names: true, max_tokens: 200 }],
    ["grep", { patterns: ["apt"], context: 1, word: true }],
  ],
  map: [
    ["map", {}],
    ["map", { path: "guide" }],
    ["map", { path: "guide/install.md" }],
    ["map", { path: "gide" }],
  ],
  "read-targets-of-pages": [
    ["read", { targets: ["guide/install.md#linux", "guide/install.md:12", `${INSTALL}:36-40`, "guide/instal.md"] }],
    ["read", { targets: ["changelog.md", "changelog.md"] }],
    ["read", { targets: ["guide/install.md"], max_tokens: 150 }],
  ],
  "search-documents": [
    ["search_documents", { query: "install behind a proxy" }],
    ["search_documents", { query: "dim the lamp wombat", limit: 3, excerpts: 1 }],
    ["search_documents", { query: "requirements memory", include_content: true, limit: 1 }],
    ["search_documents", { query: "wombat", filters: { category: "guide" } }],
    ["search_documents", { query: "lamp", max_tokens: 300 }],
    ["search_documents", { query: "instal lantren" }],
    ["search_documents", { query: '"behind a proxy" -wombat', limit: 2 }],
    ["search_documents", { query: '"no such words here" proxy type:gide', limit: 1 }],
    ["search_documents", { query: "category:guide lamp OR proxy inst*", limit: 2, excerpts: 1 }],
    ["search_documents", { query: "behind a proxy", explain: true, limit: 1 }],
    ["search_documents", { query: "lamp", ranking: { title_weight: -1 } }],
    ["search_documents", { query: "lamp", ranking: "api" }],
  ],
  "list-documents": [
    ["list_documents", { limit: 8 }],
    ["list_documents", { query: "lantern", filters: { not: { tags: "linux" } } }],
    ["list_documents", { query: "wombat" }],
    ["list_documents", { max_tokens: 200 }],
  ],
  "get-tree": [
    ["get_tree", { doc_id: INSTALL }],
    ["get_tree", { doc_id: INSTALL, max_depth: 1 }],
    ["get_tree", { node_id: `${INSTALL}#linux` }],
    ["get_tree", { doc_id: "plain.md" }],
    ["get_tree", { path: "guide" }],
    ["get_tree", {}],
    ["get_tree", { max_tokens: 250 }],
    ["get_tree", { doc_id: "reference/cli.md", max_tokens: 350 }],
  ],
  "get-node-content": [
    ["get_node_content", { doc_id: INSTALL, node_ids: ["#linux", "#n5"] }],
    ["get_node_content", { node_ids: [`${INSTALL}#linux`], include_descendants: true }],
    ["get_node_content", { node_ids: ["docs:odd name %231 & more.md"] }],
    ["get_node_content", { doc_id: "changelog.md", lines: "66-70" }],
    ["get_node_content", { node_ids: ["docs:changelog.md#version-3"], max_tokens: 300 }],
  ],
  "navigate-tree": [
    ["navigate_tree", { node_id: `${INSTALL}#linux` }],
    ...["parent", "siblings", "next", "previous", "links_in", "links_out"].map(
      (direction): Call => ["navigate_tree", { node_id: `${INSTALL}#linux`, direction }],
    ),
    ["navigate_tree", { node_id: INSTALL, direction: "links_out" }],
    ["navigate_tree", { node_id: INSTALL, direction: "siblings" }],
    ["navigate_tree", { node_id: "docs:changelog.md", max_tokens: 400 }],
  ],
  "find-similar": [
    ["find_similar", { content: "First, use the package manager to install the server. Then apt install lantern." }],
    ["find_similar", { content: "Use brew to install the lantern on machines of the newest kind.", threshold: 0.9 }],
    ["find_similar", { content: "Marsupials dig burrows underground near eucalyptus forests." }],
    ["find_similar", { content: "the lamp" }],
    ["find_similar", { content: "Use brew to install.", threshold: 35 }],
  ],
  "grep-documents": [
    ["grep_documents", { pattern: "HTTP_PROXY" }],
    ["grep_documents", { pattern: "(apt|brew) install", regex: true, context: 2 }],
    ["grep_documents", { pattern: "lamp", path_glob: "recipes/**", limit: 3, context: 0 }],
    ["grep_documents", { pattern: "Lantern", case_sensitive: true, filters: { category: "guide" }, max_tokens: 200 }],
    ["grep_documents", { pattern: "apt.*install" }],
    ["grep_documents", { pattern: "(?=lamp)", regex: true }],
    ["grep_documents", { pattern: "lamp{9000}", regex: true }],
  ],
  "list-categories": [
    ["list_categories", {}],
    ["list_categories", { filter: "re", include_hierarchy: true, sort_by: "name" }],
    ["list_categories", { filter: "zebra" }],
    ["list_categories", { max_tokens: 200 }],
  ],
  "category-search": [
    ["category_search", { category: "recipes", limit: 3 }],
    ["category_search", { category: "docs", include_children: true, include_chunks: true, limit: 3 }],
    ["category_search", { category: "recipes", limit: 3, format: "toon" }],
    ["category_search", { category: "recipe", max_tokens: 200 }],
    ["category_search", { category: "recipez" }],
  ],
  "list-concepts-in-category": [
    ["list_concepts_in_category", { category: "recipes", limit: 5 }],
    ["list_concepts_in_category", { category: "guide", sort_by: "weight", limit: 5 }],
    ["list_concepts_in_category", { doc_id: INSTALL }],
    ["list_concepts_in_category", { category: "guide", doc_id: INSTALL }],
    ["list_concepts_in_category", { doc_id: "guide/instal.md" }],
  ],
  "concept-search": [
    ["concept_search", { concept: "lamps", limit: 3 }],
    ["concept_search", { concept: "zebra" }],
  ],
  "index-status": [["index_status", {}]],
  "get-graph-summary": [
    ["get_graph_summary", {}],
    ["get_graph_summary", { collection: "notes" }],
    ["get_graph_summary", { collection: "note" }],
  ],
  problems: [
    ["get_tree", { doc_id: "guide/instal.md" }],
    ["get_tree", { path: "guid" }],
    ["get_tree", { doc_id: "index.md" }],
    ["get_node_content", { node_ids: ["#linus"], doc_id: INSTALL }],
    ["get_node_content", { node_ids: ["#linux"] }],
    ["search_documents", { query: "lamp", filters: { categry: "guide" } }],
    ["search_documents", { query: "lamp", filters: { category: "guides" } }],
    ["search_documents", { query: "lamp", collection: "doc" }],
  ],
};

const STORE = "code:src/store/store.ts";
const toon = (tool: string, given: Readonly<Record<string, unknown>>): Call => [tool, { ...given, format: "toon" }];

/** Over the workshop. */
const CODE: Readonly<Record<string, readonly Call[]>> = {
  "read-targets": [
    ["read", { targets: ["Store.find", "src/store/store.ts:10", "src/store/store.ts"], lines: 12 }],
    ["read", { targets: ["formatLamp", "docs:upgrade.md", "Stor"] }],
  ],
  "inspect-symbols": [
    ["inspect", { symbols: ["Store", "formatLamp", "Closable"] }],
    ["inspect", { symbols: ["close", "isWanted calls", "clos"] }],
    ["inspect", { symbols: ["formatLamp rename", "src/main.ts", "Store", "Store"], max_tokens: 250 }],
  ],
  "search-of-code": [["search", { queries: ["find lamps in the store", "retry"] }]],
  "map-of-code": [
    ["map", { path: "src/" }],
    ["map", { path: "src/store" }],
    ["map", { path: "src/store/store.ts" }],
  ],
  "find-symbol": [
    ["find_symbol", { query: "find" }],
    ["find_symbol", { query: "Store.find" }],
    ["find_symbol", { query: "create", limit: 3 }],
    ["find_symbol", { query: "*shape*", kind: "interface", path: "src/shapes/s*.ts" }],
    ["find_symbol", { query: "format lamp" }],
    ["find_symbol", { query: "store", max_tokens: 200 }],
    ["find_symbol", { query: "zebra" }],
    toon("find_symbol", { query: "create" }),
    toon("find_symbol", { query: "find", kind: ["methods"] }),
    ["find_symbol", { query: "find", kind: "klass" }],
    ["find_symbol", { query: "find", language: "pithon" }],
  ],
  read: [
    ["read", { file: "src/store/store.ts", preview_mode: "none" }],
    ["read", { file: STORE }],
    ["read", { file: STORE, preview_mode: "expanded" }],
    ["read", { file: STORE, preview_mode: "expanded", start_line: 67, end_line: 70, show_container: true }],
    ["read", { file: STORE, preview_mode: "none", max_depth: 0 }],
    ["read", { file: STORE, max_tokens: 400 }],
    ["read", { file: "src/util/odd.ts", codePreview: true }],
    ["read", { file: "src/tools/report.py", preview_mode: "expanded", max_lines: 2 }],
    ["read", { file: "src/tools/counter.go", preview_mode: "expanded" }],
    ["read", { file: "src/tools/counter.go", preview_mode: "none", start_line: 21, end_line: 21 }],
    ["read", { file: "src/util/files.ts", preview_mode: "raw" }],
    ["read", { file: "docs:upgrade.md", preview_mode: "raw", start_line: 9, end_line: 10 }],
    ["read", { file: STORE, preview_mode: "raw", max_tokens: 200 }],
    toon("read", { file: STORE }),
    ["read", { file: "docs:upgrade.md" }],
    ["read", { file: "src/store/stor.ts" }],
    ["read", { file: STORE, start_line: 9, end_line: 3 }],
  ],
  inspect: [
    ["inspect", { symbol: "Store" }],
    ["inspect", { symbol: "Store.find" }],
    ["inspect", { symbol: "BaseStore.close" }],
    ["inspect", { file: "src/store/store.ts", line: 94, character: 32 }],
    ["inspect", { symbol: "retry" }],
    ["inspect", { symbol: "Loan.row" }],
    toon("inspect", { symbol: "Closable" }),
    ["inspect", { symbol: "close" }],
    ["inspect", { symbol: "clos" }],
    ["inspect", { file: "src/store/store.ts", line: 1 }],
    ["inspect", {}],
  ],
  references: [
    ["references", { symbol: "formatLamp" }],
    ["references", { symbol: "Store.find~2" }],
    ["references", { symbol: "Lamp", include: ["types"], limit: 4 }],
    ["references", { symbol: "Lamp", max_tokens: 250 }],
    ["references", { symbol: "main" }],
    toon("references", { symbol: "formatLamp" }),
    ["references", { symbol: "formatLamp", include: ["call"] }],
  ],
  "call-hierarchy": [
    ["call_hierarchy", { symbol: "isWanted" }],
    ["call_hierarchy", { symbol: "isWanted", depth: 4 }],
    ["call_hierarchy", { symbol: "main", direction: "callees", maxDepth: 3 }],
    ["call_hierarchy", { symbol: "main", depth: 9 }],
    toon("call_hierarchy", { symbol: "isWanted", depth: 4 }),
  ],
  completion: [
    ["completion", { prefix: "Store." }],
    ["completion", { prefix: "cre", limit: 3 }],
    ["completion", { prefix: "f", file: "src/util/format.ts" }],
    ["completion", { prefix: "Loan.", kind: ["method"] }],
    ["completion", { prefix: "zebra" }],
    toon("completion", { prefix: "Store.", limit: 4 }),
  ],
  "search-nodes": [
    ["search_nodes", { query: "*Store*", include: ["calls", "called_by"] }],
    toon("search_nodes", { query: "*Store*", include: ["calls", "called_by"] }),
    toon("search_nodes", { query: "*Shape*" }),
    toon("search_nodes", { query: "*", package: "util", include: ["signature"] }),
    ["search_nodes", { query: "*Shape*", limit: 2 }],
    ["search_nodes", { package: "utils" }],
  ],
  "get-dependencies": [
    ["get_dependencies", {}],
    ["get_dependencies", { target: "src/main.ts", depth: 2 }],
    ["get_dependencies", { target: "src/store/lamp.ts", direction: "in" }],
    ["get_dependencies", { target: "src/tools/report.py" }],
    ["get_dependencies", { target: "store", direction: "both" }],
    ["get_dependencies", { target: "Store.find", direction: "both", kinds: ["calls"] }],
    ["get_dependencies", { target: "src/main.ts", depth: 3, mermaid: true }],
    toon("get_dependencies", { target: "src/main.ts", depth: 2, direction: "both" }),
    ["get_dependencies", { target: "src/stor.ts" }],
    ["get_dependencies", { target: "close" }],
  ],
  "analyze-impact": [
    ["analyze_impact", { target: "isWanted" }],
    ["analyze_impact", { target: `${STORE}#Store.find`, maxDepth: 1 }],
    ["analyze_impact", { target: "store", depth: 1 }],
    ["analyze_impact", { target: "src/main.ts" }],
    ["analyze_impact", { target: "Lamp", max_tokens: 250 }],
    ["analyze_impact", { target: "isWanted", depth: 12 }],
    toon("analyze_impact", { target: "isWanted" }),
    ["analyze_impact", { target: "isWnted" }],
    ["analyze_impact", { target: "close" }],
  ],
  "describe-package": [
    ["describe_package", { package: "store" }],
    ["describe_package", { package: "shapes", max_tokens: 300 }],
    toon("describe_package", { package: "store" }),
    ["describe_package", { package: "stor" }],
  ],
  "find-path": [
    ["find_path", { from: "code:src/main.ts#main", to: "isWanted" }],
    ["find_path", { from: "main", to: "util" }],
    ["find_path", { from: "isWanted", to: "src/main.ts" }],
    ["find_path", { from: "Store", to: "Store.find" }],
    toon("find_path", { from: "src/main.ts", to: "isWanted" }),
    ["find_path", { from: "Stor", to: "util" }],
  ],
  rename: [
    ["rename", { symbol: "formatLamp", new_name: "showLamp" }],
    ["rename", { symbol: "Store.find", new_name: "pick" }],
    toon("rename", { symbol: "formatLamp", newName: "showLamp" }),
    ["rename", { symbol: "formatLamp", new_name: "not a name" }],
  ],
  "get-graph-summary-of-code": [
    ["get_graph_summary", {}],
    ["get_graph_summary", { max_tokens: 400 }],
    ["get_graph_summary", { max_tokens: 200 }],
    ["get_graph_summary", { collection: "code", force_refresh: true }],
    toon("get_graph_summary", { collection: "docs" }),
  ],
  diagnostics: [
    ["diagnostics", {}],
    ["diagnostics", { file: "docs:index.md" }],
    toon("diagnostics", {}),
    ["diagnostics", { source: "eslint" }],
    ["diagnostics", { file: "nowhere.ts" }],
  ],
  logs: [
    ["logs", {}],
    ["logs", { level: "info" }],
    ["logs", { level: "debug" }],
  ],
  "get-tree-of-code": [
    ["get_tree", { doc_id: STORE }],
    ["get_tree", { doc_id: STORE, max_depth: 1 }],
    ["get_tree", { node_id: `${STORE}#Store`, max_tokens: 300 }],
    ["get_tree", { path: "src/store" }],
    ["get_tree", { path: "src", max_tokens: 700 }],
    ["get_tree", { path: "src", max_tokens: 400 }],
    toon("get_tree", { doc_id: "code:src/store/lamp.ts" }),
  ],
  "get-node-content-of-code": [
    ["get_node_content", { node_ids: [`${STORE}#Store.find`, `${STORE}#Store.name`] }],
    ["get_node_content", { doc_id: STORE, node_ids: ["#openStore.retry", "#openStore.retry.Attempt"] }],
    ["get_node_content", { node_ids: ["code:src/tools/counter.go#Counter.Sum"] }],
  ],
};

/** Calls of one session, one after the other. */
const SESSION: readonly Call[] = [
  ["open_session", { scope: { collections: ["docs"] }, token_budget: 5000 }],
  ["search_documents", { query: "install behind a proxy", limit: 2 }],
  ["search_documents", { query: "proxy for the package manager", limit: 2 }],
  ["get_node_content", { doc_id: INSTALL, node_ids: ["#linux"] }],
  ["get_tree", { doc_id: "notes:meetings.md" }],
  ["get_node_content", { doc_id: INSTALL, node_ids: ["#linux"] }],
  ["session_state", {}],
];
const SESSION_PROBLEMS: readonly Call[] = [
  ["session_state", { session: "no handle" }],
  ["open_session", { scope: { collections: ["doc"] } }],
  ["open_session", { scope: { colection: "docs" } }],
];

/** Calls within the session that the first of them opens. */
function askInSession(): typeof ask {
  const within = { ...services, sessions: openSessions({ now: 0 }), origin: "https://docs.example" };
  let session: string | undefined;
  return async (tool, given = {}) => {
    const { content } = await callTool(offeredTools(), tool, { ...given, ...(session && { session }) }, within);
    const texts = content.map(({ text }) => text);
    session ??= /session: "([\w-]{44})"/.exec(texts.join("\n"))?.[1];
    const shown = texts.map((text) => text.replaceAll(session ?? "\u0000", "HANDLE"));
    return { texts: shown, text: shown.join("\n"), json: {}, isError: false, tokens: 0 };
  };
}

const CASES = [
  { name: "session", calls: SESSION, askIndex: askInSession() },
  { name: "session-problems", calls: SESSION_PROBLEMS, askIndex: askInSession() },
  ...Object.entries(GOLDEN).map(([name, calls]) => ({ name, calls, askIndex: ask })),
  ...Object.entries(CODE).map(([name, calls]) => ({ name, calls, askIndex: askWorkshop })),
];

describe("the text of answers", () => {
  it.each(CASES)("of $name is the golden one", async ({ name, calls, askIndex }) => {
    const parts: string[] = [];
    for (const [tool, given] of calls) {
      const { texts } = await askIndex(tool, given);
      parts.push(`>>> ${tool} ${JSON.stringify(given)}\n\n${texts.join("\n\n")}\n`);
    }
    // Cursors and the names of generations change with the index's bytes, not with what an agent reads.
    const text = parts
      .join("\n")
      .replace(/cursor "[\w-]+"/g, 'cursor "…"')
      .replace(/generation [0-9a-f]{12}/g, "generation …");
    await expect(text).toMatchFileSnapshot(`../../golden/tools/${name}.txt`);
  });
});
