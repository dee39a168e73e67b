import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import worker from "../../src/worker/worker.ts";
import { get } from "./ask.ts";
import { FIXTURES, publishCorpus } from "./corpus-files.ts";
import { publishServedIndex } from "./served-index.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`;

interface Seen {
  readonly response: Response;
  readonly lines: readonly Record<string, unknown>[];
  readonly raw: string;
}

/** Asks the Worker with its log watched. */
async function watch(path: string, init: RequestInit = {}, settings: object = { LOG_LEVEL: "info" }): Promise<Seen> {
  const written: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((line) => void written.push(String(line)));
  try {
    const request = new Request(`http://localhost:8787${path}`, init);
    const response = await worker.fetch(request, { ...env, ...settings }, createExecutionContext());
    return { response, lines: written.map((line) => JSON.parse(line)), raw: written.join("\n") };
  } finally {
    log.mockRestore();
  }
}

function call(name: string, args: object, headers: Record<string, string> = {}): RequestInit {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  return { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

describe("the log of requests", () => {
  beforeAll(publishServedIndex);

  it("has one line for a route, with what it read and without what was asked", async () => {
    const { response, lines, raw } = await watch("/search?q=zebras", {
      headers: { traceparent: TRACEPARENT, "CF-Connecting-IP": "192.0.2.7" },
    });
    const { length } = await response.arrayBuffer().then((bytes) => new Uint8Array(bytes));
    const status = (await (await get("/status")).json()) as { id: string };
    expect(response.headers.get("X-Trace-Id")).toBe(TRACE);
    expect(lines).toEqual([
      {
        level: "info",
        trace: TRACE,
        method: "GET",
        route: "/search",
        status: 200,
        outcome: "answered",
        caller: "anonymous",
        answerBytes: length,
        generation: status.id,
        waves: expect.any(Number),
        reads: expect.any(Number),
        bytesRead: expect.any(Number),
      },
    ]);
    expect(raw).not.toMatch(/zebra|192\.0\.2/);
  });

  it("names the tool, its outcome, its tokens and the era of a call", async () => {
    const { lines, raw } = await watch("/mcp?tools=docs", call("search_documents", { query: "zebras" }));
    expect(lines).toMatchObject([
      { route: "/mcp", tool: "search_documents", outcome: "answered", era: "2025", tokens: expect.any(Number) },
    ]);
    expect(raw).not.toContain("zebras");
    expect(lines[0]?.["tokens"]).toBeGreaterThan(0);
    const refused = await watch("/mcp", call("made_up_by_a_caller", {}, { "MCP-Protocol-Version": "2025-11-25" }));
    expect(refused.lines).toMatchObject([{ tool: "unknown", outcome: "refused", status: 200 }]);
    expect(refused.raw).not.toContain("made_up");
  });

  it("names routes by their patterns, and what is none not at all", async () => {
    expect((await watch("/documents/docs:guide/install.md")).lines).toMatchObject([{ route: "/documents/*" }]);
    const nowhere = await watch("/nobody/knows?me=1");
    expect(nowhere.lines).toMatchObject([{ route: "none", status: 404, outcome: "refused", waves: 0 }]);
    expect(nowhere.raw).not.toContain("nobody");
    expect((await watch("/status", { method: "OPTIONS" })).lines).toMatchObject([
      { route: "/status", method: "OPTIONS" },
    ]);
    const evil = await watch("/search?q=a", { headers: { origin: "https://evil.example" } });
    expect(evil.lines).toMatchObject([{ status: 403, caller: "none", outcome: "refused" }]);
  });

  it("names the route and the corpus of a page's Markdown, whose address is no pattern's", async () => {
    await publishCorpus("v2", FIXTURES.handbook);
    const { results } = (await (await get("/v2/search?q=lamp&collection=docs&limit=1")).json()) as {
      results: { url: string }[];
    };
    const path = `${new URL(results[0]?.url ?? "").pathname}.md`;
    const { lines, raw } = await watch(`/v2${path}`);
    expect(lines).toMatchObject([{ route: "/*.md", corpus: "v2", status: 200, outcome: "answered" }]);
    expect(raw).not.toContain(path);
    expect((await watch("/v2/no-such-page.md")).lines).toMatchObject([{ route: "none", corpus: "v2", status: 404 }]);
    const madeUp = await watch("/v3-made-up/no-such-page.md");
    expect(madeUp.lines).toMatchObject([{ route: "none", status: 404 }]);
    expect(madeUp.raw).not.toContain("made-up");
  });

  it("is as quiet as it is told to be", async () => {
    expect((await watch("/search?q=a", {}, { LOG_LEVEL: "error" })).lines).toEqual([]);
    expect((await watch("/search?q=a", {}, { LOG_LEVEL: "warn" })).lines).toEqual([]);
    expect((await watch("/search?q=a", {}, { LOG_LEVEL: "louder" })).lines).toHaveLength(1);
    expect((await watch("/search?q=a", {}, {})).lines).toEqual([]);
  });

  it("gives every answer a trace that pages may read", async () => {
    const response = await get("/nothing", { Origin: "http://localhost:3000" });
    expect(response.headers.get("X-Trace-Id")).toMatch(/^[0-9a-f]{32}$/);
    expect(response.headers.get("Access-Control-Expose-Headers")).toContain("X-Trace-Id");
    const again = await get("/nothing", { traceparent: "00-nonsense-01" });
    expect(again.headers.get("X-Trace-Id")).toMatch(/^[0-9a-f]{32}$/);
  });
});
