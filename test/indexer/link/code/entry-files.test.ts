import { describe, expect, it } from "vitest";
import { codeFile, findingsOf, link, manifest } from "../../../support/code-files.ts";

/** Paths of the files that a `package.json` makes entries. */
function entriesOf(paths: readonly string[], json: object, at = "package.json"): string[] {
  const linked = link(
    [...paths].sort().map((path) => codeFile(path)),
    [manifest(at, json)],
  );
  return linked.entryFiles.map((file) => linked.files[file]?.id.slice("code:".length) ?? "");
}

describe("files that a manifest makes entries", () => {
  it.each([
    [{ main: "dist/a.js" }, ["src/a.ts"]],
    [{ main: "./src/a" }, ["src/a.ts"]],
    [{ types: "dist/b.d.ts" }, ["src/b.ts"]],
    [{ module: "esm/a.mjs", typings: "types/b.d.cts" }, ["src/a.mts", "src/b.cts"]],
    [{ bin: { one: "./bin/one.js", two: "bin/two" } }, ["bin/one.js", "bin/two.js"]],
    [{ bin: "./bin/one.js" }, ["bin/one.js"]],
    [
      { exports: { ".": { import: { types: "./dist/a.d.ts", default: "./dist/a.js" } }, "./b": "./dist/b.js" } },
      ["src/a.ts", "src/b.ts"],
    ],
    [{ exports: { "./*": "./dist/parts/*.js" } }, ["src/parts/one.ts", "src/parts/two.ts"]],
    [{ exports: { "./*": { types: "./src/parts/*.ts" } } }, ["src/parts/one.ts", "src/parts/two.ts"]],
    [{ scripts: { go: "node --x ./src/a.ts && tsx src/b.ts", lint: "eslint ." } }, ["src/a.ts", "src/b.ts"]],
    [{ main: "./gone.js", exports: null, bin: 7, scripts: { x: 1 } }, []],
    [{}, []],
  ])("of %j are %j", (json, expected) => {
    const paths = [
      "src/a.ts",
      "src/b.ts",
      "src/c.ts",
      "src/parts/one.ts",
      "src/parts/two.ts",
      "bin/one.js",
      "bin/two.js",
    ];
    const more = expected.filter((path) => /\.[mc]ts$/.test(path));
    const twins = more.map((path) => path.replace(/\.[mc]ts$/, ".ts"));
    expect(entriesOf([...paths.filter((path) => !twins.includes(path)), ...more], json)).toEqual(expected);
  });

  it("lie in the folder of the package that names them", () => {
    const paths = ["a.ts", "packages/p/src/a.ts", "packages/p/src/index.ts"];
    expect(entriesOf(paths, { main: "lib/a.js" }, "packages/p/package.json")).toEqual(["packages/p/src/a.ts"]);
  });
});

describe("imports of what is no source file", () => {
  it("are noted with the id that the file has or would have, whether or not it is indexed", () => {
    const linked = link([
      codeFile("src/a.ts", (file) => {
        for (const specifier of ["./look.css", "../logo.svg?url", "raw!./data.json", "./p#1.png", "./App.html"]) {
          file.import(specifier, "", "");
        }
      }),
    ]);
    expect(linked.assets).toEqual(
      ["src/look.css", "logo.svg", "src/data.json", "src/p%231.png", "src/App.html"].map((path) => ({
        from: 0,
        id: `code:${path}`,
      })),
    );
    expect(findingsOf(linked)).toEqual([]);
  });

  it("are none of other endings, of packages, of other languages, and of what lies outside of the collection", () => {
    const linked = link([
      codeFile("a.ts", (file) => {
        for (const specifier of ["./gone", "./gone.ts", "pkg/look.css", "../../out.css", "/abs.css"])
          file.import(specifier, "", "");
      }),
      codeFile("b.py", (file) => void file.import("./look.css", "", "")),
    ]);
    expect(linked.assets).toEqual([]);
    expect(findingsOf(linked).length).toBeGreaterThan(1);
  });
});
