import { describe, expect, it } from "vitest";
import { codeFile, EXPORTED, link, manifest } from "../../../support/code-files.ts";

/** A file that exports a function of its own name and imports others. */
function source(path: string, imports: readonly string[] = []) {
  return codeFile(path, (file) => {
    file.symbol("function", path.replace(/^.*\/|\..*$/g, ""), EXPORTED);
    file.symbol("constant", "inside");
    for (const specifier of imports) file.import(specifier, "*", "");
  });
}

const packagesOf = (paths: readonly string[], manifests: Readonly<Record<string, object | string>>, rule?: never) =>
  link(
    paths.map((path) => source(path)),
    Object.entries(manifests).map(([path, content]) => manifest(path, content)),
    { packages: new Map([["code", rule]]) },
  ).files.map(({ module, package: name }) => `${module} ${name}`);

describe("a repository of one manifest and five source folders", () => {
  const files = [
    source("src/access/check.ts", ["../core/store"]),
    source("src/core/index.ts", ["./store"]),
    source("src/core/store.ts"),
    source("src/http/server.ts", ["../render/text", "../access/check", "../core/store", "hono"]),
    source("src/http/routes.ts", ["../core/store", "hono"]),
    source("src/main.ts", ["./http/server"]),
    source("src/mcp/tool.ts", ["../render/text"]),
    source("src/render/text.ts", ["../core/index"]),
  ];
  const linked = link(files, [manifest("package.json", { name: "treeline" })]);

  it("is five packages and what lies beside them, with true imports and exports", () => {
    const described = linked.packages.map(({ name, imports, importedBy, exports, files: count, symbols }) => ({
      name,
      imports: imports.map((link) => `${link.name} ${link.weight}`),
      importedBy: importedBy.map((link) => `${link.name} ${link.weight}`),
      exports: exports.map((given) => given.name),
      size: [count, symbols],
    }));
    expect(described).toEqual([
      { name: "access", imports: ["core 1"], importedBy: ["http 1"], exports: ["check"], size: [1, 2] },
      {
        name: "core",
        imports: [],
        importedBy: ["http 2", "access 1", "render 1"],
        exports: ["index", "store"],
        size: [2, 4],
      },
      {
        name: "http",
        imports: ["core 2", "access 1", "render 1"],
        importedBy: ["main 1"],
        exports: ["server", "routes"],
        size: [2, 4],
      },
      { name: "main", imports: ["http 1"], importedBy: [], exports: ["main"], size: [1, 2] },
      { name: "mcp", imports: ["render 1"], importedBy: [], exports: ["tool"], size: [1, 2] },
      { name: "render", imports: ["core 1"], importedBy: ["http 1", "mcp 1"], exports: ["text"], size: [1, 2] },
    ]);
    expect(linked.packages.every(({ module }) => module === "treeline")).toBe(true);
    expect(linked.packages.find(({ name }) => name === "http")?.external).toEqual([
      { name: "npm:hono", weight: 2, aside: 0 },
    ]);
  });
});

describe("packages", () => {
  it("are those of the nearest manifests in a workspace, and folders for what is beside them", () => {
    const paths = ["packages/a/src/x.ts", "packages/b/x.ts", "tools/make.ts", "top.ts"];
    const manifests = {
      "package.json": { name: "acme" },
      "packages/a/package.json": { name: "@acme/a" },
      "packages/b/package.json": { private: true },
    };
    expect(packagesOf(paths, manifests)).toEqual(["acme @acme/a", "acme b", "acme tools", "acme main"]);
  });

  it("begin below the folders that all classes of Java share", () => {
    const paths = [
      "src/main/java/com/acme/App.java",
      "src/main/java/com/acme/web/Page.java",
      "src/test/java/com/acme/web/T.java",
    ];
    const pom = "<project><parent><artifactId>up</artifactId></parent><artifactId>shop</artifactId></project>";
    expect(packagesOf(paths, { "pom.xml": pom })).toEqual(["shop main", "shop web", "shop main"]);
  });

  it("begin in the one package of Python, tests apart", () => {
    const paths = ["shop/__init__.py", "shop/web/page.py", "tests/test_page.py", "setup.py"];
    const pyproject = '[build-system]\nrequires = ["x"]\n[project]\nname = "acme-shop"\n';
    expect(packagesOf(paths, { "pyproject.toml": pyproject })).toEqual([
      "acme-shop main",
      "acme-shop web",
      "acme-shop tests",
      "acme-shop main",
    ]);
  });

  it("belong to the collection without a manifest", () => {
    expect(packagesOf(["a/x.ts", "y.ts"], {})).toEqual(["code a", "code main"]);
  });

  it("follow the setting", () => {
    const paths = ["src/a/deep/x.ts", "src/b/y.ts", "packages/p/z.ts"];
    const manifests = { "package.json": { name: "acme" }, "packages/p/package.json": { name: "p" } };
    const by = (rule: unknown) => packagesOf(paths, manifests, rule as never).map((name) => name.split(" ")[1]);
    expect(by("manifest")).toEqual(["acme", "acme", "p"]);
    expect(by("folders")).toEqual(["a", "b", "packages"]);
    expect(by("folders:2")).toEqual(["a/deep", "b", "packages"]);
    expect(by({ first: ["src/a/**"], rest: ["src/**"] })).toEqual(["first", "rest", "main"]);
  });
});
