/** How often, how much, how slowly a caller may ask; and what stands in the headers of every answer. */
import { env } from "cloudflare:workers";
import { Hono } from "hono";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { createCounters } from "../../src/core/index/cost.ts";
import { chargeOf } from "../../src/http/callers.ts";
import { boundBody } from "../../src/http/guard.ts";
import { RATE_PERIOD_SECONDS } from "../../src/surface/access/caller.ts";
import { KEYS, publishGroups } from "./access-files.ts";
import { type Asked, askAs, callAs, type Settings } from "./ask-as.ts";

const MEGABYTE = 1024 * 1024;
const bearer = (text: string): Record<string, string> => ({ Authorization: `Bearer ${text}` });

/** A rate limit binding that notes what it was asked, and lets the first so many through. */
function makeLimiter(allowed: number) {
  const keys: string[] = [];
  const RATE_LIMIT = {
    limit: async ({ key }: { key: string }) => ({ success: keys.push(key) <= allowed }),
  };
  return { keys, settings: { RATE_LIMITS: "on", RATE_LIMIT } };
}

const ANY_CALL = { tool: "get_tree", outcome: "answered", cost: createCounters(), tokens: 1 } as const;

describe("a caller", () => {
  beforeAll(publishGroups);

  it("is counted by their key, else by their address, and by it too where they are refused", async () => {
    const { keys, settings } = makeLimiter(100);
    const from = (address: string, more = {}): Asked => ({ headers: { "CF-Connecting-IP": address, ...more } });
    await askAs(settings, "/search?q=install", from("1.2.3.4"));
    await askAs(settings, "/search?q=install", from("2001:db8:1:2:3::4"));
    await askAs(settings, "/search?q=install", from("5.6.7.8", bearer(KEYS.strategy)));
    await askAs(settings, "/search?q=install", from("9.9.9.9", bearer(KEYS.strategy)));
    await askAs(settings, "/search?q=install", from("5.6.7.8", bearer(KEYS.unknown)));
    await askAs({ ...settings, ACCESS: "private" }, "/search?q=install", { headers: { "X-Forwarded-For": "1.1.1.1" } });
    expect(keys).toEqual([
      "address 1.2.3.4",
      "address 2001:db8:1:2::/64",
      "caller strategist",
      "caller strategist",
      "refused address 5.6.7.8",
      "refused address unknown",
    ]);
  });

  it("is counted for each message of a batch, before any is answered", async () => {
    const batch = (messages: number): Asked => ({
      method: "POST",
      headers: { "Content-Type": "application/json", "MCP-Protocol-Version": "2025-03-26" },
      body: JSON.stringify(
        Array.from({ length: messages }, (_, id) => ({
          jsonrpc: "2.0",
          id,
          method: "tools/call",
          params: { name: "get_tree", arguments: {} },
        })),
      ),
    });
    const ten = makeLimiter(100);
    expect((await askAs(ten.settings, "/mcp", batch(10))).status).toBe(200);
    expect(ten.keys).toHaveLength(10);
    const few = makeLimiter(9);
    const refused = await askAs(few.settings, "/mcp", batch(10));
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(await refused.text()).toContain("each message of a batch counts as one");
  });

  it("is counted for the work that a request took, up to a bound", () => {
    const cost = createCounters();
    const charge = (calls: number, postingsDecoded: number): number =>
      chargeOf({ calls: Array.from({ length: calls }, () => ANY_CALL), cost: () => ({ ...cost, postingsDecoded }) });
    expect([charge(0, 0), charge(1, 100), charge(3, 100)]).toEqual([1, 1, 3]);
    expect([charge(1, 16_001), charge(10, 16_001), charge(1, 1e9)]).toEqual([5, 10, 60]);
  });

  it("is told in words and in a header when to come again", async () => {
    const { settings } = makeLimiter(0);
    const paths = [settings, { ...settings, ACCESS: "private" }] as const;
    for (const one of paths) {
      const response = await askAs(one, "/search?q=install");
      expect(response.status).toBe(429);
      expect(response.headers.get("Retry-After")).toBe(String(RATE_PERIOD_SECONDS));
      expect(await response.json()).toEqual({
        error: expect.stringContaining("Wait 60 seconds") as string,
        nearest: [],
      });
      const call = await callAs(one, "index_status", {});
      expect(call.status).toBe(429);
      expect(call.headers.get("Retry-After")).toBe("60");
      expect(await call.json()).toEqual({
        jsonrpc: "2.0",
        error: { code: -32000, message: expect.stringContaining("Too many requests") as string },
        id: null,
      });
    }
  });

  it("opens no more sessions by the tool than by the address, however many calls a request holds", async () => {
    const keys: string[] = [];
    const SESSION_RATE_LIMIT = {
      limit: async ({ key }: { key: string }) => ({ success: keys.push(key) <= 3 }),
    };
    const settings = { RATE_LIMITS: "on", RATE_LIMIT: undefined, SESSION_RATE_LIMIT };
    const headers = { "Content-Type": "application/json", ...bearer(KEYS.all) };
    const open = (id: number) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "open_session", arguments: {} },
    });
    expect((await askAs(settings, "/session", { method: "POST", headers })).status).toBe(201);
    const batch = await askAs(settings, "/mcp", {
      method: "POST",
      headers,
      body: JSON.stringify([1, 2, 3, 4].map(open)),
    });
    const answers = await batch.text();
    expect(answers.match(/Pass session: /g)).toHaveLength(2);
    expect(answers.match(/Too many new sessions. Wait 60 seconds/g)).toHaveLength(2);
    expect((await askAs(settings, "/session", { method: "POST", headers })).status).toBe(429);
    expect(keys).toEqual(Array(6).fill("caller everything"));
  });

  it.each([{ RATE_LIMITS: "off" }, { RATE_LIMITS: " OFF " }, { RATE_LIMITS: "on", RATE_LIMIT: undefined }])(
    "is not limited with %j",
    async (more) => {
      const { settings } = makeLimiter(0);
      expect((await askAs({ ...settings, ...more }, "/status")).status).toBe(200);
    },
  );

  it("is answered where the platform cannot count", async () => {
    const RATE_LIMIT = { limit: () => Promise.reject(new Error("down")) };
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    expect((await askAs({ RATE_LIMITS: "on", RATE_LIMIT }, "/status")).status).toBe(200);
    expect(logged).toHaveBeenCalled();
    logged.mockRestore();
  });

  it("meets the limits of wrangler.toml", async () => {
    for (const name of ["RATE_LIMIT", "SESSION_RATE_LIMIT"]) {
      const limiter = Reflect.get(env, name) as { limit(options: { key: string }): Promise<{ success: boolean }> };
      const minute = (): number => Math.floor(Date.now() / (RATE_PERIOD_SECONDS * 1000));
      let allowed = 0;
      // Counts begin anew with each minute: what was counted across its end says nothing.
      for (let begun = -1; begun !== minute(); ) {
        begun = minute();
        allowed = 0;
        while (allowed <= 1000 && (await limiter.limit({ key: `test ${begun}` })).success) allowed++;
      }
      expect(allowed).toBe(name === "RATE_LIMIT" ? 600 : 30);
    }
  });
});

/** A body that comes in pieces, without saying how long it is. */
function pieces(count: number, size: number, pauseMs = 0): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (sent++ >= count) controller.close();
      else controller.enqueue(new Uint8Array(size).fill(32));
    },
  });
}

describe("a body", () => {
  beforeAll(publishGroups);

  it("is refused as soon as it is larger than a megabyte, whatever it says of its length", async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(64 * 1024));
      },
    });
    for (const path of ["/mcp", "/sse"]) {
      const response = await askAs({}, path, {
        method: "POST",
        body: endless,
        headers: { "Content-Length": "10" },
      }).catch(() => undefined);
      if (path === "/mcp") expect(response?.status).toBe(413);
    }
    expect(pulled).toBeLessThan(40);
    const whole = await askAs({}, "/mcp", { method: "POST", body: "x".repeat(MEGABYTE + 1) });
    expect(whole.status).toBe(413);
    expect(await whole.json()).toMatchObject({
      error: { message: expect.stringContaining("1048576 bytes") as string },
    });
    const elsewhere = await askAs({}, "/search", { method: "POST", body: pieces(100, 64 * 1024) });
    expect(elsewhere.status).toBe(413);
  });

  it("is taken in pieces up to a megabyte", async () => {
    const response = await askAs({}, "/mcp", {
      method: "POST",
      body: pieces(16, 64 * 1024),
      headers: { "Content-Type": "application/json" },
    });
    expect(response.status).toBe(400);
  });

  it("means nothing where it comes with a GET, and is bounded all the same", async () => {
    const app = new Hono();
    app.use(boundBody(1000));
    app.get("*", ({ req }) => new Response(`${req.raw.body === null}`));
    // No request of the platform's can be made so, but clients send such.
    const ask = async (size: number): Promise<Response> => {
      const request = new Request("https://docs.example.org/x", { headers: { "Content-Length": `${size}` } });
      Object.defineProperty(request, "body", { value: pieces(1, size) });
      return app.fetch(request);
    };
    const answered = await ask(5);
    expect(answered.status).toBe(200);
    expect(await answered.text()).toBe("true");
    expect((await ask(2000)).status).toBe(413);
  });

  it("ends after its time, however slowly it comes", async () => {
    const app = new Hono();
    app.use(boundBody(1000, 60));
    app.post("*", async ({ req }) => new Response(await req.text()));
    const ask = (path: string, body: BodyInit): Promise<Response> =>
      Promise.resolve(app.request(path, { method: "POST", body, duplex: "half" } as RequestInit));
    const slow = await ask("/mcp", pieces(1000, 1, 20));
    expect(slow.status).toBe(408);
    expect(await slow.json()).toMatchObject({ error: { message: expect.stringContaining("longer than") as string } });
    const never = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => undefined) });
    expect((await ask("/x", never)).status).toBe(408);
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("gone")) });
    expect((await ask("/x", broken)).status).toBe(400);
    expect(await (await ask("/x", "a whole body")).text()).toBe("a whole body");
    expect(await (await ask("/x", pieces(3, 2))).text()).toBe(" ".repeat(6));
  });
});

describe("every answer", () => {
  beforeAll(publishGroups);

  const PATHS = ["/status", "/health", "/search?q=install", "/search", "/nowhere", "/mcp", "/llms.txt", "/documents/x"];
  const ask = (settings: Settings, path: string, headers: Record<string, string> = {}, method = "GET") =>
    askAs(settings, path, { method, headers });

  it.each(PATHS)("keeps browsers from guessing, framing and telling at %s", async (path) => {
    for (const settings of [{}, { ACCESS: "private" }]) {
      for (const method of ["GET", "HEAD", "POST", "OPTIONS", "PUT"]) {
        const { headers } = await ask(settings, path, {}, method);
        expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
        expect(headers.get("Referrer-Policy")).toBe("no-referrer");
        expect(headers.get("Content-Security-Policy")).toBe("default-src 'none'; frame-ancestors 'none'");
        expect(headers.get("Strict-Transport-Security")).toBe("max-age=31536000");
        expect(headers.get("Cross-Origin-Resource-Policy")).toBe(settings.ACCESS ? "same-origin" : "cross-origin");
        expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
      }
    }
    const plain = await askAs({}, path, { origin: "http://localhost:8787" });
    expect(plain.headers.get("Strict-Transport-Security")).toBeNull();
  });

  it.each(PATHS)("lets no page read it that may not call, at %s", async (path) => {
    const settings = { ACCESS: "private", ALLOWED_ORIGINS: "www.example.org" };
    for (const origin of ["https://evil.example", "null", "https://www.example.org.evil.example", ""]) {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const response = await ask(settings, path, { Origin: origin, ...bearer(KEYS.all) }, method);
        expect(response.status).toBe(403);
        expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
        expect(response.headers.get("Access-Control-Allow-Headers")).toBeNull();
        expect(response.headers.get("Timing-Allow-Origin")).toBeNull();
        expect(response.headers.get("Vary")).toContain("Origin");
        const body = await response.json();
        const words = expect.stringContaining("may not call this server") as string;
        const isCall = method === "POST" && path === "/mcp";
        expect(body).toEqual(
          isCall
            ? { jsonrpc: "2.0", error: { code: -32000, message: words }, id: null }
            : { error: words, nearest: [] },
        );
      }
    }
    const good = await ask(settings, path, { Origin: "https://www.example.org", ...bearer(KEYS.all) });
    expect(good.headers.get("Access-Control-Allow-Origin")).toBe("https://www.example.org");
    expect(good.headers.get("Vary")).toContain("Origin");
    const anybody = await ask({}, path, { Origin: "https://anywhere.example" });
    expect(anybody.headers.get("Access-Control-Allow-Origin")).toBe("*");
    const refused = await ask(settings, path, { Origin: "https://www.example.org" });
    expect(refused.headers.get("Access-Control-Allow-Origin")).toBe("https://www.example.org");
    expect(refused.headers.get("Access-Control-Expose-Headers")).toContain("WWW-Authenticate");
  });

  it("tells pages that may call what they may send, without asking who they are", async () => {
    const asked = { Origin: "https://www.example.org", "Access-Control-Request-Method": "POST" };
    const settings = { ACCESS: "private", ALLOWED_ORIGINS: "www.example.org" };
    const preflight = await ask(settings, "/mcp", asked, "OPTIONS");
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("Access-Control-Allow-Origin")).toBe("https://www.example.org");
    expect(preflight.headers.get("Access-Control-Allow-Headers")).toContain("Authorization");
    expect(preflight.headers.get("Access-Control-Allow-Methods")).toBe("GET, HEAD, POST, OPTIONS");
    expect(await preflight.text()).toBe("");
  });
});
