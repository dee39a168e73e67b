/** What the Worker tells its operator while it goes on answering, and under which trace. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { POINTER_TTL_MS } from "../../src/worker/storage/generations.ts";
import { KEYS, publishGroups } from "./access-files.ts";
import { askAs, callAs, type Settings } from "./ask-as.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const TRACED = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };

let logged: MockInstance<typeof console.error>;

function reports(): readonly Record<string, unknown>[] {
  return logged.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
}

/** A status asked for with settings under a known trace. */
function ask(settings: Settings, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return askAs(settings, path, { headers: { ...TRACED, ...headers } });
}

describe("a report", () => {
  beforeEach(async () => {
    await publishGroups();
    logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  });
  afterEach(() => {
    vi.useRealTimers();
    logged.mockRestore();
  });

  it("says once an isolate that the secret is missing", async () => {
    for (const _ of [1, 2]) {
      expect((await callAs({ TREELINE_SECRET: "" }, "index_status", {}, TRACED)).status).toBe(200);
    }
    expect(reports()).toEqual([
      {
        level: "error",
        kind: "internal",
        where: "secret",
        trace: TRACE,
        detail: expect.stringContaining("wrangler secret put TREELINE_SECRET") as string,
      },
    ]);
  });

  it("of a pointer that is gone names the request that met it, and is not written where the log is off", async () => {
    vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] });
    await ask({}, "/search?q=install");
    await env.INDEX.delete(POINTER_FILE);
    vi.setSystemTime(Date.now() + POINTER_TTL_MS);
    expect((await ask({ LOG_LEVEL: "off" }, "/search?q=install")).status).toBe(200);
    expect(reports()).toEqual([]);
    // The pointer is looked at after an answer, and by one request at a time.
    const askLater = async () => {
      vi.setSystemTime(Date.now() + POINTER_TTL_MS);
      expect((await ask({}, "/search?q=install")).status).toBe(200);
      return reports()[0];
    };
    await expect.poll(askLater).toMatchObject({ where: "pointer", trace: TRACE });
  });

  it("of a file of keys that is damaged names the request that met it", async () => {
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ["Date"] });
    await env.INDEX.put("access.json", "{");
    const key = { Authorization: `Bearer ${KEYS.all}` };
    expect((await ask({ LOG_LEVEL: "off" }, "/search?q=install", key)).status).toBe(503);
    expect(reports()).toEqual([]);
    vi.setSystemTime(Date.now() + 60_000);
    expect((await ask({}, "/search?q=install", key)).status).toBe(503);
    expect(reports()).toMatchObject([{ where: "access", trace: TRACE }]);
  });

  it("of a rate limiter that fails is written, and the request is answered", async () => {
    const RATE_LIMIT = { limit: () => Promise.reject(new Error("down")) };
    expect((await ask({ RATE_LIMITS: "on", RATE_LIMIT }, "/search?q=install")).status).toBe(200);
    expect(reports()).toMatchObject([
      { where: "rate-limit", trace: TRACE, detail: expect.stringContaining("down") as string },
    ]);
  });
});
