/** What the tools over the graph say of files that import one another in a circle. */
import { describe, expect, it } from "vitest";
import { serveFiles } from "../../support/serve-files.ts";

const { ask, askJson } = await serveFiles({
  "src/a.ts":
    'import { b } from "./b.ts";\nimport type { Level } from "./level.ts";\nexport function a(level: Level): number {\n  return b(level.n);\n}\n',
  "src/b.ts": 'import { c } from "./c.ts";\nexport function b(n: number): number {\n  return c(n);\n}\n',
  "src/c.ts":
    'import { a } from "./a.ts";\nexport function c(n: number): number {\n  return n > 3 ? a({ n }) : n;\n}\nexport const first = (): number => a({ n: 1 });\n',
  "src/level.ts": 'import type { Box } from "./box.ts";\nexport interface Level {\n  n: number;\n  box?: Box;\n}\n',
  "src/box.ts": 'import type { Level } from "./level.ts";\nexport interface Box {\n  level: Level;\n}\n',
  "src/start.ts": 'import { b } from "./b.ts";\nb(1);\n',
  "src/again.ts": 'export { a } from "./a.ts";\n',
  "src/self.ts": 'import { tick } from "./tick.ts";\nexport function self(): void {}\nself();\ntick();\n',
  "src/tick.ts": 'import { self } from "./self.ts";\nexport function tick(): void {\n  self();\n}\n',
});

interface Affected {
  readonly file: string;
  readonly count: number;
  readonly symbols: readonly { readonly id: string; readonly kind?: string }[];
}

async function impactOf(target: string) {
  const answer = await askJson("analyze_impact", { target, depth: 10, max_tokens: 6000 });
  return answer as unknown as {
    counts: { symbols: number; files: number };
    affected: Affected[];
  };
}

describe("impact", () => {
  it.each(["a", "b", "c", "Level", "tick", "src/a.ts"])(
    "of %s counts what it lists of symbols and files",
    async (target) => {
      const { counts, affected } = await impactOf(target);
      expect(affected.length).toBeGreaterThan(0);
      const symbols = affected.flatMap((file) => file.symbols.filter(({ kind }) => kind !== undefined));
      expect(counts.symbols).toBe(symbols.length);
      expect(counts.files).toBe(new Set(affected.map(({ file }) => file)).size);
      for (const { count, symbols: own } of affected) {
        expect(count).toBe(own.filter(({ kind }) => kind !== undefined).length);
      }
    },
  );

  it("leaves out the file of the target where nothing but its imports is affected", async () => {
    const { affected } = await impactOf("a");
    expect(affected.map(({ file }) => file)).not.toContain("code:src/a.ts");
    const level = (await impactOf("Level")).affected.map(({ file }) => file);
    expect(level).not.toContain("code:src/level.ts");
  });

  it("names the file of the target where another symbol of it is affected, or its top calls", async () => {
    const own = (await impactOf("c")).affected.filter(({ file }) => file === "code:src/c.ts");
    expect(own.flatMap(({ symbols }) => symbols.map(({ id }) => id))).toEqual(["code:src/c.ts#first"]);
    const self = (await impactOf("self")).affected.filter(({ file }) => file === "code:src/self.ts");
    expect(self.flatMap(({ symbols }) => symbols.map(({ id }) => id))).toEqual(["code:src/self.ts"]);
  });

  it("says symbols and files in words", async () => {
    const { text } = await ask("analyze_impact", { target: "b", depth: 1 });
    expect(text).toContain(
      "A change of code:src/b.ts#b may break 1 symbol in 1 file and the top of 1 more file, of 1 package, within 1 step",
    );
    expect((await ask("analyze_impact", { target: "src/start.ts" })).text).toContain("Nothing was found");
  });
});

describe("a diagram", () => {
  it("draws each edge once in both directions, those of types alone with dots", async () => {
    const { text } = await ask("get_dependencies", { target: "src/a.ts", direction: "both", depth: 5, mermaid: true });
    const names = new Map([...text.matchAll(/(n\d+)\["([^"]+)"\]/g)].map(([, name, label]) => [name, label]));
    const arrows = [...text.matchAll(/^ {2}(n\d+)\S* (-->|-\.->)\S* (n\d+)/gm)].map(
      ([, from, arrow, to]) => `${names.get(from)} ${arrow} ${names.get(to)}`,
    );
    expect(arrows.length).toBeGreaterThan(5);
    expect(new Set(arrows).size).toBe(arrows.length);
    expect(arrows).toEqual(
      expect.arrayContaining([
        "src/a.ts --> src/b.ts",
        "src/c.ts --> src/a.ts",
        "src/a.ts -.-> src/level.ts",
        "src/box.ts -.-> src/level.ts",
      ]),
    );
  });
});
