import { beforeAll, describe, expect, it } from "vitest";
import type { GroupCode } from "../../../indexer/link/code/link-code.ts";
import { completeSymbols } from "../../../src/core/code/complete-symbols.ts";
import { findSymbols } from "../../../src/core/code/find-symbols.ts";
import { resolvePosition, resolveSymbol } from "../../../src/core/code/resolve-symbol.ts";
import type { SymbolKind, SymbolRecord } from "../../../src/core/format/code-model.ts";
import { type BuiltIndex, buildCollections } from "../../support/build-index.ts";

/** `kind path line-end`, members behind their containers. */
function symbols(...rows: string[]): SymbolRecord[] {
  const made: SymbolRecord[] = [];
  for (const row of rows) {
    const [kind = "", path = "", lines = ""] = row.split(" ");
    const [line = 1, end = line] = lines.split("-").map(Number);
    const segments = path.split(".");
    const parent = made.findIndex((other) => other.path === segments.slice(0, -1).join("."));
    made.push({
      kind: kind.replace("+", "") as SymbolKind,
      name: (segments.at(-1) ?? "").replace(/~\d+$/, ""),
      path,
      parent,
      at: { line, column: 10 },
      start: { line, column: 1 },
      end: { line: end, column: 80 },
      signature: path,
      doc: "",
      flags: kind.startsWith("+") ? ["exported"] : [],
      type: "",
      bases: [],
      rank: 10,
      section: 1,
    });
  }
  return made;
}

const FILE = { language: "typescript", module: "m", package: "p", hash: "0".repeat(16), rank: 1, errors: 0 };
const CODE: GroupCode = {
  files: [
    {
      ...FILE,
      id: "code:src/page.ts",
      symbols: symbols("+function createPage 1-9", "function open 11-12", "+constant MAX_PAGES 14"),
    },
    {
      ...FILE,
      id: "code:src/store.ts",
      symbols: symbols(
        "+class Store 1-20",
        "method Store.open 2-4",
        "method Store.open~2 5-6",
        "method Store.readAll 8-12",
        "+function createStore 30-40",
        "function createStore.open 32-33",
        "+function create_store_reader 50",
        "+function restoreCreated 60",
      ),
    },
    {
      ...FILE,
      id: "code:test/store.ts",
      symbols: symbols(
        "function Open 1-2",
        "function storeOf 3",
        "class Outer 70-80",
        "class Outer.Inner 71-75",
        "method Outer.Inner.go 72",
        "class Other 91-99",
        "class Other.Inner 92-95",
        "method Other.Inner.go 93",
      ),
    },
  ],
  edges: [
    [
      {
        kind: "calls",
        tier: "scope",
        typeOnly: false,
        from: 0,
        at: { line: 5, column: 20 },
        to: { file: 1, symbol: 4 },
      },
    ],
    [],
    [],
  ],
  mentions: [],
  packages: [],
};

let built: BuiltIndex;
beforeAll(async () => {
  built = await buildCollections(
    [{ name: "code", pages: { "readme.md": "# Read me\n\nText.\n" } }],
    undefined,
    new Map([["public", CODE]]),
  );
});

const reader = async () => (await built.open()).reader;
const resolve = async (text: string) => {
  const found = await resolveSymbol(await reader(), text);
  const ids = found.symbols.map(({ id }) => id);
  return ids.length === 0 ? found.nearest : ids.length === 1 ? ids[0] : ids;
};

describe("a symbol that a text names", () => {
  it.each([
    ["code:src/store.ts#Store.open", "code:src/store.ts#Store.open"],
    ["code:src/store.ts#Store.open~2", "code:src/store.ts#Store.open~2"],
    ["src/store.ts#Store.readAll", "code:src/store.ts#Store.readAll"],
    ["page.ts#open", "code:src/page.ts#open"],
    ["store.ts#storeOf", "code:test/store.ts#storeOf"],
    ["Store.readAll", "code:src/store.ts#Store.readAll"],
    ["store.readall", "code:src/store.ts#Store.readAll"],
    ["createStore", "code:src/store.ts#createStore"],
    ["createstore", "code:src/store.ts#createStore"],
    ["Open", "code:test/store.ts#Open"],
    ["readAll()", "code:src/store.ts#Store.readAll"],
  ])("is found by %s", async (text, id) => {
    expect(await resolve(text)).toBe(id);
  });

  it("is one of several where the name is that of several, and none is picked", async () => {
    expect(await resolve("open")).toEqual([
      "code:src/store.ts#Store.open",
      "code:src/store.ts#Store.open~2",
      "code:src/page.ts#open",
      "code:src/store.ts#createStore.open",
    ]);
    expect(await resolve("Store.open")).toEqual(["code:src/store.ts#Store.open", "code:src/store.ts#Store.open~2"]);
    expect(await resolve("src/store.ts#open")).toHaveLength(3);
  });

  it("is told from others by further names in front", async () => {
    expect(await resolve("Outer.Inner.go")).toBe("code:test/store.ts#Outer.Inner.go");
    expect(await resolve("other.inner.go")).toBe("code:test/store.ts#Other.Inner.go");
    expect(await resolve("Inner.go")).toHaveLength(2);
    expect(await resolve("None.Inner.go")).not.toBe("code:test/store.ts#Other.Inner.go");
  });

  it("is none where nothing has the name, and the nearest names are said", async () => {
    expect(await resolve("createStroe")).toContain("createStore");
    expect(await resolve("src/store.ts#Store.opne")).toContain("Store.open");
    expect(await resolve("zzz")).toEqual([]);
  });
});

describe("a symbol at a position", () => {
  const at = async (path: string, line: number, column: number) =>
    (await resolvePosition(await reader(), { documentId: `code:${path}`, line, column }))?.id;

  it("is the one whose name stands there, what is used there, or the innermost around it", async () => {
    expect(await at("src/store.ts", 2, 11)).toBe("code:src/store.ts#Store.open");
    expect(await at("src/page.ts", 5, 25)).toBe("code:src/store.ts#createStore");
    expect(await at("src/page.ts", 5, 40)).toBe("code:src/page.ts#createPage");
    expect(await at("src/store.ts", 10, 3)).toBe("code:src/store.ts#Store.readAll");
    expect(await at("src/store.ts", 13, 3)).toBe("code:src/store.ts#Store");
    expect(await at("src/store.ts", 25, 1)).toBeUndefined();
    expect(await at("src/none.ts", 1, 1)).toBeUndefined();
  });
});

describe("queries for symbols", () => {
  const find = async (query: string) => {
    const { symbols: found } = await findSymbols(await reader(), { query, offset: 0, limit: 20 });
    return found.map(({ record, match }) => `${match} ${record.path}`);
  };

  it("put what is named so before what only has the words, and those before what begins so", async () => {
    expect(await find("createStore")).toEqual(["exact createStore", "words create_store_reader"]);
    expect(await find("store create")).toEqual(["words createStore", "words create_store_reader"]);
    expect(await find("Store")).toEqual([
      "exact Store",
      "words storeOf",
      "words createStore",
      "words create_store_reader",
    ]);
    expect(await find("cre")).toEqual([
      "prefix createPage",
      "prefix createStore",
      "prefix restoreCreated",
      "prefix create_store_reader",
    ]);
  });

  it("take members by their containers, and patterns by what they fix", async () => {
    expect(await find("Store.open")).toEqual(["exact Store.open", "exact Store.open~2"]);
    expect(await find("Store.")).toEqual(await find("Store"));
    expect(await find("Store.*")).toEqual(["pattern Store.open", "pattern Store.open~2", "pattern Store.readAll"]);
    expect(await find("*Store*")).not.toContain("pattern restoreCreated");
    expect(await find("*store*")).toContain("pattern restoreCreated");
    expect(await find("create*e")).toEqual(["pattern createPage", "pattern createStore"]);
    expect(await find("max?pages")).toEqual(["pattern MAX_PAGES"]);
    expect(await find("  ")).toEqual([]);
  });
});

describe("completions", () => {
  it("are names that begin so, and members behind a container", async () => {
    const complete = async (prefix: string, more = {}) =>
      (await completeSymbols(await reader(), { prefix, limit: 10, ...more })).completions.map(
        ({ label, count }) => `${label} ${count}`,
      );
    expect(await complete("create")).toEqual(["createPage 1", "createStore 1", "create_store_reader 1"]);
    expect(await complete("Store.")).toEqual(["Store.open 2", "Store.readAll 1"]);
    expect(await complete("store.r")).toEqual(["Store.readAll 1"]);
    expect(await complete("op", { documentId: "code:src/page.ts" })).toEqual(["open 1"]);
    expect(await complete("", { kinds: ["class"] })).toEqual(["Store 1", "Inner 2", "Other 1", "Outer 1"]);
  });
});
