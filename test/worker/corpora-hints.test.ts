/** What is told of corpora, and to whom: in refusals, at addresses that read no index, and to clients of several. */
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { LISTING_TTL_MS, RELIST_MS } from "../../src/surface/corpus-list.ts";
import { get, post } from "./ask.ts";
import { FIXTURES, publishCorpus, removeCorpus, wait, watchBucket } from "./corpus-files.ts";
import { publishServedIndex } from "./served-index.ts";

/** Addresses of a corpus that read no index. */
const WITHOUT_READING = ["/connect", "/server.json", "/mcp/server-card", "/health"];

async function refusal(path: string): Promise<{ readonly error: string; readonly nearest: readonly string[] }> {
  const response = await get(path);
  expect(response.status, path).toBe(404);
  return response.json();
}

async function initialize(path: string): Promise<Response> {
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  return post(path, { jsonrpc: "2.0", id: 1, method: "initialize", params });
}

beforeAll(async () => {
  await publishServedIndex();
  await publishCorpus("v1", FIXTURES.handbook);
  await publishCorpus("v2", FIXTURES.grouped);
  await env.INDEX.put("customer-acme/2026.zip", "of somebody else");
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => vi.useRealTimers());

describe("a refusal", () => {
  it("leads from an address that looks like one of a corpus to that corpus, in an isolate that knows none", async () => {
    const { nearest } = await refusal("/v2/search/x");
    expect(nearest).toContain("/v2/search?q=…");
    expect(nearest.filter((address) => !address.startsWith("/v2/"))).toEqual([]);
    expect((await refusal("/nothing")).nearest).toContain("/search?q=…");
  });

  it("names the nearest corpora in an isolate that has seen none yet, and no prefix without a pointer", async () => {
    expect((await refusal("/v3/search?q=a")).nearest.slice(0, 2)).toEqual(["/v1/mcp", "/v2/mcp"]);
    for (const path of [
      "/customer/search?q=a",
      "/customer-acme/search?q=a",
      "/customer-acme/x",
      "/Customer-acme/mcp",
    ]) {
      expect((await refusal(path)).nearest.join(), path).not.toContain("acme");
    }
  });

  it("names addresses of the corpus that was asked, and of no other", async () => {
    const bucket = watchBucket();
    for (const path of ["/v2/search/x", "/v2/serch"]) {
      const { nearest } = await refusal(path);
      expect(nearest).toContain("/v2/documents/{id}");
      expect(nearest.filter((address) => !address.startsWith("/v2/") || address === "/v2/corpora")).toEqual([]);
    }
    expect(bucket.take()).toEqual([]);
  });

  it("names the corpora that somebody meant by a name that cannot be one", async () => {
    for (const path of ["/V2/mcp", "/v2./mcp", "/%76%32/mcp", "//v2/mcp"]) {
      expect((await refusal(path)).nearest[0], path).toBe("/v2/mcp");
    }
    expect((await refusal("/search/v2")).nearest[0]).toBe("/mcp");
  });

  it("says the address that was asked", async () => {
    const metadata = "/.well-known/oauth-protected-resource/v2/mcp";
    expect((await refusal(metadata)).error).toBe(`There is nothing at ${metadata}.`);
    expect((await refusal("/v2/x")).error).toBe("There is nothing at /v2/x.");
  });

  it("holds no handle, wherever in the address it stands", async () => {
    for (const before of ["/V1", "/v1/v1", "//v1", "/v1", "/", "/v1%2F", "/nothing/x"]) {
      for (const between of ["/s/", "/S/", "//s//", "%2Fs%2F", "/s%2F"]) {
        const { error } = await refusal(`${before}${between}hAnDlE-of_somebody/mcq`);
        expect(error).not.toContain("hAnDlE");
        expect(error).toContain("…");
      }
    }
  });
});

describe("addresses that read no index", () => {
  it("are none of a prefix without a pointer", async () => {
    wait(RELIST_MS);
    for (const path of WITHOUT_READING) await refusal(`/customer-acme${path}`);
    expect((await initialize("/customer-acme/mcp")).status).toBe(404);
  });

  it("are gone with a corpus though its files stay, and stay gone when the bucket is listed again", async () => {
    await publishCorpus("v4", FIXTURES.handbook);
    wait(RELIST_MS);
    for (const path of WITHOUT_READING) expect((await get(`/v4${path}`)).status).toBe(200);
    expect((await initialize("/v4/mcp")).status).toBe(200);
    await env.INDEX.delete("v4/treeline.pointer");
    wait(LISTING_TTL_MS);
    // The look is behind the answer of the one who notices.
    await expect.poll(async () => (await get("/v4/connect")).status).toBe(404);
    for (let n = 0; n < 3; n++) {
      for (const path of WITHOUT_READING) await refusal(`/v4${path}`);
      expect((await initialize("/v4/mcp")).status).toBe(404);
      wait(RELIST_MS);
      await refusal("/made-up/search?q=a");
    }
    await removeCorpus("v4");
  });

  it("cost a look at the pointer once a minute, and none where the index is read meanwhile", async () => {
    wait(LISTING_TTL_MS);
    const bucket = watchBucket();
    for (let n = 0; n < 5; n++) await get("/v1/connect");
    expect(bucket.take()).toEqual(["head v1/treeline.pointer"]);
    for (let n = 0; n < 5; n++) {
      wait(LISTING_TTL_MS / 2);
      await get("/v1/search?q=lamp");
      await get("/v1/connect");
    }
    expect(bucket.take().filter((asked) => /^(head|list)/.test(asked))).toEqual([]);
  });
});

describe("GET /corpora", () => {
  it("costs one look at each pointer, however many ask for it together", async () => {
    await get("/corpora");
    wait(LISTING_TTL_MS);
    const bucket = watchBucket();
    const answers = await Promise.all(Array.from({ length: 20 }, () => get("/corpora")));
    for (const answer of answers) {
      expect(((await answer.json()) as { corpora: object[] }).corpora).toHaveLength(3);
    }
    expect([...bucket.take()].sort()).toEqual([
      ...["customer-acme/", "", "v1/", "v2/"].map((prefix) => `head ${prefix}treeline.pointer`).sort(),
      "list",
    ]);
  });
});

describe("a client of several corpora", () => {
  it("is told which one it talks to, by the title of the server", async () => {
    const introduced = async (path: string): Promise<unknown> => {
      const { result } = (await (await initialize(path)).json()) as { result: { serverInfo: unknown } };
      return result.serverInfo;
    };
    expect(await introduced("/v2/mcp")).toMatchObject({ name: "treeline", title: "Treeline v2" });
    expect(await introduced("/mcp")).not.toHaveProperty("title");
  });

  it("finds documents also where their address is escaped more than it must be", async () => {
    const ids = [
      "/documents/docs:guide/install.md",
      "/%64ocuments/docs:guide/install.md",
      "/%74ree/docs%3Aguide%2Finstall.md",
    ];
    for (const path of ids) expect((await get(`/v1${path}`)).status, path).toBe(200);
  });
});
