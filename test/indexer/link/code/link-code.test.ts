import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Reference, type ReferenceRoot, symbolPaths } from "../../../../indexer/languages/base/code-file.ts";
import { SYMBOL_KINDS } from "../../../../src/core/format/code-model.ts";
import { codeFile, EXPORTED, edgesOf, link, reference } from "../../../support/code-files.ts";
import { runs } from "../../../support/runs.ts";

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

  it("of a module by itself end", () => {
    const script = codeFile("b/index.ts", (file) => {
      file.import(".", "*", "export=", { kind: "reexports" });
      file.import(".", "*", "A");
      file.use("reads", importRoot(1), ["gone"]);
    });
    const rust = codeFile("src/lib.rs", (file) => {
      file.import("gone", "*", "*");
      file.use("calls", { kind: "free", name: "gone" });
    });
    const linked = link([script, rust]);
    expect(edgesOf(linked, "b/index.ts")).toEqual([]);
    expect(edgesOf(linked, "src/lib.rs")).toEqual(["imports scope cargo:gone"]);
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

  it("of a namespace belong to the function of its name", () => {
    const merged = codeFile("approve.ts", (file) => {
      file.symbol("function", "approve", EXPORTED);
      file.symbol("namespace", "approve", EXPORTED);
      file.symbol("function", "inner", { parent: 1, flags: ["exported"] });
      file.use("calls", symbolRoot(0), ["inner"]);
      file.use("calls", symbolRoot(0), ["apply"]);
    });
    expect(edgesOf(link([merged]), "approve.ts")).toEqual(["calls receiver approve.ts#approve.inner"]);
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

describe("names that a framework imports by itself", () => {
  const named = (name: string) => ({ ...EXPORTED, exportedAs: [name] });
  const useToast = codeFile("src/use-toast.ts", (file) => {
    file.symbol("function", "useToast", named("useToast"));
    file.symbol("function", "inner");
    file.symbol("class", "Toast", named("Toast"));
    file.symbol("class", "ToastList", named("default"));
  });
  const page = codeFile("pages/a.ts", (file) => {
    for (const name of ["useToast", "inner", "Toast", "ToastList", "console"])
      file.use("calls", { kind: "free", name });
  });

  it("are guessed where one exported function or component has them", () => {
    expect(edgesOf(link([useToast, page]), "pages/a.ts")).toEqual([
      "calls name src/use-toast.ts#useToast",
      "instantiates name src/use-toast.ts#ToastList",
    ]);
  });

  it("are not where two have them", () => {
    const other = codeFile("src/other.ts", (file) => file.symbol("function", "useToast", named("useToast")));
    expect(edgesOf(link([useToast, other, page]), "pages/a.ts")).toEqual([
      "instantiates name src/use-toast.ts#ToastList",
    ]);
  });
});

describe("any files", () => {
  const paths = [
    "a.ts",
    "b/index.ts",
    "c.py",
    "b/__init__.py",
    "d.go",
    "src/lib.rs",
    "e.java",
    "f.c",
    "g.rb",
    "h.php",
    "i.cs",
  ];
  const names = fc.constantFrom("A", "b", "c", "default", "export=", "__proto__", "constructor");
  const specifiers = fc.constantFrom(
    "./b",
    "b",
    ".",
    "..",
    "./a.js",
    "crate::b",
    "self",
    "super",
    "A.b",
    "A\\b",
    "f.c",
    "",
  );
  const roots: fc.Arbitrary<ReferenceRoot> = fc.letrec<{ root: ReferenceRoot }>((tie) => ({
    root: fc.oneof(
      { maxDepth: 4 },
      fc.record({
        kind: fc.constantFrom("symbol", "self", "super"),
        symbol: fc.nat({ max: 3 }),
      }) as fc.Arbitrary<ReferenceRoot>,
      fc.record({ kind: fc.constant("import" as const), import: fc.nat({ max: 2 }) }),
      fc.record({ kind: fc.constant("free" as const), name: names }),
      fc.constant({ kind: "unknown" } as const),
      fc
        .tuple(tie("root"), fc.array(names, { maxLength: 2 }))
        .map(([root, members]) => ({ kind: "value" as const, type: { root, members } })),
      fc
        .tuple(tie("root"), fc.array(names, { maxLength: 2 }))
        .map(([root, members]) => ({ kind: "result" as const, of: { root, members } })),
    ),
  })).root;
  const uses = fc.tuple(
    fc.constantFrom("calls", "type", "extends", "reads"),
    roots,
    fc.array(names, { maxLength: 3 }),
    fc.integer({ min: -1, max: 3 }),
  );
  const files = fc.array(
    fc.record({
      path: fc.constantFrom(...paths),
      symbols: fc.array(
        fc.tuple(fc.constantFrom(...SYMBOL_KINDS), names, fc.integer({ min: -1, max: 3 }), fc.option(roots)),
        { minLength: 4, maxLength: 4 },
      ),
      imports: fc.array(
        fc.tuple(
          specifiers,
          fc.oneof(names, fc.constant("*")),
          fc.oneof(names, fc.constantFrom("*", "")),
          fc.boolean(),
        ),
        { minLength: 3, maxLength: 3 },
      ),
      uses: fc.array(uses, { maxLength: 8 }),
    }),
    { maxLength: 6 },
  );

  it("link to symbols that exist, twice the same", () => {
    fc.assert(
      fc.property(files, (drawn) => {
        const build = () =>
          drawn.map(({ path, symbols, imports, uses: used }) =>
            codeFile(path, (file) => {
              for (const [at, [kind, name, parent, type]] of symbols.entries()) {
                const inside = parent < at ? parent : -1;
                const typed = type === null ? {} : { typeText: "T", type: reference(type) };
                file.symbol(kind, name, { ...EXPORTED, parent: inside, ...typed });
              }
              for (const [specifier, imported, local, isPassedOn] of imports) {
                file.import(specifier, imported, local, { kind: isPassedOn ? "reexports" : "imports" });
              }
              for (const [kind, root, members, from] of used) file.use(kind as "calls", root, members, from);
            }),
          );
        const linked = link(build());
        for (const edges of linked.edges) {
          for (const { to } of edges) {
            if ("external" in to) expect(to.external).toMatch(/:/);
            else if ("file" in to) expect(to.symbol).toBeLessThan(linked.files[to.file]?.symbols.length ?? 0);
          }
        }
        expect(link(build())).toEqual(linked);
        for (const [file, { code }] of build().entries()) {
          expect(linked.files[file]?.symbols.map(({ path }) => path)).toEqual(symbolPaths(code.symbols));
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it("in a long chain of imports and bases end", () => {
    const length = 3_000;
    const chain = Array.from({ length }, (_, at) =>
      codeFile(`m${at}.py`, (file) => {
        file.symbol("class", `C${at}`, EXPORTED);
        file.import(`.m${at + 1}`, "deep");
        file.import(`.m${at + 1}`, `C${at + 1}`);
        file.use("extends", importRoot(1), [], 0);
        file.use("calls", importRoot(0));
        file.use("calls", { kind: "self", symbol: 0 }, ["gone"]);
      }),
    );
    const edges = edgesOf(link(chain), "m0.py");
    expect(edges).toContain("extends scope m1.py#C1");
    expect(edges.filter((edge) => edge.startsWith("calls"))).toEqual([]);
  });
});

describe("values that functions hand to their arguments", () => {
  const lib = codeFile("lib.ts", (file) => {
    file.symbol("class", "Item", EXPORTED);
    file.symbol("method", "run", { parent: 0 });
    const item = reference(symbolRoot(0));
    const unknown = reference({ kind: "unknown" });
    const run = (...parameters: readonly Reference[]) => reference({ kind: "function", parameters });
    file.symbol("function", "each", { ...EXPORTED, takes: { parameters: [unknown] } });
    file.symbol("function", "each", { ...EXPORTED, takes: { parameters: [run(unknown, item)] } });
    file.symbol("class", "Box", EXPORTED);
    file.symbol("constructor", "constructor", { parent: 4, takes: { parameters: [unknown, run(item)] } });
  });
  const given = (argument: number, parameter: number, isMade?: true): ReferenceRoot => {
    const of: ReferenceRoot = { kind: "argument", of: reference(importRoot(0)), argument, ...(isMade && { isMade }) };
    return { kind: "given", of: reference(of), parameter };
  };

  it.each([
    ["overloads: the first that says it", "each", given(0, 1), "calls receiver lib.ts#Item.run"],
    ["another parameter, of which nothing is said", "each", given(0, 0), undefined],
    ["a class: its constructor", "Box", given(1, 0, true), "calls receiver lib.ts#Item.run"],
  ])("are of the types that are said by %s", (_, name, root, expected) => {
    const using = codeFile("use.ts", (file) => {
      file.import("./lib", name);
      file.use("calls", root, ["run"]);
    });
    const other = codeFile("other.ts", (file) => {
      file.symbol("class", "Other");
      file.symbol("method", "run", { parent: 0 });
    });
    const edges = edgesOf(link([lib, using, other]), "use.ts").filter((edge) => edge.startsWith("calls"));
    expect(edges).toEqual(expected === undefined ? [] : [expected]);
  });
});
