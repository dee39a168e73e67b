import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { InputError } from "../../../src/core/errors.ts";
import type { SearchAnswer, SearchRequest } from "../../../src/core/search/answer.ts";
import { search } from "../../../src/core/search/search.ts";
import { analyzeText } from "../../../src/core/text/analyze.ts";
import { type BuiltIndex, buildCollections, buildPages, type OpenReader } from "../../support/build-index.ts";
import { runs } from "../../support/runs.ts";
import { anyPages, anyQuery, ask } from "../../support/small-corpora.ts";

const HANDBOOK = {
  "guide/routing.md":
    "---\ntags: [web]\n---\n# Routing\n\nA route leads to a handler.\n\n## Dynamic routes\n\nUse `useRouter` in a route.\n",
  "guide/caching.md":
    "---\ntags: [web, speed]\ndescription: How answers are kept\n---\n# Caching\n\nThe cache keeps what a handler gave.\n",
  "api/client.md":
    "---\ntags: [api]\n---\n# Client\n\nCalls a handler by its route.\n\n## getUserName\n\n```js\ngetUserName(id)\n```\n",
  "index.md": "# Handbook\n\nStart here.\n",
};

describe("search", () => {
  let built: BuiltIndex;
  let open: OpenReader;

  beforeAll(async () => {
    built = await buildPages(HANDBOOK);
    open = await built.open();
  });

  function run(query: string, more: Partial<SearchRequest> = {}): Promise<SearchAnswer> {
    return search(open.next(), ask(query, more));
  }

  async function pathsOf(query: string, more: Partial<SearchRequest> = {}): Promise<string[]> {
    return (await run(query, more)).hits.map(({ path }) => path);
  }

  it("finds documents by words of text, heading, title, path and description, in any form of the word", async () => {
    expect(await pathsOf("leads")).toEqual(["guide/routing.md"]);
    expect(await pathsOf("dynamic")).toEqual(["guide/routing.md"]);
    expect(await pathsOf("CACHES")).toEqual(["guide/caching.md"]);
    expect((await pathsOf("api"))[0]).toBe("api/client.md");
    expect(await pathsOf("answer")).toEqual(["guide/caching.md"]);
    expect((await pathsOf("handlers")).sort()).toEqual(["api/client.md", "guide/caching.md", "guide/routing.md"]);
  });

  it("finds an identifier whole, in another case and by its parts", async () => {
    for (const query of ["getUserName", "getusername", "user name"]) {
      expect((await pathsOf(query))[0]).toBe("api/client.md");
    }
    const [hit] = (await run("useRouter")).hits;
    expect(hit?.sections[0]?.nodeId).toBe("docs:guide/routing.md#dynamic-routes");
  });

  it("describes a hit: its document, its sections, where they are and an excerpt with marks", async () => {
    const { hits } = await run("dynamic route", { withDetails: true });
    expect(hits[0]).toMatchObject({
      id: "docs:guide/routing.md",
      collection: "docs",
      path: "guide/routing.md",
      title: "Routing",
      contentHash: built.documents.get("docs:guide/routing.md")?.hash,
      meta: { tags: ["web"] },
    });
    expect(hits[0]?.facets["tags"]).toEqual(["web"]);
    expect((await run("dynamic route")).hits[0]).toMatchObject({ description: "", contentHash: "", meta: {} });
    expect(hits[0]?.sections[0]).toMatchObject({
      nodeId: "docs:guide/routing.md#dynamic-routes",
      ordinal: 1,
      heading: "Dynamic routes",
      headingPath: ["Routing", "Dynamic routes"],
      startLine: 8,
      endLine: 10,
    });
    const excerpt = hits[0]?.sections[0]?.excerpt ?? [];
    expect(excerpt.filter(({ marked }) => marked).map(({ text }) => text)).toContain("route");
  });

  it("says which words no document holds, and goes on with the others", async () => {
    const answer = await run("route zebra Quaggas");
    expect(answer.missingWords).toEqual(["zebra", "Quaggas"]);
    expect(answer.hits.length).toBeGreaterThan(0);
    const none = await run("zebra");
    expect(none).toMatchObject({ hits: [], totalDocuments: 0, missingWords: ["zebra"] });
  });

  it("uses stop words when there is nothing else, and says so", async () => {
    const answer = await run("what is the");
    expect(answer.stopWordsUsed).toBe(true);
    expect(answer.hits.map(({ path }) => path)).toContain("guide/caching.md");
    const mixed = await run("the route");
    expect(mixed.stopWordsUsed).toBe(false);
    expect(mixed.scoredTerms).toEqual(["rout"]);
  });

  it.each([
    ["nothing", ""],
    ["spaces", " \n\t "],
    ["punctuation", "?!… -- \"'“” ()[]{} <> /\\ | * + . , ; : # @ & % $ ^ ~ `"],
    ["a lone surrogate", "\ud800"],
    ["control characters", "\u0000\u0001\u001b\u007f\u200b\u202e"],
    ["an emoji", "😀"],
    ["a million spaces", " ".repeat(1_000_000)],
  ])("answers a query of %s with no hits", async (_, query) => {
    const answer = await run(query, { withFacetCounts: true });
    expect(answer).toMatchObject({ hits: [], totalDocuments: 0, scoredTerms: [], missingWords: [], facetCounts: {} });
  });

  it("answers any query", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ unit: "binary", maxLength: 80 }), fc.string({ unit: "grapheme", maxLength: 80 })),
        async (query) => {
          const answer = await run(query);
          expect(answer.hits.length).toBeLessThanOrEqual(answer.totalDocuments);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it("answers ten thousand words, one word ten thousand times and a word of a million letters", async () => {
    const many = await run(Array.from({ length: 10_000 }, (_, n) => `word${n}`).join(" "));
    expect(many.totalDocuments).toBe(0);
    const same = await run("route ".repeat(10_000));
    expect(same.scoredTerms).toEqual(["rout"]);
    expect(same.hits.map(({ path }) => path).sort()).toEqual((await pathsOf("route")).sort());
    expect((await run("x".repeat(1_000_000))).totalDocuments).toBe(0);
  });

  it("finds a word among control characters and halves of characters", async () => {
    expect(await pathsOf("\ud800leads\u0000")).toEqual(["guide/routing.md"]);
  });

  it("selects by facets: any value of a key, every key, none of the excluded", async () => {
    const filtered = (include: Record<string, string[]>, exclude: Record<string, string[]> = {}): Promise<string[]> =>
      pathsOf("handler", { filter: { include, exclude } }).then((paths) => paths.sort());
    expect(await filtered({ tags: ["web"] })).toEqual(["guide/caching.md", "guide/routing.md"]);
    expect(await filtered({ tags: ["speed", "api"] })).toEqual(["api/client.md", "guide/caching.md"]);
    expect(await filtered({ tags: ["web"], has_code: ["true"] })).toEqual([]);
    expect(await filtered({}, { tags: ["web"] })).toEqual(["api/client.md"]);
    expect(await filtered({ tags: ["web"] }, { tags: ["speed"] })).toEqual(["guide/routing.md"]);
    expect(await filtered({ tags: [] })).toEqual([]);
  });

  it("lists what facets or fields alone ask for by path, on a reader that has nothing in memory", async () => {
    for (const [query, paths] of [
      ["tags:web", ["guide/caching.md", "guide/routing.md"]],
      ["-tags:web", ["api/client.md", "index.md"]],
      ["path:guide", ["guide/caching.md", "guide/routing.md"]],
    ] as const) {
      const { reader } = await built.open();
      expect((await search(reader, ask(query))).hits.map(({ path }) => path)).toEqual(paths);
    }
  });

  it("refuses facets and values that do not exist with the nearest that do", async () => {
    const refusal = async (include: Record<string, string[]>): Promise<InputError> => {
      const error: unknown = await run("route", { filter: { include, exclude: {} } }).catch(
        (caught: unknown) => caught,
      );
      expect(error).toBeInstanceOf(InputError);
      return error as InputError;
    };
    expect((await refusal({ tag: ["web"] })).nearest).toContain("tags");
    expect((await refusal({ tags: ["wbe"] })).nearest).toContain("web");
    expect((await refusal({ tags: ["zzzzzz"] })).nearest).toEqual(["api", "speed", "web"]);
  });

  it("counts facets inside the whole result, whatever page of it is shown", async () => {
    const first = await run("handler", { withFacetCounts: true, limit: 1 });
    expect(first.facetCounts["tags"]).toEqual({ web: 2, api: 1, speed: 1 });
    const beyond = await run("handler", { withFacetCounts: true, limit: 1, offset: 50 });
    expect(beyond.hits).toEqual([]);
    expect(beyond.facetCounts).toEqual(first.facetCounts);
    expect((await run("handler")).facetCounts).toEqual({});
  });

  it("searches one document where one is named", async () => {
    expect(await pathsOf("handler", { documentId: "docs:api/client.md" })).toEqual(["api/client.md"]);
    expect(await pathsOf("handler", { documentId: "docs:no/such.md" })).toEqual([]);
  });

  it("sorts by path, title or length where that is asked", async () => {
    expect(await pathsOf("handler", { sort: "path" })).toEqual([
      "api/client.md",
      "guide/caching.md",
      "guide/routing.md",
    ]);
    const titles = (await run("handler", { sort: "title" })).hits.map(({ title }) => title);
    expect(titles).toEqual(["Caching", "Client", "Routing"]);
    const words = (await pathsOf("handler", { sort: "words" })).map(
      (path) => built.documents.get(`docs:${path}`)?.lengths.body ?? 0,
    );
    expect(words).toEqual([...words].sort((a, b) => b - a));
  });

  it("searches the collections that are named", async () => {
    const two = await buildCollections([
      { name: "docs", pages: HANDBOOK },
      { name: "blog", pages: { "2024/post.md": "# A post\n\nAbout a handler." } },
    ]);
    const { reader } = await two.open();
    const found = async (collections: string[]): Promise<string[]> =>
      (await search(reader, ask("handler", { collections }))).hits.map(({ id }) => id).sort();
    expect(await found(["blog"])).toEqual(["blog:2024/post.md"]);
    expect(await found(["docs", "blog"])).toHaveLength(4);
    expect(await found([])).toHaveLength(4);
  });

  it("gives a collection's weight to its documents", async () => {
    const page = "# A post\n\nAbout a handler.";
    const { reader } = await (
      await buildCollections([
        { name: "light", pages: { "a.md": page }, weight: 1 },
        { name: "heavy", pages: { "a.md": page }, weight: 3 },
      ])
    ).open();
    const { hits } = await search(reader, ask("handler"));
    expect(hits.map(({ collection }) => collection)).toEqual(["heavy", "light"]);
    expect((hits[0]?.score ?? 0) / (hits[1]?.score ?? 1)).toBeCloseTo(3, 6);
  });

  it("writes page addresses with the anchor of the section", async () => {
    const { reader } = await (
      await buildCollections([{ name: "docs", pages: HANDBOOK, baseUrl: "https://example.org/docs/" }])
    ).open();
    const { hits } = await search(reader, ask("dynamic"));
    expect(hits[0]?.url).toBe("https://example.org/docs/guide/routing");
    expect(hits[0]?.sections[0]?.url).toBe("https://example.org/docs/guide/routing#dynamic-routes");
  });
});

describe("search in access groups", () => {
  const PLANS = { "plan.md": "---\ntags: [secret]\n---\n# Plan\n\nA handler for zebras.\n" };

  it("shows a reader no document, count, word or facet of a group that it may not see", async () => {
    const both = await buildCollections([
      { name: "docs", pages: HANDBOOK },
      { name: "plans", access: "staff", pages: PLANS },
    ]);
    const alone = await buildPages(HANDBOOK);
    for (const query of ["handler", "zebra", "the", "plan", "secret"]) {
      const request = ask(query, { withFacetCounts: true });
      const answer = await search((await both.open()).reader, request);
      const { cost: _, ...seen } = answer;
      const { cost: __, ...expected } = await search((await alone.open()).reader, request);
      expect(seen).toEqual(expected);
    }
    const filter = { include: { tags: ["secret"] }, exclude: {} };
    const refused = search((await both.open()).reader, ask("handler", { filter }));
    await expect(refused).rejects.toBeInstanceOf(InputError);
    expect(await refused.catch((error: InputError) => error.nearest)).not.toContain("secret");
    const staff = await search((await both.open(["staff", "public"])).reader, ask("zebra"));
    expect(staff.hits.map(({ id }) => id)).toEqual(["plans:plan.md"]);
  });

  it("gives the hits and scores of one index, however the documents are shared out", async () => {
    const groups = ["public", "staff", "partners"];
    await fc.assert(
      fc.asyncProperty(
        anyPages,
        anyQuery,
        fc.infiniteStream(fc.constantFrom(...groups)),
        async (pages, query, stream) => {
          const groupOf = new Map(Object.keys(pages).map((path) => [path, stream.next().value]));
          const part = (group: string) =>
            Object.fromEntries(Object.entries(pages).filter(([path]) => groupOf.get(path) === group));
          const request = ask(query, { limit: 50, withFacetCounts: true });
          const whole = await searchAll(
            groups.map((group) => ({ name: `c-${group}`, pages: part(group) })),
            request,
          );
          const shared = await searchAll(
            groups.map((group) => ({ name: `c-${group}`, access: group, pages: part(group) })),
            request,
          );
          expect(shared).toEqual(whole);
        },
      ),
      { numRuns: runs(25) },
    );
  });

  async function searchAll(collections: Parameters<typeof buildCollections>[0], request: SearchRequest) {
    const { reader } = await (
      await buildCollections(collections.filter(({ pages }) => Object.keys(pages).length > 0))
    ).open("all");
    const { cost: _, hits, ...rest } = await search(reader, request);
    // Ties stand in the order of numbers, which sharing out changes; excerpts go to the first five sections.
    const plain = hits.map(({ id, score, sections }) => ({
      id,
      score,
      sections: sections.map(({ ordinal, score: own }) => ({ ordinal, score: own })),
    }));
    return { ...rest, hits: plain.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)) };
  }
});

describe("pages of an answer", () => {
  it("are disjoint and together the whole, in order, in every order that there is", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyPages,
        anyQuery,
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom("relevance" as const, "path" as const, "title" as const, "words" as const),
        async (pages, query, limit, sort) => {
          const { next } = await (await buildPages(pages)).open();
          const whole = await search(next(), ask(query, { limit: 100, sort }));
          const paged: string[] = [];
          for (let offset = 0; offset < whole.totalDocuments; offset += limit) {
            const page = await search(next(), ask(query, { limit, offset, sort }));
            expect(page.totalDocuments).toBe(whole.totalDocuments);
            paged.push(...page.hits.map(({ id }) => id));
          }
          expect(paged).toEqual(whole.hits.map(({ id }) => id));
          expect(new Set(paged).size).toBe(whole.totalDocuments);
        },
      ),
      { numRuns: runs(20) },
    );
  });

  it("stay disjoint beyond the documents whose sections are scored", async () => {
    // Short pages first by their text; long ones whose best section lifts them when it is scored.
    const pages = Object.fromEntries(
      Array.from({ length: 320 }, (_, n) => {
        const filler = Array.from({ length: (n % 40) * 12 }, (_, at) => `word${(n * 7 + at) % 50}`).join(" ");
        return [`page-${n}.md`, `# Page\n\n${filler}\n\n## ${n % 3 === 0 ? "Needle" : "Other"}\n\nA needle here.\n`];
      }),
    );
    const { next } = await (await buildPages(pages)).open();
    for (const sort of ["relevance", "path"] as const) {
      const seen: string[] = [];
      const scores: number[] = [];
      for (let offset = 0; offset < 320; offset += 40) {
        const { hits, totalDocuments } = await search(next(), ask("needle", { offset, limit: 40, sort, excerpts: 2 }));
        expect(totalDocuments).toBe(320);
        seen.push(...hits.map(({ id }) => id));
        scores.push(...hits.map(({ score }) => score));
        expect(hits.every(({ sections }) => sections.length > 0)).toBe(true);
        expect(hits[0]?.sections[0]?.excerpt.some(({ marked }) => marked)).toBe(true);
      }
      expect(new Set(seen).size).toBe(320);
      if (sort === "relevance") expect(scores).toEqual([...scores].sort((a, b) => b - a));
    }
  });
});

describe("excerpts of hits", () => {
  /** Lines of a section below its heading. */
  const below = (lines: readonly string[]): readonly string[] => {
    const at = lines.findIndex((line) => /^#{1,6} /.test(line));
    return at < 0 ? lines : lines.filter((_, index) => index !== at);
  };

  it("hold a mark wherever the section's text holds a word of the query, unless it is one of its heading", async () => {
    await fc.assert(
      fc.asyncProperty(anyPages, anyQuery, async (pages, query) => {
        const { reader } = await (await buildPages(pages)).open();
        const answer = await search(reader, ask(query, { limit: 50, excerpts: 150 }));
        for (const { path, sections } of answer.hits) {
          const lines = (pages[path] ?? "").split("\n");
          for (const { startLine, endLine, excerpt, heading } of sections) {
            const own = lines
              .slice(startLine - 1, endLine)
              .filter((line) => !/^(---|tags:|description:|```)/.test(line));
            const holds = (text: string) => analyzeText(text).some(({ term }) => answer.scoredTerms.includes(term));
            const isMarked = excerpt.some(({ marked }) => marked);
            if (!holds(heading)) expect(isMarked).toBe(holds(below(own).join("\n")));
            else if (isMarked) expect(holds(below(own).join("\n"))).toBe(true);
          }
        }
      }),
      { numRuns: runs(30) },
    );
  });

  it.each([
    ["a phrase", '"route handler"', {}, /route|handler/],
    ["a beginning", "rou*", {}, /rou/],
    ["one word that longer ones begin with", "hand", {}, /hand/],
    ["a word that is being typed", "alpha gam", { asYouType: true }, /alpha|gam/],
    ["a corrected word", "rendr", {}, /render/],
    ["a part of an identifier", "user", {}, /User/],
    ["an identifier", "snake_case", {}, /snake_case/],
    ["Chinese characters", "日本語", {}, /日本語/],
    ["alternatives", "delta OR epsilon", {}, /delta|epsilon/],
    ["what stays beside an exclusion", "zeta -alpha", {}, /zeta/],
  ] as const)("mark %s wherever the section holds it, and nothing else", async (_, query, more, pattern) => {
    await fc.assert(
      fc.asyncProperty(anyPages, async (pages) => {
        const { reader } = await (await buildPages(pages)).open();
        const answer = await search(reader, ask(query, { ...more, limit: 50, excerpts: 150 }));
        for (const { path, sections } of answer.hits) {
          const lines = (pages[path] ?? "").split("\n");
          for (const { startLine, endLine, excerpt, heading } of sections) {
            const own = lines.slice(startLine - 1, endLine).filter((line) => !/^(---|tags:|description:)/.test(line));
            const marked = excerpt.filter((part) => part.marked).map(({ text }) => text);
            const isBelow = pattern.test(below(own).join("\n"));
            if (isBelow && !pattern.test(heading)) expect(marked.length).toBeGreaterThan(0);
            if (!isBelow) expect(marked).toEqual([]);
            for (const text of marked) expect(pattern.test(text) || pattern.source.includes(text)).toBe(true);
          }
        }
      }),
      { numRuns: runs(8) },
    );
  });

  it("mark phrases, beginnings and corrected words among emoji, tags and letters of two units, and cut none", async () => {
    const noise = ["😀", "👩‍👩‍👧", "𝒳", "<b>", "</b>", '<img alt="x" src="y">', "&amp;", "🇩🇪", "\u200d"];
    const word = fc.constantFrom("routing", "table", "日本語", "𝒳math", "configuration", "lamp", ...noise);
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { minLength: 20, maxLength: 120 }),
        fc.constantFrom('"routing table"', "config*", "tabel", "日本", "lam", "𝒳math"),
        async (words, query) => {
          const { reader } = await (await buildPages({ "a.md": `# A\n\n${words.join(" ")}\n` })).open();
          for (const { sections } of (await search(reader, ask(query))).hits) {
            for (const { excerpt } of sections) {
              expect(excerpt.some(({ marked }) => marked)).toBe(true);
              for (const { text, marked } of excerpt) {
                expect(text).not.toMatch(/\p{Surrogate}/u);
                if (marked) expect(text).not.toMatch(/[<>&]/);
              }
              expect(excerpt.map(({ text }) => text).join("")).not.toMatch(/<\/?b>|<img/);
            }
          }
        },
      ),
      { numRuns: runs(40) },
    );
  });

  it("come with the first sections of the answer, and no more of them than asked for", async () => {
    const { next } = await (await buildPages(HANDBOOK)).open();
    for (const excerpts of [0, 1, 2, 10]) {
      const { hits } = await search(next(), ask("handler route", { excerpts }));
      const sections = hits.flatMap((hit) => hit.sections);
      const withText = sections.filter(({ excerpt }) => excerpt.length > 0);
      expect(withText).toEqual(sections.slice(0, Math.min(excerpts, sections.length)));
    }
  });
});
