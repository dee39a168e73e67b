/** Several corpora behind one Worker: addresses, answers, sessions and cursors of each, and what asking costs. */
import { env } from "cloudflare:workers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { RESERVED_NAMES } from "../../src/access/corpus-name.ts";
import { RELIST_MS } from "../../src/storage/corpus-list.ts";
import { POINTER_TTL_MS } from "../../src/storage/generations.ts";
import worker from "../../src/worker.ts";
import { get, post, send } from "./ask.ts";
import { FIXTURES, publishCorpus, removeCorpus, watchBucket } from "./corpus-files.ts";
import { publishServedIndex } from "./served-index.ts";

const ORIGIN = "http://localhost:8787";
const CONTEXT = { waitUntil: () => undefined } as unknown as ExecutionContext;

interface Called {
  readonly text: string;
  readonly isError: boolean;
  readonly json: Readonly<Record<string, unknown>>;
}

async function call(path: string, name: string, given: object = {}): Promise<Called> {
  const response = await post(path, {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: given },
  });
  const { result } = (await response.json()) as {
    result: { content: { text: string }[]; isError?: boolean; structuredContent?: Record<string, unknown> };
  };
  const text = result.content.map((block) => block.text).join("\n");
  return { text, isError: result.isError === true, json: result.structuredContent ?? {} };
}

async function titles(path: string): Promise<readonly string[]> {
  const { results } = (await (await get(path)).json()) as { results: { title: string; url: string }[] };
  return results.map(({ title }) => title);
}

async function open(path: string): Promise<{ readonly session: string; readonly urls: readonly string[] }> {
  const response = await post(path, {});
  expect(response.status).toBe(201);
  return (await response.json()) as { session: string; urls: string[] };
}

/** A handle with another signature. */
function forge(handle: string): string {
  return `${handle.slice(0, -1)}${handle.endsWith("A") ? "B" : "A"}`;
}

let clock = 0;

/** Lets time pass. It never goes back, also not between tests: what an isolate knows is as old as it was. */
function wait(ms: number): void {
  clock = Math.max(clock, Date.now()) + ms;
  vi.useFakeTimers({ now: clock, toFake: ["Date"] });
}

beforeAll(async () => {
  await publishServedIndex();
  await publishCorpus("v1", FIXTURES.handbook);
  await publishCorpus("v2", FIXTURES.grouped);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => vi.useRealTimers());

describe("a corpus with a name", () => {
  it("answers at its own addresses with its own texts, and the root as ever", async () => {
    expect(await titles("/search?q=install")).toEqual(expect.arrayContaining(["Install Treeline"]));
    expect(await titles("/v1/search?q=lantern")).toEqual(expect.arrayContaining(["Lantern"]));
    expect(await titles("/v1/search?q=treeline")).toEqual([]);
    expect(await titles("/search?q=lantern")).toEqual([]);
    expect((await call("/v2/mcp", "search_documents", { query: "meadow" })).text).toContain("meadow");
    expect((await call("/mcp", "search_documents", { query: "meadow" })).text).toMatch(/^Found 0 /);
    expect((await call("/v1/sse", "index_status")).text).not.toBe((await call("/sse", "index_status")).text);
  });

  it("lists the tools that its own index can answer", async () => {
    const list = async (path: string): Promise<string[]> => {
      const response = await post(path, { jsonrpc: "2.0", id: 1, method: "tools/list" });
      const { result } = (await response.json()) as { result: { tools: { name: string }[] } };
      return result.tools.map(({ name }) => name);
    };
    expect(await list("/v2/mcp")).toContain("find_symbol");
    expect(await list("/v1/mcp")).not.toContain("find_symbol");
    expect(await list("/v1/mcp?tools=code")).toContain("find_symbol");
  });

  it.each([
    "/search?q=lamp",
    "/suggest?q=la",
    "/documents/docs:guide/install.md",
    "/tree/docs:guide/install.md",
    "/llms.txt",
    "/summary",
    "/status",
    "/health",
    "/connect",
    "/server.json",
    "/mcp/server-card",
    "/.well-known/mcp/server-card.json",
    "/.well-known/ai-catalog.json",
  ])("has %s, with addresses below its own", async (path) => {
    const response = await get(`/v1${path}`);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).not.toBe(path === "/health" ? "" : await (await get(path)).text());
    for (const [address] of text.matchAll(/http:\/\/localhost:8787[^"\s)]*/g))
      expect(address).toMatch(/8787\/v1(\/|$)/);
    expect((await send("HEAD", `/v1${path}`)).status).toBe(200);
    const refused = await send("POST", `/v1${path}`);
    expect([refused.status, refused.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("names its own pages where a collection has none of its own", async () => {
    const { sections } = (await (await get("/v2/documents/docs:guide/meadow-setup.md")).json()) as {
      sections: { url: string }[];
    };
    expect(sections.length).toBeGreaterThan(0);
    for (const { url } of sections) expect(url).toMatch(`${ORIGIN}/v2/documents/docs:guide/meadow-setup.md`);
    const { results } = (await (await get("/v2/search?q=meadow")).json()) as { results: { url: string }[] };
    for (const { url } of results) expect(url).toMatch(`${ORIGIN}/v2/documents/`);
    const page = new URL(results[0]?.url ?? "");
    expect((await get(page.pathname)).status).toBe(200);
  });

  it("says its own address to who uses the wrong method", async () => {
    expect(await (await get("/v1/mcp")).text()).toContain("POST requests to /v1/mcp");
    expect(await (await get("/v1/session")).text()).toContain("GET is not for /v1/session");
    expect(await (await get("/v1/s/handle-of-somebody/x")).text()).not.toContain("handle-of-somebody");
  });

  it("is confirmed to who has its answer, by a tag of its own generation", async () => {
    const first = await get("/v1/search?q=install");
    const etag = first.headers.get("ETag") ?? "";
    expect((await get("/v1/search?q=install", { "If-None-Match": etag })).status).toBe(304);
    expect((await get("/search?q=install", { "If-None-Match": etag })).status).toBe(200);
  });

  it("is named in the line of the log, and what is none is not", async () => {
    const written: string[] = [];
    const log = vi.spyOn(console, "log").mockImplementation((line) => void written.push(String(line)));
    for (const path of ["/v1/search?q=lamp", "/secret-project/search?q=lamp", "/search?q=lamp"]) {
      await worker.fetch(new Request(`${ORIGIN}${path}`), { ...env, LOG_LEVEL: "info" }, CONTEXT);
    }
    log.mockRestore();
    const lines = written.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ route, corpus, status }) => [route, corpus, status])).toEqual([
      ["/search", "v1", 200],
      ["/search", undefined, 404],
      ["/search", undefined, 200],
    ]);
    expect(written.join()).not.toContain("secret-project");
  });
});

describe("an MCP client of the SDK", () => {
  it.each(["auto", "legacy"] as const)("goes the whole way at a corpus' address, in the era %s", async (mode) => {
    const client = new Client({ name: "treeline-tests", version: "1.0.0" }, { versionNegotiation: { mode } });
    const transport = new StreamableHTTPClientTransport(new URL(`${ORIGIN}/v1/mcp`), {
      fetch: async (url, init) => worker.fetch(new Request(url, init), env, CONTEXT),
    });
    await client.connect(transport);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("search_documents");
    const { content } = await client.callTool({ name: "search_documents", arguments: { query: "lantern" } });
    expect(JSON.stringify(content)).toContain("Lantern");
    await client.close();
  });
});

describe("sessions and cursors of several corpora", () => {
  it("are opened with addresses of their corpus, and work there", async () => {
    const { session, urls } = await open("/v1/session");
    expect(urls).toEqual([`${ORIGIN}/v1/mcp?session=${session}`, `${ORIGIN}/v1/s/${session}/mcp`]);
    for (const url of urls) {
      const { pathname, search } = new URL(url);
      const state = await call(`${pathname}${search}`, "session_state", { format: "json" });
      expect(state.isError).toBe(false);
    }
    const opened = await call("/v2/mcp", "open_session", { format: "json" });
    expect(opened.json["url"]).toBe(`${ORIGIN}/v2/mcp?session=${opened.json["session"]}`);
  });

  it("are refused elsewhere like forged ones, before any object is asked", async () => {
    const corpora = ["", "/v1", "/v2"];
    const sessions = await Promise.all(corpora.map((corpus) => open(`${corpus}/session`)));
    const prototype = Object.getPrototypeOf(env.SESSIONS) as DurableObjectNamespace;
    const asked = vi.spyOn(prototype, "getByName");
    const forged = await call("/mcp", "session_state", { session: forge(sessions[0]?.session ?? "") });
    expect(forged.isError).toBe(true);
    expect(forged.text).toContain("its handle belongs to another corpus");
    for (const [own, { session }] of sessions.entries()) {
      for (const [at, corpus] of corpora.entries()) {
        if (at === own) continue;
        expect((await call(`${corpus}/mcp`, "session_state", { session })).text).toBe(forged.text);
        for (const path of [`${corpus}/mcp?session=${session}`, `${corpus}/s/${session}/mcp`]) {
          expect((await call(path, "index_status")).text).toContain("There is no such session here");
        }
      }
    }
    expect(asked).not.toHaveBeenCalled();
    expect((await call("/v1/mcp", "session_state", { session: sessions[1]?.session })).isError).toBe(false);
    expect(asked).toHaveBeenCalled();
    asked.mockRestore();
  });

  it("lead to pages of their own corpus alone, even where both hold the same generation", async () => {
    await publishCorpus("v1-again", FIXTURES.handbook);
    wait(RELIST_MS);
    const asked = { query: "lamp", limit: 1, format: "json" };
    const { nextCursor: cursor } = (await call("/v1/mcp", "search_documents", asked)).json as { nextCursor?: string };
    expect(cursor).toMatch(/^[\w-]{20,}$/);
    expect((await call("/v1/mcp", "search_documents", { ...asked, cursor })).isError).toBe(false);
    expect((await call("/v1-again/mcp", "search_documents", asked)).isError).toBe(false);
    const elsewhere = await call("/v1-again/mcp", "search_documents", { ...asked, cursor });
    expect(elsewhere.isError).toBe(true);
    expect(elsewhere.text).toContain("This cursor is not valid");
    await removeCorpus("v1-again");
  });
});

describe("corpora that come and go", () => {
  it("are refused with the nearest ones and the routes, whatever is asked of them", async () => {
    wait(RELIST_MS);
    const response = await get("/v3/search?q=a");
    expect(response.status).toBe(404);
    const body = (await response.json()) as { error: string; nearest: string[] };
    expect(body.error).toBe('There is no corpus "v3" here.');
    expect(body.nearest.slice(0, 2)).toEqual(["/v1/mcp", "/v2/mcp"]);
    expect(body.nearest).toContain("/search?q=…");
    const called = await post("/V3/mcp", {});
    expect(called.status).toBe(404);
    const rpc = await post("/v3/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(rpc.status).toBe(404);
    expect(await rpc.json()).toMatchObject({ error: { message: expect.stringContaining("/v1/mcp, /v2/mcp") } });
    expect(await (await get("/v1")).json()).toMatchObject({
      error: "There is nothing at /v1.",
      nearest: expect.arrayContaining(["/v1/mcp"]),
    });
  });

  it("cost one listing every few seconds, whatever names are made up, and nothing where there is no such route", async () => {
    wait(RELIST_MS);
    await get("/v1/search?q=lamp");
    const bucket = watchBucket();
    for (let n = 0; n < 20; n++) {
      expect((await get(`/made-up-${n}/search?q=a`)).status).toBe(404);
      expect((await get(`/made-up-${n}/wp-login.php`)).status).toBe(404);
      expect((await get(`/made-up-${n}`)).status).toBe(404);
    }
    expect(bucket.take()).toEqual(["list"]);
  });

  it("cost the root nothing: its requests never look at the list", async () => {
    wait(2 * RELIST_MS);
    await get("/search?q=install");
    const bucket = watchBucket();
    for (const path of [
      "/search?q=install",
      "/llms.txt",
      "/tree/docs:guide/install.md",
      "/health",
      "/connect",
      "/nothing",
    ]) {
      await get(path);
    }
    await call("/mcp", "search_documents", { query: "install" });
    expect(bucket.take().filter((asked) => !/^get [0-9a-f]{32}\./.test(asked))).toEqual([]);
    wait(POINTER_TTL_MS);
    await get("/search?q=install");
    expect(bucket.take()).toEqual(["get treeline.pointer"]);
  });

  it("are found after some seconds where they are published while the Worker runs", async () => {
    wait(RELIST_MS);
    expect((await get("/v4/search?q=lamp")).status).toBe(404);
    await publishCorpus("v4", FIXTURES.handbook);
    wait(RELIST_MS);
    expect(await titles("/v4/search?q=lantern")).toEqual(expect.arrayContaining(["Lantern"]));
  });

  it("are none where a prefix has no pointer: one read every few seconds says so, whoever asks", async () => {
    await env.INDEX.put("v5/0123.txt", "of somebody else");
    const error = 'There is no corpus "v5" here.';
    wait(RELIST_MS);
    const bucket = watchBucket();
    for (let n = 0; n < 5; n++) {
      const response = await get("/v5/search?q=lamp");
      expect(response.status).toBe(404);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({ error });
      expect(response.headers.get("Content-Length")).toBe(`${new TextEncoder().encode(text).length}`);
    }
    const called = await post("/v5/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect([called.status, await called.text()]).toEqual([404, expect.stringContaining("There is no corpus")]);
    expect(bucket.take()).toEqual(["list", "get v5/treeline.pointer"]);
    await env.INDEX.delete("v5/0123.txt");
  });

  it("are gone with their pointers, though files of theirs stay, and there again when they are published again", async () => {
    wait(RELIST_MS);
    expect((await get("/v4/search?q=lamp")).status).toBe(200);
    await env.INDEX.delete("v4/treeline.pointer");
    wait(POINTER_TTL_MS);
    for (let n = 0; n < 3; n++) expect((await get("/v4/search?q=lamp")).status).toBe(404);
    expect((await call("/mcp", "index_status")).isError).toBe(false);
    await publishCorpus("v4", FIXTURES.handbook);
    wait(RELIST_MS);
    expect((await get("/v4/search?q=lamp")).status).toBe(200);
    await removeCorpus("v4");
    wait(POINTER_TTL_MS);
    expect((await get("/v4/search?q=lamp")).status).toBe(404);
  });
});

describe("GET /corpora", () => {
  it("lists those that have an index with their addresses, the root first", async () => {
    await env.INDEX.put("backups/2026.zip", "");
    wait(60_000);
    const response = await get("/corpora");
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=60");
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(await response.json()).toEqual({
      corpora: ["", "v1", "v2"].map((name) => {
        const url = name === "" ? ORIGIN : `${ORIGIN}/${name}`;
        return { name, url, mcp: `${url}/mcp`, publishedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string };
      }),
    });
    const etag = response.headers.get("ETag") ?? "";
    expect((await get("/corpora", { "If-None-Match": etag })).status).toBe(304);
    const text = await get("/corpora", { Accept: "text/markdown", "If-None-Match": etag });
    expect(text.headers.get("Content-Type")).toContain("text/markdown");
    expect(await text.text()).toContain(`- v1: ${ORIGIN}/v1, MCP ${ORIGIN}/v1/mcp\n`);
    expect((await send("POST", "/corpora")).status).toBe(405);
    expect((await get("/v1/corpora")).status).toBe(404);
  });

  it("is kept for a minute: asking again reads nothing", async () => {
    await get("/corpora");
    const bucket = watchBucket();
    for (let n = 0; n < 5; n++) await get("/corpora");
    expect(bucket.take()).toEqual([]);
  });

  it("is what the catalog for clients lists, too", async () => {
    const { entries } = (await (await get("/.well-known/ai-catalog.json")).json()) as { entries: { url: string }[] };
    expect(entries.map(({ url }) => url)).toEqual(
      ["", "/v1", "/v2"].map((corpus) => `${ORIGIN}${corpus}/mcp/server-card`),
    );
    for (const { url } of entries) {
      const card = (await (await get(new URL(url).pathname)).json()) as { name: string; remotes: { url: string }[] };
      expect(card.remotes[0]?.url).toBe(url.replace("/server-card", ""));
    }
    expect(new Set(entries.map(({ url }) => url)).size).toBe(3);
  });
});

describe("names that are reserved", () => {
  it("hold the first segments of all routes, so that no corpus hides one", () => {
    const first = worker.routes.map(({ path }) => path.split("/")[1] ?? "").filter((segment) => segment !== "*");
    expect(first.length).toBeGreaterThan(20);
    for (const segment of new Set(first)) {
      expect(segment === ".well-known" || RESERVED_NAMES.has(segment), segment).toBe(true);
    }
  });
});
