/**
 * Which tools a server offers. The one list of them, and the unlisted names under which some are also known.
 */
import type { ToolSet } from "./call.ts";
import type { Tool } from "./tool.ts";
import { findSimilarTool } from "./tools/find-similar.ts";
import { getNodeContentTool } from "./tools/get-node-content.ts";
import { getTreeTool } from "./tools/get-tree.ts";
import { grepDocumentsTool } from "./tools/grep-documents.ts";
import { indexStatusTool } from "./tools/index-status.ts";
import { listDocumentsTool } from "./tools/list-documents.ts";
import { navigateTreeTool } from "./tools/navigate-tree.ts";
import { searchDocumentsTool } from "./tools/search-documents.ts";

/** Tools over documents, in the order in which an agent needs them. */
const DOCS_TOOLS: readonly Tool[] = [
  searchDocumentsTool,
  getTreeTool,
  getNodeContentTool,
  navigateTreeTool,
  grepDocumentsTool,
  listDocumentsTool,
  findSimilarTool,
  indexStatusTool,
];

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
};

/** The tools that answer calls. An alias counts only where its tool is there. */
export function offeredTools(): ToolSet {
  const names = new Set(DOCS_TOOLS.map((tool) => tool.name));
  return {
    tools: DOCS_TOOLS,
    aliases: Object.fromEntries(Object.entries(TOOL_ALIASES).filter(([, name]) => names.has(name))),
  };
}
