import { expect, it } from "vitest";
import { serveFiles } from "../../support/serve-files.ts";

const { askJson } = await serveFiles({
  "docs.md": "# Use\n\nCall **convert** with `Record<A, B>`.\n",
  "src/convert.ts":
    "export function convert(input: Record<AlphaKey, BetaValue>): Lamp | undefined {\n  return undefined;\n}\n",
});

it("an excerpt of source code shows its types and signs, one of a page no markup", async () => {
  const { results } = await askJson("search_documents", { query: "convert" });
  const excerpts = (results as { path: string; sections: { excerpt: string }[] }[]).map(
    ({ path, sections }) => [path, sections[0]?.excerpt] as const,
  );
  expect(new Map(excerpts)).toEqual(
    new Map([
      [
        "src/convert.ts",
        "`export function <mark>convert</mark>(input: Record&lt;AlphaKey, BetaValue&gt;): Lamp | undefined {` `return undefined;`",
      ],
      ["docs.md", "Call <mark>convert</mark> with `Record&lt;A, B&gt;`."],
    ]),
  );
});
