import { describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { callTool, findTool } from "../../src/mcp/call.ts";
import { listedTools, offeredTools, readProfiles } from "../../src/mcp/profiles.ts";
import { writeInstructions } from "../../src/mcp/server.ts";
import { toListedTool } from "../../src/mcp/tool.ts";
import { createSigningKeys } from "../../src/surface/access/signing-keys.ts";
import { SERVER_VERSION } from "../../src/surface/render/numbers.ts";
import { fakeReader } from "../support/fake-reader.ts";

const set = offeredTools();
const listed = set.tools.map(toListedTool);
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

/** Default and maximum of every argument that has one of them. */
const SETTINGS: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
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
  describe_package: {},
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

  it("fit into 6 kB of tools/list for pages, 20 kB with all the others", () => {
    expect(JSON.stringify({ tools: docs }).length).toBeLessThanOrEqual(6000);
    expect(JSON.stringify({ tools: listed }).length).toBeLessThanOrEqual(20_000);
  });

  it("take a session, all but the one that opens it", () => {
    for (const { name, inputSchema } of listed) {
      expect("session" in inputSchema.properties, name).toBe(name !== "open_session");
    }
  });

  it.each(Object.entries(SETTINGS))("have the defaults and maxima that were promised: %s", (name, settings) => {
    const tool = listed.find((one) => one.name === name);
    const properties = tool === undefined ? {} : tool.inputSchema.properties;
    const shown = Object.entries(properties).flatMap(([argument, { default: own, maximum }]) =>
      own === undefined && maximum === undefined ? [] : [[argument, [own, maximum]]],
    );
    expect(Object.fromEntries(shown)).toEqual(settings);
  });

  it("are listed by profile, and without one as far as the index can answer", () => {
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
    expect(namesOf("all")).toEqual(listed.map(({ name }) => name));
    expect(namesOf(null)).toEqual(namesOf("docs"));
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

  it("names the steps for pages and for code in instructions under 1,500 characters", () => {
    const instructions = writeInstructions();
    expect(instructions.length).toBeLessThan(1500);
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
