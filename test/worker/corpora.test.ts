/** Several corpora behind one Worker: addresses and answers of each, how they come and go, and what asking costs. */
import { env } from "cloudflare:workers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { isCorpusName } from "../../src/surface/access/corpus-name.ts";
import { RELIST_MS } from "../../src/surface/corpus-list.ts";
import { POINTER_TTL_MS } from "../../src/worker/storage/generations.ts";
import worker from "../../src/worker/worker.ts";
import { call, get, post, send } from "./ask.ts";
import { FIXTURES, publishCorpus, removeCorpus, wait, watchBucket } from "./corpus-files.ts";
import { publishServedIndex } from "./served-index.ts";

const ORIGIN = "http://localhost:8787";
const CONTEXT = { waitUntil: () => undefined } as unknown as ExecutionContext;

async function titles(path: string): Promise<readonly string[]> {
  const { results } = (await (await get(path)).json()) as { results: { title: string; url: string }[] };
  return results.map(({ title }) => title);
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
    expect((await get("/v1/search.js")).headers.get("content-type")).toContain("javascript");
    expect((await get("/v9/search.js")).status).toBe(404);
    expect((await call("/v1/sse", "index_status")).text).toMatch(/^Corpus v1\. \d/);
    expect((await call("/v1/mcp", "index_status", { format: "json" })).json).toMatchObject({ corpus: "v1" });
    expect((await call("/sse", "index_status")).text).toMatch(/^\d/);
  });

  it("lists the tools that its own index can answer", async () => {
    const list = async (path: string): Promise<string[]> => {
      const response = await post(path, { jsonrpc: "2.0", id: 1, method: "tools/list" });
      const { result } = (await response.json()) as { result: { tools: { name: string }[] } };
      return result.tools.map(({ name }) => name);
    };
    expect(await list("/v2/mcp")).toContain("inspect");
    expect(await list("/v1/mcp")).toEqual(["search", "grep", "read", "map"]);
    expect(await list("/v1/mcp?tools=code")).toContain("find_symbol");
  });

  it.each([
    ["/search?q=lamp", false],
    ["/suggest?q=la", false],
    ["/documents/docs:guide/install.md", false],
    ["/tree/docs:guide/install.md", false],
    ["/llms.txt", true],
    ["/summary", false],
    ["/status", false],
    ["/health", false],
    ["/connect", true],
    ["/server.json", true],
    ["/mcp/server-card", true],
    ["/.well-known/mcp/server-card.json", true],
    ["/.well-known/ai-catalog.json", true],
    // Its collection has pages of its own; those that the server has are tried below.
  ] as const)("has %s, with addresses below its own: %s", async (path, hasAddresses) => {
    const response = await get(`/v1${path}`);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).not.toBe(path === "/health" ? "" : await (await get(path)).text());
    const addresses = [...text.matchAll(/http:\/\/localhost:8787[^"\s)]*/g)].map(([address]) => address);
    expect(addresses.length > 0).toBe(hasAddresses);
    for (const address of addresses) expect(address).toMatch(/8787\/v1(\/|$)/);
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
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("search");
    const { content } = await client.callTool({ name: "search", arguments: { queries: ["lantern"] } });
    expect(JSON.stringify(content)).toContain("Lantern");
    await client.close();
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
    expect(await (await get("/v1/x")).json()).toMatchObject({
      error: "There is nothing at /v1/x.",
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
      "/",
      "/favicon.ico",
      "/nothing/x",
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
    expect(bucket.take()).toEqual(["list", "head v5/treeline.pointer"]);
    await env.INDEX.delete("v5/0123.txt");
  });

  it("are gone with their pointers, though files of theirs stay, and there again when they are published again", async () => {
    wait(RELIST_MS);
    expect((await get("/v4/search?q=lamp")).status).toBe(200);
    await env.INDEX.delete("v4/treeline.pointer");
    wait(POINTER_TTL_MS);
    // Its index is in memory: the pointer is looked at after an answer.
    await expect.poll(async () => (await get("/v4/search?q=lamp")).status).toBe(404);
    for (let n = 0; n < 3; n++) expect((await get("/v4/search?q=lamp")).status).toBe(404);
    expect((await call("/mcp", "index_status")).isError).toBe(false);
    await publishCorpus("v4", FIXTURES.handbook);
    wait(RELIST_MS);
    expect((await get("/v4/search?q=lamp")).status).toBe(200);
    await removeCorpus("v4");
    wait(POINTER_TTL_MS);
    await expect.poll(async () => (await get("/v4/search?q=lamp")).status).toBe(404);
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
    const first = worker.routes
      .map(({ path }) => path.split("/")[1] ?? "")
      .filter((segment) => segment !== "*" && segment !== "");
    expect(first.length).toBeGreaterThan(20);
    for (const segment of new Set(first)) {
      expect(isCorpusName(segment), segment).toBe(false);
    }
  });
});
