/**
 * From a question to the passage by way of categories, as an agent goes it, with a real client against a real server: the
 * example calls and both workflows of tools of this kind, under the names that these give them.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCorpus } from "../../indexer/index/build.ts";
import { writeFiles } from "../support/temporary-folder.ts";
import { LIBRARY } from "../support/topic-pages.ts";
import { type RunningWorker, startWorker } from "../support/workerd.ts";

let dir: string;
let server: RunningWorker;
let client: Client;

interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

async function call(name: string, given: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  const result = await client.callTool({ name, arguments: { ...given } });
  const text = (result.content as { text: string }[]).map((block) => block.text).join("\n");
  return { text, isError: result.isError === true };
}

describe("categories", () => {
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "treeline-categories-"));
    await writeFiles(join(dir, "pages"), LIBRARY);
    await buildCorpus({ dir: join(dir, "pages"), outDir: join(dir, "index") });
    server = await startWorker();
    await server.publish("", join(dir, "index"));
    client = new Client({ name: "treeline-tests", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp?tools=categories`)));
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it("are listed for who asks for them", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["list_categories", "category_search", "list_concepts_in_category", "concept_search"]),
    );
  });

  it("lead research from the list over a category to the passage", async () => {
    const listed = await call("list_categories");
    expect(listed.text).toContain("software architecture [5]: 4 documents");
    const found = await call("category_search", { category: "software architecture" });
    const source = /^(docs:\S+) \(\d+ sections?\)/m.exec(found.text)?.[1] ?? "";
    expect(source).toBe("docs:microservices/gateway.md");
    const passages = await call("chunks_search", { text: "API gateway", source });
    expect(passages.isError).toBe(false);
    expect(passages.text).toContain("single door");
  });

  it("lead discovery from an alias over its documents to what matters in one", async () => {
    const found = await call("category_search", { category: "ML", includeChildren: true });
    expect(found.text).toContain("Category machine learning: 2 documents");
    const source = /^(docs:\S+) \(/m.exec(found.text)?.[1] ?? "";
    const concepts = await call("extract_concepts", { document_query: source });
    expect(concepts.isError, concepts.text).toBe(false);
    expect(concepts.text.toLowerCase()).toContain("gradient descent");
  });

  it.each([
    ["list_categories", { sortBy: "popularity", limit: 20 }],
    ["list_categories", { sortBy: "popularity", limit: 10 }],
    ["list_categories", { sortBy: "name", limit: 50 }],
    ["list_categories", { filter: "software", sortBy: "documentCount" }],
    ["list_categories", { includeHierarchy: true, sortBy: "name" }],
    ["category_search", { category: "software architecture" }],
    ["category_search", { category: "software engineering", includeChildren: true, limit: 5 }],
    ["category_search", { category: "ML", includeChunks: true }],
    ["category_search", { category: "distributed systems", limit: 50 }],
    ["category_search", { category: "software engineering", limit: 10 }],
    ["category_search", { category: "5" }],
    ["list_concepts_in_category", { category: "software engineering", sortBy: "documentCount", limit: 20 }],
    ["list_concepts_in_category", { category: "machine learning", sortBy: "name", limit: 100 }],
    ["list_concepts_in_category", { category: "healthcare", sortBy: "weight", limit: 30 }],
    ["list_concepts_in_category", { category: "software engineering", limit: 50 }],
    ["concept_search", { concept: "API gateway" }],
    ["catalog_search", { text: "API gateway", limit: 5 }],
  ])("answer %s %j", async (name, given) => {
    const { isError, text } = await call(name, given);
    expect(isError, text).toBe(false);
  });
});
