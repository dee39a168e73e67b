import { describe, expect, it } from "vitest";
import { cycleFindings } from "../../../../indexer/topics/graph/insights.ts";
import { graphOfCollection, makeFileGraph } from "../../../../indexer/topics/graph/link-graph.ts";
import { codeFile, EXPORTED, link } from "../../../support/code-files.ts";
import { fileInsight, graphOf, graphSettings, linkImports } from "../../../support/linked-files.ts";

const SETTINGS = graphSettings();

describe("metrics of files", () => {
  it("count files with imported styles and data, and each import from file to file once", () => {
    const graph = graphOf({
      "src/a.ts": ["./b", "type ./b", "./b.js", "./a.css", "./icons/Logo.SVG?url", "react", "./gone"],
      "src/b.ts": ["./data.json", "type ./a"],
      "src/Makefile.d.ts": [],
      "src/c.ts": ["./a.css"],
    });
    expect(fileInsight("fileMetrics", graph, SETTINGS)).toEqual({
      fileCount: 7,
      dependencyCount: 6,
      fileTypeBreakdown: { ts: 4, css: 1, json: 1, svg: 1 },
      aside: {},
      asideDependencyCount: 0,
      thresholds: [100, 1000, 10_000],
    });
  });

  it("leave out what the settings ignore", () => {
    const files = { "src/a.ts": ["./gen/b"], "src/gen/b.ts": [], "src/c.ts": ["./a.css"] };
    const graph = graphOf(files, { ignore: ["**/gen/**", "**/*.css"] });
    expect(fileInsight("fileMetrics", graph, SETTINGS)).toMatchObject({ fileCount: 2, dependencyCount: 0 });
  });

  it("have one node of one file, with nothing to say of it", () => {
    const graph = graphOf({ "main.ts": [] });
    expect(fileInsight("fileMetrics", graph, SETTINGS)).toMatchObject({ fileCount: 1, dependencyCount: 0 });
    expect(fileInsight("topHubs", graph, SETTINGS)).toEqual({ limit: 10, total: 0, items: [] });
    expect(fileInsight("circularDependencies", graph, SETTINGS).items).toEqual([]);
    expect(fileInsight("orphanFiles", graph, SETTINGS).items).toEqual(["code:main.ts"]);
    expect(fileInsight("possiblyUnused", graph, SETTINGS).items).toEqual([]);
  });
});

describe("hubs", () => {
  const files = {
    "a.ts": ["./hub", "./other"],
    "b.ts": ["./hub"],
    "hub.ts": ["./c"],
    "other.ts": ["./c", "./d", "./hub.css"],
    "c.ts": [],
    "d.ts": [],
    "alone.ts": [],
  };

  it("are those with the most imports in and out; of equal ones what more leads to comes first, then the path", () => {
    const { items } = fileInsight("topHubs", graphOf(files), SETTINGS);
    expect(items.map(({ id, fanIn, fanOut }) => [id.slice("code:".length), fanIn, fanOut])).toEqual([
      ["other.ts", 1, 3],
      ["hub.ts", 2, 1],
      ["c.ts", 2, 0],
      ["a.ts", 0, 2],
      ["d.ts", 1, 0],
      ["hub.css", 1, 0],
      ["b.ts", 0, 1],
    ]);
    for (const [at, hub] of items.entries()) {
      const before = items[at - 1];
      if (before !== undefined && before.fanIn + before.fanOut === hub.fanIn + hub.fanOut) {
        expect(before.rank).toBeGreaterThanOrEqual(hub.rank);
      }
    }
  });

  it("are as many, and have as many connections, as the settings say", () => {
    const settings = graphSettings({ topHubs: 3, hubMinConnections: 3 });
    const { items } = fileInsight("topHubs", graphOf(files), settings);
    expect(items.map(({ id }) => id)).toEqual(["code:other.ts", "code:hub.ts"]);
    expect(fileInsight("topHubs", graphOf(files), graphSettings({ topHubs: 1 })).items).toHaveLength(1);
    expect(fileInsight("topHubs", graphOf(files), graphSettings({ topHubs: 0 })).items).toEqual([]);
  });
});

describe("import cycles", () => {
  const files = {
    // Four files, of which two are the shortest cycle.
    "a.ts": ["./b"],
    "b.ts": ["./c"],
    "c.ts": ["./d", "./a"],
    "d.ts": ["./c"],
    // Falls apart without its type-only import.
    "t/one.ts": ["type ./two"],
    "t/two.ts": ["./one"],
    // An import of types beside one of values changes nothing.
    "v/one.ts": ["type ./two", "./two"],
    "v/two.ts": ["./one"],
    "self.ts": ["./self"],
  };

  it("have one shortest example for each set, those at run time first, then the largest", () => {
    expect(fileInsight("circularDependencies", graphOf(files), SETTINGS)).toEqual({
      limit: 20,
      total: 3,
      typeOnlyTotal: 1,
      items: [
        { path: ["code:c.ts", "code:d.ts", "code:c.ts"], size: 4, typeOnly: false },
        { path: ["code:v/one.ts", "code:v/two.ts", "code:v/one.ts"], size: 2, typeOnly: false },
        { path: ["code:t/one.ts", "code:t/two.ts", "code:t/one.ts"], size: 2, typeOnly: true },
      ],
    });
  });

  it("show one that is there at run time, where a cycle of types is no shorter", () => {
    const graph = graphOf({ "a.ts": ["./b", "./c"], "b.ts": ["type ./a"], "c.ts": ["./d"], "d.ts": ["./c"] });
    expect(fileInsight("circularDependencies", graph, SETTINGS).items).toEqual([
      { path: ["code:c.ts", "code:d.ts", "code:c.ts"], size: 2, typeOnly: false },
      { path: ["code:a.ts", "code:b.ts", "code:a.ts"], size: 2, typeOnly: true },
    ]);
    const joined = graphOf({ "a.ts": ["./b"], "b.ts": ["type ./a", "./c"], "c.ts": ["./d"], "d.ts": ["./c", "./a"] });
    expect(fileInsight("circularDependencies", joined, SETTINGS).items).toEqual([
      { path: ["code:c.ts", "code:d.ts", "code:c.ts"], size: 4, typeOnly: false },
    ]);
  });

  it("are cut to so many as the settings say, and counted all the same", () => {
    const found = fileInsight("circularDependencies", graphOf(files), graphSettings({ maxCycles: 1 }));
    expect(found).toMatchObject({ limit: 1, total: 3, typeOnlyTotal: 1 });
    expect(found.items).toHaveLength(1);
  });

  it("are findings at the import that begins them", () => {
    const linked = linkImports(files);
    const findings = cycleFindings(makeFileGraph(linked, SETTINGS), linked);
    expect(findings.map(({ code, path, line, severity, message }) => [code, path, line, severity, message])).toEqual([
      ["import-cycle", "c.ts", 1, "info", "import cycle: c.ts → d.ts → c.ts; 4 files import each other"],
      ["type-cycle", "t/one.ts", 1, "info", "import cycle of types: t/one.ts → t/two.ts → t/one.ts"],
      ["import-cycle", "v/one.ts", 1, "info", "import cycle: v/one.ts → v/two.ts → v/one.ts"],
    ]);
  });

  it("do not come of guesses", () => {
    const linked = linkImports({ "a.ts": ["./b"], "b.ts": ["./a"] });
    const guessed = {
      ...linked,
      edges: linked.edges.map((list, file) =>
        list.map((edge) => (file === 0 ? { ...edge, tier: "name" as const } : edge)),
      ),
    };
    const graph = makeFileGraph(guessed, SETTINGS);
    expect(fileInsight("circularDependencies", graph, SETTINGS).items).toEqual([]);
    expect(fileInsight("fileMetrics", graph, SETTINGS).dependencyCount).toBe(1);
  });
});

describe("files without importers", () => {
  const files = {
    "src/index.ts": ["./used"],
    "src/used.ts": [],
    "src/dead.ts": ["./used"],
    "src/alone.ts": [],
    "src/job.ts": ["./used"],
    "src/public.ts": ["./used"],
    "src/used.test.ts": ["./used"],
    "test/helper.ts": [],
    "vite.config.ts": [],
    "scripts/build.ts": [],
    "src/types.d.ts": [],
    "src/run.ts": [],
    "src/sub/part.ts": [],
  };
  const manifests = {
    "package.json": {
      name: "p",
      exports: { ".": "./dist/index.js", "./public": { types: "./dist/public.d.ts" }, "./sub/*": "./dist/sub/*.js" },
      scripts: { start: "node --enable-source-maps src/run.ts --port 8080" },
    },
  };
  const graph = graphOf(files, { entryPoints: ["src/job*.ts"] }, manifests);

  it("are all that no other imports", () => {
    const { items } = fileInsight("noImporters", graph, SETTINGS);
    expect(items).toHaveLength(Object.keys(files).length - 1);
    expect(items).not.toContain("code:src/used.ts");
  });

  it("are orphans where they import nothing either", () => {
    const { items } = fileInsight("orphanFiles", graph, SETTINGS);
    expect(items).toContain("code:src/alone.ts");
    expect(items).not.toContain("code:src/dead.ts");
  });

  it("are possibly unused where no manifest, setting or name says that something starts there", () => {
    expect(fileInsight("possiblyUnused", graph, SETTINGS).items).toEqual(["code:src/alone.ts", "code:src/dead.ts"]);
  });

  it("are not those that neighbours use without an import, where the language needs none", () => {
    const linked = link([
      codeFile(
        "p/one.go",
        (file) => {
          file.symbol("function", "One", EXPORTED);
          file.use("calls", { kind: "free", name: "Two" }, []);
        },
        "p",
      ),
      codeFile("p/two.go", (file) => void file.symbol("function", "Two", EXPORTED), "p"),
      codeFile("q/three.go", (file) => void file.symbol("function", "Three", EXPORTED), "q"),
    ]);
    const goGraph = makeFileGraph(linked, SETTINGS);
    expect(fileInsight("orphanFiles", goGraph, SETTINGS).items).toEqual(["code:q/three.go"]);
    expect(fileInsight("noImporters", goGraph, SETTINGS).items).toEqual(["code:p/one.go", "code:q/three.go"]);
  });
});

describe("the graph of one collection", () => {
  it("has its files and what leads from one of them to another; use from elsewhere is use", () => {
    const linked = link(
      [
        codeFile("a.ts", (file) => void file.import("../lib/used", "*", "")),
        { ...codeFile("b.ts"), collection: "lib", id: "lib:b.ts", root: "lib" },
        {
          ...codeFile("used.ts", (file) => void file.import("./b", "*", "")),
          collection: "lib",
          id: "lib:used.ts",
          root: "lib",
        },
      ].map((file) => (file.collection === "code" ? { ...file, root: "app" } : file)),
    );
    const whole = makeFileGraph(linked, SETTINGS);
    expect(fileInsight("fileMetrics", whole, SETTINGS)).toMatchObject({ fileCount: 3, dependencyCount: 2 });
    const lib = graphOfCollection(whole, "lib");
    expect(fileInsight("fileMetrics", lib, SETTINGS)).toMatchObject({ fileCount: 2, dependencyCount: 1 });
    expect(fileInsight("noImporters", lib, SETTINGS).items).toEqual([]);
    expect(fileInsight("topHubs", lib, SETTINGS).items.map(({ id }) => id)).toEqual(["lib:b.ts", "lib:used.ts"]);
  });
});
