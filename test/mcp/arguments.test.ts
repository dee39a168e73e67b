import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../../src/core/errors.ts";
import { formatExample, readArguments } from "../../src/mcp/tool.ts";

const tool: Parameters<typeof readArguments>[0] = {
  name: "find",
  parameters: {
    query: { kind: "text" },
    doc_id: { kind: "text" },
    path: { kind: "text" },
    node_ids: { kind: "texts", maxEntries: 3 },
    filters: { kind: "filter" },
    sort_by: { kind: "choice", values: ["name", "document_count"], default: "name" },
    include: { kind: "choices", values: ["calls", "called_by"] },
    include_content: { kind: "boolean" },
    preview_mode: {
      kind: "choice",
      values: ["none", "signature", "expanded"],
      synonyms: { true: "expanded", false: "none" },
    },
    limit: { kind: "integer", default: 10, maximum: 50 },
    lines: { kind: "object" },
    ranking: { kind: "ranking" },
  },
  example: { query: "install", limit: 5 },
};
const FACETS = ["content_type", "tags", "lastUpdated"];

function read(given: Record<string, unknown>) {
  return readArguments(tool, given, FACETS);
}

function refusal(given: Record<string, unknown>): InputError {
  try {
    read(given);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error("the arguments were accepted");
}

describe("readArguments", () => {
  it("fills in defaults and leaves out what was not given", () => {
    expect(read({})).toEqual({ values: { sort_by: "name", limit: 10 }, notes: [] });
    expect(read({ sortBy: "document_count", docId: "" }).values).toEqual({ sort_by: "document_count", limit: 10 });
  });

  it("takes an empty list as left out, unless the argument is required", () => {
    expect(read({ node_ids: [], include: [], limit: 2 }).values).toEqual({ sort_by: "name", limit: 2 });
    const parameters = { symbols: { kind: "texts", required: true } } as const;
    expect(() => readArguments({ ...tool, parameters }, { symbols: [] }, FACETS)).toThrow(
      "symbols is an empty list; give at least one.",
    );
  });

  it("takes synonyms for values, and names none of them", () => {
    const values = ["callers", "callees"];
    const direction = { kind: "choice", values, synonyms: { incoming: "callers" } } as const;
    const parameters = { direction };
    expect(readArguments({ ...tool, parameters }, { direction: "Incoming" }, FACETS).values).toEqual({
      direction: "callers",
    });
    expect(() => readArguments({ ...tool, parameters }, { direction: "up" }, FACETS)).toThrow(
      "direction must be one of callers, callees;",
    );
  });

  it("takes every argument and every value of a closed set in camelCase too", () => {
    const { values } = read({
      docId: "a",
      nodeIds: ["b"],
      sortBy: "documentCount",
      include: ["calledBy"],
      includeContent: true,
      filters: { contentType: "docs", last_updated: 2026, not: { contentType: ["code"] } },
    });
    expect(values).toMatchObject({
      doc_id: "a",
      node_ids: ["b"],
      sort_by: "document_count",
      include: ["called_by"],
      include_content: true,
      filters: { include: { content_type: ["docs"], lastUpdated: ["2026"] }, exclude: { content_type: ["code"] } },
    });
  });

  it("reads ranking settings, and says what is wrong with them", () => {
    expect(read({ ranking: { titleWeight: "4" } }).values["ranking"]).toEqual({ title_weight: 4 });
    expect(read({ ranking: '{"bm25_b": 0}' }).values["ranking"]).toEqual({ bm25_b: 0 });
    expect(refusal({ ranking: "mixd" }).nearest).toEqual(["mixed"]);
  });

  it.each([
    ["q", "query"],
    ["text", "query"],
    ["file", "doc_id"],
    ["source", "doc_id"],
    ["document_query", "doc_id"],
    ["documentQuery", "doc_id"],
    ["path", "path"],
  ])("takes %s for %s", (alias, name) => {
    expect(read({ [alias]: "x" }).values[name]).toBe("x");
  });

  it("gives an alias to doc_id where the tool has no argument of that name itself", () => {
    const { path: _, ...rest } = tool.parameters;
    expect(readArguments({ ...tool, parameters: rest }, { path: "x" }, FACETS).values).toMatchObject({ doc_id: "x" });
  });

  it("takes other words for the values of a choice", () => {
    expect(read({ codePreview: true }).values.preview_mode).toBe("expanded");
    expect(read({ code_preview: false }).values.preview_mode).toBe("none");
    expect(read({ codePreview: "signature" }).values.preview_mode).toBe("signature");
  });

  it("treats null and an empty text as left out", () => {
    expect(read({ query: null, doc_id: "", limit: null }).values).toEqual({ sort_by: "name", limit: 10 });
  });

  it("refuses two different values for one argument, and takes two equal ones", () => {
    expect(refusal({ q: "a", query: "b" }).message).toContain("q and query both give query");
    expect(read({ q: "a", query: "a" }).values.query).toBe("a");
  });

  it("refuses an unknown argument with the nearest known one", () => {
    const error = refusal({ qurey: "x" });
    expect(error.message).toContain('find has no argument "qurey"');
    expect(error.nearest).toContain("query");
  });

  it("refuses a missing required argument", () => {
    const parameters = { query: { kind: "text", required: true } } as const;
    expect(() => readArguments({ ...tool, parameters }, {}, FACETS)).toThrow("find needs query.");
  });

  it("cuts a limit above the maximum and says so", () => {
    const { values, notes } = read({ limit: 1e9 });
    expect(values.limit).toBe(50);
    expect(notes).toEqual(["limit 1000000000 was cut to 50, the maximum."]);
  });

  it("takes a whole number that came as text", () => {
    expect(read({ limit: "7" }).values.limit).toBe(7);
  });

  it.each([0, -1, 1.5, "ten", "1.5", "", [3], true, Number.NaN].filter((value) => value !== ""))(
    "refuses the limit %j and says what is allowed",
    (limit) => {
      expect(refusal({ limit }).message).toMatch(/^limit must be a whole number from 1 to 50; got /);
    },
  );

  it.each([
    [0.25, 0.25],
    [0, 0],
    [1, 1],
    ["0.5", 0.5],
    [".5", 0.5],
    [" 1. ", 1],
  ])("takes the number %j, also as text", (threshold, value) => {
    const parameters = { threshold: { kind: "number", minimum: 0, maximum: 1 } } as const;
    expect(readArguments({ ...tool, parameters }, { threshold }, FACETS).values.threshold).toBe(value);
  });

  it.each([-0.1, 1.01, 35, "35%", "0,5", "1e-1", "0x1", "high", [0.5], {}, true, Number.NaN, Number.POSITIVE_INFINITY])(
    "refuses the number %j and says what is allowed",
    (threshold) => {
      const parameters = { threshold: { kind: "number", minimum: 0, maximum: 1 } } as const;
      expect(() => readArguments({ ...tool, parameters }, { threshold }, FACETS)).toThrow(
        /^threshold must be a number from 0 to 1; got /,
      );
    },
  );

  it.each([
    [{ query: 5 }, "query must be a text; got 5."],
    [{ query: "   " }, "query is empty."],
    [{ query: "x".repeat(2001) }, "query has 2001 characters; at most 2000 are taken."],
    [{ node_ids: ["a", "b", "c", "d"] }, "node_ids has 4 entries; at most 3 are taken in one call."],
    [{ node_ids: [1] }, "an entry of node_ids must be a text; got 1."],
    [{ node_ids: { a: 1 } }, "node_ids must be a list of texts"],
    [{ include_content: "yes" }, 'include_content must be true or false; got "yes".'],
    [{ sort_by: "nme" }, "sort_by must be one of name, document_count"],
    [{ filters: "x" }, "filters must be an object"],
    [{ filters: [] }, "filters must be an object"],
    [{ filters: { tags: [] } }, 'The filter "tags" has no value.'],
    [{ filters: { tags: { a: 1 } } }, 'The filter "tags" must be a text'],
    [{ filters: { not: "x" } }, '"not" in a filter must be an object'],
    [{ lines: 3 }, "lines must be an object"],
  ])("refuses %j in words", (given, words) => {
    expect(refusal(given).message).toContain(words);
  });

  it("names the nearest value of a closed set", () => {
    expect(refusal({ sort_by: "documnt_count" }).nearest).toEqual(["document_count"]);
  });

  it("takes lists and objects that came as their JSON text, and one text for a list", () => {
    expect(read({ node_ids: '["a","b"]' }).values.node_ids).toEqual(["a", "b"]);
    expect(read({ node_ids: "[not a list" }).values.node_ids).toEqual(["[not a list"]);
    expect(read({ node_ids: "a" }).values.node_ids).toEqual(["a"]);
    expect(read({ filters: '{"tags":"x"}' }).values.filters).toEqual({ include: { tags: ["x"] }, exclude: {} });
  });

  it("reads or refuses any arguments, and nothing else", () => {
    const names = fc.oneof(
      fc.constantFrom(...Object.keys(tool.parameters), "q", "__proto__", "constructor"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue(), { noNullPrototype: true }), (given) => {
        try {
          read(given);
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
      }),
    );
  });
});

describe("formatExample", () => {
  it("writes a call as one would type it", () => {
    expect(formatExample(tool.name, tool.example)).toBe('find({"query":"install","limit":5})');
  });
});

describe("halves of characters", () => {
  it("are refused in texts and lists, whole ones taken", () => {
    expect(refusal({ query: "a\ud800b" }).message).toBe("query holds half a character, which no text does.");
    expect(refusal({ node_ids: ["a", "\udc00"] }).message).toContain("node_ids holds half a character");
    expect(read({ query: "\ud83d\udcda" }).values.query).toBe("\ud83d\udcda");
  });
});
