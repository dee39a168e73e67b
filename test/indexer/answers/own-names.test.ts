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
