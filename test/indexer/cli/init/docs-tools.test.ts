/**
 * Sites of each tool, as their starter templates lay them out: what `init` writes for them is built, and pages and
 * headings are at the addresses that the tool gives them.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDiskIndex } from "../../../../indexer/base/index-source.ts";
import { createInitCommand } from "../../../../indexer/cli/commands/init.ts";
import { parseConfig, type TreelineConfig } from "../../../../indexer/config/config.ts";
import { buildCorpus } from "../../../../indexer/index/build.ts";
import { loadOutlines } from "../../../../src/core/docs/documents.ts";
import { search } from "../../../../src/core/search/search.ts";
import { runCommands } from "../../../support/list-command.ts";
import { ask } from "../../../support/small-corpora.ts";
import { type FileContents, makeFolder, writeFiles } from "../../../support/temporary-folder.ts";

const PAGE = "# Title\n\nIntroduction.\n\n## What's new_in 2.0?\n\nquokka\n";

interface Case {
  readonly tool: string;
  readonly files: FileContents;
  /** The collections that are written. */
  readonly collections: readonly object[];
  /** Addresses of the heading of each page; `""` where paths do not tell. */
  readonly urls: readonly string[];
}

const CASES: readonly Case[] = [
  {
    tool: "VitePress",
    files: {
      "package.json": '{"private": true, "devDependencies": {"vitepress": "^1.6.4"}}',
      "docs/.vitepress/config.mts":
        'import { defineConfig } from "vitepress";\nexport default defineConfig({ srcDir: "./pages", lang: "de-DE", base: "/lib/", sitemap: { hostname: "https://docs.acme.dev" }, srcExclude: ["drafts/**"] });\n',
      "docs/.vitepress/theme/index.ts": "export const a = 1;\n",
      "docs/pages/index.md": PAGE,
      "docs/pages/guide/start.md": PAGE,
      "docs/pages/drafts/no.md": PAGE,
    },
    collections: [
      {
        name: "docs",
        root: "docs/pages",
        exclude: ["drafts/**"],
        baseUrl: "https://docs.acme.dev/lib/",
        anchors: "vitepress",
        language: "german",
      },
    ],
    urls: ["https://docs.acme.dev/lib/#what-s-new-in-2-0", "https://docs.acme.dev/lib/guide/start#what-s-new-in-2-0"],
  },
  {
    tool: "Docusaurus",
    files: {
      "package.json": '{"private": true, "dependencies": {"@docusaurus/core": "3.10.2"}}',
      "docusaurus.config.ts": `import type {Config} from '@docusaurus/types';
const config: Config = {
  url: 'https://acme.dev', baseUrl: '/x/',
  presets: [['classic', { docs: { routeBasePath: 'manual' }, blog: { showReadingTime: true } } satisfies Preset.Options]],
};
export default config;
`,
      "versions.json": '["2.0", "1.0"]',
      "docs/intro.md": PAGE,
      "docs/_partial.md": PAGE,
      "versioned_docs/version-2.0/intro.md": PAGE,
      "versioned_docs/version-1.0/guide/index.md": PAGE,
      "blog/2021-08-26-welcome/index.md": PAGE,
    },
    collections: [
      {
        name: "docs",
        root: "versioned_docs/version-2.0",
        baseUrl: "https://acme.dev/x/manual/",
        version: "2.0",
        weight: 1,
      },
      { name: "docs-next", root: "docs", baseUrl: "https://acme.dev/x/manual/next/", version: "next", weight: 0.5 },
      { name: "docs-1.0", root: "versioned_docs/version-1.0", version: "1.0", weight: 0.5 },
      { name: "blog", root: "blog", baseUrl: "", weight: 0.5 },
    ],
    urls: [
      "",
      "https://acme.dev/x/manual/1.0/guide/#whats-new_in-20",
      "https://acme.dev/x/manual/intro#whats-new_in-20",
      "https://acme.dev/x/manual/next/intro#whats-new_in-20",
    ],
  },
  {
    tool: "Starlight",
    files: {
      "package.json": '{"dependencies": {"@astrojs/starlight": "^0.41.7", "astro": "^7.1.6"}}',
      "astro.config.mjs":
        "import { defineConfig } from 'astro/config';\nimport starlight from '@astrojs/starlight';\nconst site = process.env.SITE ?? 'https://star.acme.dev';\nexport default defineConfig({ site, base: '/docs', integrations: [starlight({ title: 'My Docs', defaultLocale: 'root', locales: { root: { label: 'Français', lang: 'fr' } } })] });\n",
      "src/content/docs/index.mdx": PAGE,
      "src/content/docs/guides/example.md": PAGE,
      "src/content.config.ts": "export const a = 1;\n",
    },
    collections: [
      { name: "docs", root: "src/content/docs", baseUrl: "https://star.acme.dev/docs/", language: "french" },
    ],
    urls: ["https://star.acme.dev/docs/#whats-new_in-20", "https://star.acme.dev/docs/guides/example#whats-new_in-20"],
  },
  {
    tool: "Material for MkDocs",
    files: {
      "mkdocs.yml":
        "site_name: A\nsite_url: https://mk.acme.dev/en/\ndocs_dir: manual\ntheme: {name: material, language: en}\nmarkdown_extensions:\n  - toc:\n      permalink: true\n  - pymdownx.emoji:\n      emoji_index: !!python/name:material.extensions.emoji.twemoji\n",
      "pyproject.toml": '[project]\nname = "a"\n',
      "a/main.py": "def f(): ...\n",
      "manual/index.md": PAGE,
      "manual/user-guide/README.md": PAGE,
    },
    collections: [
      { name: "docs", root: "manual", baseUrl: "https://mk.acme.dev/en/", anchors: "mkdocs" },
      { name: "code", kind: "code", exclude: ["**/*.min.js"] },
    ],
    urls: ["https://mk.acme.dev/en/#whats-new_in-20", "https://mk.acme.dev/en/user-guide/#whats-new_in-20"],
  },
  {
    tool: "Nextra",
    files: {
      "package.json": '{"dependencies": {"next": "^15", "nextra": "^4"}}',
      "next.config.mjs":
        "import nextra from 'nextra'\nconst withNextra = nextra({ contentDirBasePath: '/docs' })\nexport default withNextra({ reactStrictMode: true })\n",
      "app/layout.tsx": "export default () => null;\n",
      "content/index.mdx": PAGE,
    },
    collections: [{ name: "docs", root: "content", baseUrl: "" }],
    urls: [""],
  },
  {
    tool: "Hugo",
    files: {
      "hugo.toml": "baseURL = 'https://hugo.acme.dev/'\nlanguageCode = 'en-us'\n",
      "content/docs/start.md": PAGE,
      "themes/x/README.md": PAGE,
    },
    collections: [{ name: "docs", root: "content", baseUrl: "https://hugo.acme.dev/" }],
    urls: ["https://hugo.acme.dev/docs/start#whats-new_in-20"],
  },
  {
    tool: "mdBook",
    files: {
      "Cargo.toml": '[package]\nname = "a"\n',
      "src/lib.rs": "pub fn f() {}\n",
      "guide/book.toml": '[book]\ntitle = "A"\n[output.html]\nsite-url = "/mdBook/"\n',
      "guide/src/SUMMARY.md": "# Summary\n\n[quokka](start.md)\n",
      "guide/src/start.md": PAGE,
      "guide/helper/main.rs": "fn main() {}\n",
    },
    collections: [
      { name: "docs", root: "guide/src", exclude: ["SUMMARY.md"], baseUrl: "" },
      { name: "code", kind: "code", exclude: ["guide/**", "**/*.min.js"] },
    ],
    urls: [""],
  },
  {
    tool: "Jekyll",
    files: {
      "docs/_config.yml": "url: https://acme.github.io\nbaseurl: /lib\n",
      "docs/index.md": PAGE,
      "docs/_includes/part.md": PAGE,
      "docs/_posts/2020-01-01-a.md": PAGE,
    },
    collections: [
      { name: "docs", root: "docs", baseUrl: "https://acme.github.io/lib/" },
      { name: "blog", root: "docs/_posts", weight: 0.5 },
    ],
    urls: ["", "https://acme.github.io/lib/#whats-new_in-20"],
  },
  {
    tool: "Mintlify",
    files: {
      "docs.json": '{"$schema": "https://mintlify.com/docs.json", "navigation": {"pages": ["index"]}}',
      "index.mdx": PAGE,
      "snippets/part.mdx": PAGE,
    },
    collections: [{ name: "docs", root: ".", exclude: ["snippets/**"], baseUrl: "" }],
    urls: [""],
  },
  {
    tool: "Sphinx",
    files: { "docs/source/conf.py": 'extensions = ["myst_parser"]\n', "docs/source/index.md": PAGE },
    collections: [{ name: "docs", root: "docs/source" }],
    urls: [""],
  },
  {
    tool: "Markdown",
    files: {
      "README.md": PAGE,
      "notes/a.md": PAGE,
      "main.go": "package main\n",
      "go.mod": "module a\n",
      "dist/x.js": "1;\n",
    },
    collections: [
      { name: "docs", root: "." },
      { name: "code", kind: "code", exclude: ["dist/**", "**/*.min.js"] },
    ],
    urls: ["", ""],
  },
];

/** What `init` writes for a folder. */
async function initialise(dir: string): Promise<{ readonly out: string; readonly config: TreelineConfig }> {
  const { code, out, err } = await runCommands([createInitCommand(() => undefined)], ["init", dir]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return { out, config: parseConfig(await readFile(join(dir, "treeline.config.json"), "utf8")) };
}

describe("treeline init", () => {
  it.each(CASES)("finds $tool", async ({ tool, files, collections }) => {
    const { out, config } = await initialise(await makeFolder(files));
    expect(out).toContain(`found ${tool} in ${(collections[0] as { root: string }).root}`.replace(" in .", ""));
    expect(config.collections).toMatchObject(collections);
  });

  it("writes collections that lead to pages at their addresses", async () => {
    const dir = await makeFolder();
    // One build of all sites, each in a folder of its own, is a tenth of the work.
    const collections = [];
    for (const [at, { files }] of CASES.entries()) {
      await writeFiles(join(dir, `site-${at}`), files);
      const { config } = await initialise(join(dir, `site-${at}`));
      for (const { kind, name, root, include, exclude, baseUrl, anchors } of config.collections) {
        if (kind === "code") continue;
        const settings = { include, exclude, baseUrl, anchors };
        collections.push({ name: `${at}-${name}`, root: `site-${at}/${root}`, ...settings });
      }
    }
    await writeFiles(dir, { "treeline.config.json": JSON.stringify({ collections }) });
    const outDir = join(dir, ".treeline/index");
    const { diagnostics } = await buildCorpus({ dir, outDir });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const reader = await openDiskIndex(outDir);
    const { hits } = await search(reader, ask("quokka", { limit: 100 }));
    const outlines = await loadOutlines(
      reader,
      hits.map(({ id }) => id),
    );
    for (const [at, { tool, urls }] of CASES.entries()) {
      const own = outlines.filter((outline) => outline?.document.id.startsWith(`${at}-`));
      expect(own.map((outline) => outline?.sections[1]?.url).sort(), tool).toEqual(urls);
    }
  });

  it("follows a site that takes its pages from beside its folder, but not out of the project", async () => {
    const config = (path: string) =>
      `module.exports = { presets: [["@docusaurus/preset-classic", { docs: { path: "${path}" }, blog: false }]] };\n`;
    const files = { "docs/a.md": PAGE, "website/docs/b.md": PAGE, "website/blog/no.md": PAGE };
    const beside = await initialise(await makeFolder({ ...files, "website/docusaurus.config.js": config("../docs") }));
    expect(beside.config.collections).toMatchObject([{ root: "docs" }]);
    const outside = await initialise(await makeFolder({ ...files, "website/docusaurus.config.js": config("../../x") }));
    expect(outside.config.collections).toMatchObject([{ root: "website/docs" }]);
  });

  it("says where pages are at addresses with .html", async () => {
    const notes = async (files: FileContents) =>
      (await initialise(await makeFolder(files))).out.match(/^note: .*\.html/gm);
    const site = { "a.md": PAGE, "docs/a.md": PAGE, "src/a.md": PAGE };
    const vitepress = (settings: string) => ({ ...site, ".vitepress/config.js": `export default ${settings}` });
    expect(await notes(vitepress("{}"))).toEqual([expect.stringContaining("`cleanUrls: true`")]);
    expect(await notes(vitepress("{ cleanUrls: true }"))).toBeNull();
    expect(await notes({ ...site, "mkdocs.yml": "use_directory_urls: false\n" })).toEqual([
      expect.stringContaining("`use_directory_urls: false`"),
    ]);
    expect(await notes({ ...site, "mkdocs.yml": "site_name: A\n" })).toBeNull();
    expect(await notes({ ...site, "book.toml": "[book]\n" })).toEqual([expect.stringContaining("mdBook")]);
  });

  it("finds pages of reStructuredText", async () => {
    const files = { "docs/conf.py": "extensions = []\n", "docs/a.rst": "A\n=\n", "setup.py": "a = 1\n" };
    const { out } = await initialise(await makeFolder(files));
    expect(out).toContain("found Sphinx in docs");
    expect(out).not.toContain("left out");
  });

  it("takes the name of the project from its manifest, whatever its language", async () => {
    const nameIn = async (files: FileContents) => {
      const dir = await makeFolder({ "a.md": PAGE, ...files });
      await initialise(dir);
      return /^name = "(.*)"/m.exec(await readFile(join(dir, "wrangler.toml"), "utf8"))?.[1];
    };
    expect(await nameIn({ "pyproject.toml": '[project]\nname = "nicepkg"\n' })).toBe("nicepkg-treeline");
    expect(await nameIn({ "Cargo.toml": '[package]\nname = "crate_x"\n' })).toBe("crate-x-treeline");
  });

  it("finds several sites of a workspace, and gives their collections names of their own", async () => {
    const dir = await makeFolder({
      "package.json": '{"workspaces": ["packages/*", "apps/*", "!apps/old"]}',
      "packages/core/index.ts": "export const a = 1;\n",
      "apps/docs/.vitepress/config.js": "module.exports = {}\n",
      "apps/docs/index.md": PAGE,
      "apps/handbook/mkdocs.yml": "site_name: H\n",
      "apps/handbook/docs/index.md": PAGE,
    });
    const { out } = await runCommands([createInitCommand(() => undefined)], ["init", dir, "--json", "--dry-run"]);
    expect(JSON.parse(out).found).toMatchObject([
      { name: "docs", root: "apps/docs", from: "VitePress" },
      { name: "handbook-docs", root: "apps/handbook/docs", from: "MkDocs" },
      { name: "code", kind: "code", files: 1 },
    ]);
  });
});
