/** The tools for categories and concepts: orders, limits, names, errors, over a small library. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedFolder, serveFiles } from "../../support/serve-folder.ts";
import { LIBRARY } from "../../support/topic-pages.ts";

const ARCHITECTURE = "software architecture";
let served: ServedFolder;

interface Found {
  readonly category: Readonly<Record<string, unknown>>;
  readonly statistics: Readonly<Record<string, unknown>>;
  readonly documents: readonly {
    source: string;
    preview: string;
    concepts: string[];
    categories: string[];
    chunkCount: number;
  }[];
  readonly concepts: readonly {
    name: string;
    type: string;
    category: string;
    weight: number;
    relevance: number;
    relatedConcepts: string[];
  }[];
  readonly chunks?: readonly { id: string; text: string; source: string; concepts: string[]; conceptDensity: number }[];
}

async function search(given: Readonly<Record<string, unknown>>): Promise<Found> {
  const { json, isError, text } = await served.ask("category_search", { max_tokens: 6000, ...given });
  expect(isError, text).toBe(false);
  return json as unknown as Found;
}

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "treeline-categories-"));
  served = await serveFiles(LIBRARY, dir);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

describe("category_search", () => {
  it("describes the category as it was written down, from the top down", async () => {
    const { category, statistics, documents } = await search({ category: ARCHITECTURE });
    expect(category).toEqual({
      id: "5",
      name: ARCHITECTURE,
      description: "Patterns and principles for structuring software systems",
      hierarchy: ["software engineering", ARCHITECTURE],
      aliases: ["software design", "system architecture"],
      relatedCategories: ["distributed systems"],
    });
    expect(statistics).toMatchObject({ totalDocuments: 4, totalChunks: 9 });
    expect(statistics).not.toHaveProperty("childCategories");
    expect(documents[0]).toMatchObject({
      source: "docs:microservices/gateway.md",
      preview: expect.stringMatching(/^API gateway as we do it\. An API gateway is the single door\..*\.\.\.$/),
      categories: [ARCHITECTURE, "microservices"],
      chunkCount: 3,
    });
    expect(documents.every(({ concepts }) => concepts.length <= 5)).toBe(true);
  });

  it.each([ARCHITECTURE, "Software Architecture", "SYSTEM architecture", "5", " software-architecture "])(
    "finds it as %j",
    async (category) => {
      expect((await search({ category })).category.id).toBe("5");
    },
  );

  it("takes an alias before an id", async () => {
    expect((await search({ category: "ml" })).category).toMatchObject({ id: "7362849501", name: "machine learning" });
  });

  it("counts documents of several categories once, and lists the categories below", async () => {
    const { statistics, documents } = await search({ category: "software engineering", includeChildren: true });
    expect(statistics).toMatchObject({
      totalDocuments: 4,
      totalChunks: 9,
      childCategories: [
        { id: "5", name: ARCHITECTURE, documentCount: 4, chunkCount: 9 },
        { id: "distributed-systems", name: "distributed systems", documentCount: 1, chunkCount: 2 },
      ],
    });
    expect(new Set(documents.map(({ source }) => source)).size).toBe(4);
  });

  it("puts documents by sections and path, concepts by relevance and name, sections by density and id", async () => {
    const {
      statistics,
      documents,
      concepts,
      chunks = [],
    } = await search({ category: ARCHITECTURE, include_chunks: true, limit: 50 });
    const order = <T>(list: readonly T[], key: (one: T) => readonly [number, string]): void => {
      const sorted = [...list].sort((a, b) => {
        const [[one, name], [other, next]] = [key(a), key(b)];
        return other - one || (name < next ? -1 : 1);
      });
      expect(list).toEqual(sorted);
    };
    order(documents, ({ chunkCount, source }) => [chunkCount, source]);
    order(concepts, ({ relevance, name }) => [relevance, name.toLowerCase()]);
    order(chunks, ({ conceptDensity, id }) => [conceptDensity, id]);
    expect(chunks.length).toBe(statistics["totalChunks"]);
    for (const { id, text, source, concepts: own, conceptDensity } of chunks) {
      expect(id.split("#")[0]).toBe(source);
      expect(text.length).toBeLessThanOrEqual(303);
      if (conceptDensity > 0) expect(own.length).toBeGreaterThan(0);
    }
    expect(concepts.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["API gateway", "service mesh", "circuit breaker"]),
    );
    expect(
      concepts.every(({ weight, relatedConcepts }) => weight > 0 && weight <= 1 && relatedConcepts.length <= 3),
    ).toBe(true);
  });

  it("lists sections without a concept last, as they stand in their page, as far as a list goes", async () => {
    const about = (at: number): string =>
      `## About ${at}\n\n${at < 5 ? "Event sourcing needs event sourcing." : "Plain words."}\n`;
    const page = `# Event sourcing\n\n${Array.from({ length: 120 }, (_, at) => about(at)).join("\n")}`;
    const { ask } = await serveFiles({ "many/a.md": page, "few/b.md": "# Nothing\n\nOf note.\n\n## More\n\nOf it.\n" });
    const sections = async (
      category: string,
    ): Promise<readonly { id: string; concepts: string[]; density: number }[]> =>
      (
        (await ask("category_search", { category, include_chunks: true, limit: 100, max_tokens: 20_000 }))
          .json as unknown as Found
      ).chunks?.map(({ id, concepts, conceptDensity: density }) => ({ id, concepts, density })) ?? [];
    expect(await sections("few")).toEqual([
      { id: "docs:few/b.md", concepts: [], density: 0 },
      { id: "docs:few/b.md#more", concepts: [], density: 0 },
    ]);
    const many = await sections("many");
    expect(many.length).toBe(100);
    const bare = many.filter(({ density }) => density === 0).map(({ id }) => id);
    const order = bare.slice(1).map((id) => Number(/\d+$/.exec(id)?.[0]));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(many.slice(-bare.length).map(({ id }) => id)).toEqual(bare);
    expect(bare.length).toBeGreaterThanOrEqual(94);
  });

  it("holds the limit for each list, and cuts a larger one with a note", async () => {
    const { documents, concepts, chunks } = await search({ category: ARCHITECTURE, include_chunks: true, limit: 2 });
    expect([documents.length, concepts.length, chunks?.length]).toEqual([2, 2, 2]);
    const { json } = await served.ask("category_search", { category: ARCHITECTURE, limit: 1000, max_tokens: 6000 });
    expect(json.notes).toEqual(["limit 1000 was cut to 100, the maximum."]);
  });

  it("says so where a category has nothing", async () => {
    const { json } = await served.ask("category_search", { category: "healthcare" });
    expect(json).toMatchObject({
      category: { name: "healthcare", description: "Nothing about it yet" },
      statistics: { totalDocuments: 0, totalChunks: 0, totalConcepts: 0 },
      message: expect.stringContaining("No documents"),
    });
  });

  it("offers the nearest names for an unknown one, as an error", async () => {
    const { json, isError } = await served.ask("category_search", { category: "sofware design" });
    expect(isError).toBe(true);
    expect(json).toMatchObject({
      error: "Category not found: sofware design",
      suggestion: expect.stringContaining("list_categories"),
      didYouMean: [ARCHITECTURE],
    });
  });

  it.each(["\u0000", "__proto__", "constructor", "\u202Ex", "x".repeat(900), "🦜"])(
    "answers %j in words",
    async (category) => {
      const { isError, text } = await served.ask("category_search", { category });
      expect(isError).toBe(true);
      expect(text).toMatch(/Category not found|empty/);
    },
  );

  it.each([{ limit: 0 }, { limit: -1 }, { limit: 1.5 }, { limit: "many" }, { category: "" }, { includeChilds: true }])(
    "refuses %j",
    async (given) => {
      expect((await served.ask("category_search", { category: ARCHITECTURE, ...given })).isError).toBe(true);
    },
  );
});

describe("list_categories", () => {
  it("sorts by each order, ties by name", async () => {
    const names = async (sort_by: string): Promise<string[]> => {
      const { json } = await served.ask("list_categories", { sort_by });
      return (json as { categories: { name: string }[] }).categories.map(({ name }) => name);
    };
    expect(await names("name")).toEqual([
      "distributed systems",
      "docs",
      "healthcare",
      "learning",
      "machine learning",
      "microservices",
      ARCHITECTURE,
      "software engineering",
    ]);
    expect((await names("documentCount")).slice(0, 4)).toEqual([
      "microservices",
      ARCHITECTURE,
      "learning",
      "machine learning",
    ]);
    // What somebody called a category comes first, by documents.
    expect(await names("popularity")).toEqual([
      ARCHITECTURE,
      "machine learning",
      "distributed systems",
      "healthcare",
      "software engineering",
      "microservices",
      "learning",
      "docs",
    ]);
    expect((await names("chunkCount")).slice(-2)).toEqual(["healthcare", "software engineering"]);
  });

  it("gives counts of all that match, not of what is shown", async () => {
    const { json } = await served.ask("list_categories", { filter: "SOFTWARE", limit: 1, includeHierarchy: true });
    expect(json).toMatchObject({
      totalCategories: 2,
      returnedCategories: 1,
      categories: [
        {
          id: "5",
          statistics: { documentCount: 4, chunkCount: 9 },
          hierarchy: { parent: "software engineering", children: [], depth: 1 },
        },
      ],
      aggregateStats: {
        totalDocuments: 4,
        totalChunks: 9,
        averageDocsPerCategory: 2,
        averageChunksPerCategory: 4.5,
        mostPopularCategory: ARCHITECTURE,
        leastPopularCategory: "software engineering",
      },
    });
  });

  it("speaks of one document where the average is one", async () => {
    const { text } = await served.ask("list_categories", { filter: "distributed", format: "text" });
    expect(text).toContain("; 1 document and 2 sections a category.");
  });

  it("gives zeros and null where nothing matches", async () => {
    const { json } = await served.ask("list_categories", { filter: "zebra" });
    expect(json).toMatchObject({
      totalCategories: 0,
      returnedCategories: 0,
      categories: [],
      aggregateStats: {
        totalDocuments: 0,
        totalChunks: 0,
        totalConcepts: 0,
        averageDocsPerCategory: 0,
        averageChunksPerCategory: 0,
        mostPopularCategory: null,
        leastPopularCategory: null,
      },
    });
  });
});

describe("list_concepts_in_category", () => {
  interface Listed {
    readonly statistics: { totalDocuments: number; totalConcepts: number; averageConceptsPerDocument: number };
    readonly concepts: readonly {
      id: string;
      name: string;
      documentCount: number;
      totalDocumentCount: number;
      weight: number;
    }[];
  }
  const list = async (given: Readonly<Record<string, unknown>>): Promise<Listed> =>
    (await served.ask("list_concepts_in_category", { max_tokens: 6000, ...given })).json as unknown as Listed;

  it("counts documents in the category and everywhere", async () => {
    const { statistics, concepts } = await list({ category: "distributed systems" });
    expect(statistics.totalDocuments).toBe(1);
    expect(statistics.totalConcepts).toBe(concepts.length);
    expect(statistics.averageConceptsPerDocument).toBe(concepts.length);
    const sourcing = concepts.find(({ name }) => name.toLowerCase() === "event sourcing");
    expect(sourcing).toMatchObject({ id: "event-sourcing", documentCount: 1, totalDocumentCount: 2 });
  });

  it("sorts before it cuts", async () => {
    const all = (await list({ category: ARCHITECTURE, sortBy: "name" })).concepts.map(({ name }) => name);
    expect(all).toEqual([...all].sort((a, b) => a.localeCompare(b, "en")));
    const first = (await list({ category: ARCHITECTURE, sortBy: "documentCount", limit: 1 })).concepts[0];
    const most = Math.max(
      ...(await list({ category: ARCHITECTURE })).concepts.map(({ documentCount }) => documentCount),
    );
    expect(first?.documentCount).toBe(most);
    expect((await list({ category: ARCHITECTURE, sort_by: "weight" })).concepts.map(({ weight }) => weight)).toEqual(
      (await list({ category: ARCHITECTURE })).concepts.map(({ weight }) => weight).sort((a, b) => b - a),
    );
  });

  it("gives zeros for a category without documents", async () => {
    const { statistics, concepts } = await list({ category: "healthcare" });
    expect(statistics).toEqual({ totalDocuments: 0, totalConcepts: 0, averageConceptsPerDocument: 0 });
    expect(concepts).toEqual([]);
  });

  it("gives the concepts of one document, by id or path", async () => {
    const { json, waves } = await served.ask("extract_concepts", { document_query: "microservices/sagas.md" });
    expect(json).toMatchObject({ document: { id: "docs:microservices/sagas.md" }, statistics: { totalDocuments: 1 } });
    expect(waves).toBeLessThanOrEqual(2);
    expect((await list({ doc_id: "docs:microservices/sagas.md" })).concepts.map(({ name }) => name)).toContain(
      "saga pattern",
    );
  });

  it("takes category or doc_id, and names the nearest of what is unknown", async () => {
    for (const given of [{}, { category: ARCHITECTURE, doc_id: "plain.md" }]) {
      expect((await served.ask("list_concepts_in_category", given)).text).toContain("exactly one of them");
    }
    expect((await served.ask("list_concepts_in_category", { doc_id: "plan.md" })).text).toContain("docs:plain.md");
    expect((await served.ask("list_concepts_in_category", { category: "mashine learning" })).json).toMatchObject({
      didYouMean: expect.arrayContaining(["machine learning"]),
    });
  });
});

describe("concept_search", () => {
  it.each(["gradient descent", "Gradient-Descent", "gradient-descent"])(
    "finds where %j is explained",
    async (concept) => {
      const { json } = await served.ask("concept_search", { concept });
      expect(json).toMatchObject({
        concept: { id: "gradient-descent", documentCount: 2 },
        documents: [
          { source: "docs:learning/gradient.md", section: { id: "docs:learning/gradient.md" } },
          { source: "docs:learning/networks.md" },
        ],
      });
    },
  );

  it("knows an acronym by what it stands for, and says that", async () => {
    for (const concept of ["CQRS", "command query responsibility segregation"]) {
      const { json } = await served.ask("concept_search", { concept });
      expect(json).toMatchObject({
        concept: { name: "CQRS (Command Query Responsibility Segregation)", type: "acronym", id: "cqrs" },
      });
    }
  });

  it("leads to the section whose heading names it", async () => {
    const { json } = await served.ask("concept_search", { concept: "circuit breakers" });
    expect((json as { documents: { section: { id: string } }[] }).documents.map(({ section }) => section.id)).toContain(
      "docs:microservices/mesh.md#circuit-breaker",
    );
  });

  it("weighs a concept the same in every answer, and says how relevant it is where", async () => {
    const concept = "gradient descent";
    const { json } = await served.ask("concept_search", { concept });
    const { concept: whole, documents } = json as unknown as {
      concept: { weight: number };
      documents: { source: string; relevance: number }[];
    };
    const named = <T extends { name: string }>(list: readonly T[]): T | undefined =>
      list.find(({ name }) => name.toLowerCase() === concept);
    const ofCategory = named((await search({ category: "machine learning", limit: 100 })).concepts);
    const listed = async (given: Readonly<Record<string, unknown>>) =>
      named(
        (await served.ask("list_concepts_in_category", given)).json["concepts"] as NonNullable<typeof ofCategory>[],
      );
    const ofList = await listed({ category: "machine learning" });
    const [{ source, relevance } = { source: "", relevance: 0 }] = documents;
    const ofDocument = await listed({ doc_id: source });
    expect([ofCategory, ofList, ofDocument].map((one) => one?.weight)).toEqual([1, 2, 3].map(() => whole.weight));
    expect(ofDocument?.relevance).toBe(relevance);
    expect(ofList?.relevance).toBe(ofCategory?.relevance);
  });

  it("offers the nearest names for an unknown one", async () => {
    const { text, isError, waves } = await served.ask("concept_search", {
      concept: "gradiant descend",
      format: "text",
    });
    expect(isError).toBe(true);
    expect(text.toLowerCase()).toContain("did you mean: gradient descent");
    expect(waves).toBeLessThanOrEqual(2);
  });
});

describe("lists", () => {
  const DOCUMENTS = 230;
  const NAMES = ["Zebra things", "apple things", "Äpfel things", "part 10", "part 9"];
  let many: ServedFolder;
  beforeAll(async () => {
    await mkdir(join(dir, "many"), { recursive: true });
    const page = (at: number): string =>
      `---\ncategory: ${at < NAMES.length ? NAMES[at] : `shelf ${at}`}\n---\n# Page ${at}\n\n` +
      `River delta, river delta.\n\n## Copper w${at}x\n\nText.\n`;
    many = await serveFiles(
      Object.fromEntries(Array.from({ length: DOCUMENTS }, (_, at) => [`p/${at}.md`, page(at)])),
      join(dir, "many"),
    );
  });

  it.each([
    ["list_categories", { limit: 200 }, "categories", DOCUMENTS + 2],
    ["list_concepts_in_category", { category: "p", limit: 200 }, "concepts", DOCUMENTS + 1],
    ["concept_search", { concept: "river delta", limit: 100 }, "documents", DOCUMENTS],
    ["category_search", { category: "p", limit: 20 }, "documents", DOCUMENTS],
  ] as const)(
    "of %s go on behind their longest page, to the end, each entry once",
    async (tool, given, list, wanted) => {
      const found = new Set<string>();
      let cursor: string | undefined;
      let pages = 0;
      do {
        const { json, isError, text } = await many.ask(tool, {
          ...{ ...given, max_tokens: 20_000 },
          ...(cursor !== undefined && { cursor }),
        });
        expect(isError, text).toBe(false);
        const entries = json[list] as readonly { readonly id?: string; readonly source?: string }[];
        for (const entry of entries) {
          const id = entry.id ?? entry.source ?? "";
          expect(found).not.toContain(id);
          found.add(id);
        }
        cursor = json["nextCursor"] as string | undefined;
        pages++;
      } while (cursor !== undefined && pages < 20);
      expect(found.size).toBe(wanted);
      expect(pages).toBeGreaterThan(1);
    },
  );

  it("say where what they count together is cut", async () => {
    const page = (at: number): string =>
      `---\ncategory: ${at % 2 === 0 ? "even" : "odd"}\n---\n# Page ${at}\n\n${[0, 1, 2].map((n) => `## Copper w${at}x${n}\n\nText.\n`).join("\n")}`;
    const pages = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`p/${at}.md`, page(at)]));
    const { ask } = await serveFiles(pages);
    const noteOf = async (given: object): Promise<string> =>
      (await ask("list_categories", { ...given, format: "text" })).text.match(/Concepts together[^\n]*/)?.[0] ?? "";
    expect(await noteOf({ filter: "even" })).toBe(
      "Concepts together are those that categories list, 400 at most each; there may be more.",
    );
    expect(await noteOf({})).toBe("");
    expect(await noteOf({ filter: "docs" })).toBe("");
    const { json } = await ask("list_categories", { filter: "even" });
    expect(json["categories"]).toMatchObject([{ statistics: { conceptCount: 450 } }]);
  });

  it("are in the order in which people look names up", async () => {
    const { json } = await many.ask("list_categories", { sort_by: "name", limit: 10 });
    const named = (json["categories"] as { name: string }[]).map(({ name }) => name);
    expect(named.slice(0, 5)).toEqual(["Äpfel things", "apple things", "docs", "p", "part 9"]);
    const listed = await many.ask("list_categories", { filter: "things" });
    expect((listed.json["categories"] as { name: string }[]).map(({ name }) => name)).toEqual([
      "Äpfel things",
      "apple things",
      "Zebra things",
    ]);
  });
});

describe("an index for several groups", () => {
  it("shows each caller the categories of what he may read, and adds them up for who sees both", async () => {
    const team = await serveFiles({
      "treeline.config.json": JSON.stringify({
        collections: [
          { name: "docs", root: "microservices" },
          { name: "secret", root: "learning", access: "team" },
        ],
      }),
      ...Object.fromEntries(Object.entries(LIBRARY).filter(([path]) => path !== "plain.md")),
      "learning/mesh.md":
        "---\ncategory: software architecture\n---\n# Service mesh\n\nA service mesh in a service mesh.\n",
    });
    const namesFor = async (groups: readonly string[] | "all"): Promise<string[]> => {
      const { json } = await team.ask("list_categories", { sort_by: "name" }, groups);
      return (json as { categories: { name: string }[] }).categories.map(({ name }) => name);
    };
    expect(await namesFor(["public"])).toEqual(["distributed systems", "docs", ARCHITECTURE, "software engineering"]);
    expect(await namesFor(["team"])).toEqual(["machine learning", "secret", ARCHITECTURE, "software engineering"]);
    const count = async (groups: readonly string[] | "all"): Promise<unknown> =>
      (await team.ask("category_search", { category: ARCHITECTURE }, groups)).json.statistics;
    expect(await count(["public"])).toMatchObject({ totalDocuments: 4 });
    expect(await count("all")).toMatchObject({ totalDocuments: 5, totalChunks: 10 });
    expect((await team.ask("concept_search", { concept: "gradient descent" }, ["public"])).isError).toBe(true);
  });
});
