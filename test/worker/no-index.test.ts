import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { get, post } from "./ask.ts";
import { publishServedIndex, servedFiles, unpublish } from "./served-index.ts";

const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "index_status", arguments: {} } };

// One after another: an isolate that has an index open keeps answering from it, so the order of these tests matters.
describe("a Worker without a usable index", () => {
  it("answers 503 with what to do where nothing is published, and tools say the same", async () => {
    await unpublish();
    for (const path of ["/search?q=a", "/status", "/tree/docs:a.md", "/documents/docs:a.md"]) {
      const response = await get(path);
      expect(response.status).toBe(503);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      expect(await response.json()).toMatchObject({ error: expect.stringContaining("npm start") });
    }
    const opening = await post("/session", {});
    expect(opening.status).toBe(503);
    expect(await opening.json()).toEqual({
      error: expect.stringContaining("npm start"),
      nearest: [],
      problem: "no-index",
    });
    const answer = await (await post("/mcp", call)).json();
    expect(answer).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining("npm start") }] },
    });
  });

  it("shows browsers a page that says how to publish one", async () => {
    for (const path of ["/", "/explorer/search?q=a", "/documents/docs:a.md"]) {
      const response = await get(path, { Accept: "text/html" });
      expect(response.status).toBe(503);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      expect(response.headers.get("Content-Security-Policy")).toContain("style-src 'self'");
      expect(await response.text()).toContain("<code>treeline publish</code>");
    }
    // Neither the address of the server nor its clients take an index.
    expect((await get("/")).status).toBe(200);
    expect((await get("/explorer/connect", { Accept: "text/html" })).status).toBe(200);
  });

  it("is healthy all the same, and /status says what is missing", async () => {
    const response = await get("/health");
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: "ok", index: "unknown" });
    expect(await (await get("/status")).json()).toMatchObject({
      status: "failing",
      checks: expect.arrayContaining([{ name: "pointer", state: "absent", needed: true }]),
    });
  });

  it("answers 503 and writes one line to the log where the pointer is damaged", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await env.INDEX.put(POINTER_FILE, "this is no pointer");
    const response = await get("/status");
    expect(response.status).toBe(503);
    const trace = response.headers.get("X-Trace-Id") ?? "";
    expect(trace).toMatch(/^[0-9a-f]{32}$/);
    expect(await response.json()).toMatchObject({
      error: expect.stringMatching(new RegExp(`damaged.*${trace}`)),
      checks: expect.arrayContaining([{ name: "pointer", state: "failed", needed: true }]),
    });
    expect(JSON.parse(String(logged.mock.calls[0]?.[0]))).toMatchObject({
      level: "error",
      kind: "damaged-index",
      where: "status/pointer",
      trace,
      detail: expect.stringContaining("magic"),
    });
    expect((await get("/health")).status).toBe(200);
    const answer = await (await post("/mcp", call)).json();
    expect(answer).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining("damaged") }] },
    });
    logged.mockRestore();
  });

  it("answers what it can where one file is missing, and 503 for the rest", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await publishServedIndex();
    for (const name of servedFiles.keys()) if (name.endsWith(".pack")) await env.INDEX.delete(name);
    const status = await get("/status");
    expect(status.status).toBe(503);
    expect(await status.json()).toMatchObject({
      documents: 4,
      checks: expect.arrayContaining([
        { name: "pointer", state: "ok", needed: true },
        { name: "index", state: "failed", needed: true },
      ]),
    });
    expect((await get("/search?q=install")).status).toBe(503);
    expect(JSON.parse(String(logged.mock.calls.at(-1)?.[0]))).toMatchObject({
      kind: "damaged-index",
      where: "/search",
    });
    logged.mockRestore();
  });

  it("answers what it can where a file is damaged, in words where it cannot, call by call", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    for (const [name, bytes] of servedFiles) {
      if (name.endsWith(".pack"))
        await env.INDEX.put(
          name,
          bytes.map((byte, at) => (at % 50 === 20 ? byte ^ 8 : byte)),
        );
    }
    const search = { ...call, params: { name: "search_documents", arguments: { query: "install" } } };
    const refused = await (await post("/mcp", search)).json();
    expect(refused).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining("damaged") }] },
    });
    const response = await get("/search?q=install");
    expect(response.status).toBe(503);
    expect(response.headers.get("Server-Timing")).toMatch(/reads;desc="[1-9]/);
    expect(await (await post("/mcp", call)).json()).toMatchObject({
      result: { content: [{ text: expect.stringMatching(/^4 documents/) }, {}, {}, {}] },
    });
    expect(String(logged.mock.calls.at(-1)?.[0])).toContain("checksum");
    logged.mockRestore();
  });

  it("answers again as soon as the files are back", async () => {
    await publishServedIndex();
    expect((await get("/search?q=install")).status).toBe(200);
  });
});
