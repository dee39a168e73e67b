/** Versions of Node that are too old are told so, in words. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { explainOldNode, OLDEST_NODE } from "../../indexer/node-version.ts";
import { projectRoot } from "../support/environment.ts";

describe("a version of Node", () => {
  it("is named where it is too old, with the one that is needed", () => {
    for (const old of ["20.20.2", "22.12.0", "9.0.0"]) {
      expect(explainOldNode(old)).toBe(`Treeline needs Node ${OLDEST_NODE} or newer, and this is ${old}.`);
    }
    for (const good of [OLDEST_NODE, "22.13.1", "23.0.0", "100.0.0", process.versions.node]) {
      expect(explainOldNode(good)).toBeUndefined();
    }
  });

  it("is looked at before anything is loaded that an old one cannot load", () => {
    const read = (name: string) => readFileSync(join(projectRoot, "indexer", name), "utf8");
    const imported = [...read("cli.ts").matchAll(/^import .* from "(.*)";$/gm)].map(([, specifier]) => specifier);
    expect(imported).toEqual(["node:process", "./node-version.ts"]);
    expect(read("node-version.ts")).not.toMatch(/^import /m);
  });
});
