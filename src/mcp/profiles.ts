/**
 * Which tools a server offers. The one list of them, and the unlisted names under which some are also known.
 */
import type { ToolSet } from "./call.ts";
import type { Tool } from "./tool.ts";
import { indexStatusTool } from "./tools/index-status.ts";

/** Tools over documents, in the order in which an agent needs them. */
const DOCS_TOOLS: readonly Tool[] = [indexStatusTool];

/** Names that other servers give to the same tools. They work and are never listed. */
const TOOL_ALIASES: Readonly<Record<string, string>> = {
  catalog_search: "search_documents",
  chunks_search: "search_documents",
  search: "search_documents",
  search_docs: "search_documents",
  list_docs: "list_documents",
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
