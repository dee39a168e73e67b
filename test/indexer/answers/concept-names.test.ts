/** Names of concepts that the tools give lead back to their concepts. */
import { describe, expect, it } from "vitest";
import handbook from "../../fixtures/handbook-index.json" with { type: "json" };
import nodes from "../../fixtures/nodes-index.json" with { type: "json" };
import workshop from "../../fixtures/workshop-index.json" with { type: "json" };
import { serveIndex } from "../../mcp/tools/serve-index.ts";
import { serveFiles } from "../../support/serve-folder.ts";
import { LIBRARY } from "../../support/topic-pages.ts";

type Ask = (tool: string, given: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, unknown>>>;

const INDEXES: readonly (readonly [string, () => Promise<Ask>])[] = [
  ["handbook", async () => (await serveIndex(handbook)).askJson],
  ["nodes", async () => (await serveIndex(nodes)).askJson],
  ["workshop", async () => (await serveIndex(workshop)).askJson],
  [
    "library",
    async () => {
      const { ask } = await serveFiles(LIBRARY);
      return async (tool, given) => (await ask(tool, given)).json;
    },
  ],
];

/** Names of all concepts that lists of an index show, each with the id that goes with it. */
async function listNames(ask: Ask): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const { categories } = (await ask("list_categories", { limit: 200, max_tokens: 6000 })) as {
    categories: readonly { readonly name: string }[];
  };
  for (const { name: category } of categories) {
    const given = { category, limit: 100, max_tokens: 6000 };
    const listed = (await ask("list_concepts_in_category", given)) as {
      concepts?: readonly {
        readonly id: string;
        readonly name: string;
        readonly relatedConcepts?: readonly string[];
      }[];
    };
    for (const { id, name } of listed.concepts ?? []) names.set(name, id);
  }
  return names;
}

describe("concept_search", () => {
  it.each(INDEXES)("finds every concept that lists of %s name, by its name and its id", async (_, open) => {
    const ask = await open();
    const names = await listNames(ask);
    expect(names.size).toBeGreaterThan(0);
    for (const [name, id] of names) {
      for (const concept of [name, id]) {
        const found = (await ask("concept_search", { concept })) as { concept?: unknown };
        expect(found.concept, concept).toMatchObject({ id, name });
      }
    }
  });

  it("finds an acronym with its expansion, and what it is near to", async () => {
    const { ask } = await serveFiles(LIBRARY);
    const [{ concept }, bare] = [
      (await ask("concept_search", { concept: "CQRS (Command Query Responsibility Segregation)" })).json as {
        concept: { id: string; relatedConcepts: string[] };
      },
      (await ask("concept_search", { concept: "cqrs" })).json,
    ];
    expect(concept).toMatchObject({ id: "cqrs" });
    expect({ concept }).toEqual({ concept: bare["concept"] });
    for (const name of concept.relatedConcepts) {
      expect((await ask("concept_search", { concept: name })).json, name).toMatchObject({ concept: { name } });
    }
  });
});
