/** The Worker over storage that is slow, hangs, fails, or gives other bytes than it should. */
import { env, exports, withEnvAndExports } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import worker from "../../src/worker/worker.ts";
import { type Fault, FaultyBucket } from "../support/faulty-bucket.ts";
import { runs } from "../support/runs.ts";
import { servedFiles } from "./served-index.ts";

const CORPORA = 500;
const SETTINGS = { TREELINE_SECRET: "a secret for tests", LOG_LEVEL: "error", RATE_LIMITS: "off", TIME_LIMITS: "on" };
let start = Date.parse("2026-05-01T12:00:00Z");
/** More than a look at the pointer holds. */
const MINUTE = 60_000;

const bucket = new FaultyBucket(servedFiles, CORPORA);
let behind: Promise<unknown>[] = [];
let seed = 0;

function random(): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const context = { waitUntil: (work: Promise<unknown>) => behind.push(work), passThroughOnException: () => undefined };
  const settings = { ...env, ...SETTINGS, INDEX: bucket.binding };
  return withEnvAndExports(settings, { ...exports, IndexFiles: bucket.server }, () =>
    worker.fetch(
      new Request(`https://docs.example.org${path}`, init),
      settings,
      context as unknown as ExecutionContext,
    ),
  ) as Promise<Response>;
}

function call(path: string, name: string, args: object): Promise<Response> {
  return ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "MCP-Protocol-Version": "2025-06-18" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name, arguments: args } }),
  });
}

/** An answer, with time passing while it is waited for. */
async function untilAnswered(answer: Promise<Response>): Promise<{ readonly response: Response; readonly ms: number }> {
  const begin = Date.now();
  let response: Response | undefined;
  void answer.then((given) => {
    response = given;
  });
  for (;;) {
    await vi.advanceTimersByTimeAsync(10);
    // Bodies and hashes come from the platform, whose clock this is not.
    await new Promise((resolve) => setImmediate(resolve));
    if (response !== undefined) return { response, ms: Date.now() - begin };
  }
}

beforeEach(() => {
  // What one test left undone is over for the next.
  start += 60 * MINUTE;
  vi.useFakeTimers({ now: start, toFake: ["Date", "setTimeout", "clearTimeout"] });
  bucket.faultOf = () => "none";
  bucket.asked.length = 0;
  behind = [];
  seed = 1;
});
afterEach(() => {
  vi.useRealTimers();
});

describe("storage that hangs", () => {
  it.each(["/c1/search?q=install", "/c2/documents/docs:index.md", "/c3/", "/c4/llms.txt"])(
    "makes %s of a cold index 503 within five seconds, with the time to come again",
    async (path) => {
      bucket.faultOf = () => "hang";
      const { response, ms } = await untilAnswered(ask(path));
      expect(response.status).toBe(503);
      expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(ms).toBeLessThan(5000);
    },
  );

  it("makes a call of a tool 503 with its id, and words that say what to do", async () => {
    await untilAnswered(ask("/c5/search?q=install"));
    bucket.faultOf = (name) => (name === POINTER_FILE ? "none" : "hang");
    const { response, ms } = await untilAnswered(call("/c5/mcp", "get_node_content", { node_ids: ["docs:index.md"] }));
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
    expect(await response.json()).toMatchObject({ id: 7, error: { message: expect.stringContaining("Try again") } });
    expect(ms).toBeLessThan(5000);
  });

  it("is tried three times for each read, and answers as soon as it comes back", async () => {
    let left = 2;
    bucket.faultOf = (name) => (name === POINTER_FILE && left-- > 0 ? "hang" : "none");
    const { response } = await untilAnswered(ask("/c6/search?q=install"));
    expect(response.status).toBe(200);
  });

  it("keeps no request of a warm index waiting, whose pointer is looked at behind the answers", async () => {
    expect((await untilAnswered(ask("/search?q=install"))).response.status).toBe(200);
    bucket.faultOf = (name) => (name === POINTER_FILE ? "hang" : "none");
    bucket.asked.length = 0;
    for (let request = 0; request < runs(1000); request++) {
      vi.setSystemTime(start + 16_000 + request * 20);
      // No timer advances here: a request that waits for the pointer never ends.
      expect((await ask("/search?q=install")).status).toBe(200);
    }
    const looks = bucket.asked.filter((name) => name === POINTER_FILE).length;
    expect([behind.length > 0, looks <= 3 * behind.length]).toEqual([true, true]);
  });

  it("is waited for where an index may be old, and the old one answers then", async () => {
    await untilAnswered(ask("/c7/search?q=install"));
    bucket.faultOf = (name) => (name === POINTER_FILE ? "hang" : "none");
    vi.setSystemTime(start + 60 * MINUTE);
    const { response, ms } = await untilAnswered(ask("/c7/search?q=install"));
    expect(response.status).toBe(200);
    expect(ms).toBeGreaterThan(1000);
  });
});

describe("a clock that jumps", () => {
  it.each([-60 * MINUTE, 60 * MINUTE])(
    "by %d ms changes no answer, and the pointer is looked at again",
    async (jump) => {
      const resultsNow = async () => {
        const { response } = await untilAnswered(ask("/c8/search?q=install"));
        return ((await response.json()) as { readonly results: unknown }).results;
      };
      const before = await resultsNow();
      bucket.asked.length = 0;
      vi.setSystemTime(start + jump);
      expect(await resultsNow()).toEqual(before);
      expect(bucket.asked).toContain(POINTER_FILE);
    },
  );
});

describe("storage of which some reads fail", () => {
  it.each([
    [1, 0.001],
    [5, 0.01],
  ])("in %d of 100 leaves at most %d of all requests without an answer, and none with a 500", async (percent, most) => {
    const requests = runs(1000);
    const statuses: number[] = [];
    bucket.faultOf = () => (random() < percent / 100 ? "fail" : "none");
    for (let request = 0; request < requests; request++) {
      // Each corpus is cold the first time, and its pointer looked at anew later.
      vi.setSystemTime(start + percent * 100 * MINUTE + request * MINUTE);
      const { response } = await untilAnswered(ask(`/c${10 + (request % (CORPORA - 10))}/search?q=install`));
      statuses.push(response.status);
    }
    const failed = statuses.filter((status) => status !== 200);
    expect(failed.filter((status) => status !== 503)).toEqual([]);
    expect(failed.length).toBeLessThanOrEqual(Math.floor(most * requests));
  });
});

describe("storage that gives other bytes", () => {
  const halved = (bytes: Uint8Array): Uint8Array => bytes.slice(0, bytes.length / 2);
  const beginning = (bytes: Uint8Array): Uint8Array => bytes.slice(0, 10);
  const another = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => byte ^ 0x5a);
  const isPointer = (name: string): boolean => name === POINTER_FILE;
  const isOther = (name: string): boolean => name !== POINTER_FILE && name !== "";
  it.each<[string, number, (name: string) => boolean, Fault]>([
    ["half of the pointer", 1, isPointer, halved],
    ["another pointer", 2, isPointer, another],
    ["the beginning of each other file", 3, isOther, beginning],
    ["another file for each other", 4, isOther, another],
  ])("%s makes an answer 503 and never a wrong one", async (_, corpus, isBad, fault) => {
    bucket.faultOf = (name) => (isBad(name) ? fault : "none");
    const { response } = await untilAnswered(ask(`/c${corpus}/search?q=install`));
    expect([response.status, response.headers.has("Retry-After")]).toEqual([503, true]);
    bucket.faultOf = () => "none";
    expect((await untilAnswered(ask(`/c${corpus}/search?q=install`))).response.status).toBe(200);
  });
});

describe("a thousand requests at once", () => {
  it("are answered or turned away, and none fails", async () => {
    await untilAnswered(ask("/search?q=install"));
    const asked = Array.from({ length: 1000 }, (_, at) =>
      at % 10 === 0 ? call("/mcp", "get_tree", {}) : ask(`/search?q=install+${at}`),
    );
    const { response } = await untilAnswered(Promise.all(asked).then(() => new Response()));
    expect(response.ok).toBe(true);
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(100);
    for (const one of await Promise.all(asked)) {
      if (one.status === 503) expect(one.headers.get("Retry-After")).toBe("5");
    }
    expect((await untilAnswered(ask("/search?q=install"))).response.status).toBe(200);
  });
});
