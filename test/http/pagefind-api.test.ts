import { beforeAll, describe, expect, it } from "vitest";
import { answerPagefind } from "../../src/http/pagefind-api.ts";
import { type BuiltIndex, buildPages } from "../support/build-index.ts";
import { BASE, pageServicesOf } from "../support/http-services.ts";

const FIND = { filter: {}, added: {}, language: "en", withCounts: false, ranking: {}, typing: true };

const long = "x".repeat(201);
const list = (length: number, entry: unknown): unknown[] => Array.from({ length }, () => entry);
const find = (change: object): string => JSON.stringify({ find: { ...FIND, ...change } });

describe("a question of pagefind.js", () => {
  let index: BuiltIndex;
  let generation = "";

  beforeAll(async () => {
    index = await buildPages({ "linux.md": "# Linux\n\nInstall it.\n" });
    generation = (await index.open()).reader.generation.id;
  });

  const read = (change: object): string =>
    JSON.stringify({ read: { generation, keys: ["0.0"], terms: [["linux", 2.5]], ...change } });

  async function ask(question: string): Promise<{ status: number; error: string; example: string }> {
    const request = new Request(`${BASE}/pagefind/pages?ask=${encodeURIComponent(question)}`);
    const response = await answerPagefind(request, pageServicesOf(await index.open()));
    return { status: response.status, ...((await response.json()) as { error: string; example: string }) };
  }

  it.each([
    () => JSON.stringify({ count: { added: { site: ["a", "b"] }, language: "" } }),
    () => find({}),
    () =>
      find({ query: "a", filter: { not: { a: "b" } }, sort: { key: "k", descending: true }, ranking: { bm25_b: 0 } }),
    () => find({ language: long.slice(1), ranking: { bm25_b: 1 } }),
    () => read({}),
    () => read({ keys: list(20, "0.0"), terms: list(500, ["a", 0]) }),
  ])("is answered, at its bounds too (%#)", async (question) => {
    expect(await ask(question())).toMatchObject({ status: 200 });
  });

  it.each([
    ["", "ask is missing"],
    ["{", "ask must be JSON"],
    ["[]", "ask: "],
    ["null", "ask: "],
    ["{}", "ask: must have one member: count, find or read"],
    [
      '{"count":{"added":{},"language":""},"read":{"generation":"g","keys":["0.0"],"terms":[]}}',
      "must have one member",
    ],
    ['{"serach":{}}', 'ask: Unrecognized key: "serach"'],
    ['{"count":3}', "ask.count: "],
    ['{"count":{"language":""}}', "ask.count.added: "],
    [`{"count":{"added":{},"language":"${long}"}}`, "ask.count.language: "],
    ['{"count":{"added":{"a":"b"},"language":""}}', "ask.count.added.a: "],
    [`{"count":{"added":{"${long}":[]},"language":""}}`, "ask.count.added"],
    [`{"count":${"[".repeat(2000)}${"]".repeat(2000)}}`, "ask.count: "],
    [find({ query: 3 }), "ask.find.query: "],
    [find({ query: "x".repeat(5000) }), "ask.find.query: "],
    [find({ added: Object.fromEntries(list(21, 0).map((_, at) => [at, []])) }), "must have at most 20 facets"],
    [find({ added: { a: list(21, "b") } }), "ask.find.added.a: "],
    [find({ sort: "date" }), "ask.find.sort: "],
    [find({ sort: { key: "date" } }), "ask.find.sort.descending: "],
    [find({ withCounts: 1 }), "ask.find.withCounts: "],
    [find({ ranking: { bm25_b: 1.1 } }), "ask.find.ranking.bm25_b: "],
    [find({ ranking: { bm25_c: 1 } }), 'ask.find.ranking: Unrecognized key: "bm25_c"'],
    [find({ typing: undefined }), "ask.find.typing: "],
    ['{"read":{"generation":"g","keys":[],"terms":[]}}', "ask.read.keys: "],
    ['{"read":{"generation":"g","keys":[{}],"terms":[]}}', "ask.read.keys.0: "],
    ['{"read":{"generation":"g","keys":["0.0"],"terms":[["a"]]}}', "ask.read.terms.0"],
    ['{"read":{"generation":"g","keys":["0.0"],"terms":[["a",1e999]]}}', "ask.read.terms.0.1: "],
  ])("is refused: %s", async (question, problem) => {
    const { status, error, example } = await ask(question);
    expect({ status, error }).toEqual({ status: 400, error: expect.stringContaining(problem) });
    expect(error.length).toBeLessThan(400);
    expect(await ask(example.replace(/^.*ask=/, ""))).toMatchObject({ status: 200 });
  });
});
