import { beforeAll, describe, expect, it } from "vitest";
import { post, send } from "./ask.ts";
import { publishServedIndex } from "./served-index.ts";

const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

function modern(method: string, params: object = {}, headers: Record<string, string> = {}): Promise<Response> {
  const name = "name" in params ? { "Mcp-Name": String(params.name) } : {};
  return post(
    "/mcp",
    { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: MODERN } },
    { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, ...(name as Record<string, string>), ...headers },
  );
}

function legacy(method: string, params: object = {}, path = "/mcp"): Promise<Response> {
  return post(path, { jsonrpc: "2.0", id: 1, method, params }, { "MCP-Protocol-Version": "2025-06-18" });
}

async function resultOf(response: Response): Promise<Record<string, unknown>> {
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toContain("application/json");
  const { result } = (await response.json()) as { result: Record<string, unknown> };
  return result;
}

describe("POST /mcp", () => {
  beforeAll(publishServedIndex);

  it("introduces itself to both eras", async () => {
    const discovered = await resultOf(await modern("server/discover"));
    expect(discovered).toMatchObject({
      supportedVersions: ["2026-07-28"],
      instructions: expect.stringContaining("search"),
    });
    const initialized = await resultOf(
      await legacy("initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      }),
    );
    expect(initialized).toMatchObject({ protocolVersion: "2025-06-18", serverInfo: { name: "treeline" } });
  });

  it("completes arguments for both eras, with nothing where no code is indexed", async () => {
    const asked = { ref: { type: "ref/prompt", name: "explain_symbol" }, argument: { name: "symbol", value: "ins" } };
    const nothing = { completion: { values: [], total: 0, hasMore: false } };
    expect(await resultOf(await modern("completion/complete", asked))).toMatchObject(nothing);
    expect(await resultOf(await legacy("completion/complete", asked))).toMatchObject(nothing);
  });

  it("says of lists and resources how long they hold and for whom, in MCP 2026-07-28 alone", async () => {
    const held = async (method: string, params: object = {}): Promise<unknown> => {
      const { ttlMs, cacheScope } = await resultOf(await modern(method, params));
      const before = await resultOf(await legacy(method, params));
      expect(before).not.toHaveProperty("ttlMs");
      return [ttlMs, cacheScope];
    };
    expect(await held("tools/list")).toEqual([300_000, "private"]);
    expect(await held("resources/list")).toEqual([15_000, "private"]);
    expect(await held("resources/templates/list")).toEqual([3_600_000, "public"]);
    expect(await held("prompts/list")).toEqual([3_600_000, "public"]);
    const read = await resultOf(
      await modern("resources/read", { uri: "treeline://status" }, { "Mcp-Name": "treeline://status" }),
    );
    expect(read).toMatchObject({ ttlMs: 15_000, cacheScope: "private" });
  });

  it("gives the same resources and prompts in both eras", async () => {
    const uri = "treeline://sections/docs:guide/install.md#linux";
    const read = await resultOf(await modern("resources/read", { uri }, { "Mcp-Name": uri }));
    expect(read.contents).toEqual((await resultOf(await legacy("resources/read", { uri }))).contents);
    expect(JSON.stringify(read.contents)).toContain("Use `apt`");
    const given = { name: "explore_docs", arguments: { question: "how?" } };
    const filled = await resultOf(await modern("prompts/get", given));
    expect(filled.messages).toEqual((await resultOf(await legacy("prompts/get", given))).messages);
    const listed = await resultOf(await modern("resources/list"));
    expect(listed.resources).toEqual((await resultOf(await modern("resources/list"))).resources);
    expect(listed.resources).toHaveLength(6);
  });

  it("opens no stream of announcements", async () => {
    const refused = await modern("subscriptions/listen", { notifications: { toolsListChanged: true } });
    expect(refused.status).toBe(404);
    expect(await refused.json()).toMatchObject({ id: 1, error: { code: -32601 } });
  });

  it("lists the tools of the profiles that the address asks for, and says which there are", async () => {
    const namesAt = async (path: string): Promise<string[]> => {
      const { tools } = await resultOf(await legacy("tools/list", {}, path));
      return (tools as { name: string }[]).map(({ name }) => name);
    };
    // The index has pages alone, so tools for code are listed where they are asked for.
    expect(await namesAt("/mcp")).not.toContain("find_symbol");
    expect(await namesAt("/mcp?tools=code")).toEqual(expect.arrayContaining(["find_symbol", "read", "index_status"]));
    expect(await namesAt("/mcp?tools=code")).not.toContain("search_documents");
    expect(await namesAt("/mcp?tools=docs,graph")).toEqual(
      expect.arrayContaining(["search_documents", "search_nodes"]),
    );
    expect(await namesAt("/mcp?tools=all")).toEqual(
      expect.arrayContaining([...(await namesAt("/mcp?tools=docs,code,graph"))]),
    );
    const refused = await legacy("tools/list", {}, "/mcp?tools=cod");
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("The profiles are docs, code, graph");
  });

  it("lists and calls the same tools in both eras, as plain JSON", async () => {
    const [listed, listedBefore] = [
      await resultOf(await modern("tools/list")),
      await resultOf(await legacy("tools/list")),
    ];
    expect(listed.tools).toEqual(listedBefore.tools);
    const call = { name: "index_status", arguments: {} };
    const [called, calledBefore] = [
      await resultOf(await modern("tools/call", call)),
      await resultOf(await legacy("tools/call", call)),
    ];
    expect(called.content).toEqual(calledBefore.content);
    expect(called.content).toMatchObject([{ text: expect.stringMatching(/^4 documents in 1 collection/) }, {}, {}, {}]);
  });

  it("finds the section that a draft repeats", async () => {
    const content = "## Linux\n\nUse `apt` to install the package.";
    const call = { name: "find_similar", arguments: { content, format: "json" } };
    const { results } = (await resultOf(await modern("tools/call", call))).structuredContent as { results: unknown[] };
    expect(results[0]).toMatchObject({ nodeId: "docs:guide/install.md#linux", similarity: 1 });
  });

  it("greps the texts, and refuses what it cannot match in words", async () => {
    const call = (args: object) => modern("tools/call", { name: "grep_documents", arguments: args });
    const found = await resultOf(await call({ pattern: "^# ", regex: true, context: 0 }));
    expect(found.isError).toBeUndefined();
    expect(found.content).toMatchObject([{ text: expect.stringMatching(/^Found [1-9]\d* match/) }, {}, {}]);
    const bomb = await resultOf(await call({ pattern: "(a+)+$|(.*.*)*=", regex: true }));
    expect(bomb.isError).toBeUndefined();
    const refused = await resultOf(await call({ pattern: "(?!a)", regex: true }));
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("Look-around") }, {}] });
  });

  it("says in _meta what each call cost, errors too, and in the headers what the request did", async () => {
    const calls = [
      { name: "search_documents", arguments: { query: "apt linux" } },
      { name: "get_node_content", arguments: { node_ids: ["docs:guide/install.md#linux"] } },
      { name: "get_tree", arguments: { doc_id: "docs:nowhere.md" } },
    ];
    for (const call of calls) {
      for (const ask of [modern, legacy]) {
        const response = await ask("tools/call", call);
        const { _meta } = (await resultOf(response.clone())) as { _meta: Record<string, Record<string, number>> };
        const cost = _meta["treeline/cost"];
        expect((cost?.reads ?? 0) + (cost?.cacheHits ?? 0)).toBeGreaterThan(0);
        expect(response.headers.get("Server-Timing")).toContain(`cached;desc="${cost?.cacheHits} `);
      }
    }
    // Which tools are listed depends on what the index holds, unless the address names them.
    const listed = await modern("tools/list");
    expect(listed.headers.has("Server-Timing")).toBe(true);
    expect(await listed.text()).not.toContain("treeline/cost");
    const named = await legacy("tools/list", {}, "/mcp?tools=docs");
    expect(named.headers.has("Server-Timing")).toBe(false);
  });

  it("takes the same requests at /sse, for clients that still have that address", async () => {
    expect(await resultOf(await legacy("tools/list", {}, "/sse"))).toHaveProperty("tools");
  });

  it("serves a client that announces no forms of answers", async () => {
    const response = await post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }, { Accept: "*/*" });
    expect(await resultOf(response)).toHaveProperty("tools");
  });

  it("acknowledges notifications", async () => {
    expect((await post("/mcp", { jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
  });

  it("keeps no answer in any cache", async () => {
    expect((await legacy("tools/list")).headers.get("Cache-Control")).toBe("no-store");
  });

  it("refuses what is not JSON, what is not called JSON, and what is too large", async () => {
    expect((await post("/mcp", "{bad")).status).toBe(400);
    expect((await post("/mcp", "{}", { "content-type": "text/plain" })).status).toBe(415);
    const large = await post("/mcp", JSON.stringify({ padding: "x".repeat(1024 * 1024) }));
    expect(large.status).toBe(413);
    expect(await large.json()).toMatchObject({ error: { message: expect.stringContaining("larger than") } });
  });

  it.each(["/mcp", "/sse"])("answers GET and DELETE of %s with 405, naming the address to use", async (path) => {
    for (const method of ["GET", "DELETE"]) {
      const response = await send(method, path, { Accept: "text/event-stream" });
      expect(response.status).toBe(405);
      expect(response.headers.get("Allow")).toBe("POST, OPTIONS");
      expect(await response.text()).toContain("/mcp");
    }
  });

  it("does not answer pages from elsewhere on this machine", async () => {
    const response = await post(
      "/mcp",
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
      { origin: "https://evil.example" },
    );
    expect(response.status).toBe(403);
    const fromHere = await post(
      "/mcp",
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
      { origin: "http://localhost:6274" },
    );
    expect(fromHere.status).toBe(200);
  });
});
