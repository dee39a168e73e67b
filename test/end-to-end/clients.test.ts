/**
 * Real clients against a real server: both generations of the official SDK, and the inspector.
 */
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findPlaces } from "../../indexer/dev/places.ts";
import { type DevServer, removeServed, startDev } from "../support/dev-server.ts";
import { quietEnvironment } from "../support/environment.ts";
import { sendAsFastAsAnswered, sendAtRate } from "../support/load.ts";
import { drawLoadCalls } from "../support/load-calls.ts";
import { SERVED_DOCS } from "../support/served-index.ts";

const run = promisify(execFile);
const INSPECTOR = join(
  dirname(fileURLToPath(import.meta.resolve("@modelcontextprotocol/inspector/package.json"))),
  "clients/launcher/build/index.js",
);
const INFO = { name: "treeline-tests", version: "1.0.0" };

let dir: string;
let server: DevServer;

/** Text of the first block of a result. */
function firstText(result: Readonly<Record<string, unknown>>): string {
  return (result.content as { text: string }[])[0]?.text ?? "";
}

describe("MCP clients", () => {
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "treeline-clients-"));
    await cp(SERVED_DOCS, dir, { recursive: true });
    server = await startDev(dir, "--port", "0", "--no-watch");
  });
  afterAll(async () => {
    await server?.end("SIGTERM");
    await removeServed(dir);
  });

  it("of the SDK's second generation speak MCP 2026-07-28 with it", async () => {
    const client = new Client(INFO, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    expect(client.getServerVersion()?.name).toBe("treeline");
    expect(client.getInstructions()).toContain("get_node_content");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("index_status");
    expect(firstText(await client.callTool({ name: "index_status", arguments: {} }))).toContain("4 documents");
    const json = await client.callTool({ name: "index_status", arguments: { format: "json" } });
    expect(json.structuredContent).toMatchObject({ documents: 4 });
    const content = "## Linux\n\nUse `apt` to install the package.";
    const similar = await client.callTool({ name: "find_similar", arguments: { content } });
    expect(firstText(similar)).toMatch(/^[1-9]\d* of \d+ compared sections? overlap with the text/);
    expect((similar.content as { text: string }[])[1]?.text).toMatch(
      /^docs:guide\/install\.md#linux @.*similarity 1\.00/,
    );
    await client.close();
  });

  it("grep the pages that were built, line by line as they stand on disk", async () => {
    const client = new Client(INFO, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
    const result = await client.callTool({
      name: "grep_documents",
      arguments: { pattern: "^#+ ", regex: true, context: 0, limit: 200, format: "json", max_tokens: 6000 },
    });
    const { results, truncated } = result.structuredContent as {
      results: { path: string; matches: { line: number; text: string }[] }[];
      truncated: boolean;
    };
    expect(truncated).toBe(false);
    expect(results.length).toBeGreaterThan(1);
    for (const { path, matches } of results) {
      const lines = (await readFile(join(dir, path), "utf8")).split("\n");
      const expected = lines.flatMap((text, at) => (/^#+ /.test(text) ? [{ line: at + 1, text }] : []));
      expect(matches.map(({ line, text }) => ({ line, text }))).toEqual(expected);
    }
    const none = await client.callTool({ name: "grep", arguments: { pattern: "certainly-not-there" } });
    expect(firstText(none)).toContain("Found 0 matches");
    await client.close();
  });

  it.each(["/mcp", "/sse"])("of the SDK's first generation speak the 2025 protocol with it at %s", async (path) => {
    const client = new OldClient(INFO);
    await client.connect(new OldTransport(new URL(`${server.url}${path}`)) as Parameters<OldClient["connect"]>[0]);
    expect(client.getServerVersion()?.name).toBe("treeline");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("index_status");
    const result = await client.callTool({ name: "index_status", arguments: { max_tokens: "x" } });
    expect(result.isError).toBe(true);
    expect(firstText(result)).toContain("max_tokens must be a whole number");
    await client.close();
  });

  it.each(["modern", "legacy", "auto"])("like the inspector list and call its tools in its %s era", async (era) => {
    const inspect = async (...words: string[]): Promise<Record<string, unknown>> => {
      const { stdout } = await run(
        process.execPath,
        [INSPECTOR, "--cli", `${server.url}/mcp`, "--transport", "http", "--protocol-era", era, ...words],
        { env: quietEnvironment() },
      );
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    const { tools } = await inspect("--method", "tools/list");
    expect(tools).toContainEqual(expect.objectContaining({ name: "index_status" }));
    const result = await inspect("--method", "tools/call", "--tool-name", "index_status");
    expect(firstText(result)).toContain("4 documents");
  });

  // What `npm run prove:load` does for minutes, for moments. No time is asserted.
  it("get an answer each where many ask at once", async () => {
    const calls = await drawLoadCalls(findPlaces(dir).index, 7);
    const mcp = await sendAsFastAsAnswered(server.url, calls.mcp, { connections: 16, seconds: 1 });
    expect(mcp.errors).toEqual([]);
    expect(mcp.requests).toBeGreaterThan(16);
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
