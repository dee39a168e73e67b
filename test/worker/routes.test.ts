import { beforeAll, describe, expect, it } from "vitest";
import { get, ownAddress, send } from "./ask.ts";
import { publishServedIndex } from "./served-index.ts";

const PAGE = "docs:guide/install.md";

async function jsonOf(response: Response): Promise<Record<string, unknown>> {
  expect(response.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
  return (await response.json()) as Record<string, unknown>;
}

interface Results {
  readonly total: number;
  readonly results: { readonly path: string; readonly url: string; readonly sections: Record<string, string>[] }[];
  readonly facetCounts: Record<string, Record<string, number>>;
  readonly nextOffset: number | null;
}

async function search(query: string): Promise<Results> {
  const response = await get(`/search?${query}`);
  expect(response.status).toBe(200);
  return (await jsonOf(response)) as unknown as Results;
}

describe("requests of a file", () => {
  let before = "";
  beforeAll(() => {
    before = ownAddress();
  });

  it("come from an address of its own, those before its tests as well", () => {
    const { testPath: file = "" } = expect.getState();
    expect(before).toMatch(/^10(?:\.\d{1,3}){3}$/);
    expect(ownAddress()).toBe(before);
    expect.setState({ testPath: `${file}x` });
    const other = ownAddress();
    expect.setState({ testPath: file });
    expect(other).not.toBe(before);
  });
});

describe("routes over an index", () => {
  beforeAll(publishServedIndex);

  describe("the cost of an answer", () => {
    const countsOf = (response: Response): Record<string, number> =>
      Object.fromEntries(
        (response.headers.get("Server-Timing") ?? "")
          .split(", ")
          .map((metric) => /^([a-z]+);desc="(\d+) [a-z ]+"$/.exec(metric) ?? [])
          .map(([, name, count]) => [name ?? "not a metric", Number(count)]),
      );

    it.each(["/search?q=apt+linux", "/suggest?q=ins", `/documents/${PAGE}`, `/tree/${PAGE}`, "/summary", "/status"])(
      "stands in the Server-Timing of %s, for pages of other origins too",
      async (path) => {
        const response = await get(path, { Origin: "http://localhost:3000" });
        expect(response.status).toBe(200);
        const counts = countsOf(response);
        expect(Object.keys(counts)).toEqual(
          expect.arrayContaining(["waves", "reads", "bytes", "cached", "inflated", "postings", "scanned", "scored"]),
        );
        expect(response.headers.get("Access-Control-Expose-Headers")).toContain("Server-Timing");
        expect(response.headers.get("Timing-Allow-Origin")).toBe("*");
        const { cost } = (await response.clone().json()) as { cost?: Record<string, number> };
        if (cost !== undefined) expect(counts).toMatchObject({ waves: cost.waves, scored: cost.candidatesScored });
      },
    );

    it("stands beside what hangs together, which /summary says as the tool does", async () => {
      const all = (await (await get("/summary")).json()) as { metrics: object; insights: object; metadata: object };
      expect(Object.keys(all)).toEqual(["summary", "metrics", "insights", "metadata"]);
      expect((await get("/summary?collection=docs")).status).toBe(200);
      const wrong = await get("/summary?collection=dosc");
      expect(wrong.status).toBe(400);
      expect(await wrong.json()).toMatchObject({ nearest: ["docs"] });
    });

    it("stands in the Server-Timing of /llms.txt, which is text", async () => {
      const response = await get("/llms.txt");
      expect(response.status).toBe(200);
      expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
      expect(countsOf(response)).toHaveProperty("reads");
      const ids = [...(await response.text()).matchAll(/`(\S+:\S+)`/g)].map(([, id]) => id ?? "");
      expect(ids.length).toBeGreaterThan(2);
      for (const id of ids) expect((await get(`/tree/${id}`)).status).toBe(200);
      const etag = response.headers.get("ETag") ?? "";
      expect((await get("/llms.txt", { "If-None-Match": etag })).status).toBe(304);
    });

    it("stands in errors and in answers that did not change", async () => {
      const refused = await get("/documents/docs:nowhere.md");
      expect(refused.status).toBe(404);
      const { reads, cached } = countsOf(refused) as { reads: number; cached: number };
      expect(reads + cached).toBeGreaterThan(0);
      const first = await get("/search?q=apt");
      const again = await get("/search?q=apt", { "If-None-Match": first.headers.get("ETag") ?? "" });
      expect(again.status).toBe(304);
      expect(countsOf(again)).toMatchObject({ scored: 0, inflated: 0 });
    });
  });

  describe("/search", () => {
    it("gives documents in rank order with sections, excerpts, facet counts and cost", async () => {
      const found = await search("q=zebras");
      expect(found).toMatchObject({
        total: 1,
        results: [
          {
            id: PAGE,
            path: "guide/install.md",
            collection: "docs",
            title: "Install Treeline",
            url: `http://localhost:8787/documents/${PAGE}`,
            score: expect.any(Number),
            contentHash: expect.stringMatching(/^[0-9a-f]{16}$/),
            facets: { tags: expect.arrayContaining(["setup"]) },
            meta: expect.any(Object),
          },
        ],
        facetCounts: { tags: { linux: 1, setup: 1 } },
        correction: null,
        cost: { waves: expect.any(Number), reads: expect.any(Number), bytes: expect.any(Number) },
      });
      expect(found.results[0]?.sections[0]).toMatchObject({
        nodeId: `${PAGE}#mac~2`,
        heading: "Mac",
        url: `http://localhost:8787/documents/${PAGE}#mac~2`,
        excerpt: "The second section of this name talks about <mark>zebras</mark>.",
        plainExcerpt: "The second section of this name talks about zebras.",
      });
    });

    it("escapes everything in excerpts but its own marks", async () => {
      const [first] = (await search("q=proxy")).results;
      const section = first?.sections.find(({ heading }) => heading === "Proxy");
      expect(section?.excerpt).toContain("a &lt; b &amp;&amp; c");
      expect(section?.plainExcerpt).toContain("a < b && c");
    });

    it("filters by JSON and by single values, and both together", async () => {
      expect((await search("q=install&f.tags=linux")).total).toBe(1);
      expect((await search("q=install&f.tags=linux&f.tags=setup")).total).toBe(2);
      expect(
        (await search(`q=install&filters=${encodeURIComponent('{"not":{"tags":"linux"}}')}`)).results,
      ).not.toContainEqual(expect.objectContaining({ path: "guide/install.md" }));
      expect(
        (await search(`q=install&collection=docs&filters=${encodeURIComponent('{"hasCode":false}')}`)).total,
      ).toBeGreaterThan(0);
    });

    it("pages by offset, and cuts a limit that is too high", async () => {
      const all = await search("q=install");
      const second = await search("q=install&limit=1&offset=1");
      expect(second.results[0]?.path).toBe(all.results[1]?.path);
      expect(await search("q=install&limit=1")).toMatchObject({ nextOffset: 1 });
      expect(await search("q=install&limit=50")).toMatchObject({ nextOffset: null });
      expect(await search("q=install&limit=1000000000")).toMatchObject({
        notes: ["limit 1000000000 was cut to 50, the maximum."],
      });
    });

    it.each([
      ["", "q is missing"],
      ["q=%20", "q is missing"],
      [`q=${"x".repeat(2001)}`, "at most 2000"],
      ["q=a&limit=0", "limit must be a whole number from 1 to 50"],
      ["q=a&limit=-1", "limit must be"],
      ["q=a&limit=1.5", "limit must be"],
      ["q=a&limit=ten", "limit must be"],
      ["q=a&excerpts=x", "excerpts must be"],
      ["q=a&sort=date", "sort must be one of relevance, path, title, words"],
      ["q=a&ranking=fast", "ranking must be one of the presets"],
      ["q=a&ranking={%22bm25_b%22:2}", "ranking.bm25_b must be a number from 0 to 1"],
      ["q=a&explain=maybe", "explain must be true or false"],
      ["q=a&typing=2", "typing must be true or false"],
      ["q=a&correct=no", "correct must be true or false"],
      ["q=a&filters={", "filters must be a JSON object"],
      ["q=a&filters=[]", "filters must be a JSON object"],
      ["q=a&f.tags=linx", "linx"],
      ["q=a&f.tag=linux", "tag"],
      ["q=a&f.__proto__=linux", "__proto__"],
      ["q=a&collection=dcos", "no collection"],
    ])("answers %j with 400 and words", async (query, words) => {
      const response = await get(`/search?${query}`);
      expect(response.status).toBe(400);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      const body = await jsonOf(response);
      expect(body.error).toContain(words);
      expect(body.nearest).toBeInstanceOf(Array);
    });

    it("names the offset of the next page until there is none, with phrases and exclusions too", async () => {
      for (const query of ["install", '"install"', "install -zebras", '"the second section"', "wombat"]) {
        const seen: string[] = [];
        let offset: number | null = 0;
        for (let pages = 0; offset !== null && pages < 20; pages++) {
          const page = await search(`q=${encodeURIComponent(query)}&limit=1&offset=${offset}`);
          seen.push(...page.results.map(({ path }) => path));
          offset = page.nextOffset;
        }
        expect(offset).toBeNull();
        const whole = await search(`q=${encodeURIComponent(query)}&limit=50`);
        expect(whole.nextOffset).toBeNull();
        expect(seen).toEqual(whole.results.map(({ path }) => path));
      }
    });

    it("takes a ranking, explanations, the order, and whether to correct and to complete", async () => {
      const explained = await search("q=proxy&explain=true&ranking=mixed");
      expect(explained.results[0]).toMatchObject({ explanation: { collectionWeight: 1 } });
      expect((await search("q=proxy")).results[0]).not.toHaveProperty("explanation");
      const paths = (await search("q=install&sort=path")).results.map(({ path }) => path);
      expect(paths).toEqual([...paths].sort());
      expect((await search("q=zebrs+install&typing=1")).total).toBeGreaterThan(0);
      expect((await search("q=install+zeb&typing=true")).results[0]?.path).toBe("guide/install.md");
      const corrected = await search("q=zebrsa");
      expect(corrected).toMatchObject({ correction: { words: [{ written: "zebrsa", corrected: "zebras" }] } });
      expect(await search("q=zebrsa&correct=false")).toMatchObject({ correction: null, missingWords: ["zebrsa"] });
    });

    it("says how operators were understood", async () => {
      const found = await search(`q=${encodeURIComponent('install -zebras tags:linx "no such phrase"')}`);
      expect(found).toMatchObject({
        interpretation: { words: expect.arrayContaining(["install"]), excluded: ["zebras"] },
        unusedFields: [{ field: "tags", value: "linx", nearest: ["linux"] }],
      });
      expect(await search("q=install")).not.toHaveProperty("interpretation");
    });

    it("notes parameters that mean nothing, and answers all the same", async () => {
      const found = await search("q=install&limt=1&utm_source=x");
      expect(found).toMatchObject({
        notes: [
          '"limt" is no parameter and was not used; nearest: limit.',
          expect.stringContaining('"utm_source" is no parameter'),
        ],
      });
      expect(found.results.length).toBeGreaterThan(1);
    });

    it.each([
      '"',
      '""""""',
      "-",
      "--",
      "-g",
      "OR",
      "a OR OR b",
      "NOT",
      "type:",
      "-type:guide",
      "std::vector",
      "http://x",
      "(((",
      "*",
      "a*",
      "\u0000\u0001",
      "\u202e\u2066",
      "\ufeff",
      "😀",
      "the of",
      "title:?? path:**",
      "x".repeat(2000),
      '"a" '.repeat(500),
      "-a1b ".repeat(400),
    ])("answers any query: %j", async (query) => {
      for (const more of ["", "&typing=true", "&explain=true&correct=false"]) {
        const response = await get(`/search?q=${encodeURIComponent(query)}${more}`);
        // White space alone is no query.
        expect([200, ...(query.trim() === "" ? [400] : [])]).toContain(response.status);
      }
    });

    it.each(["%ED%A0%80", "%FF%FE", "%", "%zz", "a%00b"])("answers bytes that are no text: %s", async (bytes) => {
      expect((await get(`/search?q=${bytes}`)).status).toBe(200);
    });

    it("names the nearest facet value", async () => {
      expect(await jsonOf(await get("/search?q=a&f.tags=linx"))).toMatchObject({ nearest: ["linux"] });
    });
  });

  describe("/suggest", () => {
    it("completes what is typed", async () => {
      const response = await get("/suggest?q=inst&limit=3");
      expect(response.status).toBe(200);
      expect(await jsonOf(response)).toEqual({
        query: "inst",
        suggestions: [
          {
            text: "Install Treeline",
            kind: "title",
            count: 1,
            nodeId: PAGE,
            documentId: PAGE,
            url: `http://localhost:8787/documents/${PAGE}`,
          },
        ],
        cost: expect.objectContaining({ waves: expect.any(Number), bytes: expect.any(Number) }),
      });
    });

    it("lets pages read it, and answers 304 to those who have the answer", async () => {
      const first = await get("/suggest?q=in", { origin: "http://localhost:3000" });
      expect(first.headers.get("Access-Control-Allow-Origin")).toBe("*");
      const again = await get("/suggest?q=in", { "If-None-Match": first.headers.get("ETag") ?? "" });
      expect(again.status).toBe(304);
    });

    it.each([
      ["", "q is missing"],
      ["q=%20", "q is missing"],
      [`q=${"x".repeat(10_000)}`, "at most 2000"],
      ["q=a&limit=0", "limit must be a whole number from 1 to 20"],
      ["q=a&limit=x", "limit must be"],
      ["q=a&collection=dcos", "no collection"],
    ])("answers %j with 400 and words", async (query, words) => {
      const response = await get(`/suggest?${query}`);
      expect(response.status).toBe(400);
      expect((await jsonOf(response)).error).toContain(words);
    });

    it.each(["%3F%21", "%00%07", "%E2%80%AE%E2%81%A6", "%ED%A0%80", "%ff%fe", "%", "%F0%9F%9A%80"])(
      "has nothing for %s",
      async (typed) => {
        const response = await get(`/suggest?q=${typed}`);
        expect(response.status).toBe(200);
        expect((await jsonOf(response)).suggestions).toEqual([]);
      },
    );
  });

  describe("/documents and /tree", () => {
    it("give the document with exact texts, and its outline", async () => {
      const document = await jsonOf(await get(`/documents/${PAGE}`));
      expect(document).toMatchObject({ document: { id: PAGE, title: "Install Treeline" } });
      const sections = document.sections as { nodeId: string; text: string }[];
      expect(sections.map(({ nodeId }) => nodeId)).toEqual(
        ["", "#linux", "#linux/proxy", "#mac", "#mac~2"].map((part) => PAGE + part),
      );
      expect(sections[3]?.text).toBe("## Mac\n\nUse brew to install.\n\n");
      const tree = await jsonOf(await get(`/tree/${PAGE}`));
      expect((tree.sections as { nodeId: string }[]).map(({ nodeId }) => nodeId)).toEqual(
        sections.map(({ nodeId }) => nodeId),
      );
      expect(JSON.stringify(tree)).not.toContain("zebras.\\n");
    });

    it("take ids with every character escaped, odd characters and a bare path", async () => {
      expect((await get(`/documents/${encodeURIComponent(PAGE)}`)).status).toBe(200);
      expect((await get("/tree/guide/install.md")).status).toBe(200);
      const id = (await search("q=escaping")).results[0] as unknown as { id: string; url: string };
      const odd = await get(new URL(id.url).pathname);
      expect(await jsonOf(odd)).toMatchObject({ document: { id: id.id, path: "odd name #1 & more.md" } });
    });

    it("strip what cannot be seen", async () => {
      const found = await search("q=escaping");
      const text = await (await get(new URL(found.results[0]?.url ?? "").pathname)).text();
      expect(text).toContain("hiddentext");
      expect(text).not.toContain("\u202e");
    });

    it("give Markdown to those who ask for it", async () => {
      const markdown = await get(`/documents/${PAGE}`, { Accept: "text/markdown" });
      expect(markdown.headers.get("Content-Type")).toBe("text/markdown; charset=utf-8");
      expect(await markdown.text()).toMatch(/^Before you install[\s\S]*zebras\.\n$/);
      expect((await get("/documents/plain.md?format=markdown")).headers.get("Content-Type")).toContain("markdown");
    });

    it.each([
      "/documents/docs:guide/instal.md",
      "/tree/guide/instal.md",
      "/documents/..%2F..%2Fetc%2Fpasswd",
      "/tree/",
    ])("answer %s with 404 and the nearest documents", async (path) => {
      const response = await get(path);
      expect(response.status).toBe(404);
      const body = await jsonOf(response);
      expect(body.error).toContain("There is no document");
      if (path.includes("instal.md")) expect(body.nearest).toContain(PAGE);
    });

    it("answer a badly escaped address with 400", async () => {
      expect((await get("/documents/%zz")).status).toBe(400);
    });
  });

  it("answer 304 to those who have the answer of this generation already", async () => {
    const first = await get(`/tree/${PAGE}`);
    const etag = first.headers.get("ETag") ?? "";
    expect(first.headers.get("Cache-Control")).toBe("public, no-cache");
    const again = await get(`/tree/${PAGE}`, { "If-None-Match": etag });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
    const markdown = await get(`/documents/${PAGE}?format=markdown`);
    expect(markdown.headers.get("ETag")).not.toBe((await get(`/documents/${PAGE}`)).headers.get("ETag"));
  });

  it("/status describes the index", async () => {
    const response = await get("/status");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await jsonOf(response)).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{12}$/),
      commit: "none",
      documents: 4,
      collections: [{ name: "docs", documents: 4 }],
    });
  });

  it("/status looks at each part of the deployment", async () => {
    const { status, checks } = await jsonOf(await get("/status"));
    expect(status).toBe("ok");
    expect(checks).toEqual(
      expect.arrayContaining([
        { name: "pointer", state: "ok", needed: true },
        { name: "index", state: "ok", needed: true },
        { name: "insights", state: "ok", needed: false },
      ]),
    );
  });

  it("/health names the generation in memory and reads nothing", async () => {
    const { id } = await jsonOf(await get("/status"));
    const response = await get("/health");
    expect(response.headers.get("Server-Timing")).toBeNull();
    expect(await jsonOf(response)).toEqual({ status: "ok", index: "ready", generation: id });
  });

  it("let pages read them, and tell browsers so", async () => {
    expect(
      (await get("/search?q=a", { origin: "http://localhost:3000" })).headers.get("Access-Control-Allow-Origin"),
    ).toBe("*");
    const preflight = await send("OPTIONS", "/mcp", {
      origin: "http://localhost:3000",
      "Access-Control-Request-Method": "POST",
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("Access-Control-Allow-Headers")).toContain("MCP-Protocol-Version");
  });

  it("do not answer pages from elsewhere on this machine", async () => {
    expect((await get("/search?q=a", { origin: "https://evil.example" })).status).toBe(403);
  });

  it("name what there is when something else is asked for", async () => {
    const response = await get("/nothing");
    expect(response.status).toBe(404);
    expect(await jsonOf(response)).toMatchObject({ nearest: expect.arrayContaining(["/mcp"]) });
  });

  it.each(["/search", "/suggest", "/documents/x", "/tree/x", "/status", "/health"])(
    "refuse to change anything at %s",
    async (path) => {
      const response = await send("POST", path);
      expect(response.status).toBe(405);
      expect(response.headers.get("Allow")).toBe("GET, HEAD");
    },
  );
});
