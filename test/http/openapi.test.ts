import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { makeOpenApi } from "../../src/http/api/make-document.ts";
import { components, describedRoutes } from "../../src/http/api/routes.ts";
import { answerOpenApi } from "../../src/http/page-files.ts";
import { SEARCH_PARAMETERS } from "../../src/http/search-api.ts";
import { readParameters } from "../../src/surface/parameters.ts";

const document = makeOpenApi();
/** The document as a deployment has it. */
const assets = { fetch: async () => Response.json(document) };

/** All members of a value that have a name, at any depth. */
function membersNamed(name: string, value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...(key === name ? [member] : []),
    ...membersNamed(name, member),
  ]);
}

function resolve(reference: string): unknown {
  return reference
    .split("/")
    .slice(1)
    .reduce<unknown>((value, name) => Reflect.get(Object(value), name.replaceAll("~1", "/")), document);
}

describe("the OpenAPI document", () => {
  it("is what schemas/openapi.json holds; `npm run test:unit -- openapi -u` writes it anew", async () => {
    await expect(`${JSON.stringify(document, undefined, 2)}\n`).toMatchFileSnapshot("../../schemas/openapi.json");
  });

  it("is valid", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it("refers to nothing that is not there, and holds nothing that is not referred to", () => {
    const references = membersNamed("$ref", document).map(String);
    expect(references.length).toBeGreaterThan(50);
    for (const reference of references) expect(resolve(reference), reference).toBeTypeOf("object");
    const held = Object.entries(Object(document.components)).flatMap(([kind, members]) =>
      kind === "securitySchemes" ? [] : Object.keys(Object(members)).map((name) => `#/components/${kind}/${name}`),
    );
    expect(held.filter((one) => !references.includes(one))).toEqual([]);
  });

  it("names each operation once", () => {
    const names = describedRoutes.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(describedRoutes.map(({ method, path }) => `${method} ${path}`)).size).toBe(names.length);
  });

  it("describes what the caller fills into each address", () => {
    for (const { path, filledIn } of describedRoutes) {
      expect(path.match(/\{\w+\}/g) ?? [], path).toHaveLength(filledIn === undefined ? 0 : 1);
    }
  });

  it.each(
    describedRoutes.flatMap(({ operationId, body }) => (body === undefined ? [] : [[operationId, body] as const])),
  )("has an example that fits: %s", (_, { schema, example }) => {
    expect(schema.safeParse(example).error).toBeUndefined();
  });

  it("says of each schema what it is", () => {
    for (const [id, schema] of Object.entries(Object(resolve("#/components/schemas")))) {
      expect(Object(schema).description, id).toMatch(/\.$/);
    }
    expect(Object.keys(z.toJSONSchema(components).schemas).length).toBeGreaterThan(20);
  });

  it("shows bounds and defaults that the route keeps to", () => {
    const [{ parameters }] = [resolve("#/paths/~1search/get")] as [{ parameters: { name: string; schema: object }[] }];
    const schemaOf = (name: string) => parameters.find((one) => one.name === name)?.schema;
    expect(schemaOf("limit")).toEqual({ type: "integer", minimum: 1, maximum: 50, default: 10 });
    const read = (text: string) => readParameters(new URLSearchParams(text), SEARCH_PARAMETERS, [], "/search");
    expect(read("q=a")).toMatchObject({ limit: 10 });
    expect(read("q=a&limit=51")).toMatchObject({ limit: 50 });
    expect(() => read("q=a&limit=0")).toThrow("from 1 to 50");
  });

  it("describes the list of corpora at the root alone, as it is answered", async () => {
    const pathsAt = async (base: string): Promise<string[]> => {
      const response = await answerOpenApi(new Request(`${base}/openapi.json`), { ASSETS: assets }, base, false);
      return Object.keys(((await response.json()) as { paths: object }).paths);
    };
    const atRoot = await pathsAt("https://docs.example");
    expect(atRoot).toContain("/corpora");
    expect(await pathsAt("https://docs.example/v2")).toEqual(atRoot.filter((path) => path !== "/corpora"));
  });
});
