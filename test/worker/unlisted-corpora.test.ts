/** A bucket that cannot be listed, from the first request of an isolate on. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { get, post } from "./ask.ts";
import { FIXTURES, publishCorpus } from "./corpus-files.ts";
import { publishServedIndex } from "./served-index.ts";

let logged: MockInstance<typeof console.error>;

describe("a Worker whose bucket cannot be listed", () => {
  beforeAll(async () => {
    await publishServedIndex();
    await publishCorpus("v1", FIXTURES.handbook);
  });
  beforeEach(() => {
    logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    vi.spyOn(Object.getPrototypeOf(env.INDEX) as R2Bucket, "list").mockRejectedValue(new Error("the bucket is down"));
  });
  afterEach(() => vi.restoreAllMocks());

  it("answers from the root as ever, and says of all others that it cannot tell", async () => {
    expect((await get("/search?q=install")).status).toBe(200);
    const catalog = await get("/.well-known/ai-catalog.json");
    expect([catalog.status, catalog.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
    const error = "The corpora of this server cannot be listed right now.";
    const response = await get("/v1/search?q=lamp");
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "10"]);
    expect(await response.json()).toMatchObject({ error });
    const called = await post("/v1/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect([called.status, await called.json()]).toMatchObject([503, { error: { message: error } }]);
    expect(await (await get("/corpora")).json()).toMatchObject({ error });
    const lines = logged.mock.calls.map(([line]) => JSON.parse(String(line)) as { where: string });
    expect(new Set(lines.map(({ where }) => where))).toEqual(new Set(["corpora", "/corpora"]));
  });

  it("answers from all as soon as it can be", async () => {
    vi.restoreAllMocks();
    vi.useFakeTimers({ now: Date.now() + 1000, toFake: ["Date"] });
    expect((await get("/v1/search?q=lamp")).status).toBe(200);
    const catalog = await get("/.well-known/ai-catalog.json");
    expect(catalog.headers.get("Cache-Control")).toBe("public, max-age=300");
    vi.useRealTimers();
  });
});
