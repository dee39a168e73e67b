/**
 * Calls as other documents write them, that must work here: the names that tools of this kind have elsewhere, and
 * arguments in camelCase.
 */
import { describe, expect, it } from "vitest";
import { ask } from "./handbook.ts";

const INSTALL = "docs:guide/install.md";

describe("example calls", () => {
  it.each([
    ["list_documents", {}],
    ["search_documents", { query: "auth", filters: { category: "guide" } }],
    ["list_docs", {}],
    ["search_docs", { query: "lamp" }],
    ["catalog_search", { text: "API gateway", limit: 5 }],
    ["chunks_search", { text: "API gateway", source: INSTALL }],
    ["chunks_search", { text: "package manager", source: "guide/install.md" }],
    ["search", { query: "create" }],
    ["get_tree", { docId: INSTALL, maxDepth: 1 }],
    ["get_tree", { file: "guide/install.md" }],
    ["get_tree", { document_query: "guide/install.md" }],
    ["get_node_content", { docId: INSTALL, nodeIds: ["#linux"], includeDescendants: true }],
    ["get_node_content", { doc_id: INSTALL, node_id: "#linux", includeChildren: "true" }],
    ["get_node_content", { id: `${INSTALL}#linux` }],
    ["navigate_tree", { docId: INSTALL, nodeId: "#linux", direction: "linksIn" }],
    ["navigate_tree", { node: `${INSTALL}#linux`, direction: "SUBTREE" }],
    ["search_documents", { q: "lamp", maxTokens: 500, includeContent: false, docId: null, collection: "" }],
    ["search_documents", { question: "lamp", topK: "3", filters: '{"category":"guide"}', contentType: undefined }],
    ["list_documents", { filters: { contentType: "docs", hasCode: true }, sortBy: "title" }],
    ["find_similar", { text: "Use the package manager to install the server.", minSimilarity: "0.5", topK: 3 }],
    ["grep_documents", { pattern: "max", pathGlob: "guide/**", caseSensitive: true, contextLines: 0 }],
    ["grep", { query: "proxy", glob: "*.md" }],
    ["search_text", { text: "lamp|fuse", isRegex: "true", path: "recipes/" }],
    ["status", {}],
  ])("%s %j works", async (tool, given) => {
    const defined = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const { isError, text } = await ask(tool, defined);
    expect(isError, text).toBe(false);
  });

  it("lead from a search over the tree to the text", async () => {
    const found = await ask("catalog_search", { text: "install behind a proxy", limit: 3 });
    const doc_id = /^(\S+) \(/.exec(found.texts[1] ?? "")?.[1] ?? "";
    const tree = await ask("get_tree", { doc_id });
    const node_id = /(#\S+) Behind a proxy/.exec(tree.text)?.[1] ?? "";
    const read = await ask("get_node_content", { doc_id, node_ids: [node_id] });
    expect(read.text).toContain("Set `HTTP_PROXY` before the install");
    expect(found.tokens + tree.tokens + read.tokens).toBeLessThan(1000);
  });
});
