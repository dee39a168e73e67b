/**
 * Real clients against a real server, each on the whole way from a question to the text: both generations of the official
 * SDK, and the bridge `mcp-remote`, for clients that only start programs. `npm run prove:inspector` is for the inspector.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCorpus } from "../../indexer/index/build.ts";
import { quietEnvironment } from "../support/environment.ts";
import { goJourney, textsOf, writeJourneyCorpus } from "../support/journey.ts";
import { sendAsFastAsAnswered, sendAtRate } from "../support/load.ts";
import { drawLoadCalls } from "../support/load-calls.ts";
import { type RunningWorker, startWorker } from "../support/workerd.ts";

const BRIDGE = join(folderOf(import.meta.resolve("mcp-remote/package.json")), "dist/proxy.js");
const INFO = { name: "treeline-tests", version: "1.0.0" };

let dir: string;
/** Folder of its index. */
let index: string;
let server: RunningWorker;

function folderOf(manifestUrl: string): string {
  return dirname(fileURLToPath(manifestUrl));
}

async function connectModern(path = "/mcp"): Promise<Client> {
  const client = new Client(INFO, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}${path}`)));
  return client;
}

describe("MCP clients", () => {
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "treeline-clients-"));
    await writeJourneyCorpus(dir);
    index = join(dir, "index");
    await buildCorpus({ dir, outDir: index });
    server = await startWorker();
    await server.publish("", index);
  });
  afterAll(async () => {
    await server?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it("of the SDK's second generation go the whole way in MCP 2026-07-28", async () => {
    const client = await connectModern();
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    expect(client.getServerVersion()?.name).toBe("treeline");
    expect(client.getInstructions()).toContain("search_documents");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["search", "grep", "read", "inspect", "map"]);
    await goJourney(async (name, args) => textsOf(await client.callTool({ name, arguments: args })));
    const json = await client.callTool({ name: "index_status", arguments: { format: "json" } });
    expect(json.structuredContent).toMatchObject({ documents: 20 });
    const content = "## Linux\n\nUse `apt` to install the package.";
    const similar = await client.callTool({ name: "find_similar", arguments: { content } });
    expect(textsOf(similar)).toMatch(/^docs:guide\/install\.md#linux @.*similarity 1\.00/m);
    await client.close();
  });

  it("of the SDK's second generation read resources, fill in prompts and complete ids", async () => {
    const client = await connectModern();
    const { resources } = await client.listResources();
    expect(resources).toHaveLength(22);
    const { contents } = await client.readResource({ uri: "treeline://sections/docs:guide/install.md#linux" });
    expect((contents[0] as { text: string }).text).toContain("Use `apt`");
    await expect(client.readResource({ uri: "treeline://documents/docs:nowhere.md" })).rejects.toThrow("no document");
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain("explain_symbol");
    const { messages } = await client.getPrompt({ name: "explain_symbol", arguments: { symbol: "formatLamp" } });
    expect(JSON.stringify(messages)).toContain("references(");
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: "treeline://documents/{id}" },
      argument: { name: "id", value: "docs:guide/" },
    });
    expect(completion.values).toContain("docs:guide/install.md");
    await client.close();
  });

  it("get the pair that ChatGPT expects where the address asks for it", async () => {
    const client = await connectModern("/mcp?tools=openai");
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["search", "fetch"]);
    const ask = async (name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const { content } = await client.callTool({ name, arguments: args });
      expect(content).toHaveLength(1);
      return JSON.parse((content[0] as { text: string }).text) as Record<string, unknown>;
    };
    const { results } = (await ask("search", { query: "install linux apt" })) as { results: { id: string }[] };
    expect(await ask("fetch", { id: results[0]?.id })).toMatchObject({ text: expect.stringContaining("Use `apt`") });
    await client.close();
  });

  it("grep the pages that were built, line by line as they stand on disk", async () => {
    const client = await connectModern();
    const result = await client.callTool({
      name: "grep_documents",
      arguments: {
        ...{ pattern: "^#+ ", regex: true, context: 0, limit: 200, format: "json", max_tokens: 6000 },
        collection: "docs",
      },
    });
    const { results, truncated } = result.structuredContent as {
      results: { path: string; matches: { line: number; text: string }[] }[];
      truncated: boolean;
    };
    expect(truncated).toBe(false);
    expect(results.length).toBeGreaterThan(1);
    for (const { path, matches } of results) {
      const lines = (await readFile(join(dir, "docs", path), "utf8")).split("\n");
      const expected = lines.flatMap((text, at) => (/^#+ /.test(text) ? [{ line: at + 1, text }] : []));
      expect(matches.map(({ line, text }) => ({ line, text }))).toEqual(expected);
    }
    const none = await client.callTool({ name: "grep", arguments: { pattern: "certainly-not-there" } });
    expect(textsOf(none)).toContain("Found 0 matches");
    await client.close();
  });

  it.each(["/mcp", "/sse"])("of the SDK's first generation go the whole way in the 2025 era at %s", async (path) => {
    const client = new OldClient(INFO);
    await client.connect(new OldTransport(new URL(`${server.url}${path}`)) as Parameters<OldClient["connect"]>[0]);
    expect(client.getServerVersion()?.name).toBe("treeline");
    await goJourney(async (name, args) => textsOf(await client.callTool({ name, arguments: args })));
    const result = await client.callTool({ name: "index_status", arguments: { max_tokens: "x" } });
    expect(result.isError).toBe(true);
    expect(textsOf(result)).toContain("max_tokens must be a whole number");
    const { contents } = await client.readResource({ uri: "treeline://llms.txt" });
    expect((contents[0] as { text: string }).text).toContain("docs:guide/install.md");
    await client.close();
  });

  it("that only start programs go the whole way over mcp-remote", async () => {
    const client = new Client(INFO);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BRIDGE, `${server.url}/mcp`, "--transport", "http-only"],
      env: { ...(quietEnvironment() as Record<string, string>), MCP_REMOTE_CONFIG_DIR: join(dir, ".mcp-remote") },
      stderr: "ignore",
    });
    await client.connect(transport);
    await goJourney(async (name, args) => textsOf(await client.callTool({ name, arguments: args })));
    await client.close();
  });

  // What `npm run prove:load` does for minutes, for moments. No time is asserted.
  it("get an answer each where many ask at once", async () => {
    const calls = await drawLoadCalls(index, 7);
    const mcp = await sendAsFastAsAnswered(server.url, calls.mcp, { connections: 16, seconds: 1 });
    expect(mcp.errors).toEqual([]);
    expect(mcp.requests).toBeGreaterThanOrEqual(16);
    expect(mcp.refused).toBeLessThan(mcp.requests);
    const search = await sendAtRate(server.url, calls.search, { rate: 50, seconds: 1 });
    expect(search).toMatchObject({ requests: 50, errors: [] });
    const nowhere = await sendAtRate(server.url, () => ({ path: "/nothing" }), { rate: 10, seconds: 0.2 });
    expect(nowhere).toMatchObject({
      requests: 2,
      errorCount: 2,
      errors: expect.arrayContaining([expect.stringContaining("404")]),
    });
  });
});
