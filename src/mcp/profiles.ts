/**
 * Which tools a server offers. The one list of them, by profile, and the unlisted names under which some are also known.
 *
 * Listed are the few for agents, or the profiles that the address asks for (`?tools=code,docs`). Called can be all of them,
 * listed or not: an agent may know a name from elsewhere.
 */
import { InputError } from "../core/errors.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { codeShards } from "../core/index/shards.ts";
import { nearestNames, quoteName } from "../core/text/nearest.ts";
import type { ToolSet } from "./call.ts";
import type { Tool } from "./tool.ts";
import { analyzeImpactTool } from "./tools/analyze-impact.ts";
import { callHierarchyTool } from "./tools/call-hierarchy.ts";
import { categorySearchTool } from "./tools/category-search.ts";
import { completionTool } from "./tools/completion.ts";
import { conceptSearchTool } from "./tools/concept-search.ts";
import { describePackageTool } from "./tools/describe-package.ts";
import { diagnosticsTool } from "./tools/diagnostics.ts";
import { findPathTool } from "./tools/find-path.ts";
import { findSimilarTool } from "./tools/find-similar.ts";
import { findSymbolTool } from "./tools/find-symbol.ts";
import { getDependenciesTool } from "./tools/get-dependencies.ts";
import { getGraphSummaryTool } from "./tools/get-graph-summary.ts";
import { getNodeContentTool } from "./tools/get-node-content.ts";
import { getTreeTool } from "./tools/get-tree.ts";
import { grepTool } from "./tools/grep.ts";
import { grepDocumentsTool } from "./tools/grep-documents.ts";
import { indexStatusTool } from "./tools/index-status.ts";
import { inspectTool } from "./tools/inspect.ts";
import { inspectSymbolsTool } from "./tools/inspect-symbols.ts";
import { listCategoriesTool } from "./tools/list-categories.ts";
import { listConceptsInCategoryTool } from "./tools/list-concepts-in-category.ts";
import { listDocumentsTool } from "./tools/list-documents.ts";
import { logsTool } from "./tools/logs.ts";
import { mapTool } from "./tools/map.ts";
import { navigateTreeTool } from "./tools/navigate-tree.ts";
import { openSessionTool } from "./tools/open-session.ts";
import { readTool } from "./tools/read.ts";
import { readTargetsTool } from "./tools/read-targets.ts";
import { referencesTool } from "./tools/references.ts";
import { renameTool } from "./tools/rename.ts";
import { searchTool } from "./tools/search.ts";
import { searchDocumentsTool } from "./tools/search-documents.ts";
import { searchNodesTool } from "./tools/search-nodes.ts";
import { sessionStateTool } from "./tools/session-state.ts";

/** What is listed unless an address asks for other profiles: few tools that take several things at once. */
const AGENT_TOOLS = [searchTool, grepTool, readTargetsTool, inspectSymbolsTool, mapTool];

/** Tools by profile, each profile in the order in which an agent needs them. */
const PROFILES = {
  docs: [
    searchDocumentsTool,
    getTreeTool,
    getNodeContentTool,
    navigateTreeTool,
    grepDocumentsTool,
    listDocumentsTool,
    findSimilarTool,
  ],
  code: [findSymbolTool, readTool, inspectTool, referencesTool, callHierarchyTool, completionTool, renameTool],
  graph: [
    getGraphSummaryTool,
    searchNodesTool,
    getDependenciesTool,
    analyzeImpactTool,
    describePackageTool,
    findPathTool,
  ],
  categories: [listCategoriesTool, categorySearchTool, listConceptsInCategoryTool, conceptSearchTool],
  ops: [diagnosticsTool, logsTool],
} as const satisfies Readonly<Record<string, readonly Tool[]>>;

/** The pair `search` and `fetch` (`openai-tools.ts`), which are no tools of the framework; no part of `all`. */
const OPENAI = "openai";

type ToolProfile = keyof typeof PROFILES;
export type Profile = ToolProfile | typeof OPENAI;

/** Tools of every profile. */
const COMMON_TOOLS: readonly Tool[] = [indexStatusTool, openSessionTool, sessionStateTool];
const ALL_PROFILES = Object.keys(PROFILES) as readonly ToolProfile[];
/** What stands for all profiles. */
const EVERYTHING = "all";

/** Names that other servers give to the same tools. They work and are never listed. */
const TOOL_ALIASES: Readonly<Record<string, string>> = {
  catalog_search: "search_documents",
  chunks_search: "search_documents",
  search: "search_documents",
  search_docs: "search_documents",
  list_docs: "list_documents",
  grep: "grep_documents",
  search_text: "grep_documents",
  get_node: "get_node_content",
  status: "index_status",
  search_symbols: "find_symbol",
  workspace_symbols: "find_symbol",
  read_file: "read",
  find_references: "references",
  complete: "completion",
  rename_symbol: "rename",
  constellation_get_graph_summary: "get_graph_summary",
  graph_summary: "get_graph_summary",
  extract_concepts: "list_concepts_in_category",
  list_concepts: "list_concepts_in_category",
  search_category: "category_search",
  search_concept: "concept_search",
};

/** The tools that answer calls, listed or not. */
export function offeredTools(): ToolSet {
  return { tools: [...AGENT_TOOLS, ...toolsOf(ALL_PROFILES)], aliases: TOOL_ALIASES };
}

/** The tools that are listed: of the profiles asked for, else the few for agents that the index can answer. */
export function listedTools(wanted: readonly Profile[] | undefined, reader: IndexReader | undefined): readonly Tool[] {
  if (wanted !== undefined) return toolsOf(wanted);
  const hasCode = reader === undefined || codeShards(reader).length > 0;
  return AGENT_TOOLS.filter((tool) => hasCode || tool !== inspectSymbolsTool);
}

/** Profiles as an address names them: `docs,code`, `all`; undefined for none. @throws {InputError} for an unknown one. */
export function readProfiles(text: string | null): readonly Profile[] | undefined {
  const names = (text ?? "").split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim().toLowerCase()]));
  if (names.length === 0) return undefined;
  const known = [...ALL_PROFILES, EVERYTHING, OPENAI];
  const wrong = names.find((name) => !known.includes(name));
  if (wrong !== undefined) {
    throw new InputError(
      `tools has no profile ${quoteName(wrong)}. The profiles are ${known.join(", ")}.`,
      nearestNames(wrong, known, 1),
    );
  }
  const chosen = names.includes(EVERYTHING) ? ALL_PROFILES : ALL_PROFILES.filter((profile) => names.includes(profile));
  return names.includes(OPENAI) ? [OPENAI, ...chosen] : chosen;
}

/** Whoever asks for the pair alone expects nothing else, not even what every profile has. */
function toolsOf(profiles: readonly Profile[]): readonly Tool[] {
  const ofTools = profiles.filter((profile) => profile !== OPENAI);
  if (ofTools.length === 0 && profiles.length > 0) return [];
  return [...ofTools.flatMap((profile): readonly Tool[] => PROFILES[profile]), ...COMMON_TOOLS];
}
