/** What the command line loads before anything else. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../support/environment.ts";

it("is nothing that an old Node cannot load, before its version is looked at", () => {
  const read = (name: string) => readFileSync(join(projectRoot, "indexer", "cli", name), "utf8");
  const imported = [...read("main.ts").matchAll(/^import .* from "(.*)";$/gm)].map(([, specifier]) => specifier);
  expect(imported).toEqual(["node:process", "./oldest-node.ts"]);
  expect(read("oldest-node.ts")).not.toMatch(/^import /m);
});
