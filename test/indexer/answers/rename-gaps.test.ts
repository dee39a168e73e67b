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
