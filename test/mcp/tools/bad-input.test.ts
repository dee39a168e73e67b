import { describe, expect, it } from "vitest";
import { ask, askJson } from "./handbook.ts";

const INSTALL = "docs:guide/install.md";

/** A call that works, for each tool with a limit. */
const LIMITED = [
  { tool: "search_documents", given: { query: "lamp" }, maximum: 50 },
  { tool: "list_documents", given: {}, maximum: 100 },
  { tool: "find_similar", given: { content: "Use the package manager to install the server." }, maximum: 20 },
  { tool: "grep_documents", given: { pattern: "lamp" }, maximum: 200 },
];
/** Those of them with further pages. */
const PAGED = LIMITED.filter(({ tool }) => tool !== "find_similar");

describe("limits", () => {
  for (const { tool, given, maximum } of LIMITED) {
    it.each([0, -1, 2.5, "abc", "0", [], {}, true])(`of ${tool} are refused in words: %j`, async (limit) => {
      const { isError, text } = await ask(tool, { ...given, limit });
      expect(isError).toBe(true);
      expect(text).toContain(`limit must be a whole number from 1 to ${maximum}`);
      expect(text).toContain(`Example: ${tool}(`);
    });

    it.each([1e9, maximum + 1, String(maximum + 1)])(
      `of ${tool} above the maximum are cut to it: %j`,
      async (limit) => {
        const { isError, text } = await ask(tool, { ...given, limit });
        expect(isError).toBe(false);
        expect(text).toContain(`limit ${limit} was cut to ${maximum}, the maximum.`);
      },
    );
  }

  it("of excerpts may be 0: titles and ids alone", async () => {
    const { texts } = await ask("search_documents", { query: "proxy", excerpts: 0 });
    expect(texts[1]).toMatch(/^docs:guide\/install\.md \(1 section\) .*\n {2}#n2$/);
    expect((await ask("search_documents", { query: "proxy", excerpts: -1 })).isError).toBe(true);
  });
});

describe("arguments", () => {
  it.each([
    ["search_documents", {}, "search_documents needs query."],
    ["search_documents", { query: 7 }, "query must be a text"],
    ["search_documents", { query: "a", filters: "type" }, "filters must be an object"],
    ["search_documents", { query: "a", filters: { type: { a: 1 } } }, 'The filter "type" must be a text'],
    ["search_documents", { query: "a", include_content: "perhaps" }, "include_content must be true or false"],
    ["search_documents", { query: "a", sort: "date" }, "sort must be one of relevance, path, title, words"],
    ["search_documents", { query: "a", collection: "dogs" }, 'There is no collection "dogs".'],
    ["search_documents", { query: "a", doc_id: "nothing-like-it" }, 'There is no document "nothing-like-it".'],
    ["list_documents", { sort: "relevance" }, "sort must be one of path, title, words"],
    ["list_documents", { filters: { colour: "red" } }, 'There is no facet "colour".'],
    ["get_tree", { max_depth: 0 }, "max_depth must be a whole number of at least 1"],
    ["get_tree", { doc_id: INSTALL, path: "guide" }, "not both"],
    ["get_tree", { collection: "dogs" }, 'There is no collection "dogs".'],
    ["get_node_content", {}, "get_node_content needs node_ids"],
    ["get_node_content", { node_ids: [] }, "get_node_content needs node_ids"],
    ["inspect", { symbols: [] }, "symbols is an empty list; give at least one."],
    ["get_node_content", { node_ids: Array(11).fill(INSTALL) }, "node_ids has 11 entries; at most 10"],
    ["get_node_content", { node_ids: [3] }, "an entry of node_ids must be a text"],
    [
      "get_node_content",
      { node_ids: INSTALL, lines: "ten" },
      'lines must be a range of lines from 1 on, such as "10-40"',
    ],
    ["get_node_content", { node_ids: INSTALL, lines: "0-3" }, "lines must be a range"],
    ["get_node_content", { node_ids: INSTALL, lines: "9-3" }, "lines must be a range"],
    ["get_node_content", { node_ids: `${INSTALL}#linux`, lines: "1-5" }, `${INSTALL}#linux has lines 10-19`],
    ["navigate_tree", {}, "navigate_tree needs node_id"],
    ["navigate_tree", { node_id: INSTALL, direction: "up" }, "direction must be one of subtree, parent"],
    ["grep_documents", {}, "grep_documents needs pattern"],
    ["grep_documents", { pattern: "" }, "grep_documents needs pattern"],
    ["grep_documents", { pattern: " " }, "pattern is empty"],
    ["grep_documents", { pattern: "x".repeat(2001) }, "pattern has 2001 characters; at most 2000 are taken."],
    ["grep_documents", { pattern: "\ud800" }, "half a character"],
    ["grep_documents", { pattern: "(?<=a)b", regex: true }, "Look-around is not taken"],
    ["grep_documents", { pattern: "(a)\\1", regex: "true" }, "Back-references"],
    ["grep_documents", { pattern: "a{1000}{1000}", regex: true }, "more than 5,000 steps"],
    ["grep_documents", { pattern: "(", regex: true }, 'a "(" without its ")"'],
    ["grep_documents", { pattern: "a", regex: "maybe" }, "regex must be true or false"],
    ["grep_documents", { pattern: "a", context: -1 }, "context must be a whole number from 0 to 5"],
    ["grep_documents", { pattern: "a", collection: "dogs" }, 'There is no collection "dogs".'],
    ["grep_documents", { pattern: "a", path_glob: "{a" }, 'path_glob has a "{" without its "}"'],
    ["grep_documents", { pattern: "a", path_glob: "!a" }, "path_glob chooses files"],
    ["grep_documents", { pattern: "a", filters: { colour: "red" } }, 'There is no facet "colour".'],
    ["index_status", { format: "yaml" }, "format must be one of text, toon, json"],
  ])("that %s cannot take are named: %j", async (tool, given, message) => {
    const { isError, texts } = await ask(tool, given);
    expect(isError).toBe(true);
    expect(texts[0]).toContain(message);
    expect(texts.at(-1)).toBe("built at an unknown time, no commit");
  });

  it.each([
    ["search_documents", { query: "a", limt: 3 }, "limit"],
    ["search_documents", { query: "a", include_contents: true }, "include_content"],
    ["get_tree", { maxdept: 3 }, "max_depth"],
    ["get_node_content", { node_ids: INSTALL, line: "1" }, "lines"],
    ["navigate_tree", { node_id: INSTALL, directon: "next" }, "direction"],
    ["list_documents", { qery: "a" }, "query"],
    ["grep_documents", { pattern: "a", case_sensitiv: true }, "case_sensitive"],
  ])("that %s does not know are answered with the nearest: %j", async (tool, given, nearest) => {
    const { isError, text } = await ask(tool, given);
    expect(isError).toBe(true);
    expect(text).toContain("has no argument");
    expect(text).toContain(`Did you mean: ${nearest}`);
  });
});

describe("rankings", () => {
  it.each([
    [Number.NaN, "ranking must be a preset"],
    [7, "ranking must be a preset (api-reference, tutorials, mixed) or an object"],
    [true, "ranking must be a preset"],
    [[], "ranking must be a preset"],
    ["tutorial", "ranking must be one of the presets api-reference, tutorials, mixed"],
    ["{", "ranking must be one of the presets"],
    [{ preset: "fast" }, "ranking.preset must be one of the presets"],
    [{ titleWeigth: 2 }, 'ranking has no setting "titleWeigth"'],
    [{ __proto__: null, constructor: 1 }, 'ranking has no setting "constructor"'],
    [{ bm25_k1: Number.NaN }, "ranking.bm25_k1 must be a number from 0 to 10; got NaN"],
    [{ bm25_k1: Number.POSITIVE_INFINITY }, "ranking.bm25_k1 must be a number from 0 to 10; got Infinity"],
    [{ title_weight: -1 }, "ranking.title_weight must be a number from 0 to 100; got -1"],
    [{ bm25_b: 1.01 }, "ranking.bm25_b must be a number from 0 to 1; got 1.01"],
    [{ prefix_penalty: "much" }, 'ranking.prefix_penalty must be a number from 0 to 1; got "much"'],
    [{ code_weight: "" }, "ranking.code_weight must be a number"],
    [{ code_weight: [1] }, "ranking.code_weight must be a number"],
    ['{"codeWeight": 1e9}', "ranking.code_weight must be a number from 0 to 100"],
  ])("that cannot be are refused in words, with an example call: %j", async (ranking, message) => {
    const { isError, text } = await ask("search_documents", { query: "lamp", ranking });
    expect(isError).toBe(true);
    expect(text).toContain(message);
    expect(text).toContain("Example: search_documents(");
  });

  it("that are misspelt are answered with the nearest", async () => {
    const { text } = await ask("search_documents", { query: "lamp", ranking: { titel_weight: 2 } });
    expect(text).toContain("Did you mean: title_weight");
    expect((await ask("search_documents", { query: "lamp", ranking: "mixd" })).text).toContain("Did you mean: mixed");
  });

  it.each(["api-reference", "apiReference", { preset: "mixed", titleWeight: "4" }, '{"bm25_b": 0}', {}, ""])(
    "that can be are taken: %j",
    async (ranking) => {
      expect((await ask("search_documents", { query: "lamp", ranking })).isError).toBe(false);
    },
  );
});

describe("explain", () => {
  it.each([{}, [], 2, "perhaps"])("must be true or false: %j", async (explain) => {
    const { isError, text } = await ask("search_documents", { query: "lamp", explain });
    expect(isError).toBe(true);
    expect(text).toContain("explain must be true or false");
  });
});

describe("ids", () => {
  it.each([
    "../guide/install.md",
    "guide/../guide/install.md",
    "/guide/install.md",
    "C:\\guide\\install.md",
    "file:///guide/install.md",
    "https://example.org/docs/guide/install.md",
    "docs:/guide/install.md",
    "docs:../docs/guide/install.md",
    "guide/install",
    "install.md",
  ])("that name no document are answered with the nearest and an example: %s", async (id) => {
    for (const [tool, given] of [
      ["get_tree", { doc_id: id }],
      ["get_node_content", { node_ids: [id] }],
      ["navigate_tree", { node_id: id }],
      ["search_documents", { query: "lamp", doc_id: id }],
    ] as const) {
      const { isError, texts } = await ask(tool, given);
      expect(isError).toBe(true);
      expect(texts[0]).toContain("There is no document");
      expect(texts[0]).toContain(`Did you mean: ${INSTALL}`);
      expect(texts[0]).toMatch(new RegExp(`Example: ${tool}\\(.*${INSTALL}`));
    }
  });

  it.each(["..", "/", "guide/..", "../guide", "/guide", "guide/install.md/", "C:\\"])(
    "that name no folder are answered like any unknown one: %s",
    async (path) => {
      const { isError, text } = await ask("get_tree", { path });
      expect(isError).toBe(true);
      expect(text).toContain("There is no document and no folder");
    },
  );

  it("of sections that do not exist are answered with the nearest, by the last of their slugs too", async () => {
    const misspelt = await ask("get_node_content", { doc_id: INSTALL, node_ids: ["#linux/behind-proxy"] });
    expect(misspelt.text).toContain(`Did you mean: ${INSTALL}#linux/behind-a-proxy`);
    const withoutParent = await ask("get_node_content", { node_ids: [`${INSTALL}#as-a-service`] });
    expect(withoutParent.text).toContain(`Did you mean: ${INSTALL}#linux/as-a-service`);
    expect(withoutParent.text).toContain(`Example: get_node_content({"node_ids":["${INSTALL}#linux/as-a-service"]})`);
    expect((await ask("get_node_content", { node_ids: [`${INSTALL}#n6`] })).isError).toBe(true);
  });

  it("that are paths of several collections ask for the whole id, unless a collection is given", async () => {
    const { isError, text } = await ask("get_tree", { doc_id: "index.md" });
    expect(isError).toBe(true);
    expect(text).toContain("Did you mean: docs:index.md, notes:index.md?");
    expect((await askJson("get_tree", { doc_id: "index.md", collection: "notes" })).document).toMatchObject({
      id: "notes:index.md",
    });
  });

  it("with any characters in them are refused like others", async () => {
    for (const id of ["\u0000", "\ud800", "#", "%", "%zz", "a".repeat(1999), "docs:", ":", "docs:#", "ü#ü"]) {
      for (const [tool, given] of [
        ["get_tree", { doc_id: id }],
        ["get_node_content", { node_ids: [id] }],
        ["navigate_tree", { node_id: id }],
      ] as const) {
        expect((await ask(tool, given)).isError).toBe(true);
      }
    }
  });
});

describe("cursors", () => {
  it.each(["AAAA", "%%%", "x".repeat(50), "AQAAAB5FzfUdBLA4qyKcrN3WUfd_ouWz_w07TRT9eBwlX6BMzQ"])(
    "that were not given are refused: %s",
    async (cursor) => {
      for (const { tool, given } of PAGED) {
        const { isError, text } = await ask(tool, { ...given, cursor });
        expect(isError).toBe(true);
        expect(text).toContain("This cursor is not valid.");
      }
    },
  );

  it("of one call are refused by another", async () => {
    const { nextCursor } = await askJson("search_documents", { query: "lamp", limit: 2 });
    expect((await ask("search_documents", { query: "lamps", cursor: nextCursor })).text).toContain("another call");
    expect((await ask("list_documents", { cursor: nextCursor })).text).toContain("another call");
  });
});
