/** Tests of what can be imported from packages: modules of manifests, names of modules, and what they lead to. */
import { describe, expect, it } from "vitest";
import { linkPackage } from "../../../support/link-package.ts";

/** Links sources beside manifests, and gives modules with their names: `Shop class src/store.ts#Store`. */
function publicApi(sources: Readonly<Record<string, string>>, manifests: Readonly<Record<string, object>>) {
  const linked = linkPackage(sources, manifests);
  const { entries, modules } = linked.api;
  const pathOf = (file: number): string => linked.files[file]?.id.slice("code:".length) ?? "";
  const namesOf = (file: number): string[] =>
    (modules.find((module) => module.file === file)?.names ?? [])
      .map(({ name, typeOnly, to }) => {
        const target =
          to === undefined
            ? "?"
            : "external" in to
              ? to.external
              : "file" in to
                ? `${pathOf(to.file)}${to.symbol < 0 ? "" : `#${linked.files[to.file]?.symbols[to.symbol]?.path}`}`
                : to.id;
        return `${typeOnly ? "type " : ""}${name} ${target}`;
      })
      .sort();
  return {
    entries: entries.map(({ name, file }) => `${name} ${pathOf(file)}`),
    names: (module: string) => namesOf(entries.find(({ name }) => name === module)?.file ?? -1),
    outside: (module: string) => {
      const file = entries.find(({ name }) => name === module)?.file;
      return modules.find((one) => one.file === file)?.outside;
    },
    isPublic: (path: string) => {
      const [file = "", symbol] = path.split("#");
      const record = linked.files.find(({ id }) => id === `code:${file}`);
      return record?.symbols.find((one) => one.path === symbol)?.flags.includes("public");
    },
    packages: Object.fromEntries(linked.packages.map(({ name, modules: own }) => [name, own])),
    modulesOfFiles: linked.files.map(({ module, package: name }) => `${module} ${name}`),
  };
}

describe("names of a module", () => {
  it("are those that an import can take, under the names that it takes them by", () => {
    const api = publicApi(
      {
        "src/index.ts": `
          export { BaseStore as AbstractStore, type Options } from "./store.js";
          export * from "./all.js";
          export * as tools from "./tools.js";
          export * from "react";
          export { z } from "zod";
          import { hidden } from "./tools.js";
          export { hidden as shown };
          import def from "./default.js";
          export { def as default };
          const own = 1;
          export { own as mine };`,
        "src/store.ts": "export class BaseStore {} export interface Options {} export const inner = 1;",
        "src/all.ts": "export const a = 1; export * from './deep.js'; export default 5; const no = 1;",
        "src/deep.ts": "export type Deep = 1; export function deep() {}",
        "src/tools.ts": "export const hidden = 1; export const tool = 2;",
        "src/default.ts": "export default class Thing {}",
      },
      { "package.json": { name: "acme", exports: { ".": "./dist/index.js" } } },
    );
    expect(api.entries).toEqual(["acme src/index.ts"]);
    expect(api.names("acme")).toEqual([
      "AbstractStore src/store.ts#BaseStore",
      "a src/all.ts#a",
      "deep src/deep.ts#deep",
      "default src/default.ts#Thing",
      "mine src/index.ts#own",
      "shown src/tools.ts#hidden",
      "tools src/tools.ts",
      "type Deep src/deep.ts#Deep",
      "type Options src/store.ts#Options",
      "z npm:zod",
    ]);
    expect(api.outside("acme")).toEqual(["npm:react"]);
    expect(api.isPublic("src/store.ts#BaseStore")).toBe(true);
    expect(api.isPublic("src/tools.ts#tool")).toBe(true);
    expect(api.isPublic("src/store.ts#inner")).toBe(false);
  });

  it("are not those that a list of a namespace holds, nor the own name of what a list renames", () => {
    const api = publicApi(
      {
        "index.ts": `import type { A } from "./a"; export declare namespace N { export { A } }
          function _enum() {} export { _enum as enum };`,
        "a.ts": "export interface A {}",
      },
      { "package.json": { name: "acme" } },
    );
    expect(api.names("acme")).toEqual(["N index.ts#N", "enum index.ts#_enum"]);
  });

  it("are those of CommonJS", () => {
    const api = publicApi(
      { "index.js": "const b = 1; module.exports = { a() {}, b, c: b }; module.exports.d = 2;" },
      { "package.json": { name: "acme", main: "index.js" } },
    );
    expect(api.names("acme").map((one) => one.split(" ")[0])).toEqual(["a", "b", "c", "d"]);
  });

  it("take the first of two stars, and end where modules pass on one another", () => {
    const api = publicApi(
      {
        "index.ts": "export * from './a'; export * from './b';",
        "a.ts": "export const x = 1; export * from './b';",
        "b.ts": "export const x = 2, y = 3; export * from './a';",
      },
      { "package.json": { name: "acme" } },
    );
    expect(api.names("acme")).toEqual(["x a.ts#x", "y b.ts#y"]);
  });
});

describe("modules of a package", () => {
  const sources = (...paths: readonly string[]) =>
    Object.fromEntries(paths.map((path) => [path, "export const a = 1;"]));

  it("are the keys of its exports, conditions gone through, output led back to sources", () => {
    const exports = {
      ".": { types: "./dist/index.d.ts", import: { node: "./dist/index.mjs" } },
      "./mini": ["./dist/mini/index.js"],
      "./locales/*": "./dist/locales/*.js",
      "./locales/secret": null,
      "./dist/*": "./dist/*",
      "./package.json": "./package.json",
    };
    const paths = ["src/index.ts", "src/mini/index.ts", "src/locales/de.ts", "src/locales/en.test.ts", "src/other.ts"];
    const { entries } = publicApi(sources(...paths), { "package.json": { name: "acme", exports } });
    expect(entries).toEqual(["acme src/index.ts", "acme/locales/de src/locales/de.ts", "acme/mini src/mini/index.ts"]);
  });

  it("prefer the source to a stub beside a build of another name", () => {
    const exports = { ".": { types: "./dist/acme.d.ts", require: "./index.js" } };
    const { entries } = publicApi(sources("index.js", "src/index.ts"), { "package.json": { name: "acme", exports } });
    expect(entries).toEqual(["acme src/index.ts"]);
  });

  it("are those of JSR, too, and none of manifests of samples or without a name", () => {
    const { entries, packages } = publicApi(sources("a/mod.ts", "a/deep.ts", "b/x.ts", "examples/e/index.ts"), {
      "a/deno.json": { name: "@acme/a", exports: { ".": "./mod.ts", "./deep": "./deep.ts" } },
      "b/deno.json": { tasks: {} },
      "examples/e/package.json": { name: "example" },
    });
    expect(entries).toEqual(["@acme/a a/mod.ts", "@acme/a/deep a/deep.ts"]);
    expect(packages["b"]).toBeUndefined();
  });

  it("of a whole repository are not those of the folder that it begins in", () => {
    const { entries, packages } = publicApi(sources("src/mcp/start.ts", "src/db/read.ts"), {
      "package.json": { name: "acme", main: "./src/mcp/start.ts" },
    });
    expect(entries).toEqual(["acme src/mcp/start.ts"]);
    expect(packages).toEqual({ db: [], mcp: [] });
  });

  it("of an installed package are of that one, whatever manifests lie in it", () => {
    const api = publicApi(
      {
        "src/a.ts": "export const a = 1;",
        "node_modules/@acme/sdk/dist/esm/index.d.ts": "export declare class Sdk {}",
      },
      {
        "package.json": { name: "app" },
        "node_modules/@acme/sdk/package.json": { name: "@acme/sdk", exports: { "./*": "./dist/esm/*" } },
        "node_modules/@acme/sdk/dist/esm/package.json": { type: "module" },
      },
    );
    expect(api.modulesOfFiles).toContain("@acme/sdk @acme/sdk");
    expect(api.names("@acme/sdk/index")).toEqual(["Sdk node_modules/@acme/sdk/dist/esm/index.d.ts#Sdk"]);
  });
});
