/** Symbols that are called as somebody asks stand in front of those that are only exported so. */
import { expect, it } from "vitest";
import { serveFiles } from "../../support/serve-folder.ts";

it("a symbol's own name goes before one that it is exported under, whatever leads to either", async () => {
  const uses = Array.from({ length: 30 }, () => "ey();").join("\n");
  const { ask } = await serveFiles({
    "bundle.js": `function ey() { return 1; }\n${uses}\nexport { ey as getCurrentScope };\n`,
    "scope.ts": "function getCurrentScope(): number {\n  return 2;\n}\nvoid getCurrentScope;\n",
  });
  const { json } = await ask("find_symbol", { query: "getCurrentScope" });
  expect((json["symbols"] as readonly { readonly name: string }[]).map(({ name }) => name)).toEqual([
    "getCurrentScope",
    "ey",
  ]);
});

it("names of signs and patterns are found as they are written", async () => {
  const { ask } = await serveFiles({
    "types.d.ts": 'declare module "*.svg" {\n  const address: string;\n  export default address;\n}\n',
    "icons.ts": 'export const icons = { ".c": 1, ".c++": 2, ".mdx": 3, mdx: 4 };\n',
  });
  for (const query of ["*.svg", ".c", ".c++", ".mdx", "mdx"]) {
    const { json } = await ask("find_symbol", { query });
    expect((json["symbols"] as readonly { readonly name: string }[])[0]?.name).toBe(query);
  }
});
