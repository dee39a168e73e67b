/**
 * The import rules hold only while the check can fail. Each case plants one forbidden import in a small tree of the
 * same shape as the project and expects the rule for it, by name.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeImports } from "../support/checks.ts";
import { type Cruise, cruiseImports } from "../support/cruise-imports.ts";
import { projectRoot } from "../support/environment.ts";

/** A tree that keeps every rule, one line a file. */
const CLEAN_TREE: Readonly<Record<string, string>> = {
  "node_modules/porter2/package.json": `{ "name": "porter2", "version": "1.0.0", "type": "module", "main": "index.js" }`,
  "node_modules/porter2/index.js": "export const stem = (word) => word;",
  "node_modules/hono/package.json": `{ "name": "hono", "version": "1.0.0", "type": "module", "main": "index.js" }`,
  "node_modules/hono/index.js": "export const Hono = 1;",
  "node_modules/esbuild/package.json": `{ "name": "esbuild", "version": "1.0.0", "main": "index.js" }`,
  "node_modules/esbuild/index.js": "exports.build = 1;",
  "node_modules/fast-check/package.json": `{ "name": "fast-check", "version": "1.0.0", "main": "index.js" }`,
  "node_modules/fast-check/index.js": "exports.check = 1;",
  "node_modules/zod/package.json": `{ "name": "zod", "version": "1.0.0", "type": "module", "main": "index.js" }`,
  "node_modules/zod/index.js": "export const z = 1;",
  "package.json": `{ "type": "module", "dependencies": { "porter2": "1.0.0", "zod": "1.0.0" }, "devDependencies": { "esbuild": "1.0.0", "fast-check": "1.0.0", "hono": "1.0.0" } }`,
  "src/core/errors.ts": "export const failure = 1;",
  "src/core/bytes/reader.ts": `export { failure as reader } from "../errors.ts";`,
  "src/core/text/stem.ts": `import * as porter2 from "porter2"; export const stem = porter2.stem;`,
  "src/core/format/table.ts": `export { reader as table } from "../bytes/reader.ts";`,
  "src/core/index/open.ts": `export { table as open } from "../format/table.ts";`,
  "src/core/docs/model.ts": "export interface Model { readonly id: string }",
  "src/core/code/symbols.ts": `export { open as symbols } from "../index/open.ts";`,
  "src/core/search/search.ts": `import type { Model } from "../docs/model.ts"; export const search = (model: Model) => model;`,
  "src/worker/storage/source.ts": `export { open as source } from "../../core/index/open.ts";`,
  "src/surface/render/text.ts": `export { failure as text } from "../../core/errors.ts";`,
  "src/web/element.ts": `export { search as element } from "../core/search/search.ts";`,
  "src/web/fetch-source.ts": `export { open as fetchSource } from "../core/index/open.ts";`,
  "src/surface/access/access-file.ts": `export { failure as accessFile } from "../../core/errors.ts";`,
  "src/surface/access/keys.ts": `export { accessFile as keys } from "./access-file.ts";`,
  "src/mcp/server.ts": `export { text as server } from "../surface/render/text.ts";`,
  "src/http/routes.ts": `export { Hono as routes } from "hono";`,
  "src/http/api/described.ts": `export { z as described } from "zod";`,
  "src/worker/worker.ts": `export { server } from "../mcp/server.ts"; export { routes } from "../http/routes.ts"; export { source } from "./storage/source.ts";`,
  "src/stdio.ts": `export { server as stdio } from "./mcp/server.ts";`,
  "indexer/index/build.ts": `export { text as build } from "../../src/surface/render/text.ts"; export { fetchSource } from "../../src/web/fetch-source.ts"; export { accessFile } from "../../src/surface/access/access-file.ts";`,
  "indexer/languages/languages.ts": "export const languages = 1;",
  "indexer/parse/parse.ts": `export { languages as parse } from "../languages/languages.ts";`,
  "indexer/engine/bundle.ts": `import { build } from "esbuild"; export const bundle = build;`,
  "indexer/cli/main.ts": `export { build } from "../index/build.ts"; export { mcp } from "./commands/mcp.ts";`,
  "indexer/cli/commands/mcp.ts": `export { stdio as mcp } from "../../../src/stdio.ts";`,
  "test/some.test.ts": `export { build } from "../indexer/index/build.ts";`,
  "bench/run.ts": `export { server } from "../src/mcp/server.ts";`,
};

/** `[file that imports, what it imports, rule that must object]` */
const FORBIDDEN: readonly (readonly [string, string, string])[] = [
  ["src/core/text/planted.ts", "node:fs", "core-is-closed"],
  ["src/core/text/planted.ts", "hono", "core-is-closed"],
  ["src/core/search/planted.ts", "../../surface/render/text.ts", "core-is-closed"],
  ["src/core/errors.ts", "./bytes/reader.ts", "core-errors-see-nothing"],
  ["src/core/bytes/planted.ts", "../format/table.ts", "core-bytes-sees-lower-rooms"],
  ["src/core/text/planted.ts", "../bytes/reader.ts", "core-text-sees-lower-rooms"],
  ["src/core/format/planted.ts", "../index/open.ts", "core-format-sees-lower-rooms"],
  ["src/core/index/planted.ts", "../search/search.ts", "core-index-sees-lower-rooms"],
  ["src/core/search/planted.ts", "../code/symbols.ts", "core-search-sees-lower-rooms"],
  ["src/core/docs/planted.ts", "../search/search.ts", "core-docs-sees-lower-rooms"],
  ["src/core/code/planted.ts", "../docs/model.ts", "core-code-sees-lower-rooms"],
  ["src/surface/render/planted.ts", "../../mcp/server.ts", "surface-sees-lower-floors"],
  ["src/surface/access/planted.ts", "../../worker/storage/source.ts", "surface-sees-lower-floors"],
  ["src/web/planted.ts", "../worker/storage/source.ts", "web-sees-lower-floors"],
  ["src/web/planted.ts", "../surface/access/keys.ts", "web-sees-lower-floors"],
  ["src/mcp/planted.ts", "../http/routes.ts", "mcp-sees-lower-floors"],
  ["src/mcp/planted.ts", "../worker/storage/source.ts", "mcp-sees-lower-floors"],
  ["src/http/planted.ts", "../mcp/server.ts", "http-sees-lower-floors"],
  ["src/http/planted.ts", "../web/element.ts", "http-sees-lower-floors"],
  ["src/worker/storage/planted.ts", "../../web/element.ts", "worker-sees-lower-floors"],
  ["src/mcp/planted.ts", "../worker/worker.ts", "nothing-imports-entries"],
  ["src/http/planted.ts", "zod", "worker-loads-no-zod"],
  ["src/http/planted.ts", "./api/described.ts", "worker-loads-no-zod"],
  ["indexer/planted.ts", "./index/build.ts", "indexer-has-no-loose-files"],
  ["indexer/config/planted.ts", "../index/build.ts", "indexer-config-sees-lower-floors"],
  ["indexer/languages/planted.ts", "../parse/parse.ts", "indexer-languages-sees-lower-floors"],
  ["indexer/index/planted.ts", "../cli/main.ts", "indexer-index-sees-lower-floors"],
  ["indexer/index/planted.ts", "../../src/worker/storage/source.ts", "indexer-sees-core-and-render-only"],
  ["indexer/index/planted.ts", "../../src/web/element.ts", "indexer-sees-core-and-render-only"],
  ["indexer/index/planted.ts", "../../src/surface/access/keys.ts", "indexer-sees-core-and-render-only"],
  ["indexer/index/planted.ts", "../../src/stdio.ts", "indexer-sees-core-and-render-only"],
  ["indexer/cli/commands/mcp.ts", "../../../src/worker/worker.ts", "mcp-loads-stdio-entry-only"],
  ["src/http/planted.ts", "../../indexer/index/build.ts", "src-never-sees-indexer"],
  ["indexer/index/planted.ts", "../../test/some.test.ts", "nothing-imports-tests"],
  ["src/http/planted.ts", "../../bench/run.ts", "nothing-imports-tests"],
  ["src/http/planted.ts", "fast-check", "product-uses-no-development-packages"],
  ["indexer/index/planted.ts", "esbuild", "product-uses-no-development-packages"],
  ["indexer/engine/planted.ts", "fast-check", "bundlers-use-esbuild-only"],
  ["indexer/index/planted.ts", "../../src/http/routes.ts", "command-line-reaches-no-bundled-package"],
  ["src/surface/render/planted.ts", "../../../indexer/engine/bundle.ts", "nothing-imports-bundlers"],
  ["src/core/bytes/planted.ts", "./nowhere.ts", "no-unresolvable"],
];

/** A forbidden import and a circle, which are gone once types are. */
const TYPES_ONLY: Readonly<Record<string, string>> = {
  "src/core/text/type.ts": `import type { Hono } from "hono"; export type A = typeof Hono;`,
  "src/core/docs/a.ts": `import type { B } from "./b.ts"; export interface A { readonly b: B }`,
  "src/core/docs/b.ts": `import type { A } from "./a.ts"; export interface B { readonly a: A }`,
};

describe("the import check", () => {
  let cleanTree = "";

  beforeAll(() => {
    cleanTree = mkdtempSync(join(tmpdir(), "treeline-import-rules-"));
    for (const file of [".dependency-cruiser.mjs", "tsconfig.base.json"]) {
      cpSync(join(projectRoot, file), join(cleanTree, file));
    }
    for (const [file, text] of Object.entries(CLEAN_TREE)) writeInto(cleanTree, file, text);
  });

  afterAll(() => rmSync(cleanTree, { recursive: true, force: true }));

  // `npm run check` counts the files of the whole project for it.
  it("fails for a file that was not read, and for a forbidden import", () => {
    const modules = ["src/a.ts", "src/b.ts"];
    expect(judgeImports({ modules, violations: [] }, 2)).toEqual({ ok: true, summary: "2 files", output: "" });
    expect(judgeImports({ modules, violations: [] }, 3)).toMatchObject({
      ok: false,
      output: "only 2 of 3 files were read\n",
    });
    const violations = [{ rule: "core-is-closed", from: "src/a.ts", to: "src/b.ts" }];
    expect(judgeImports({ modules, violations }, 2)).toMatchObject({
      ok: false,
      output: "src/a.ts -> src/b.ts: core-is-closed\n",
    });
  });

  it("accepts a tree that keeps the rules, and has read it", async () => {
    const { modules, violations } = await cruise(cleanTree);
    expect(violations).toEqual([]);
    expect(modules).toHaveLength(Object.keys(CLEAN_TREE).filter((file) => file.endsWith(".ts")).length);
  });

  it("names the rule for each forbidden import, of a type only as well, and for a circle of such", async () => {
    const planted = cpTree(cleanTree);
    try {
      for (const [index, [file, target]] of FORBIDDEN.entries()) plant(planted, file, target, index);
      for (const [file, text] of Object.entries(TYPES_ONLY)) writeInto(planted, file, text);
      const { violations } = await cruise(planted);
      const found = violations.map(({ from, rule }) => `${from}: ${rule}`);
      for (const [index, [file, , rule]] of FORBIDDEN.entries()) {
        expect(found).toContain(`${plantedName(file, index)}: ${rule}`);
      }
      const rulesOf = (file: string) => violations.filter(({ from }) => from === file).map(({ rule }) => rule);
      expect(rulesOf("src/core/text/type.ts")).toEqual(["core-is-closed"]);
      const circle = ["src/core/docs/a.ts", "src/core/docs/b.ts"].flatMap(rulesOf);
      expect(new Set(circle)).toEqual(new Set(["no-circular"]));
    } finally {
      rmSync(planted, { recursive: true, force: true });
    }
  });
});

function cruise(root: string): Promise<Cruise> {
  return cruiseImports(root, ["src", "indexer", "test", "bench"]);
}

function cpTree(tree: string): string {
  const copy = mkdtempSync(join(tmpdir(), "treeline-import-rules-"));
  cpSync(tree, copy, { recursive: true });
  return copy;
}

/** Files called `planted.ts` get a number each, so that every case has a file of its own. */
function plantedName(file: string, index: number): string {
  return file.replace("planted.ts", `planted-${index}.ts`);
}

function plant(root: string, file: string, target: string, index: number): void {
  const kept = CLEAN_TREE[file] ?? "";
  writeInto(root, plantedName(file, index), `import * as planted from "${target}"; void planted;\n${kept}`);
}

function writeInto(root: string, file: string, text: string): void {
  const path = join(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${text}\n`);
}
