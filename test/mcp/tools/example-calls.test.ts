/**
 * Calls as other documents write them, that must work here: the names that tools of this kind have elsewhere, and
 * arguments in camelCase.
 */
import { describe, expect, it } from "vitest";
import { ask } from "./handbook.ts";
import { ask as askProject } from "./node-project.ts";

const INSTALL = "docs:guide/install.md";
const LIBRARY = "library/mcp.d.ts";

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

describe("example calls for code", () => {
  const play = async (tool: string, given: Readonly<Record<string, unknown>>): Promise<readonly string[]> => {
    const { isError, text, texts } = await askProject(tool, given);
    expect(isError, text).toBe(false);
    // The last block is the line with commit and age.
    return texts.slice(0, -1);
  };

  it("for a name give one block a file, position first, with signatures", async () => {
    expect(await play("find_symbol", { query: "create" })).toEqual([
      'Found 4 matches for "create" in 2 files',
      [
        "src/tools/enrichment.ts (2 results)",
        "  @120:17 Function - createCodePreview",
        "    `export function createCodePreview(codeSnippet: string, maxLines: number = 0): string`",
        "  @149:17 Function - createSignaturePreview",
        "    `export function createSignaturePreview(codeSnippet: string, maxChars: number = 100): string`",
      ].join("\n"),
      [
        "src/types/position.ts (2 results)",
        "  @30:17 Function - createOneBasedPosition",
        "    `export function createOneBasedPosition(line: number, character: number): OneBasedPosition`",
        "  @51:17 Function - createZeroBasedPosition",
        "    `export function createZeroBasedPosition(line: number, character: number): OneBasedPosition`",
      ].join("\n"),
    ]);
  });

  it("that search find source files as documents", async () => {
    const [summary, ...documents] = await play("search", { query: "create" });
    expect(summary).toBe('Found 2 documents for "create".');
    expect(documents[0]).toContain("#createCodePreview, #createSignaturePreview");
  });

  it.each([{ previewMode: "none" }, { codePreview: false }, { preview_mode: "none", maxDepth: 99 }])(
    "of read with %j give names by container, with every overload",
    async (given) => {
      expect(await play("read", { file: LIBRARY, showContainer: true, ...given })).toEqual([
        `Found 10 symbols in file: ${LIBRARY} (max depth 99)\n` +
          "Symbol breakdown: 5 methods, 2 classes, 2 constructors, 1 property",
        [
          "@12:22 Class - McpServer",
          "  @16:14 Property - server [McpServer, Class]",
          "  @21:5 Constructor - constructor [McpServer, Class]",
          "  @27:5 Method - connect [McpServer, Class]",
          "  @31:5 Method - close [McpServer, Class]",
          "  @71:5 Method - tool [McpServer, Class]",
          "  @75:5 Method - tool [McpServer, Class]",
        ].join("\n"),
        [
          "@163:22 Class - ResourceTemplate",
          "  @166:5 Constructor - constructor [ResourceTemplate, Class]",
          "  @181:5 Method - uriTemplate [ResourceTemplate, Class]",
        ].join("\n"),
      ]);
    },
  );

  it("of read with maxDepth 0 leave members out", async () => {
    const [summary, ...classes] = await play("read", { file: LIBRARY, previewMode: "none", maxDepth: 0 });
    expect(summary).toContain("Found 2 symbols");
    expect(classes).toEqual(["@12:22 Class - McpServer", "@163:22 Class - ResourceTemplate"]);
  });

  it.each([{}, { previewMode: "signature" }])("of read with %j give signatures", async (given) => {
    const [, library] = await play("read", { file: LIBRARY, ...given });
    expect(library).toContain("  @71:5 Method - tool\n    `tool(name: string): void`\n");
    expect(library).not.toContain("[McpServer, Class]");
  });

  it.each([{ codePreview: true }, { previewMode: "expanded" }])(
    "of read with %j give the code of leaves, cut with the number of lines that are missing",
    async (given) => {
      const [summary, long = "", short] = await play("read", { file: "src/example.ts", ...given });
      expect(summary).toMatch(
        /^Found 2 symbols in file: src\/example.ts \(max depth 99\)\nSymbol breakdown: 2 functions\n/,
      );
      const lines = long.split("\n");
      expect(lines.slice(0, 3)).toEqual([
        "@12:17 Function - myFunction (1 inside)",
        "```typescript",
        "export function myFunction(lines: readonly string[]): readonly string[] {",
      ]);
      expect(lines.slice(-2)).toEqual(["  // ... 17 more lines", "```"]);
      expect(long).not.toContain("Constant - visit");
      expect(short).toBe(
        [
          "@50:10 Function - helperFunction",
          "```typescript",
          "function helperFunction(input: unknown[]): string[] {",
          "  return input.map((item) => String(item));",
          "}",
          "```",
        ].join("\n"),
      );
    },
  );

  it("of search_nodes name module and package once", async () => {
    expect((await play("search_nodes", { query: "*Node*", format: "toon" })).join("\n")).toBe(
      [
        "count: 11",
        "module: ts-graph-mcp",
        "package: main",
        '"src/db/Types.ts":',
        "  interfaces[9]{extends,symbol,line,exported}:",
        '    "",BaseNode,24-51,true',
        "    BaseNode,FunctionNode,54-59,true",
        "    BaseNode,ClassNode,61-65,true",
        "    BaseNode,MethodNode,67-74,true",
        "    BaseNode,InterfaceNode,76-79,true",
        "    BaseNode,TypeAliasNode,81-84,true",
        "    BaseNode,VariableNode,86-90,true",
        "    BaseNode,FileNode,92-95,true",
        "    BaseNode,PropertyNode,97-102,true",
        '"src/ingestion/IdGenerator.ts":',
        "  interfaces[1]{symbol,line,exported}:",
        "    ParsedNodeId,34-39,true",
        '"src/db/sqlite/SqliteReader.ts":',
        "  interfaces[1]{symbol,line,exported}:",
        "    NodeRow,15-26,false",
      ].join("\n"),
    );
  });

  it.each([
    [
      "search_nodes",
      { query: "*Node*" },
      "package main of ts-graph-mcp (11 results)\n  src/db/Types.ts @24:18 Interface - BaseNode\n",
    ],
    ["inspect", { symbol: "createCodePreview" }, "Function - createCodePreview\nsrc/tools/enrichment.ts @120:17"],
    ["inspect", { file: "src/tools/enrichment.ts", line: 120, character: 17 }, "@120:17, lines 120-122"],
    ["references", { symbol: "createCodePreview" }, "  @150:10 calls [precise] in createSignaturePreview\n"],
    ["references", { file: "src/tools/enrichment.ts", line: 120, character: 17 }, "Found 1 reference"],
    ["completion", { prefix: "createZ" }, "src/types/position.ts @51:17 Function - createZeroBasedPosition"],
    ["completion", { prefix: "McpServer." }, `McpServer.close: ${LIBRARY} @31:5 Method - close`],
    ["rename", { symbol: "createCodePreview", newName: "preview" }, "→ preview: @120:17 @150:10"],
    ["diagnostics", {}, "Nothing found."],
    ["diagnostics", { file: "src/example.ts" }, "Nothing found in code:src/example.ts."],
    ["logs", {}, "0 lines of the build log, level warning and worse."],
    ["logs", { level: "info", limit: 1 }, "info collection code (code): 7 files read"],
    ["constellation_get_graph_summary", {}, "7 source files with 0 connections: a simple graph."],
    ["constellation_get_graph_summary", { forceRefresh: true }, "Files by type\n  ############ 7 ts"],
  ])("%s %j gives its form", async (tool, given, expected) => {
    expect((await play(tool, given)).join("\n")).toContain(expected);
  });
});
