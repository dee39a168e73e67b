import { describe, expect, it } from "vitest";
import { FormatError, InputError } from "../../src/core/errors.ts";
import { callTool, findTool, type ToolServices, type ToolSet } from "../../src/mcp/call.ts";
import { defineTool } from "../../src/mcp/tool.ts";
import { createSigningKeys } from "../../src/surface/access/signing-keys.ts";
import type { Problem } from "../../src/surface/render/problem.ts";
import { fakeReader } from "../support/fake-reader.ts";

const TOTAL = 25;
const LAST_LINE = "built 2 h ago from 1a2b3c4";

const listTool = defineTool({
  name: "list_things",
  description: "Lists things.",
  parameters: { query: { kind: "text" }, limit: { kind: "integer", default: 10, maximum: 20 } },
  pages: true,
  example: { query: "x" },
  async run({ query, limit }, { offset, maxTokens }) {
    if (query === "bug") throw new Error("a bug at /home/me");
    if (query === "damage") throw new FormatError("chunk", { code: "malformed", reason: "bent" });
    if (query === "wrong") throw new InputError("no such thing", ["other"]);
    const ids = Array.from({ length: Math.min(limit, TOTAL - offset) }, (_, index) => `thing ${offset + index}`);
    return {
      summary: `${TOTAL} things, ${maxTokens} tokens.`,
      forms: [
        { detail: "names", blocks: () => ids, json: (shown) => ({ things: ids.slice(0, shown) }), keepAtLeast: 1 },
      ],
      page: { offset, total: TOTAL, items: "things" },
    };
  },
});
const set: ToolSet = { tools: [listTool], aliases: { things_search: "list_things" } };
const signingKeys = createSigningKeys("secret");

function services(overrides: Partial<ToolServices> = {}): ToolServices & { reported: Problem[] } {
  const reported: Problem[] = [];
  return {
    withReader: async (run) => ({ value: await run(fakeReader()) }),
    signingKeys,
    now: Date.parse("2026-01-01T02:00:00Z"),
    report: (problem) => reported.push(problem),
    reported,
    ...overrides,
  };
}

async function call(given: Record<string, unknown>, name = "list_things", around = services()) {
  const result = await callTool(set, name, given, around);
  return { ...result, texts: result.content.map(({ text }) => text) };
}

describe("callTool", () => {
  it("runs a tool and ends its answer with commit and age", async () => {
    const { texts, isError } = await call({ limit: 2 });
    expect(isError).toBeUndefined();
    expect(texts.slice(0, 3)).toEqual(["25 things, 3000 tokens.", "thing 0", "thing 1"]);
    expect(texts.at(-1)).toBe(LAST_LINE);
  });

  it("reaches every result once by following cursors, across changes of the page's size", async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    let limit = 10;
    do {
      const { structuredContent } = await call({
        query: "x",
        limit: limit--,
        format: "json",
        ...(cursor && { cursor }),
      });
      const answer = structuredContent as { things: string[]; nextCursor?: string };
      seen.push(...answer.things);
      cursor = answer.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: TOTAL }, (_, index) => `thing ${index}`));
  });

  it("refuses forged cursors and those of another call or an older generation, in words", async () => {
    const { structuredContent } = await call({ query: "x", format: "json" });
    const cursor = structuredContent?.nextCursor as string;
    expect((await call({ query: "x", cursor: "AAAA" })).texts[0]).toContain("not valid");
    expect((await call({ query: "y", cursor })).texts[0]).toContain("another call");
    const newer = services({ withReader: async (run) => ({ value: await run(fakeReader("ffffffffffff")) }) });
    const rebuilt = await call({ query: "x", cursor }, "list_things", newer);
    expect(rebuilt.isError).toBe(true);
    expect(rebuilt.texts[0]).toContain("was rebuilt");
  });

  it("answers wrong input with words, nearest names, an example and the commit", async () => {
    const { texts, isError } = await call({ limt: 3 });
    expect(isError).toBe(true);
    expect(texts[0]).toContain('list_things has no argument "limt"');
    expect(texts[0]).toContain("Did you mean: limit?");
    expect(texts[0]).toContain('Example: list_things({"query":"x"})');
    expect(texts.at(-1)).toBe(LAST_LINE);
    expect((await call({ query: "wrong" })).texts[0]).toBe(
      'no such thing\nDid you mean: other?\nExample: list_things({"query":"x"})',
    );
  });

  it("names the formats that exist when another is asked for", async () => {
    expect((await call({ format: "yaml" })).texts[0]).toContain("format must be one of text, toon, json");
  });

  it("cuts a budget above the highest and says so, and raises one that holds nothing", async () => {
    const high = await call({ max_tokens: 99_999 });
    expect(high.texts[0]).toBe("25 things, 6000 tokens.");
    expect(high.texts.join("\n")).toContain("max_tokens 99999 was cut to 6000");
    expect((await call({ max_tokens: 1 })).texts[0]).toBe("25 things, 150 tokens.");
    expect((await call({ max_tokens: 0 })).isError).toBe(true);
  });

  it("answers a damaged index and a bug without details, and reports them", async () => {
    const around = services();
    const damaged = await call({ query: "damage" }, "list_things", around);
    expect(damaged.isError).toBe(true);
    expect(damaged.texts[0]).toContain("damaged");
    const bug = await call({ query: "bug" }, "list_things", around);
    expect(bug.texts[0]).not.toContain("/home/me");
    expect(around.reported.map(({ kind }) => kind)).toEqual(["damaged-index", "internal"]);
  });

  it("says what to do where no index is published", async () => {
    const { texts, isError } = await call({}, "list_things", services({ withReader: async () => undefined }));
    expect(isError).toBe(true);
    expect(texts[0]).toContain("npm start");
  });

  it("answers an unknown tool with the nearest one", async () => {
    const { texts, isError } = await call({}, "list_thing");
    expect(isError).toBe(true);
    expect(texts[0]).toContain('There is no tool "list_thing" here. The tools are list_things.');
    expect(texts[0]).toContain("Did you mean: list_things?");
  });

  it("knows unlisted names", async () => {
    expect((await call({ limit: 1 }, "things_search")).texts[1]).toBe("thing 0");
    expect(findTool(set, "constructor")).toBeUndefined();
  });
});
