import { describe, expect, it } from "vitest";
import { codeFile, EXPORTED, edgesOf, link, reference } from "../../../support/code-files.ts";

const symbolRoot = (symbol: number) => ({ kind: "symbol", symbol }) as const;
const importRoot = (index: number) => ({ kind: "import", import: index }) as const;

describe("re-exports", () => {
  const store = codeFile("store.ts", (file) => {
    file.symbol("class", "Store", EXPORTED);
    file.symbol("method", "open", { parent: 0 });
    file.symbol("function", "default", { flags: ["exported", "defaultExport"], exportedAs: ["default"] });
  });
  const uses = (...names: readonly string[]) =>
    codeFile("use.ts", (file) => {
      for (const name of names) {
        const index = file.import("./index", name, `my${name}`);
        file.use("calls", importRoot(index));
      }
    });

  it("lead through stars, new names and namespaces to the symbol", () => {
    const index = codeFile("index.ts", (file) => {
      file.import("./store", "*", "*", { kind: "reexports" });
      file.import("./store", "Store", "Shop", { kind: "reexports" });
      file.import("./store", "default", "start", { kind: "reexports" });
      file.import("./store", "*", "all", { kind: "reexports" });
    });
    const using = codeFile("use.ts", (file) => {
      for (const name of ["Store", "Shop", "start"]) file.use("reads", importRoot(file.import("./index", name)));
      file.use("reads", importRoot(file.import("./index", "all")), ["Store", "open"]);
    });
    const edges = edgesOf(link([index, store, using]), "use.ts").filter((edge) => edge.startsWith("reads"));
    expect(edges).toEqual([
      "reads scope store.ts#Store",
      "reads scope store.ts#Store",
      "reads scope store.ts#default",
      "reads receiver store.ts#Store.open",
    ]);
  });

  it("in a circle give what is there and nothing for what is not", () => {
    const index = codeFile("index.ts", (file) => {
      file.import("./other", "*", "*", { kind: "reexports" });
      file.import("./other", "Loop", "Loop", { kind: "reexports" });
    });
    const other = codeFile("other.ts", (file) => {
      file.import("./index", "*", "*", { kind: "reexports" });
      file.import("./index", "Loop", "Loop", { kind: "reexports" });
      file.import("./store", "*", "*", { kind: "reexports" });
    });
    const edges = edgesOf(link([index, other, store, uses("Store", "Loop", "Gone")]), "use.ts");
    expect(edges.filter((edge) => edge.includes("store.ts"))).toEqual([
      "imports scope store.ts#Store",
      "instantiates scope store.ts#Store",
    ]);
    expect(edges.filter((edge) => edge.startsWith("calls"))).toEqual([]);
  });

  it("by star leave the default out", () => {
    const index = codeFile("index.ts", (file) => {
      file.import("./store", "*", "*", { kind: "reexports" });
    });
    expect(edgesOf(link([index, store, uses("default")]), "use.ts")).toEqual(["imports scope index.ts"]);
  });

  it("of modules without exports give the module for its default", () => {
    const data = codeFile("data.json");
    const using = codeFile("use.ts", (file) => {
      file.use("reads", importRoot(file.import("./data.json", "default", "data")));
    });
    expect(edgesOf(link([data, using]), "use.ts")).toEqual(["imports scope data.json", "reads scope data.json"]);
  });

  it("give what a CommonJS module is as a whole", () => {
    const server = codeFile("server.js", (file) => {
      file.symbol("class", "Server", { flags: ["exported", "defaultExport"], exportedAs: ["export="] });
      file.symbol("method", "listen", { parent: 0, flags: ["static"] });
    });
    const passing = codeFile("index.js", (file) => {
      file.import("./server", "*", "export=", { kind: "reexports" });
    });
    const using = codeFile("use.js", (file) => {
      file.use("instantiates", importRoot(file.import("./index", "*", "Server")));
      file.use("calls", importRoot(file.import("./index", "listen")));
      file.use("instantiates", importRoot(file.import("./server", "default", "Main")));
    });
    const edges = edgesOf(link([passing, server, using]), "use.js").filter((edge) => !edge.startsWith("imports"));
    expect(edges).toEqual([
      "instantiates scope server.js#Server",
      "calls scope server.js#Server.listen",
      "instantiates scope server.js#Server",
    ]);
  });
});

describe("imports", () => {
  it("give one edge to the module and one to each symbol", () => {
    const target = codeFile("b.ts", (file) => {
      file.symbol("function", "one", EXPORTED);
      file.symbol("interface", "Two", EXPORTED);
    });
    const using = codeFile("a.ts", (file) => {
      file.import("./b", "one");
      file.import("./b", "Two", "Two", { typeOnly: true });
      file.import("./b", "gone");
    });
    const linked = link([using, target]);
    expect(edgesOf(linked, "a.ts")).toEqual([
      "imports scope b.ts",
      "imports scope b.ts#one",
      "imports scope b.ts",
      "imports scope b.ts#Two",
    ]);
    expect(linked.edges[0]?.map(({ typeOnly }) => typeOnly)).toEqual([false, false, true, true]);
  });
});

describe("members", () => {
  const base = codeFile("base.ts", (file) => {
    file.symbol("interface", "Closable", EXPORTED);
    file.symbol("method", "close", { parent: 0 });
    file.symbol("class", "Base", EXPORTED);
    file.symbol("constructor", "constructor", { parent: 2 });
    file.symbol("method", "read", { parent: 2 });
    file.symbol("method", "read", { parent: 2, flags: ["static"] });
    file.use("implements", symbolRoot(0), [], 2);
  });
  const derived = codeFile("derived.ts", (file) => {
    const imported = file.import("./base", "Base");
    const store = file.symbol("class", "Store", EXPORTED);
    file.symbol("method", "read", { parent: store });
    file.symbol("property", "next", { parent: store, typeText: "Base", type: reference(importRoot(imported)) });
    const make = file.symbol("function", "make", {
      ...EXPORTED,
      typeText: "Store",
      type: reference(symbolRoot(store)),
    });
    file.use("extends", importRoot(imported), [], store);
    file.use("calls", { kind: "self", symbol: store }, ["read"], store);
    file.use("calls", { kind: "super", symbol: store }, ["read"], store);
    file.use("calls", { kind: "super", symbol: store }, [], store);
    file.use("calls", { kind: "self", symbol: store }, ["next", "close"], store);
    file.use("calls", symbolRoot(store), ["read"]);
    file.use("calls", { kind: "value", type: reference(symbolRoot(store)) }, ["close"]);
    file.use("calls", { kind: "result", of: reference(symbolRoot(make)) }, ["next", "read"]);
    file.use("calls", { kind: "self", symbol: store }, ["gone"], store);
    file.use("calls", { kind: "unknown" }, ["make"]);
  });

  it("are found through this, super, types, results and bases, and never guessed on a known type", () => {
    expect(edgesOf(link([base, derived]), "derived.ts").filter((edge) => !edge.startsWith("imports"))).toEqual([
      "overrides receiver base.ts#Base.read",
      "extends scope base.ts#Base",
      "calls receiver derived.ts#Store.read",
      "calls receiver base.ts#Base.read",
      "calls receiver base.ts#Base.constructor",
      "calls receiver base.ts#Closable.close",
      "calls receiver derived.ts#Store.read",
      "calls receiver base.ts#Closable.close",
      "calls receiver base.ts#Base.read",
      "calls name derived.ts#make",
    ]);
  });

  it("of types that extend one another in a circle end", () => {
    const circle = codeFile("circle.ts", (file) => {
      file.symbol("class", "A");
      file.symbol("class", "B");
      file.symbol("typeAlias", "T", { type: reference(symbolRoot(2)) });
      file.use("extends", symbolRoot(1), [], 0);
      file.use("extends", symbolRoot(0), [], 1);
      file.use("calls", { kind: "self", symbol: 0 }, ["gone"]);
      file.use("calls", { kind: "value", type: reference(symbolRoot(2)) }, ["gone"]);
    });
    expect(edgesOf(link([circle]), "circle.ts")).toEqual(["extends scope circle.ts#B", "extends scope circle.ts#A"]);
  });

  it("that several symbols have are never guessed", () => {
    const names = codeFile("a.ts", (file) => {
      file.symbol("class", "A");
      file.symbol("method", "runAll", { parent: 0 });
      file.symbol("class", "B");
      file.symbol("method", "runAll", { parent: 2 });
      file.use("calls", { kind: "unknown" }, ["runAll"]);
      file.use("calls", { kind: "free", name: "console" }, ["A"]);
    });
    expect(edgesOf(link([names]), "a.ts")).toEqual([]);
  });
});
