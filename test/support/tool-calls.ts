/** Calls of every tool, made out of the words of a collection, for tests that ask all there is to ask. */

/** A call of a tool. */
export interface NamedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Stands for the handle of a session that whoever asks has just opened. */
export const OPENED_SESSION = "OPENED";

/** Calls of every tool that name what a collection of `grouped-files.ts` holds. */
export function callsAbout(name: string, word: string): readonly NamedCall[] {
  const low = word.toLowerCase();
  const page = `${name}:guide/${low}-setup.md`;
  const file = `${name}-code:src/${low}.ts`;
  const symbol = `${file}#run${word}`;
  const calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ["search", { queries: [`install ${low} secret`, "common section", `run${word} | ${low}`, low.slice(0, -1)] }],
    ["search", { queries: ["shared", "install cache", word], in: "code", path: `src/${low}* src/doors.ts` }],
    ["search", { queries: ["shared handshake"], in: "docs", path: `!**/${low}*` }],
    ["search", { queries: ["okapi", `aside${word}`] }],
    ["grep", { patterns: ["okapi|handshake", `aside${word}`] }],
    ["inspect", { symbols: [`run${word}`, `aside${word}`, `help${word}`], tests: true }],
    ["grep", { patterns: [low, "(?i)secret|common", "shared", word.toUpperCase()], tests: true }],
    ["grep", { patterns: [`${word}|shared`], names: true, limit: 3 }],
    ["grep", { patterns: ["shared"], path: [`**/${low}*`, "src"], context: 2 }],
    ["read", { targets: [page, `guide/${low}-setup.md#${low}`, `src/${low}.ts:4`, "src/index.ts", `${low}-help.ts`] }],
    [
      "read",
      { targets: [`run${word}`, `${word}Controller.start`, "openDoors", "src/doors.ts", "doors.md", `run${low}`] },
    ],
    [
      "inspect",
      { symbols: [`run${word}`, "sharedHelper", "openDoors", `${word}Controller`, `${low}Total`, `run${low}`] },
    ],
    [
      "inspect",
      { symbols: [`run${word} rename`, `help${word} calls`, "openDoors callees", `src/${low}.ts`, "src/index.ts"] },
    ],
    ["map", {}],
    ["map", { path: "src" }],
    ["map", { path: `guide/${low}-setup.md` }],
    ["map", { path: low }],
    ["index_status", {}],
    ["list_documents", {}],
    ["list_documents", { query: low }],
    ["list_documents", { collection: name }],
    ["list_documents", { filters: { type: `${low}-guide` } }],
    ["list_documents", { filters: { [`${low}Team`]: `${low}-owners` } }],
    ["list_documents", { path: "guide" }],
    ["list_documents", { filters: { tags: "shared", not: { tags: low } } }],
    ["search_documents", { query: `install ${low} secret` }],
    ["search_documents", { query: low.slice(0, -1) }],
    ["search_documents", { query: "common section", collection: name }],
    ["search_documents", { query: "shared handshake", doc_id: page, explain: true }],
    ["search_documents", { query: `"secret handshake" cache`, filters: { tags: low } }],
    ["search_documents", { query: "install cache", include_content: true, explain: true }],
    ["get_tree", { doc_id: page }],
    ["get_tree", { doc_id: file }],
    ["get_tree", { doc_id: `guide/${low}-setup.md` }],
    ["get_tree", { collection: name }],
    ["get_tree", {}],
    ["get_node_content", { node_ids: [`${page}#install`, symbol] }],
    ["get_node_content", { doc_id: page, node_ids: [`#${low}`], include_descendants: true }],
    ...["subtree", "parent", "siblings", "next", "previous", "links_in", "links_out"].map(
      (direction) => ["navigate_tree", { node_id: page, direction }] as const,
    ),
    ["navigate_tree", { node_id: "docs:doors.md", direction: "links_out" }],
    ["grep_documents", { pattern: low }],
    ["grep_documents", { pattern: "(?i)secret|common", regex: true, path_glob: `**/${low}*` }],
    ["grep_documents", { pattern: "shared" }],
    ["find_similar", { content: "This common section stands in every collection, word for word, and ends here." }],
    ["find_similar", { content: `The ${word} Controller is used by teams.`, collection: name }],
    ["find_symbol", { query: `run${word}` }],
    ["find_symbol", { query: `*${low}*` }],
    ["find_symbol", { query: "sharedHelper" }],
    ["find_symbol", { query: "*", path: "src" }],
    ["read", { file }],
    ["read", { file: `src/${low}.ts`, preview_mode: "raw" }],
    ["read", { file: "docs-code:src/doors.ts", preview_mode: "expanded" }],
    ["inspect", { symbol }],
    ["inspect", { symbol: `run${word}` }],
    ["inspect", { symbol: "openDoors" }],
    ["references", { symbol: `run${word}` }],
    ["references", { symbol: "sharedHelper" }],
    ["call_hierarchy", { symbol: `run${word}`, direction: "callers", depth: 3 }],
    ["call_hierarchy", { symbol: "openDoors", direction: "callees", depth: 3 }],
    ["completion", { prefix: `run` }],
    ["completion", { prefix: `${word}Controller.` }],
    ["completion", { prefix: low }],
    ["rename", { symbol: `run${word}`, new_name: "start" }],
    ["rename", { symbol: "openDoors", new_name: `run${word}` }],
    ["diagnostics", {}],
    ["diagnostics", { file: page }],
    ["diagnostics", { file, severity: ["error", "warning", "info"] }],
    ["diagnostics", { source: low }],
    ["logs", { level: "info" }],
    ["logs", { level: "warning" }],
    ["search_nodes", { query: `*${low}*`, include: ["calls", "called_by", "signature"] }],
    ["search_nodes", { query: "*", include: ["calls", "called_by"] }],
    ["get_graph_summary", {}],
    ["get_graph_summary", { force_refresh: true }],
    ["get_graph_summary", { collection: name }],
    ["get_dependencies", {}],
    ["get_dependencies", { target: file, direction: "both", depth: 3 }],
    ["get_dependencies", { target: `@acme/${low}`, direction: "both", mermaid: true }],
    ["get_dependencies", { target: "docs-code:src/doors.ts", direction: "both", depth: 5 }],
    ["analyze_impact", { target: `run${word}` }],
    ["analyze_impact", { target: file }],
    ["describe_package", { package: `@acme/${low}` }],
    ["find_path", { from: "openDoors", to: `help${word}` }],
    ["find_path", { from: "docs-code:src/doors.ts", to: file }],
    ["category_search", { category: `${word} Operations`, include_chunks: true }],
    ["category_search", { category: "Operations" }],
    ["list_categories", {}],
    ["list_categories", { include_hierarchy: true, filter: low }],
    ["list_concepts_in_category", { category: `${word} Operations` }],
    ["list_concepts_in_category", { doc_id: page }],
    ["concept_search", { concept: `${low} controller` }],
    ["concept_search", { concept: word }],
    ["open_session", { scope: { collections: [name], filters: { tags: low } } }],
    ["session_state", { session: OPENED_SESSION }],
    ["search_documents", { query: low, session: OPENED_SESSION }],
    [`no_such_${low}`, {}],
    ["search_documents", { quer: low }],
    ["search_documents", { query: low, cursor: "x" }],
  ];
  return calls.flatMap(([tool, args]) => [
    { tool, args },
    { tool, args: { ...args, format: "json" } },
  ]);
}
