import { describe, expect, it } from "vitest";
import { InputError } from "../../src/core/errors.ts";
import { readPagefindQuestion } from "../../src/http/read-pagefind.ts";

const FIND = { filter: {}, added: {}, language: "en", withCounts: false, ranking: {}, typing: true };
const READ = { generation: "g", keys: ["0.1"], terms: [["linux", 2.5]] };

const long = "x".repeat(201);
const list = (length: number, entry: unknown): unknown[] => Array.from({ length }, () => entry);
const find = (change: object): string => JSON.stringify({ find: { ...FIND, ...change } });
const read = (change: object): string => JSON.stringify({ read: { ...READ, ...change } });

describe("readPagefindQuestion", () => {
  it("reads each kind of question", () => {
    const count = { added: { site: ["a", "b"] }, language: "" };
    expect(readPagefindQuestion(JSON.stringify({ count }))).toEqual({ count });
    expect(readPagefindQuestion(find({}))).toEqual({ find: { ...FIND, query: undefined, sort: undefined } });
    const all = {
      query: "a",
      filter: { not: { a: "b" } },
      sort: { key: "k", descending: true },
      ranking: { bm25_b: 0 },
    };
    expect(readPagefindQuestion(find(all))).toEqual({ find: { ...FIND, ...all } });
    expect(readPagefindQuestion(read({}))).toEqual({ read: READ });
  });

  it("takes whatever stands at a bound", () => {
    expect(() => readPagefindQuestion(find({ language: long.slice(1), ranking: { bm25_b: 1 } }))).not.toThrow();
    expect(() => readPagefindQuestion(read({ keys: list(20, "0.0"), terms: list(500, ["a", 0]) }))).not.toThrow();
  });

  it.each([
    ["", "ask is missing"],
    ["{", 'ask must be JSON; got "{"'],
    ["[]", "ask must be an object; got a list of 0"],
    ["null", "ask must be an object; got null"],
    ["{}", "ask must be an object with one member: count, find or read"],
    ['{"count":{"added":{},"language":""},"find":{}}', "ask must be an object with one member"],
    ['{"serach":{}}', 'ask has no member "serach"; it has count, find, read'],
    ['{"count":3}', "ask.count must be an object; got 3"],
    ['{"count":{"language":""}}', "ask.count.added must be an object"],
    [`{"count":{"added":{},"language":"${long}"}}`, "ask.count.language must be a text of at most 200 characters"],
    ['{"count":{"added":{"a":"b"},"language":""}}', 'ask.count.added.a must be a list of at most 20 entries; got "b"'],
    [`{"count":{"added":{"${long}":[]},"language":""}}`, "a name in ask.count.added must be a text"],
    [find({ query: 3 }), "ask.find.query must be a text of at most"],
    [find({ query: "x".repeat(100_000) }), "ask.find.query must be a text of at most"],
    [find({ added: Object.fromEntries(list(21, 0).map((_, at) => [at, []])) }), "an object of at most 20 facets"],
    [find({ added: { a: list(21, "b") } }), "ask.find.added.a must be a list of at most 20 entries; got a list of 21"],
    [find({ sort: "date" }), "ask.find.sort must be an object"],
    [find({ sort: { key: "date" } }), "ask.find.sort.descending must be true or false"],
    [find({ withCounts: 1 }), "ask.find.withCounts must be true or false; got 1"],
    [find({ ranking: { bm25_b: 1.1 } }), "ask.find.ranking.bm25_b must be a number from 0 to 1; got 1.1"],
    [find({ ranking: { bm25_b: "1" } }), "ask.find.ranking.bm25_b must be a number"],
    [find({ ranking: { bm25_c: 1 } }), 'ask.find.ranking has no member "bm25_c"'],
    [find({ typing: undefined }), "ask.find.typing must be true or false."],
    [read({ keys: [] }), "ask.read.keys must be a list of one key or more"],
    [read({ keys: list(21, "0.0") }), "ask.read.keys must be a list of at most 20 entries"],
    [read({ keys: [{}] }), "ask.read.keys[0] must be a text of at most 200 characters; got an object"],
    [read({ terms: list(501, ["a", 1]) }), "ask.read.terms must be a list of at most 500 entries"],
    [read({ terms: [["a"]] }), "ask.read.terms[0] must be a term and its weight"],
    [read({ terms: [["a", 1, 2]] }), "ask.read.terms[0] must be a list of at most 2 entries"],
    ['{"read":{"generation":"g","keys":["0.0"],"terms":[["a",1e999]]}}', "ask.read.terms[0][1] must be a number"],
  ])("says of %s what is wrong", (json, message) => {
    const read = (): unknown => readPagefindQuestion(json);
    expect(read).toThrow(InputError);
    expect(read).toThrow(message);
  });

  it("gives a question that works with each error", () => {
    const error = ((): unknown => {
      try {
        return readPagefindQuestion("[[");
      } catch (thrown) {
        return thrown;
      }
    })() as InputError;
    expect(error.example).toMatch(/^\/pagefind\/pages\?ask=/);
    expect(() => readPagefindQuestion(error.example?.replace(/^.*ask=/, "") ?? "")).not.toThrow();
  });

  it("names values that are nested without end in a few words", () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    expect(() => readPagefindQuestion(`{"count":${deep}}`)).toThrow("ask.count must be an object; got a list of 1");
  });
});
