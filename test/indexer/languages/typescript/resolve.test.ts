import { describe, expect, it } from "vitest";
import { codeFile, edgesOf, findingsOf, link, manifest } from "../../../support/code-files.ts";

/** Where imports of one file lead, among files of these paths. */
function resolve(
  from: string,
  specifiers: readonly string[],
  paths: readonly string[],
  manifests: Readonly<Record<string, string | object>> = {},
) {
  const importing = codeFile(from, (file) => {
    for (const specifier of specifiers) file.import(specifier, "*", "", { at: { line: 1, column: 1 } });
  });
  const texts = Object.entries(manifests).map(([path, content]) => manifest(path, content));
  const linked = link([importing, ...paths.map((path) => codeFile(path))], texts);
  return { targets: edgesOf(linked, from).map((edge) => edge.split(" ")[2]), findings: findingsOf(linked) };
}

describe("relative imports", () => {
  it("lead to the source behind the ending that a build would write", () => {
    const paths = ["src/b.ts", "src/c.tsx", "src/d.mts", "src/e.d.ts", "src/f.js"];
    const { targets } = resolve("src/a.ts", ["./b.js", "./c.js", "./d.mjs", "./e.js", "./f.js"], paths);
    expect(targets).toEqual(paths);
  });

  it("prefer a file to a folder and find the index of a folder", () => {
    const paths = ["src/b.ts", "src/b/index.ts", "src/c/index.tsx", "src/index.ts"];
    expect(resolve("src/a.ts", ["./b", "./b/", "./c", "."], paths).targets).toEqual([
      "src/b.ts",
      "src/b/index.ts",
      "src/c/index.tsx",
      "src/index.ts",
    ]);
  });

  it("lead to JSON and styles that are indexed, without what bundlers read behind them", () => {
    const paths = ["src/data.json", "src/site.css"];
    expect(resolve("src/a.ts", ["./data.json", "./site.css?inline"], paths).targets).toEqual(paths);
  });

  it("with an ending that objects have as a member lead nowhere like any other", () => {
    expect(resolve("src/a.ts", ["./b.constructor", "./b.__proto__"], []).targets).toEqual([]);
  });

  it("are reported where no file is", () => {
    const { targets, findings } = resolve("src/a.ts", ["./gone.js"], []);
    expect(targets).toEqual([]);
    expect(findings).toEqual(['unresolved-import src/a.ts: "./gone.js" leads to no indexed file']);
  });
});

describe("paths and baseUrl", () => {
  it("come from the nearest configuration, the longest pattern first", () => {
    const paths = ["src/app/x.ts", "src/lib/x.ts", "other/y.ts"];
    const manifests = {
      "tsconfig.json": `{ // comments and commas are allowed
        "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"], "@/app/*": ["src/app/*"], "exact": ["other/y"] }, } }`,
    };
    expect(resolve("src/a.ts", ["@/app/x", "@/lib/x.js", "exact", "other/y"], paths, manifests).targets).toEqual([
      "src/app/x.ts",
      "src/lib/x.ts",
      "other/y.ts",
    ]);
  });

  it("are inherited through extends and taken from references of the same folder", () => {
    const manifests = {
      "app/tsconfig.json": { extends: "../tsconfig.base.json" },
      "tsconfig.base.json": { compilerOptions: { paths: { "#lib/*": ["./lib/*"] } } },
      "web/tsconfig.json": { files: [], references: [{ path: "./tsconfig.app.json" }] },
      "web/tsconfig.app.json": { compilerOptions: { paths: { "~/*": ["./src/*"] } } },
    };
    expect(resolve("app/a.ts", ["#lib/x"], ["lib/x.ts"], manifests).targets).toEqual(["lib/x.ts"]);
    expect(resolve("web/src/a.ts", ["~/x"], ["web/src/x.ts"], manifests).targets).toEqual(["web/src/x.ts"]);
  });

  it("are those of frameworks where a configuration that these write is not committed", () => {
    const kit = { "tsconfig.json": { extends: "./.svelte-kit/tsconfig.json" } };
    expect(resolve("src/routes/a.ts", ["$lib/x", "$lib"], ["src/lib/index.ts", "src/lib/x.ts"], kit).targets).toEqual([
      "src/lib/x.ts",
      "src/lib/index.ts",
    ]);
    const nuxt = { "tsconfig.json": { extends: "./.nuxt/tsconfig.json" } };
    const paths = ["app/utils/x.ts", "app/utils/z.ts", "shared/y.ts"];
    expect(resolve("app/a.ts", ["~/utils/x", "@/utils/z", "~~/shared/y"], paths, nuxt).targets).toEqual(paths);
  });

  it("survive configurations that extend themselves or what is not there", () => {
    const manifests = {
      "tsconfig.json": { extends: "./tsconfig.b.json", compilerOptions: { paths: { "@/*": ["src/*"] } } },
      "tsconfig.b.json": { extends: ["./tsconfig.json", "./gone.json", "@tsconfig/node22/tsconfig.json"] },
    };
    const { targets, findings } = resolve("src/a.ts", ["@/b"], ["src/b.ts"], manifests);
    expect(targets).toEqual(["src/b.ts"]);
    expect(findings).toEqual([
      'tsconfig-cycle tsconfig.b.json: extends itself by way of "./tsconfig.json"; take that line out',
      'missing-tsconfig tsconfig.b.json: extends "./gone.json", which is not there',
    ]);
  });
});

describe("packages", () => {
  const workspace = {
    "packages/core/package.json": {
      name: "@acme/core",
      exports: {
        ".": { types: "./dist/index.d.ts", import: "./dist/index.js" },
        "./text/*": "./dist/text/*.js",
        "./deep": { node: { import: "./lib/deep.mjs" } },
      },
    },
    "packages/old/package.json": { name: "old", main: "build/main.js" },
    "packages/app/package.json": {
      name: "app",
      imports: { "#env": "./src/env.ts", "#util/*": "./src/util/*.js", "#react": "react" },
    },
  };

  it("of the workspace lead from what a build writes to the sources", () => {
    const paths = [
      "packages/core/src/index.ts",
      "packages/core/src/text/fold.ts",
      "packages/core/src/deep.mts",
      "packages/old/src/main.ts",
    ];
    const specifiers = ["@acme/core", "@acme/core/text/fold", "@acme/core/deep", "old"];
    expect(resolve("packages/app/src/a.ts", specifiers, paths, workspace).targets).toEqual(paths);
  });

  it("name their own parts with #", () => {
    const paths = ["packages/app/src/env.ts", "packages/app/src/util/x.ts"];
    expect(resolve("packages/app/src/a.ts", ["#env", "#util/x", "#react"], paths, workspace).targets).toEqual([
      ...paths,
      "npm:react",
    ]);
  });

  it("outside keep their name without the path in them", () => {
    const specifiers = ["react", "@scope/pkg/deep/part", "fs", "node:fs/promises", "npm:chalk@5", "https://x.dev/a.js"];
    expect(resolve("a.ts", specifiers, []).targets).toEqual([
      "npm:react",
      "npm:@scope/pkg",
      "node:fs",
      "node:fs/promises",
      "npm:chalk",
      "https://x.dev/a.js",
    ]);
  });

  it("of one name are reported, and the first is meant", () => {
    const manifests = { "a/package.json": { name: "twin" }, "b/package.json": { name: "twin" } };
    const { targets, findings } = resolve("x.ts", ["twin"], ["a/index.ts", "b/index.ts"], manifests);
    expect(targets).toEqual(["a/index.ts"]);
    expect(findings).toEqual([
      'duplicate-package b/package.json: names its package "twin", as a/package.json does; imports of that name lead to a/package.json',
    ]);
  });

  it("with a manifest that cannot be read are reported", () => {
    const { targets, findings } = resolve("x.ts", ["./y"], ["y.ts"], { "package.json": "{ name: " });
    expect(targets).toEqual(["y.ts"]);
    expect(findings[0]).toMatch(/^invalid-manifest package\.json: /);
  });
});
