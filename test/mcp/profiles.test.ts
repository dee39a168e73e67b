import { describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { callTool, findTool } from "../../src/mcp/call.ts";
import { createCursorKey } from "../../src/mcp/cursor.ts";
import { offeredTools } from "../../src/mcp/profiles.ts";
import { INSTRUCTIONS } from "../../src/mcp/server.ts";
import { toListedTool } from "../../src/mcp/tool.ts";
import { SERVER_VERSION } from "../../src/render/version.ts";
import { fakeReader } from "../support/fake-reader.ts";

const set = offeredTools();
const listed = set.tools.map(toListedTool);

describe("the offered tools", () => {
  it.each(listed)(
    "$name is named in snake_case, described shortly, annotated as read-only and has no output schema",
    (tool) => {
      expect(tool.name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(tool.description.length).toBeLessThanOrEqual(350);
      expect(tool.annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      expect(tool).not.toHaveProperty("outputSchema");
      for (const name of Object.keys(tool.inputSchema.properties)) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    },
  );

  it("fit into 6 kB of tools/list", () => {
    expect(JSON.stringify({ tools: listed }).length).toBeLessThanOrEqual(6000);
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
      cursorKey: createCursorKey("s"),
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
      cursorKey: createCursorKey("s"),
      now: Date.parse("2026-01-01T02:00:00Z"),
      report: () => undefined,
    };
    const text = await callTool(set, "index_status", {}, services);
    expect(text.content[0]?.text).toBe("1,200 documents in 1 collection: 4,000 sections, 100,000 words.");
    expect(text.content.at(-1)?.text).toBe("commit 1a2b3c4, built 2 h ago");
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

  it("names the five steps in instructions under 1,500 characters", () => {
    expect(INSTRUCTIONS.length).toBeLessThan(1500);
    let from = 0;
    for (const step of ["search", "tree", "reason", "node", "answer"]) {
      from = INSTRUCTIONS.indexOf(step, from);
      expect(from).toBeGreaterThan(0);
    }
  });
});
