import { expect, it } from "vitest";
import { serveFiles } from "../../support/serve-files.ts";

const use = (name: string): string => `export function ${name}(x) {\n  return x.shine();\n}\n`;

it.each([
  [1, '1 more place names a member "shine"'],
  [2, '2 more places name a member "shine"'],
])("a plan counts what it may lack in words: %i", async (count, words) => {
  const uses = Array.from({ length: count }, (_, at) => [`src/use${at}.js`, use(`use${at}`)] as const);
  const { text } = await (
    await serveFiles({
      "src/lamp.ts": "export class Lamp {\n  shine(): void {}\n}\nexport class Bulb {\n  shine(): void {}\n}\n",
      ...Object.fromEntries(uses),
    })
  ).ask("rename", { symbol: "Lamp.shine", new_name: "glow" });
  expect(text).toContain(words);
});

it("a member that a place means together with another's changes with it", async () => {
  const { text } = await (
    await serveFiles({
      "src/lamps.ts": "export class Lamp {\n  shine(): void {}\n}\nexport class Bulb {\n  shine(): void {}\n}\n",
      "src/use.ts":
        "import type { Bulb, Lamp } from './lamps';\nexport function use(one: Lamp | Bulb) {\n  one.shine();\n}\n",
    })
  ).ask("rename", { symbol: "Lamp.shine", new_name: "glow" });
  expect(text).toContain("@2:3 @5:3");
  expect(text).toContain("@3:7");
});

it("a type that a comment gives the same name keeps it in other comments", async () => {
  const { text } = await (
    await serveFiles({
      "src/lamp.js": "export class Lamp {}\n",
      "src/use.js":
        "/** @typedef {import('./lamp.js').Lamp} Lamp */\n/** @param {Lamp} one */\nexport function use(one) {}\n",
    })
  ).ask("rename", { symbol: "Lamp", new_name: "Light" });
  expect(text).toContain("certain Lamp → Light: @1:35\n");
});
