import { describe, expect, it } from "vitest";
import { ask as askHandbook } from "./handbook.ts";
import { ask, askJson } from "./workshop.ts";

const STORE = "code:src/store/store.ts";

/** A call that works, for each tool with a limit. */
const LIMITED = [
  { tool: "find_symbol", given: { query: "create" }, maximum: 100 },
  { tool: "references", given: { symbol: "Lamp" }, maximum: 200 },
  { tool: "search_nodes", given: {}, maximum: 200 },
  { tool: "completion", given: { prefix: "cre" }, maximum: 100 },
];

describe("limits", () => {
  for (const { tool, given, maximum } of LIMITED) {
    it(`of ${tool} above the maximum are cut to it, and bad ones refused`, async () => {
      const cut = await ask(tool, { ...given, limit: maximum + 1 });
      expect(cut.text).toContain(`limit ${maximum + 1} was cut to ${maximum}, the maximum.`);
      for (const limit of [0, -1, 2.5, "abc", {}, true]) {
        const { isError, text } = await ask(tool, { ...given, limit });
        expect(isError).toBe(true);
        expect(text).toContain(`limit must be a whole number from 1 to ${maximum}`);
      }
    });
  }

  it("of depth and lines are cut as well", async () => {
    expect((await ask("call_hierarchy", { symbol: "main", depth: 6 })).text).toContain("depth 6 was cut to 5");
    const lines = await ask("read", { file: STORE, maxLines: 201, codePreview: true });
    expect(lines.text).toContain("was cut to 200");
  });
});

describe("a symbol", () => {
  it.each([
    ["its id", { symbol: `${STORE}#Store.add` }],
    ["its id in another argument", { node_id: `${STORE}#Store.add` }],
    ["its path in the file", { symbol: "Store.add" }],
    ["its name where that is unique", { name: "add", file: STORE }],
    ["a name and a line", { symbol: "add", file: STORE, line: 67 }],
    ["the place of its name", { file: "src/store/store.ts", line: 67, character: 4 }],
    ["a place of its use", { file: STORE, line: 45, column: 13 }],
    ["a place inside", { path: STORE, line: 70, character: 1 }],
  ])("is named by %s", async (_, given) => {
    expect((await askJson("inspect", given)).id).toBe(`${STORE}#Store.add`);
  });

  it("of several declarations is the first, or the one that is asked for", async () => {
    expect((await askJson("inspect", { symbol: "Store.find" })).id).toBe(`${STORE}#Store.find`);
    const second = await askJson("inspect", { symbol: "Store.find~2" });
    expect(second.id).toBe(`${STORE}#Store.find~2`);
    expect(second.overloads).toHaveLength(2);
    const [first, other] = await Promise.all([
      askJson("references", { symbol: "Store.find" }),
      askJson("references", { symbol: "Store.find~3" }),
    ]);
    expect(other.references).toEqual(first.references);
    expect(first.total).toBe(2);
  });

  it("that may be several is refused with each of them: kind, file and line", async () => {
    const { isError, texts } = await ask("inspect", { symbol: "close" });
    expect(isError).toBe(true);
    expect(texts[0]).toContain(
      `${STORE}#Closable.close: src/store/store.ts @10:3 Method - close [Closable, Interface]`,
    );
    expect(texts[0]).toContain(`${STORE}#BaseStore.close: src/store/store.ts @19:9 Method - close [BaseStore, Class]`);
    expect((await askJson("inspect", { symbol: "close", file: STORE, line: 19 })).id).toBe(`${STORE}#BaseStore.close`);
  });

  it.each([
    [{ symbol: "Stor" }, /There is no symbol "Stor".*\nDid you mean: .*Store/],
    [{ symbol: "Store.fnd" }, /There is no symbol "Store.fnd".*\nDid you mean: Store.find/],
    [{ symbol: "Store.find~9" }, /There is no symbol "Store.find~9".*\nDid you mean: Store.find/],
    [{ symbol: `${STORE}#Stroe` }, /There is no symbol .*\nDid you mean: .*Store/],
    [{ file: STORE, line: 999 }, /No symbol stands at code:src\/store\/store.ts, line 999/],
    [{ file: STORE, line: 1, character: 3 }, /No symbol stands at .*, line 1, character 3/],
    [{ file: STORE, line: 0 }, /line must be a whole number of at least 1/],
    [{ file: STORE, line: 3, character: -1 }, /character must be a whole number of at least 1/],
    [{ file: STORE }, /needs symbol, or file and line/],
    [{ symbol: "close", line: 3 }, /line needs file beside it/],
    [{ file: "src/store/sotre.ts", line: 3 }, /There is no document .*\nDid you mean: code:src\/store\/store.ts/],
    [{ file: "docs:index.md", line: 3 }, /has no symbols: it is no source file/],
  ])("that %j does not name is said in words", async (given, message) => {
    for (const tool of ["inspect", "references", "call_hierarchy"]) {
      const { isError, texts } = await ask(tool, given);
      expect(isError).toBe(true);
      expect(texts[0]).toMatch(message);
      expect(texts[0]).toContain("Example: ");
    }
  });
});

describe("filters", () => {
  const namesOf = async (given: Readonly<Record<string, unknown>>): Promise<string[]> =>
    ((await askJson("find_symbol", { limit: 100, max_tokens: 6000, ...given })).symbols as { name: string }[]).map(
      ({ name }) => name,
    );

  it("of a kind hold for each symbol", async () => {
    const all = (await askJson("find_symbol", { query: "*", limit: 100, max_tokens: 6000 })).total as number;
    let sum = 0;
    for (const kind of [
      "class",
      "interface",
      "method",
      "property",
      "constructor",
      "enum",
      "enumMember",
      "function",
      "constant",
      "typeAlias",
      "struct",
      "field",
    ]) {
      const found = await askJson("find_symbol", { query: "*", kind, limit: 100, max_tokens: 6000 });
      for (const symbol of found.symbols as { kind: string }[]) expect(symbol.kind).toBe(kind);
      sum += found.total as number;
    }
    expect(sum).toBe(all);
    expect(await namesOf({ query: "find", kind: "Methods" })).toEqual(["find", "find", "find"]);
    expect(await namesOf({ query: "find", kind: "function" })).toEqual([]);
  });

  it("of language, path and export narrow the search", async () => {
    expect(await namesOf({ query: "*", language: "py", kind: "class" })).toEqual(["Loan"]);
    expect(await namesOf({ query: "*", language: ["Golang"], kind: "struct" })).toEqual(["Counter"]);
    expect(await namesOf({ query: "*store*", path: "src/http" })).toEqual(["store"]);
    expect(await namesOf({ query: "hasLabel", exported: true })).toEqual([]);
    expect(await namesOf({ query: "add", exported: "true", path: "src/store" })).toEqual(["add"]);
    expect(await namesOf({ query: "lamps", exported: false })).toEqual(["lamps", "listLamps"]);
  });

  it("put the name that is written so first", async () => {
    expect((await namesOf({ q: "create" }))[0]).toBe("create");
    expect((await namesOf({ text: "Store" }))[0]).toBe("Store");
    expect((await namesOf({ query: "Store.size" }))[0]).toBe("size");
  });

  it("with names that there are not are refused with the nearest", async () => {
    for (const [tool, given, nearest] of [
      ["find_symbol", { query: "a", kind: "clas" }, "class"],
      ["find_symbol", { query: "a", language: "typscript" }, "typescript"],
      ["search_nodes", { package: "stor" }, "store"],
      ["search_nodes", { module: "workshp" }, "workshop"],
      ["references", { symbol: "main", include: ["type"] }, "types"],
      ["call_hierarchy", { symbol: "main", direction: "callees", deph: 2 }, "depth"],
    ] as const) {
      const { isError, texts } = await ask(tool, given);
      expect(isError).toBe(true);
      expect(texts[0]).toContain(`Did you mean: ${nearest}`);
    }
  });
});

it.each([
  "find_symbol",
  "inspect",
  "references",
  "call_hierarchy",
  "completion",
  "search_nodes",
  "read",
  "get_dependencies",
  "analyze_impact",
  "describe_package",
  "find_path",
])("%s says so where no code is indexed", async (tool) => {
  const given = {
    find_symbol: { query: "a" },
    completion: { prefix: "a" },
    search_nodes: {},
    get_dependencies: {},
    analyze_impact: { target: "a" },
    describe_package: { package: "a" },
    find_path: { from: "a", to: "b" },
    read: { file: "docs:plain.md" },
  };
  const { isError, texts } = await askHandbook(tool, given[tool as keyof typeof given] ?? { symbol: "a" });
  expect(isError).toBe(true);
  expect(texts[0]).toContain("No source code is indexed here");
});

it("what a member of something exported is says that it can be reached", async () => {
  const reach = async (symbol: string): Promise<string | undefined> =>
    /^(.*); module/m.exec((await ask("inspect", { symbol })).text)?.[1];
  expect(await reach("Store.add")).toBe("exported with Store");
  expect(await reach("Store.lamps")).toBe("private");
  expect(await reach("hasLabel")).toBe("not exported");
  expect(await reach("openStore.retry")).toBe("inside openStore, async");
  expect(await reach("describe")).not.toBe("exported");
});
