import { describe, expect, it } from "vitest";
import { FORMATS } from "../../../src/surface/render/render.ts";
import { ask } from "./handbook.ts";
import { ask as askWorkshop } from "./workshop.ts";

const CHANGELOG = "docs:changelog.md";
const INSTALL = "docs:guide/install.md";
const STORE = "code:src/store/store.ts";

/** Calls whose whole answers have more than 1,000 tokens, and some that have few. */
const CALLS: readonly (readonly [tool: string, given: Readonly<Record<string, unknown>>])[] = [
  ["search_documents", { query: "dim the lamp", limit: 50, excerpts: 10 }],
  ["search_documents", { query: "lamp meter version", include_content: true }],
  ["search_documents", { query: "wombat ".repeat(200) }],
  ["list_documents", { limit: 100 }],
  ["get_tree", {}],
  ["get_tree", { doc_id: "reference/cli.md" }],
  ["get_tree", { doc_id: INSTALL }],
  ["get_node_content", { node_ids: [CHANGELOG], include_descendants: true }],
  ["get_node_content", { node_ids: [`${CHANGELOG}#version-1`, INSTALL, `${CHANGELOG}#version-2`, "plain.md"] }],
  ["get_node_content", { doc_id: CHANGELOG, lines: { start: 3, end: 190 } }],
  ["navigate_tree", { node_id: CHANGELOG }],
  ["navigate_tree", { node_id: "docs:reference/cli.md" }],
  ["navigate_tree", { node_id: "docs:recipes/recipe-01.md", direction: "siblings" }],
  ["navigate_tree", { node_id: INSTALL, direction: "links_out" }],
  ["find_similar", { content: "dim the lamp with the meter of version three ".repeat(40), threshold: 0, limit: 20 }],
  ["grep_documents", { pattern: "lamp", context: 5, limit: 200 }],
  ["grep_documents", { pattern: ".", regex: true, limit: 200 }],
  ["index_status", {}],
];
/** The same over source code. */
const CODE_CALLS: typeof CALLS = [
  ["find_symbol", { query: "*", limit: 100 }],
  ["find_symbol", { query: "create" }],
  ["read", { file: STORE }],
  ["read", { file: STORE, preview_mode: "expanded", max_lines: 200 }],
  ["read", { file: STORE, preview_mode: "raw" }],
  ["inspect", { symbol: "Store.find" }],
  ["references", { symbol: "Lamp" }],
  ["call_hierarchy", { symbol: "main", direction: "callees", depth: 5 }],
  ["call_hierarchy", { symbol: "formatNumber" }],
  ["completion", { prefix: "s", limit: 100 }],
  ["search_nodes", { include: ["calls", "called_by", "signature"], limit: 200 }],
  ["get_dependencies", { target: "src/main.ts", depth: 5, direction: "both" }],
  ["get_dependencies", { target: "Store", depth: 5, mermaid: true }],
  ["get_dependencies", {}],
  ["analyze_impact", { target: "Lamp", depth: 10 }],
  ["analyze_impact", { target: "formatNumber" }],
  ["describe_package", { package: "shapes" }],
  ["find_path", { from: "src/main.ts", to: "isWanted" }],
  ["get_tree", { doc_id: STORE }],
  ["get_tree", { node_id: `${STORE}#Store` }],
  ["get_tree", { path: "src" }],
  ["get_tree", {}],
  ["get_node_content", { node_ids: [`${STORE}#Store`, `${STORE}#openStore.retry`] }],
];
const BUDGETS = [150, 200, 300, 500, 1000, 3000];
const CASES = [
  ...CALLS.map(([tool, given]) => ({ tool, given, askIndex: ask })),
  ...CODE_CALLS.map(([tool, given]) => ({ tool, given, askIndex: askWorkshop })),
];

describe.each(CASES)("$tool $given", ({ tool, given, askIndex }) => {
  it.each(FORMATS)("stays within every budget in %s and says what is left", async (format) => {
    const whole = await askIndex(tool, { ...given, format, max_tokens: 6000 });
    for (const max_tokens of BUDGETS) {
      const { tokens, texts, json, isError } = await askIndex(tool, { ...given, format, max_tokens });
      expect(isError).toBe(false);
      expect(tokens).toBeLessThanOrEqual(max_tokens);
      expect(texts.at(-1)).toMatch(/^built at an unknown time, no commit/);
      if (texts[0] === whole.texts[0] && texts.length === whole.texts.length) continue;
      const left = format === "json" ? json.leftOut : texts.at(-2);
      expect(left).toMatch(/fits? into \d+ tokens|^Shown /);
      expect(left).toMatch(/max_tokens, up to (6000|20000)|cursor/);
    }
  });
});

describe("a budget above the highest", () => {
  it.each([
    ["list_documents", {}, 6000],
    ["grep_documents", { pattern: "lamp" }, 6000],
    ["get_tree", {}, 6000],
    ["search_documents", { query: "lamp" }, 6000],
    ["search_documents", { query: "lamp", include_content: true }, 20_000],
    ["get_node_content", { node_ids: [INSTALL] }, 20_000],
    ["navigate_tree", { node_id: INSTALL }, 20_000],
    ["navigate_tree", { node_id: INSTALL, direction: "next" }, 6000],
  ])("of %s %j is cut to %d and says so", async (tool, given, highest) => {
    const { text } = await ask(tool, { ...given, max_tokens: 50_000 });
    expect(text).toContain(`max_tokens 50000 was cut to ${highest}, the maximum of this tool.`);
    expect((await ask(tool, { ...given, max_tokens: highest })).text).not.toContain("was cut");
  });
});
