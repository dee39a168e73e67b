/**
 * What agents read, word for word: answers of every tool over the handbook, in `test/golden/tools/`.
 *
 * After a wanted change `npm run test:unit -- golden -u` writes them anew; the review reads the difference.
 */
import { describe, expect, it } from "vitest";
import { ask } from "./handbook.ts";

type Call = readonly [tool: string, given: Readonly<Record<string, unknown>>];

const INSTALL = "docs:guide/install.md";
const GOLDEN: Readonly<Record<string, readonly Call[]>> = {
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
    ["grep_documents", { pattern: "lamp{2000}", regex: true }],
  ],
  "index-status": [["index_status", {}]],
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

describe("the text of answers", () => {
  it.each(Object.keys(GOLDEN))("of %s is the golden one", async (name) => {
    const parts: string[] = [];
    for (const [tool, given] of GOLDEN[name] ?? []) {
      const { texts } = await ask(tool, given);
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
