import { describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { callTool, findTool } from "../../src/mcp/call.ts";
import { listedTools, offeredTools, readProfiles } from "../../src/mcp/profiles.ts";
import { writeInstructions } from "../../src/mcp/server.ts";
import { toListedTool } from "../../src/mcp/tool.ts";
import { createSigningKeys } from "../../src/surface/access/signing-keys.ts";
import { SERVER_VERSION } from "../../src/surface/render/text.ts";
import { fakeReader } from "../support/fake-reader.ts";
import { fileNameOf } from "../support/tool-files.ts";

const set = offeredTools();
const listed = set.tools.map(toListedTool);
const all = listedTools(["docs", "code", "graph", "categories", "ops"], undefined).map(toListedTool);
const few = listedTools(undefined, undefined).map(toListedTool);
const docs = listedTools(["docs"], undefined).map(toListedTool);
const GRAPH_TOOLS = [
  "get_graph_summary",
  "search_nodes",
  "get_dependencies",
  "analyze_impact",
  "describe_package",
  "find_path",
];
const COMMON_TOOLS = ["index_status", "open_session", "session_state"];
const CODE_TOOLS = ["find_symbol", "read", "inspect", "references", "call_hierarchy", "completion", "rename"];

/** Default and maximum of every argument that has one of them, by the names of the tools' files. */
const SETTINGS: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  search: { in: ["all", undefined] },
  grep: { context: [0, 10], limit: [20, 200] },
  "read-targets": { lines: [60, 2000] },
  "inspect-symbols": {},
  map: {},
  search_documents: {
    limit: [10, 50],
    excerpts: [5, 10],
    include_content: [false, undefined],
    explain: [false, undefined],
  },
  list_documents: { limit: [30, 100] },
  get_tree: {},
  get_node_content: { include_descendants: [false, undefined] },
  navigate_tree: { direction: ["subtree", undefined] },
  grep_documents: {
    regex: [false, undefined],
    case_sensitive: [false, undefined],
    context: [1, 5],
    limit: [50, 200],
  },
  find_similar: { limit: [5, 20], threshold: [0.35, 1] },
  find_symbol: { limit: [15, 100] },
  read: {
    preview_mode: ["signature", undefined],
    max_depth: [99, undefined],
    max_lines: [20, 200],
    show_container: [false, undefined],
  },
  inspect: {},
  references: { limit: [50, 200] },
  call_hierarchy: { direction: ["callers", undefined], depth: [1, 5] },
  completion: { limit: [20, 100] },
  rename: { limit: [50, 200] },
  diagnostics: { limit: [50, 200] },
  logs: { level: ["warning", undefined], limit: [100, 1000] },
  get_graph_summary: { force_refresh: [false, undefined] },
  search_nodes: { query: ["*", undefined], limit: [50, 200] },
  get_dependencies: { direction: ["out", undefined], depth: [1, 5], mermaid: [false, undefined] },
  analyze_impact: { depth: [3, 10] },
  describe_package: { limit: [8, 200] },
  find_path: {},
  list_categories: {
    sort_by: ["popularity", undefined],
    limit: [50, 200],
    include_hierarchy: [false, undefined],
  },
  category_search: {
    include_children: [false, undefined],
    include_chunks: [false, undefined],
    limit: [10, 100],
  },
  list_concepts_in_category: { sort_by: ["document_count", undefined], limit: [50, 200] },
  concept_search: { limit: [10, 100] },
  open_session: { token_budget: [undefined, 10_000_000] },
  session_state: {},
};

describe("the offered tools", () => {
  it.each(listed)(
    "$name is named in snake_case, described shortly, annotated as read-only unless it opens a session and has no output schema",
    (tool) => {
      expect(tool.name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      const isDocs = docs.some(({ name }) => name === tool.name);
      expect(tool.description.length).toBeLessThan(isDocs ? 350 : 600);
      expect(tool.annotations).toEqual({
        readOnlyHint: tool.name !== "open_session",
        destructiveHint: false,
        idempotentHint: tool.name !== "open_session",
        openWorldHint: false,
      });
      expect(tool).not.toHaveProperty("outputSchema");
      for (const name of Object.keys(tool.inputSchema.properties)) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    },
  );

  it("take 3.6 kB of a client's context, list and instructions together; all others have 20 kB", () => {
    expect(few.map(({ name }) => name)).toEqual(["search", "grep", "read", "inspect", "map"]);
    expect(JSON.stringify({ tools: few }).length + writeInstructions().length).toBeLessThanOrEqual(3660);
    expect(JSON.stringify({ tools: docs }).length).toBeLessThanOrEqual(6000);
    expect(JSON.stringify({ tools: all }).length).toBeLessThanOrEqual(20_000);
  });

  it("for agents have a title and a description of every parameter, and the instructions say once what all of them take", () => {
    for (const { name, title, inputSchema } of few) {
      expect(title?.toLowerCase()).toBe(name);
      for (const [parameter, { description }] of Object.entries(inputSchema.properties))
        expect(description, parameter).toMatch(/\w/);
    }
    for (const shared of ["session", "format", "max_tokens", "cursor"]) {
      expect(writeInstructions()).toContain(shared);
      for (const { name, inputSchema } of few) expect(Object.keys(inputSchema.properties), name).not.toContain(shared);
    }
  });

  it("take a session, all but the one that opens it, listed or not", () => {
    for (const { name, parameters } of set.tools) expect("session" in parameters, name).toBe(name !== "open_session");
    for (const { name, inputSchema } of all) {
      expect("session" in inputSchema.properties, name).toBe(name !== "open_session");
    }
  });

  it.each(Object.entries(SETTINGS))("have the defaults and maxima that were promised: %s", (name, settings) => {
    const tool = set.tools.find((one) => fileNameOf(one) === name.replaceAll("_", "-"));
    const properties = tool === undefined ? {} : toListedTool(tool).inputSchema.properties;
    const shown = Object.entries(properties).flatMap(([argument, { default: own, maximum }]) =>
      own === undefined && maximum === undefined ? [] : [[argument, [own, maximum]]],
    );
    expect(tool).toBeDefined();
    expect(Object.fromEntries(shown)).toEqual(settings);
  });

  it("are told apart by their arguments where two have one name", () => {
    const called = (name: string, given: Readonly<Record<string, unknown>>): string | undefined => {
      const tool = findTool(set, name, given);
      return tool && fileNameOf(tool);
    };
    expect(called("read", { targets: ["a.md"] })).toBe("read-targets");
    expect(called("read", { path: "a.md" })).toBe("read-targets");
    expect(called("read", { file: "a.md", start_line: 3 })).toBe("read");
    expect(called("read", { file: "a.ts", codePreview: true })).toBe("read");
    expect(called("inspect", { symbols: ["a"] })).toBe("inspect-symbols");
    expect(called("inspect", { symbol: "a" })).toBe("inspect");
    expect(called("inspect", { file: "a.ts", line: 3, character: 4 })).toBe("inspect");
    expect(called("search", { queries: ["a"] })).toBe("search");
    expect(called("search", { query: "a", in: "docs" })).toBe("search");
    expect(called("search", { query: "a" })).toBe("search-documents");
    expect(called("search", { query: "a", limit: 3 })).toBe("search-documents");
    expect(called("grep", { patterns: ["a"], limit: 3 })).toBe("grep");
    expect(called("grep", { pattern: "a", regex: true })).toBe("grep-documents");
    for (const { name } of few)
      expect(called(name, {}), name).toMatch(/^(search|grep|read-targets|inspect-symbols|map)$/);
  });

  it("are listed by profile, without one the few for agents", () => {
    const namesOf = (text: string | null): string[] =>
      listedTools(readProfiles(text), undefined).map(({ name }) => name);
    expect(namesOf("docs")).not.toContain("read");
    expect(namesOf("code")).toEqual([...CODE_TOOLS, ...COMMON_TOOLS]);
    expect(namesOf(" Graph , code")).toEqual([...CODE_TOOLS, ...GRAPH_TOOLS, ...COMMON_TOOLS]);
    expect(namesOf("categories")).toEqual([
      "list_categories",
      "category_search",
      "list_concepts_in_category",
      "concept_search",
      ...COMMON_TOOLS,
    ]);
    expect(namesOf("ops")).toEqual(["diagnostics", "logs", ...COMMON_TOOLS]);
    expect(namesOf("all")).toEqual(all.map(({ name }) => name));
    expect(namesOf(null)).toEqual(few.map(({ name }) => name));
    const others = set.tools.filter(({ name }) => !namesOf(null).includes(name) && !namesOf("all").includes(name));
    expect(others).toEqual([]);
    expect(() => readProfiles("docs,cod")).toThrow('tools has no profile "cod"');
  });

  it("are the ones that unlisted names lead to", () => {
    for (const alias of Object.keys(set.aliases)) expect(findTool(set, alias)).toBeDefined();
    expect(listed.map(({ name }) => name)).not.toContain("catalog_search");
  });

  it.each(set.tools)("$name reads its own example", async (tool) => {
    const services = {
      withReader: async <T>(run: (reader: ReturnType<typeof fakeReader>) => Promise<T>) => ({
        value: await run(fakeReader()),
      }),
      signingKeys: createSigningKeys("s"),
      now: 0,
      report: () => undefined,
    };
    const { content } = await callTool(set, tool.name, tool.example, services);
    expect(content[0]?.text).not.toMatch(/has no argument|must be|needs/);
  });
});

describe("index_status", () => {
  it("says what is indexed, in text and JSON", async () => {
    const services = {
      withReader: async <T>(run: (reader: ReturnType<typeof fakeReader>) => Promise<T>) => ({
        value: await run(fakeReader()),
      }),
      signingKeys: createSigningKeys("s"),
      now: Date.parse("2026-01-01T02:00:00Z"),
      report: () => undefined,
    };
    const text = await callTool(set, "index_status", {}, services);
    expect(text.content[0]?.text).toBe("1,200 documents in 1 collection: 4,000 sections, 100,000 words.");
    expect(text.content.at(-1)?.text).toBe("built 2 h ago from 1a2b3c4");
    const json = await callTool(set, "index_status", { format: "json" }, services);
    expect(json.structuredContent).toMatchObject({
      id: "0123456789ab",
      ageSeconds: 7200,
      collections: [{ name: "docs" }],
    });
  });
});

describe("the server", () => {
  it("has the version of the package", () => {
    expect(SERVER_VERSION).toBe(packageJson.version);
  });

  it("names tools to agents that there are", () => {
    const named = writeInstructions().match(/\b[a-z]+_[a-z_]+\b|(?<=[.,] )\w+(?= for )/g) ?? [];
    expect(named.length).toBeGreaterThan(12);
    for (const name of named.filter((one) => one !== "max_tokens")) expect(findTool(set, name), name).toBeDefined();
  });

  it("names the steps for pages and for code to who asks for their profiles", () => {
    const instructions = writeInstructions(["docs", "code"]);
    expect(instructions.length).toBeLessThan(2000);
    expect(instructions).toContain("session");
    let from = 0;
    for (const step of ["search", "tree", "reason", "node", "answer"]) {
      from = instructions.indexOf(step, from);
      expect(from).toBeGreaterThan(0);
    }
    from = instructions.indexOf("For code");
    for (const step of ["find_symbol", "read", "inspect", "references"]) {
      from = instructions.indexOf(step, from);
      expect(from).toBeGreaterThan(0);
    }
  });
});
