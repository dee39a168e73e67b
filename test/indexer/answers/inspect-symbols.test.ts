import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { estimateTokens } from "../../../src/surface/render/text.ts";
import { type ServedFolder, serveFiles } from "../../support/serve-folder.ts";

const FILES = {
  "src/shape.ts": `/** Something with an area. More follows. */
export interface Shape {
  area(): number;
  readonly name: string;
}
export abstract class Base implements Shape {
  abstract readonly name: string;
  area(): number {
    return scale(0);
  }
}
export class Round extends Base {
  readonly name = "round";
  override area(): number {
    return scale(MAX_EDGE);
  }
}
export class Ball extends Round {}
/** Longest edge. */
export const MAX_EDGE = 25_000;
export function scale(value: number): number;
export function scale(value: string): number;
export function scale(value: unknown): number {
  return Number(value) * 2;
}
export const defaults = { retries: 3, delay: { first: "1s" } };
export enum Level {
  Low = 1,
  High = 5,
}
class Meter {
  #value = 0;
  get value(): number {
    return this.#value;
  }
  set value(next: number) {
    this.#value = next;
  }
}
`,
  "src/index.ts": `export { scale, Round as Circle } from "./shape.ts";\nexport type { Shape } from "./shape.ts";\n`,
  "src/deep/use.ts": `import { scale, type Shape } from "../shape.ts";
export function total(shapes: Shape[]): number {
  return scale(1) + scale(2);
}
export class Report {
  print(anything): void {
    this.first(scale(3));
    anything.area();
    anything.thing.area();
  }
  first(value: number): void {}
}
`,
  "src/deep/other.ts": `import { scale } from "../shape.ts";\nexport const twice = () => scale(2);\nfunction helper() {}\n`,
  "src/helper.ts": "export function helper(): void {}\n",
  "src/options.ts": `const options = make({\n  retries: 7,\n});\noptions.retries ??= isFast ? 1 : 2;\n`,
  "src/limits.rs": `pub const LIMIT: u8 = if cfg!(wasm) {\n    49\n} else {\n    255\n};\npub trait Close {\n    fn close(&self);\n}\nimpl Close for str {\n    fn close(&self) {}\n}\n`,
  "src/scale.py": "def scale(value: int = 5) -> int:\n    return value\n",
  "test/shape.test.ts": `import { scale, Round } from "../src/shape.ts";\nscale(5);\nscale(6);\nclass Fake extends Round {}\n`,
  "docs/guide.md": "# Guide\n\n## Scaling\n\nCall `scale` from `src/shape.ts`, up to `MAX_EDGE`.\n",
  "CHANGELOG.md": "# Changes\n\n`scale` and `MAX_EDGE` were added.\n",
};

let served: ServedFolder;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "treeline-test-"));
  served = await serveFiles(FILES, folder);
  return () => rm(folder, { recursive: true, force: true });
});

async function inspect(...symbols: string[]): Promise<string> {
  return (await served.ask("inspect", { symbols, format: "text" })).text;
}

describe("a card", () => {
  it("has place, signatures, callers by file and function, and counts tests", async () => {
    const text = await inspect("src/shape.ts#scale");
    expect(text.split("\n")).toEqual([
      "## scale function src/shape.ts:23-25",
      "export function scale(value: number): number",
      "export function scale(value: string): number",
      "export function scale(value: unknown): number",
      "called by: here Base.area 9; Round.area 15 | src/deep/use.ts total 3; Report.print 7 | …/other.ts twice 2",
      "re-exported by: src/index.ts 1",
      "tests: 3",
    ]);
  });

  it("has values of constants, members of objects and enums, and those of several lines", async () => {
    expect(await inspect("MAX_EDGE")).toContain(
      "export const MAX_EDGE = 25_000\nLongest edge.\nread by: here Round.area 15\ndocs: docs/guide.md scaling 5\nchangelogs: 1",
    );
    expect(await inspect("defaults.retries")).toContain("retries: 3");
    expect(await inspect("defaults.delay.first")).toContain('first: "1s"');
    expect(await inspect("Level.High")).toContain("High = 5");
    expect(await inspect("Level")).toContain("members: Low = 1; High = 5");
    expect(await inspect("LIMIT")).toContain("pub const LIMIT: u8 = if cfg!(wasm) { 49 } else { 255 }");
  });

  it("names where a member gets a value by its name alone", async () => {
    const text = await inspect("defaults.retries");
    expect(text).toContain(
      "set by name: src/options.ts:2 retries: 7, | src/options.ts:4 options.retries ??= isFast ? 1 : 2",
    );
  });

  it("parts implementers from overriders, and marks those through a base class", async () => {
    const shape = await inspect("Shape");
    expect(shape).toContain("members: area(): number; readonly name: string");
    expect(shape).toContain("Something with an area.\n");
    expect(shape).toContain("implemented by: here Base 6\nthrough Base: here Round 12\nthrough Round: here Ball 18");
    const area = await inspect("Base.area");
    expect(area).toContain("overrides Shape.area src/shape.ts:3");
    expect(area).toContain("overridden by: here Round.area 14");
    expect(await inspect("Shape.area")).toContain("implemented by: here Base.area 8");
    expect(await inspect("Close implements")).toContain("implemented by: here impl Close for str 9");
  });

  it("counts places whose receiver is unknown, as the old tools do", async () => {
    const note = "and 2 places x.area whose receiver is unknown";
    expect(await inspect("Shape.area")).toContain(note);
    for (const tool of ["references", "call_hierarchy", "inspect"]) {
      const { text } = await served.ask(tool, { symbol: "Shape.area", format: "text" });
      expect(text, tool).toContain(`${note}.`);
    }
    expect((await served.ask("analyze_impact", { target: "Shape.area", format: "text" })).text).toContain(`${note}.`);
    expect(await inspect("scale")).not.toContain("receiver");
  });

  it("is one for a getter and its setter, and names no ordinals", async () => {
    const text = await inspect("Meter.value");
    expect(text.match(/^## /gm)).toHaveLength(1);
    expect(text).not.toContain("~");
  });
});

describe("roles", () => {
  it("give one list alone", async () => {
    expect(await inspect("src/shape.ts#scale calls")).toBe(
      "## scale function src/shape.ts:23-25\n" +
        "called by: here Base.area 9; Round.area 15 | src/deep/use.ts total 3; Report.print 7 | …/other.ts twice 2\ntests: 2",
    );
    expect(await inspect("who calls MAX_EDGE")).toContain("called by: none found");
    expect(await inspect("total callees")).toContain("calls: src/shape.ts scale 21");
    expect(await inspect("Shape imports")).toContain("imported by: src/deep/use.ts 1\nre-exported by: src/index.ts 2");
  });

  it("list every file for a rename, tests and pages too", async () => {
    const text = await inspect("src/shape.ts#scale rename");
    expect(text).toContain("files: here 9,15,21,22,23 | src/index.ts 1 | src/deep/use.ts 1,3,7 | …/other.ts 1,2");
    expect(text).toContain("tests and examples: test/shape.test.ts 1,2,3");
    expect(text).toContain("docs and other files: docs/guide.md 5");
    expect(text).toContain("changelogs: CHANGELOG.md 3");
    expect(text).toContain("1 place of other symbols of that name left out");
    expect(text).not.toContain("not complete");
  });

  it("find pages by the name alone, where several symbols have it", async () => {
    expect(await inspect("src/shape.ts#scale docs")).toBe(
      "## scale function src/shape.ts:23-25\ndocs by name alone: docs/guide.md 5",
    );
  });

  it("bring tests where these are asked for", async () => {
    const { text } = await served.ask("inspect", {
      symbols: ["src/shape.ts#scale calls"],
      tests: true,
      format: "text",
    });
    expect(text).toContain("test/shape.test.ts 2,3");
    expect(await inspect("Round implements tests")).toContain("test/shape.test.ts Fake 4");
  });
});

describe("names", () => {
  it("of several symbols are answered for each, exported ones first, in any language", async () => {
    const text = await inspect("helper", "scale");
    expect(text.match(/^## .*$/gm)).toEqual([
      "## helper function src/helper.ts:1 [1 of 2]",
      "## helper function (not exported) src/deep/other.ts:3 [2 of 2]",
      "## scale function src/shape.ts:23-25 [1 of 2]",
      "## scale function src/scale.py:1-2 [2 of 2]",
    ]);
  });

  it("that have nothing of what is asked for are counted behind those that have", async () => {
    expect(await inspect("helper calls")).toBe(
      "## helper function src/helper.ts:1 [1 of 2]\ncalled by: none found\nalso helper: 1 with none",
    );
    expect(await inspect("area callees")).toContain("also area: 1 with none");
  });

  it("may be places, members of a base, and be found under another container", async () => {
    expect(await inspect("src/shape.ts:15")).toContain("## Round.area method src/shape.ts:14-16");
    expect(await inspect("src/shape.ts:20")).toContain("## MAX_EDGE constant src/shape.ts:20");
    expect(await inspect("Ball.name")).toContain("## Round.name property src/shape.ts:13 (inherited by Ball)");
    expect(await inspect("Circle")).toContain("## Round class src/shape.ts:12-17 (exported as Circle)");
    expect(await inspect("geometry.total")).toContain(
      "## total function src/deep/use.ts:2-4 (there is no geometry.total)",
    );
  });

  it("may be source files: what they export, and who imports them", async () => {
    expect(await inspect("src/deep/use.ts", "deep/other.ts")).toBe(
      "## src/deep/use.ts file\nexports: total, Report\n" + "## src/deep/other.ts file\nexports: twice",
    );
    expect(await inspect("src/shape.ts")).toContain(
      "imported by: src/deep/use.ts 1 | …/other.ts 1 | src/index.ts 1,2\ntests: 1",
    );
  });

  it("that are none are told with the nearest, and the others answered", async () => {
    const text = await inspect("Shap", "Level", "Level", "Level calls");
    expect(text).toContain('## no symbol or source file "Shap"; nearest: ');
    expect(text).toContain("## Level enum src/shape.ts");
    expect(text).toContain("2 asked for twice, answered once.");
    expect(await inspect("docs/guide.md")).toBe(
      '## no symbol or source file "docs/guide.md"; read and map take paths of any file',
    );
  });
});

it("keeps to its budget in text and JSON, whatever is asked", async () => {
  const names = ["scale", "Shape", "helper calls", "Round rename", "nothing", "src/shape.ts:9", "x y z", "Base uses"];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 100, max: 2_000 }),
      async (symbols, max_tokens) => {
        const count = new Set(symbols).size;
        for (const format of max_tokens > 200 * count ? ["text", "json"] : ["text"]) {
          const { text, isError } = await served.ask("inspect", { symbols, max_tokens, format });
          expect(isError).toBe(false);
          expect(estimateTokens(text)).toBeLessThanOrEqual(max_tokens);
        }
      },
    ),
    { numRuns: 25 },
  );
});

it("gives lists as JSON", async () => {
  const { json } = await served.ask("inspect", { symbols: ["total", "MAX_EDGE"] });
  expect(json.parts).toEqual([
    expect.objectContaining({ asked: "total", kind: "function", lines: "2-4" }),
    expect.objectContaining({
      asked: "MAX_EDGE",
      readBy: [{ path: "src/shape.ts", in: "Round.area", lines: [15] }],
    }),
  ]);
});

it("takes the directions of LSP and empty lists", async () => {
  const calls = await served.ask("call_hierarchy", { symbol: "total", direction: "outgoing", format: "text" });
  expect(calls.text).toContain("1 callee of");
  const content = await served.ask("get_node_content", { doc_id: "docs:docs/guide.md", node_ids: [], lines: "3-5" });
  expect(content.isError).toBe(false);
});
