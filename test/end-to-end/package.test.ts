/** The npm package: packed, unpacked into an empty project, and used there, with the packages of the checkout and without a network. */
import { existsSync, globSync, readFileSync, realpathSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { swapManifest } from "../../indexer/package/write-package.ts";
import { startDevOf } from "../support/dev-server.ts";
import { projectRoot } from "../support/environment.ts";
import {
  askOverStdio,
  commandLineOf,
  copyCheckout,
  environmentOf,
  type Installed,
  linkPackage,
  packIn,
  runInstalled,
  unpackInto,
} from "../support/packed-project.ts";
import { runAction } from "../support/run-action.ts";
import { runProgram } from "../support/run-program.ts";
import { writeFiles } from "../support/temporary-folder.ts";

const MOST_TARBALL_BYTES = 4_300_000;
const MOST_UNPACKED_BYTES = 36_000_000;
/** What a project may write, and what it may not. */
const CONSUMER = `
import { HostError, openStaticIndex, type StaticIndex, searchAsTyped } from "treeline/engine";
import astro from "treeline/astro";
import docusaurus from "treeline/docusaurus";
import type { SearchClient } from "treeline/search";
import starlight from "treeline/starlight";
import vitepress from "treeline/vitepress";
import worker, { IndexFiles, QueryInsights, TreelineSession } from "treeline/worker";

export async function ask(url: string): Promise<readonly string[]> {
  const index: StaticIndex = await openStaticIndex(url);
  const answer = await searchAsTyped(index)("limit", { limit: 3 });
  // @ts-expect-error It is text.
  await index.search(3);
  if (answer === undefined) throw new HostError("unreachable", url);
  return answer.hits.map(({ title }) => title.toUpperCase());
}

export function listen(client: SearchClient): void {
  document.createElement("treeline-search").client = client;
  // @ts-expect-error It is no element.
  document.createElement("treeline-search").open(3);
}

export const plugins: readonly { readonly name: string }[] = [
  vitepress({ place: "nav" }),
  astro({ attributes: { theme: "dark" } }),
  starlight(),
  docusaurus({ baseUrl: "/" }, { folder: "search" }),
  // @ts-expect-error It is text.
  vitepress({ folder: 3 }),
];

export default worker;
export { IndexFiles, QueryInsights, TreelineSession };
`;

let work: string;
let copy: string;
let tarball: string;
let project: Installed;
let unpacked: string;

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "treeline-package-"));
  copy = join(work, "checkout");
  copyCheckout(copy);
  // Packing before was interrupted: another manifest has the place of the clone's.
  const { scripts } = readManifest(projectRoot);
  swapManifest(copy, JSON.stringify({ name: "treeline", version: "0.0.0", scripts }));
  tarball = await packIn(copy, join(work, "packed"));
  project = { node: process.execPath, folder: join(work, "project") };
  await unpackInto(project.folder, tarball);
  unpacked = join(project.folder, "node_modules", "treeline");
});
afterAll(() => rm(work, { recursive: true, force: true }));

describe("npm pack", () => {
  it("leaves the manifest of the checkout as it was, even where packing before did not", () => {
    expect(readFileSync(join(copy, "package.json"), "utf8")).toBe(
      readFileSync(join(projectRoot, "package.json"), "utf8"),
    );
    expect(existsSync(join(copy, ".treeline", "package"))).toBe(false);
  });

  it("makes a package of a bounded size", () => {
    expect(statSync(tarball).size).toBeLessThan(MOST_TARBALL_BYTES);
    const bytes = listFiles("**/*").reduce((sum, path) => sum + statSync(join(unpacked, path)).size, 0);
    expect(bytes).toBeGreaterThan(MOST_UNPACKED_BYTES / 2);
    expect(bytes).toBeLessThan(MOST_UNPACKED_BYTES);
  });

  it("holds no sources, no tests, no source maps and no path of this machine", () => {
    const files = listFiles("**/*");
    expect(files.filter((path) => /(?<!\.d)\.ts$|\.map$|\.test\.|(^|\/)(test|bench|package)\//.test(path))).toEqual([]);
    const places = [projectRoot, realpathSync(join(projectRoot, "node_modules")), work, homedir()]
      .map((place) => place.replace(/\/$/, ""))
      // A home at the root of the disk would be found in every path.
      .filter((place) => place.split("/").length > 2);
    expect(places.length).toBeGreaterThan(1);
    for (const path of files) {
      const bytes = readFileSync(join(unpacked, path));
      expect(
        places.filter((place) => bytes.includes(place)),
        path,
      ).toEqual([]);
    }
  });

  it("names no module by the ending of its source, and only modules that are there", () => {
    let named = 0;
    for (const path of listFiles("dist/{indexer,src,types}/**/*.{js,ts}")) {
      for (const specifier of specifiersOf(path).filter((text) => text.startsWith("."))) {
        const declared = path.endsWith(".d.ts") ? specifier.replace(/\.js$/, ".d.ts") : specifier;
        expect(existsSync(join(unpacked, path, "..", declared)), `${path}: ${specifier}`).toBe(true);
        named++;
      }
    }
    expect(named).toBeGreaterThan(1000);
  });

  it("depends on the packages that its modules import, on each and on no other", () => {
    const imported = listFiles("dist/{indexer,src}/**/*.js")
      .flatMap(specifiersOf)
      .filter((text) => !/^(\.|node:)/.test(text));
    const names = imported.map((text) =>
      text
        .split("/")
        .slice(0, text.startsWith("@") ? 2 : 1)
        .join("/"),
    );
    const manifest = readManifest(unpacked);
    expect([...new Set(names)].sort()).toEqual(Object.keys(manifest.dependencies).sort());
    for (const key of ["private", "devDependencies", "optionalDependencies", "overrides", "allowScripts"]) {
      expect(manifest).not.toHaveProperty(key);
    }
    expect(manifest["peerDependenciesMeta"]).toEqual({ wrangler: { optional: true } });
  });

  it("holds the plugins of generators, the Action, and the documents that init names", async () => {
    for (const name of ["vitepress", "astro", "starlight", "docusaurus"]) {
      const script = `import plugin from "treeline/${name}"; console.log(typeof plugin)`;
      const words = ["--input-type=module", "--eval", script];
      expect((await runProgram(project.node, words, project.folder)).output, name).toBe("function\n");
    }
    for (const path of ["action.yml", "docs/configuration.md", "dist/indexer/cli/plugins/search.astro"]) {
      expect(existsSync(join(unpacked, path)), path).toBe(true);
    }
    const caches = { dir: join(work, "caches"), entries: [] };
    const run = { workspace: project.folder, inputs: { root: "docs", mode: "build" }, caches };
    const { isGood, log, outputs } = await runAction(run, unpacked);
    expect(isGood, log).toBe(true);
    expect(outputs["pages"]).toBe("1");
  });

  it("has the schemas of a project's own files where editors find them", () => {
    for (const name of ["config", "glossary", "categories"]) {
      const path = join("schemas", `${name}.schema.json`);
      expect(readFileSync(join(unpacked, path), "utf8")).toBe(readFileSync(join(projectRoot, path), "utf8"));
    }
  });

  it("keeps the licences of what is bundled and copied", () => {
    const bundled = readFileSync(join(unpacked, "dist", "NOTICE.md"), "utf8");
    for (const name of ["hono", "jose", "agents", "snowball-stemmers"]) expect(bundled).toContain(`## ${name} `);
    expect(readFileSync(join(unpacked, "dist", "grammars", "NOTICE.md"), "utf8")).toContain("## tree-sitter-bash ");
  });
});

describe("an installed package", () => {
  it("builds an index, answers from it, and says its version", async () => {
    const built = await runInstalled(project, "build", ".", "--out", "index", "--browser");
    expect(built.output).toContain("4 pages");
    expect(built.output).toContain("0 files skipped, 0 errors, 0 warnings");
    expect(built.exitCode).toBe(0);
    for (const name of ["search.js", "engine.js", "highlight.js"]) {
      const bytes = readFileSync(join(unpacked, "dist", "engine", name));
      expect(readFileSync(join(project.folder, "index", name)).equals(bytes), name).toBe(true);
    }
    const found = await runInstalled(project, "search", "rate limit", "--index", "index");
    expect(found.output).toContain("docs/install.md");
    const { output } = await runInstalled(project, "status", "--index", "index");
    expect(output).toContain("code (code, public): 3 documents");
    expect((await runInstalled(project, "--version")).output).toBe(`${readManifest(unpacked).version}\n`);
    const { tools, answer } = await askOverStdio(project, ["--index", "index"], "makeWidget");
    expect(tools).toContain("inspect");
    expect(answer).toContain("src/widget.ts");
    expect((await askOverStdio(project, ["."], "makeWidget")).answer).toContain("src/widget.ts");
    expect(await runInstalled(project, "dev", "docs")).toEqual({
      exitCode: 1,
      output: expect.stringContaining("npm install --save-dev wrangler"),
    });
  });

  it("serves the bundled Worker where the project has wrangler", async () => {
    const folder = join(work, "serving");
    await unpackInto(folder, tarball);
    linkPackage(folder, "wrangler");
    const program = { node: project.node, cli: commandLineOf(folder), folder, environment: environmentOf(folder) };
    const server = await startDevOf(program, ["docs", "--port", "0", "--no-watch"]);
    try {
      const found = await fetch(`${server.url}/search?q=rate+limit`);
      expect(await found.json()).toMatchObject({ total: 1, results: [{ path: "install.md" }] });
      const body = {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "search_documents", arguments: { query: "limit" } },
      };
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const called = await fetch(`${server.url}/mcp`, { method: "POST", headers, body: JSON.stringify(body) });
      expect(await called.text()).toContain("100 requests a minute");
    } finally {
      expect(await server.end("SIGTERM")).toBe(0);
    }
    expect(listUnder(folder, "**/.wrangler/**").filter((path) => !path.startsWith(".cache"))).toEqual([]);
  });

  it("has types for what it exports, with which a project compiles", async () => {
    await writeFiles(project.folder, {
      "consumer.ts": CONSUMER,
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          ...{ module: "nodenext", target: "es2022", lib: ["es2022", "dom", "dom.iterable"], types: [] },
          ...{ strict: true, skipLibCheck: false, noEmit: true },
        },
        files: ["consumer.ts"],
      }),
    });
    const compiler = join(projectRoot, "node_modules", "typescript", "bin", "tsc");
    const { output, exitCode } = await runProgram(process.execPath, [compiler, "--pretty", "false"], project.folder);
    expect(output).toBe("");
    expect(exitCode).toBe(0);
  });
});

function readManifest(folder: string): {
  readonly version: string;
  readonly dependencies: object;
  readonly [key: string]: unknown;
} {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as ReturnType<typeof readManifest>;
}

/** Paths of files in the package. */
function listFiles(glob: string): string[] {
  return listUnder(unpacked, glob);
}

function listUnder(folder: string, glob: string): string[] {
  return globSync(glob, { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile());
}

/** What a module imports, exports from elsewhere, loads on demand or starts. */
function specifiersOf(path: string): string[] {
  const text = readFileSync(join(unpacked, path), "utf8");
  const started = [...text.matchAll(/new URL\("(\.[^"]+)", import\.meta\.url\)/g)].map(([, file = ""]) => file);
  return [...ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName), ...started];
}
