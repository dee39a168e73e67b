import { afterEach, describe, expect, it, vi } from "vitest";
import { createWorkerClient } from "../../../src/web/client/worker-client.ts";

const ANSWER = {
  total: 12,
  results: [
    {
      id: "docs:a.md",
      path: "a.md",
      collection: "docs",
      url: "https://example.org/a",
      title: "A <b>",
      description: "About A",
      score: 4.2,
      meta: { order: 1 },
      contentHash: "00",
      facets: { type: ["guide"] },
      sections: [
        {
          nodeId: "docs:a.md#install",
          heading: "Install",
          headingPath: ["A", "Install"],
          url: "https://example.org/a#install",
          score: 3,
          startLine: 3,
          endLine: 9,
          excerpt: "use &lt;b&gt; to <mark>install</mark>",
          plainExcerpt: "use <b> to install",
        },
      ],
    },
  ],
  facetCounts: { type: { guide: 12 } },
  missingWords: ["zzz"],
  correction: { words: [{ written: "instal", corrected: "install" }] },
  nextOffset: 6,
};

/** A client, and the requests that it sent. */
function clientOf(answer: (url: string, init: RequestInit) => Response | Promise<Response>, patience?: number) {
  const sent: { readonly url: string; readonly init: RequestInit }[] = [];
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    sent.push({ url, init });
    return answer(url, init);
  };
  return {
    client: createWorkerClient("https://search.example.org/v2", { send, ...(patience !== undefined && { patience }) }),
    sent,
  };
}

/** As fetch does: rejects when the signal ends the request. */
function neverAnswer(_url: string, { signal }: RequestInit): Promise<Response> {
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
}

afterEach(() => vi.unstubAllGlobals());

describe("the client of a Worker", () => {
  it("asks once, without headers, for everything that is wanted", async () => {
    const { client, sent } = clientOf(() => Response.json(ANSWER));
    await client.prepare();
    await client.search("  install & go ", {
      typing: true,
      limit: 4,
      offset: 8,
      collections: ["docs", "api"],
      filters: { type: ["guide", "faq"], "a b": ["c=d"] },
    });
    expect(sent.map(({ url }) => url)).toEqual([
      "https://search.example.org/v2/search?q=install+%26+go&limit=4&excerpts=10&offset=8&typing=true&collection=docs&collection=api&f.type=guide&f.type=faq&f.a+b=c%3Dd",
    ]);
    expect(Object.keys(sent[0]?.init ?? {})).toEqual(["signal"]);
  });

  it("gives pages with parts in place of HTML", async () => {
    const { client } = clientOf(() => Response.json(ANSWER));
    const found = await client.search("instal zzz");
    expect(found).toMatchObject({
      query: "instal zzz",
      total: 12,
      pages: [
        {
          id: "docs:a.md",
          url: "https://example.org/a",
          title: "A <b>",
          description: "About A",
          collection: "docs",
          path: "a.md",
          meta: { order: 1 },
          facets: { type: ["guide"] },
          score: 4.2,
          sections: [
            {
              nodeId: "docs:a.md#install",
              url: "https://example.org/a#install",
              heading: "Install",
              headingPath: ["A", "Install"],
              excerpt: [
                { text: "use <b> to ", marked: false },
                { text: "install", marked: true },
              ],
              score: 3,
            },
          ],
        },
      ],
      facetCounts: { type: { guide: 12 } },
      corrections: [{ from: "instal", to: "install" }],
      missingWords: ["zzz"],
      nextOffset: 6,
    });
    const last = await clientOf(() => Response.json({ ...ANSWER, nextOffset: null, correction: null })).client.search(
      "a",
    );
    expect(last).toMatchObject({ nextOffset: undefined, corrections: [] });
  });

  it("suggests titles and headings", async () => {
    const suggestion = {
      text: "Install",
      kind: "heading",
      count: 2,
      nodeId: "n",
      documentId: "docs:a.md",
      url: "/a#i",
    };
    const { client, sent } = clientOf(() => Response.json({ query: "in", suggestions: [suggestion] }));
    expect(await client.suggest("in", { limit: 3 })).toEqual([
      { url: "/a#i", title: "Install", kind: "heading", documentId: "docs:a.md" },
    ]);
    expect(sent[0]?.url).toBe("https://search.example.org/v2/suggest?q=in&limit=3");
    await client.suggest("in", { collections: ["docs", "blog"] });
    expect(sent[1]?.url).toBe("https://search.example.org/v2/suggest?q=in&limit=8&collection=docs&collection=blog");
  });

  it.each([
    [
      "too many requests",
      429,
      { error: "Too many." },
      { "Retry-After": "60" },
      { problem: "too-many", retryAfter: 60 },
    ],
    ["a bad question", 400, { error: "limit must be", nearest: [] }, {}, { problem: "bad-query" }],
    ["no index", 503, { error: "No index", nearest: [], problem: "no-index" }, {}, { problem: "no-index" }],
    ["no such corpus", 404, { error: "There is no corpus" }, {}, { problem: "no-index" }],
    ["a damaged index", 503, { error: "damaged", problem: "damaged-index" }, {}, { problem: "failed" }],
    ["a refusal", 401, { error: "This server is private." }, {}, { problem: "failed" }],
  ] as const)("tells %s apart", async (_name, status, body, headers, expected) => {
    const { client } = clientOf(() => Response.json(body, { status, headers }));
    await expect(client.search("a")).rejects.toMatchObject({ ...expected, name: "ClientError", message: body.error });
  });

  it.each([
    ["a page that says 404", new Response("<!doctype html>", { status: 404 }), "no-index"],
    ["a page in place of an answer", new Response("<!doctype html>"), "failed"],
    ["JSON of something else", Response.json({ hits: [] }), "failed"],
    ["an error of a server before it", new Response("Bad gateway", { status: 502 }), "failed"],
  ])("refuses %s", async (_name, response, problem) => {
    await expect(clientOf(() => response).client.search("a")).rejects.toMatchObject({ name: "ClientError", problem });
  });

  it.each([
    ["2", 2],
    [" 2 ", 2],
    ["Sun, 22 Nov 2026 12:00:30 GMT", undefined],
    ["-3", undefined],
    ["banana", undefined],
  ])("waits for a Retry-After of %j as it says", async (value, retryAfter) => {
    const { client } = clientOf(() => Response.json({}, { status: 429, headers: { "Retry-After": value } }));
    const error: unknown = await client.search("a").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ problem: "too-many", retryAfter });
  });

  it("says whether the browser is offline or the server away", async () => {
    const fails = clientOf(() => Promise.reject(new TypeError("Failed to fetch"))).client;
    await expect(fails.search("a")).rejects.toMatchObject({ problem: "unreachable" });
    vi.stubGlobal("navigator", { onLine: false });
    await expect(fails.search("a")).rejects.toMatchObject({ problem: "offline" });
  });

  it("ends with the reason of its signal, before and during a request, and gives up on its own", async () => {
    const { client, sent } = clientOf(neverAnswer, 20);
    const reason = new Error("typed over");
    await expect(client.search("a", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(sent).toEqual([]);
    const controller = new AbortController();
    const asked = client.search("a", { signal: controller.signal });
    controller.abort(reason);
    await expect(asked).rejects.toBe(reason);
    await expect(client.search("a")).rejects.toMatchObject({ problem: "slow" });
  });

  it("sends no question that would be refused", async () => {
    const { client, sent } = clientOf(() => Response.json(ANSWER));
    await expect(client.search(" ")).rejects.toMatchObject({ problem: "bad-query" });
    await expect(client.search("x".repeat(10_000))).rejects.toMatchObject({ problem: "bad-query" });
    expect(sent).toEqual([]);
  });
});
