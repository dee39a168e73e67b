/** What no client should send: each is answered with an error of the protocol or of a tool, at once and never with 500. */
import { beforeAll, describe, expect, it } from "vitest";
import { post } from "./ask.ts";
import { publishServedIndex } from "./served-index.ts";

const MEBIBYTE = 1024 * 1024;
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const MODERN = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list" };
const CALL = { name: "index_status", arguments: {} };

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly json: { readonly id?: unknown; readonly error?: { readonly code: number; readonly message: string } };
}

async function send(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await post("/mcp", body, headers);
  const text = await response.text();
  return { status: response.status, text, json: text.startsWith("{") ? JSON.parse(text) : {} };
}

function modern(method: string, params: object = {}, headers: Record<string, string> = {}, id: unknown = 1) {
  return send(
    { jsonrpc: "2.0", id, method, params: { _meta: META, ...params } },
    {
      ...MODERN,
      "Mcp-Method": method,
      ...headers,
    },
  );
}

function legacy(method: string, params: unknown, headers: Record<string, string> = {}, id: unknown = 1) {
  return send({ jsonrpc: "2.0", id, method, params }, headers);
}

function expectRefused({ status, json, text }: Answer, ...statuses: readonly number[]): void {
  expect(statuses, text).toContain(status);
  expect(json.error, text).toMatchObject({ code: expect.any(Number), message: expect.stringMatching(/./) });
}

describe("POST /mcp with bad input", () => {
  beforeAll(publishServedIndex);

  it.each([
    ["nothing", ""],
    ["what is not JSON", "{bad"],
    ["half of a message", '{"jsonrpc":"2.0","id":1,"method":"tools/li'],
    ["a number", "7"],
    ["a text", '"tools/list"'],
    ["null", "null"],
    ["an empty object", "{}"],
    ["an empty batch", "[]"],
    ["a message of another version", '{"jsonrpc":"1.0","id":1,"method":"tools/list"}'],
    ["a method that is no text", '{"jsonrpc":"2.0","id":1,"method":7}'],
    ["params that are a text", '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":"x"}'],
    ["params that are a list", '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["index_status"]}'],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"tools/list"}'],
    ["an id that is a list", '{"jsonrpc":"2.0","id":[1],"method":"tools/list"}'],
    ["an id that is true", '{"jsonrpc":"2.0","id":true,"method":"tools/list"}'],
    ["a thousand messages at once", JSON.stringify(Array(1000).fill({ jsonrpc: "2.0", id: 1, method: "ping" }))],
  ])("refuses %s", async (_, body) => {
    for (const headers of [{}, MODERN, { "MCP-Protocol-Version": "2025-06-18" }]) {
      expectRefused(await send(body, headers), 400, 413);
    }
  });

  it.each([
    ["lists", "[", "]"],
    ["objects", '{"a":', "}"],
  ])("refuses a mebibyte of nested %s, closed or not", async (_, opening, closing) => {
    const depth = Math.floor((MEBIBYTE - 200) / (opening.length + closing.length + 1));
    const nested = `${opening.repeat(depth)}1${closing.repeat(depth)}`;
    expectRefused(await send(opening.repeat(Math.floor(MEBIBYTE / opening.length))), 400);
    expectRefused(await send(nested), 400);
    expectRefused(await send(nested, MODERN), 400);
  });

  it.each([
    ["lists", "[", "]"],
    ["objects", '{"a":', "}"],
  ])(
    "answers a call whose arguments nest %s as deep as a request can with an error in words",
    async (_, opening, closing) => {
      const depth = Math.floor((MEBIBYTE - 1000) / (opening.length + closing.length));
      const nested = `${opening.repeat(depth)}1${closing.repeat(depth)}`;
      const call = (meta: string, name: string) =>
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${meta}"name":"list_documents","arguments":{"${name}":${nested}}}}`;
      const modernHeaders = { ...MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "list_documents" };
      for (const name of ["filters", "query", "limit", "unknown"]) {
        for (const { status, text } of [
          await send(call("", name)),
          await send(call(`"_meta":${JSON.stringify(META)},`, name), modernHeaders),
        ]) {
          expect([200, 400], text.slice(0, 500)).toContain(status);
          expect(text).toMatch(/"isError":true|"error":/);
          expect(text).not.toMatch(/inside Treeline|Internal|stack/);
          expect(text.length).toBeLessThan(3000);
        }
      }
    },
  );

  it("answers a call whose arguments nest as deep as is read with an error of the tool", async () => {
    const nested = `${'{"a":'.repeat(60)}1${"}".repeat(60)}`;
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_documents","arguments":{"filters":${nested}}}}`;
    const { status, text } = await send(call);
    expect(status).toBe(200);
    expect(text).toContain('"isError":true');
  });

  it("refuses more than a mebibyte, whatever its length says", async () => {
    expectRefused(await send(`"${"x".repeat(MEBIBYTE)}"`), 413);
    expectRefused(await send(`"${"x".repeat(MEBIBYTE)}"`, MODERN), 413);
  });

  it("refuses bytes that are no UTF-8 inside of a name in words", async () => {
    const body = new TextEncoder().encode(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"?","arguments":{}}}',
    );
    body[body.indexOf(63)] = 0xff;
    const { exports } = await import("cloudflare:workers");
    const response = await exports.default.fetch(
      new Request("http://localhost:8787/mcp", {
        method: "POST",
        headers: { host: "localhost:8787", "content-type": "application/json" },
        body,
      }),
    );
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("There is no tool");
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonx",
    "",
  ])("refuses the content type %j", async (type) => {
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    expectRefused(await send(body, { "content-type": type }), 415);
    expectRefused(await send({ ...body, params: { _meta: META } }, { ...MODERN, "content-type": type }), 415);
  });

  it("takes a content type with parameters and in capitals", async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    expect((await send(body, { "content-type": "Application/JSON; charset=utf-8" })).status).toBe(200);
  });

  it.each(["1999-01-01", "2099-01-01", "x", "2026-07-28, 2025-06-18"])(
    "refuses the protocol version %s",
    async (version) => {
      expectRefused(await legacy("tools/list", {}, { "MCP-Protocol-Version": version }), 400);
      const meta = { ...META, "io.modelcontextprotocol/protocolVersion": version };
      const refused = await modern("tools/list", { _meta: meta }, { "MCP-Protocol-Version": version });
      expectRefused(refused, 400);
      expect(refused.text).toContain("2026-07-28");
    },
  );

  it("agrees on a version that it speaks where a client of the 2025 era asks for another one", async () => {
    for (const version of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "1999-01-01"]) {
      const clientInfo = { name: "test", version: "1" };
      const { status, text } = await legacy("initialize", { protocolVersion: version, capabilities: {}, clientInfo });
      expect(status, text).toBe(200);
      expect(text).toContain(
        version === "1999-01-01" ? '"protocolVersion":"2025-11-25"' : `"protocolVersion":"${version}"`,
      );
    }
  });

  it("refuses headers that contradict the body", async () => {
    const mismatches: readonly Record<string, string>[] = [
      { "Mcp-Method": "tools/list" },
      { "Mcp-Name": "search_documents" },
      { "MCP-Protocol-Version": "2025-06-18" },
    ];
    for (const headers of mismatches) {
      const refused = await modern("tools/call", CALL, { "Mcp-Name": "index_status", ...headers });
      expectRefused(refused, 400);
      expect(refused.json.error?.code, JSON.stringify(headers)).toBe(-32020);
      expect(refused.json.id).toBe(1);
    }
    // Names in headers and the version stand there for those on the way, and must be there.
    const without = await send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...CALL, _meta: META } });
    expectRefused(without, 400);
  });

  it("refuses envelopes without what they must hold", async () => {
    for (const meta of [{}, null, 7, { ...META, "io.modelcontextprotocol/clientCapabilities": "all" }]) {
      expectRefused(await modern("tools/list", { _meta: meta }), 400);
    }
  });

  it.each(["tools/lst", "", "constructor", "__proto__", "subscriptions/listen", "tasks/list", "initialize"])(
    "answers the method %j of MCP 2026-07-28 with 404",
    async (method) => {
      const refused = await modern(method);
      expectRefused(refused, 404, 400);
      if (method !== "") expect(refused.status).toBe(404);
      if (method !== "") expect(refused.json).toMatchObject({ id: 1, error: { code: -32601 } });
    },
  );

  it("answers an unknown method of the 2025 era with an error of the protocol", async () => {
    const refused = await legacy("tools/lst", {});
    expect(refused.json).toMatchObject({ id: 1, error: { code: -32601 } });
  });

  it.each([
    ["tools/call", {}],
    ["tools/call", { name: 7 }],
    ["tools/call", { name: "index_status", arguments: "none" }],
    ["tools/call", { name: "index_status", arguments: [1] }],
    ["resources/read", {}],
    ["resources/read", { uri: 7 }],
    ["resources/read", { uri: "x".repeat(10_000) }],
    ["resources/list", { cursor: "x" }],
    ["resources/list", { cursor: 7 }],
    ["prompts/get", { name: "x".repeat(10_000) }],
    ["prompts/get", { name: "explore_docs", arguments: { question: 7 } }],
    ["completion/complete", { ref: { type: "ref/nothing" }, argument: { name: "a", value: "b" } }],
    ["completion/complete", { ref: { type: "ref/prompt", name: "nothing" }, argument: { name: "a", value: "b" } }],
  ])("answers %s with %j with an error of the protocol in both eras", async (method, params) => {
    const name = "name" in params ? String(params.name) : "uri" in params ? String(params.uri) : "";
    for (const answer of [await legacy(method, params), await modern(method, params, { "Mcp-Name": name })]) {
      expectRefused(answer, 200, 400);
      expect(answer.json.error?.message.length).toBeLessThan(2000);
    }
  });

  it("answers a tool, and arguments, of 10,000 characters in words", async () => {
    const long = "x".repeat(10_000);
    const wrongTool = await legacy("tools/call", { name: long, arguments: {} });
    expect(wrongTool.text).toContain("There is no tool");
    expect(wrongTool.text.length).toBeLessThan(3000);
    for (const args of [
      { query: long },
      { [long]: 1 },
      { query: "a", collection: long },
      { query: "a", limit: long },
    ]) {
      const { status, text } = await legacy("tools/call", { name: "search_documents", arguments: args });
      expect(status).toBe(200);
      expect(text).toContain('"isError":true');
      expect(text.length).toBeLessThan(3000);
    }
  });

  it("answers requests under ids of any kind that a protocol allows", async () => {
    for (const id of ["", "x".repeat(1000), "\u202e", -1, 0, Number.MAX_SAFE_INTEGER]) {
      expect((await legacy("ping", {}, {}, id)).json).toMatchObject({ id });
      expect((await modern("tools/list", {}, {}, id)).json).toMatchObject({ id });
    }
    for (const id of [null, 1.5]) {
      const { status } = await legacy("ping", {}, {}, id);
      expect([200, 202, 400]).toContain(status);
    }
  });

  it("answers a batch of the 2025 era in one list, and refuses it in MCP 2026-07-28", async () => {
    const batch = [
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: CALL },
      { jsonrpc: "2.0", id: 2, method: "tools/lst" },
      { jsonrpc: "2.0", method: "notifications/initialized" },
    ];
    // Only 2025-03-26 has batches; clients of the versions after it may send none, and lose nothing where one does.
    for (const version of ["2025-03-26", "2025-06-18"]) {
      const { status, text } = await send(batch, { "MCP-Protocol-Version": version });
      expect(status).toBe(200);
      const answers = JSON.parse(text) as { id: number; result?: unknown; error?: unknown }[];
      expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2]);
    }
    expectRefused(
      await send(
        batch.map((message) => ({ ...message, params: { _meta: META } })),
        MODERN,
      ),
      400,
    );
    expectRefused(await send([...batch, { jsonrpc: "2.0", id: 3, method: 7 }]), 400);
  });

  it("answers a batch whose requests are cancelled in it", async () => {
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: CALL };
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    for (const batch of [
      [call, cancel],
      [cancel, call],
    ]) {
      const { status, text } = await send(batch);
      expect(status, text).toBe(200);
      expect(text).toContain('"result"');
    }
    expect((await send([cancel, cancel])).status).toBe(202);
  });

  it("refuses a batch of more than ten messages, and one that has an id twice", async () => {
    const batchOf = (ids: readonly number[]) =>
      ids.map((id) => ({ jsonrpc: "2.0", id, method: "tools/call", params: CALL }));
    const ids = Array.from({ length: 11 }, (_, at) => at);
    expect((await send(batchOf(ids.slice(1)))).status).toBe(200);
    const large = await send(batchOf(ids));
    expectRefused(large, 400);
    expect(large.text).toContain("10 messages at most");
    expectRefused(await send(batchOf([1, 2, 1])), 400);
  });

  it("takes a response that nobody waits for without answering it", async () => {
    const { status } = await send({ jsonrpc: "2.0", id: 1, result: {} });
    expect([202, 400]).toContain(status);
  });
});
