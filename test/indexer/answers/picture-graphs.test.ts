/** The graphs that pictures are drawn from, out of real builds: what leads where, for whom, and what reading them costs. */
import { describe, expect, it } from "vitest";
import { loadFile } from "../../../src/core/code/load-files.ts";
import type { LoadedFile } from "../../../src/core/code/model.ts";
import { readFileNeighbours, readImportGraph } from "../../../src/core/code/walks.ts";
import { readPageLinks } from "../../../src/core/docs/catalogue.ts";
import { openFiles } from "../../support/build-index.ts";
import { GRAPH_CONFIG, GRAPH_PROJECT } from "../../support/graph-project.ts";
import { makeCorpus } from "../../support/small-corpus.ts";

/** The project, built once for all tests. */
let built: Promise<Map<string, Uint8Array>> | undefined;

async function openProject(groups: readonly string[] | "all"): ReturnType<typeof openFiles> {
  built ??= (async () => {
    const corpus = await makeCorpus(GRAPH_PROJECT, GRAPH_CONFIG);
    await corpus.build("one");
    return corpus.files("one");
  })();
  return openFiles(await built, groups);
}

interface Read {
  readonly ids: readonly string[];
  readonly links: readonly { readonly from: number; readonly to: number; readonly typeOnly: boolean }[];
}

function namesOf({ ids, links }: Read): string[] {
  return links.map(({ from, to, typeOnly }) => `${ids[from]} ${typeOnly ? "~>" : "->"} ${ids[to]}`).sort();
}

const IMPORTS = [
  "app:src/a.ts -> app:src/b.ts",
  "app:src/b.ts -> app:src/a.ts",
  "app:src/dead.ts -> app:src/a.ts",
  "app:src/main.ts -> app:src/a.ts",
  "app:src/shape.ts ~> app:src/types.ts",
  "app:src/types.ts ~> app:src/shape.ts",
  "tools:run.py -> tools:step.py",
];

describe("the graph of imports", () => {
  it("has every source file that the caller sees, and each import once, of types alone where it is, in one round", async () => {
    const { reader } = await openProject(["public"]);
    const opened = reader.cost.waves;
    const graph = (await readImportGraph(reader)) as Read;
    expect(graph.ids).toHaveLength(9);
    expect(namesOf(graph)).toEqual(IMPORTS);
    expect(reader.cost.waves).toBe(opened + 1);
    await readImportGraph(reader);
    expect(reader.cost.waves).toBe(opened + 1);
  });

  it("has those of other groups for who sees them", async () => {
    const { reader } = await openProject("all");
    const graph = (await readImportGraph(reader)) as Read;
    expect(namesOf(graph)).toEqual([
      ...IMPORTS.slice(0, 6),
      "team:other.ts -> team:secret.ts",
      "team:secret.ts -> team:other.ts",
      ...IMPORTS.slice(6),
    ]);
  });

  it("says of each file the same as the whole graph", async () => {
    const { reader } = await openProject("all");
    const graph = (await readImportGraph(reader)) as Read;
    for (const [at, id] of graph.ids.entries()) {
      const file = (await loadFile(reader, id)) as LoadedFile;
      const { imports = [], importedBy = [] } = (await readFileNeighbours(reader, file)) ?? {};
      const ends = (own: "from" | "to", other: "from" | "to"): (string | undefined)[] =>
        graph.links.filter((link) => link[own] === at).map((link) => graph.ids[link[other]]);
      expect([...imports].sort()).toEqual(ends("from", "to").sort());
      expect([...importedBy].sort()).toEqual(ends("to", "from").sort());
    }
  });
});

describe("the graph of links", () => {
  it("has every page that the caller sees, and which of them link to one another", async () => {
    const { reader } = await openProject(["public"]);
    const opened = reader.cost.waves;
    const graph = (await readPageLinks(reader)) as Read;
    expect(graph.ids).toEqual(["docs:guide.md", "docs:index.md", "docs:lone.md"]);
    expect(namesOf(graph)).toEqual(["docs:guide.md -> docs:index.md", "docs:index.md -> docs:guide.md"]);
    const { waves } = reader.cost;
    expect(waves - opened).toBeLessThanOrEqual(2);
    await readPageLinks(reader);
    expect(reader.cost.waves).toBe(waves);
  });

  it("has those of other groups for who sees them", async () => {
    const { reader } = await openProject("all");
    expect(namesOf((await readPageLinks(reader)) as Read)).toContain("team:plan.md -> team:more.md");
  });

  it("has the links that a build on a base changed, and none of those before", async () => {
    const corpus = await makeCorpus(GRAPH_PROJECT, GRAPH_CONFIG);
    await corpus.build("base");
    await corpus.edit({ "docs/guide.md": "# Guide\n\n[lone](lone.md)\n" });
    await corpus.buildOn("base", "next");
    const { reader } = await corpus.open("next", ["public"]);
    expect(reader.shards.some(({ root }) => root.deleted.length > 0)).toBe(true);
    expect(namesOf((await readPageLinks(reader)) as Read)).toEqual([
      "docs:guide.md -> docs:lone.md",
      "docs:index.md -> docs:guide.md",
    ]);
  });
});
