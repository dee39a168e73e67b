/** What tools for code say of the product, and of tests and examples beside it; of functions inside functions and equal names. */
import { decode } from "@toon-format/toon";
import { describe, expect, it } from "vitest";
import { serveFiles } from "../../support/serve-files.ts";

const { ask, askJson } = await serveFiles({
  "package.json": '{"name":"plant","type":"module"}',
  "src/main.ts": 'import { createPlant } from "./core/plant.ts";\nexport const run = () => createPlant().water(1);\n',
  "src/core/plant.ts": `import { measure } from "../util/measure.ts";
import "./plant.css";
export interface Plant { water(amount: number): number }
export function open(): void;
export function open(name: string): void;
export function open(name = ""): void { measure(name.length); }
export class Bed implements Plant {
  water(amount: number): number { return measure(amount); }
}
export function createPlant(): Plant {
  interface Roots { depth: number }
  const roots: Roots = { depth: 1 };
  function grow(): number { return measure(roots.depth); }
  const wilt = () => 0;
  return { water: () => grow() + wilt() };
}
export function bedOf(bed: Bed): Bed { return bed; }
export function start(): void { open("rose"); }
`,
  "src/core/plant.css": "",
  "src/util/measure.ts": "export function measure(amount: number): number { return amount; }\n",
  "src/util/open.ts": "export class Door { open(): void {} }\n",
  "test/plant.test.ts":
    'import { createPlant } from "../src/core/plant.ts";\nimport { measure } from "../src/util/measure.ts";\ncreatePlant();\nmeasure(1);\nfunction open() {}\nopen();\n',
});

describe("the graph of the product", () => {
  it("leaves out what begins in tests, and says how much that is", async () => {
    const { text } = await ask("get_dependencies", {});
    expect(text).toContain("core -> util (1 import)");
    expect(text).not.toContain("test ->");
    expect(text).toContain("Left out: 2 imports by tests");
    expect((await ask("get_dependencies", { tests: true })).text).toMatch(/test ->\n {4}core \(1 import\)/);
    const product = await askJson("get_graph_summary", {});
    expect(product.metrics).toMatchObject({
      fileCount: 5,
      dependencyCount: 3,
      aside: { test: 1 },
      asideDependencyCount: 2,
    });
    const all = await askJson("get_graph_summary", { tests: true });
    expect(all.metrics).toMatchObject({ fileCount: 6, dependencyCount: 5, aside: {} });
  });

  it("has of a file what the product does with it, and its assets", async () => {
    const used = await ask("get_dependencies", { target: "src/util/measure.ts", direction: "in" });
    expect(used.text).toContain("is used by 1 directly");
    expect(used.text).toContain("Left out: 1 edge by tests");
    const own = await ask("get_dependencies", { target: "src/core/plant.ts" });
    expect(own.text).toContain("src/core/plant.css (asset)");
  });
});

describe("impact", () => {
  it("does not go on from a class that holds what changed, and goes on from declarations of one symbol", async () => {
    const { text } = await ask("analyze_impact", { target: "measure" });
    expect(text).toContain("Bed.water");
    expect(text).not.toContain("bedOf");
    expect(text).toMatch(/2 steps away[\s\S]*start/);
  });

  it("keeps what only names types apart", async () => {
    const { text } = await ask("analyze_impact", { target: "Bed" });
    expect(text).toMatch(/types alone, 1 step away\n {2}src\/core\/plant.ts: bedOf/);
    expect((await ask("analyze_impact", { target: "measure", kinds: ["type"] })).text).toContain("Nothing was found");
    expect((await ask("analyze_impact", { target: "measure", counts: true })).text).toContain(
      "package core of plant: 1 file",
    );
  });
});

describe("a path", () => {
  it("goes into functions that a function holds, and to what implements a member", async () => {
    expect((await ask("find_path", { from: "run", to: "createPlant.wilt" })).text).toContain("#createPlant.wilt (");
    expect((await ask("find_path", { from: "createPlant", to: "createPlant.grow" })).text).toContain("1 step from");
    const { text } = await ask("find_path", { from: "run", to: "Bed.water" });
    expect(text).toMatch(/#Plant.water -> src\/core\/plant.ts#Bed.water \((?:overridden|implemented) by\)/);
  });
});

describe("symbols", () => {
  it("of one name are one where one of the product stands at the top, and others are named", async () => {
    const { text } = await ask("references", { symbol: "open" });
    expect(text).toContain("reference to code:src/core/plant.ts#open");
    expect(text).toContain("Of that name are also code:src/util/open.ts#Door.open, code:test/plant.test.ts#open.");
    expect((await ask("rename", { symbol: "open", new_name: "unlock" })).text).toContain('"open" names 3 symbols');
  });

  it("inside functions are counted in outlines, listed on demand and found by name", async () => {
    const { text } = await ask("read", { file: "src/core/plant.ts" });
    expect(text).toContain("Function - createPlant (3 inside)");
    const inside = await ask("get_tree", { node_id: "src/core/plant.ts#createPlant" });
    for (const name of ["Roots", "grow", "wilt"]) expect(inside.text).toContain(`#createPlant.${name} `);
    expect((await ask("find_symbol", { query: "Roots" })).text).toContain("Interface - Roots [createPlant, Function]");
  });

  it("are files where these are asked for", async () => {
    const { texts } = await ask("search_nodes", { kind: ["file"], query: "util/*", format: "toon" });
    expect(decode(texts[0] ?? "")).toMatchObject({
      count: 2,
      package: "util",
      files: [{ file: "src/util/measure.ts" }, { file: "src/util/open.ts" }],
    });
  });
});
