/**
 * Tools that make sites: how to recognise each by its files, and what of it to index. A further tool is an entry of `TOOLS`.
 */
import {
  addressSettings,
  type DocsSite,
  type DocsTool,
  findFile,
  findFolder,
  isFile,
  languageSetting,
  scripts,
} from "./docs-tool.ts";
import { docusaurus } from "./docusaurus.ts";
import {
  below,
  dependenciesOf,
  folderAt,
  type ProjectFolder,
  pick,
  readJsonSettings,
  readSettings,
  textOf,
  textsOf,
} from "./project-files.ts";
import type { Settings } from "./read-literals.ts";
import { asCall, readLiterals } from "./read-literals.ts";

function settingsFiles(name: string): string[] {
  return ["toml", "yaml", "yml", "json"].map((ending) => `${name}.${ending}`);
}

/** A note where a site's pages are at `/a.html` and results lead to `/a`, which many hosts take for the same. */
function describeEndings(because: string): string {
  return `${because}: its pages are at addresses with .html, and results lead to those without; look whether your host answers them.`;
}

/** Anchors are VitePress's own, addresses the paths. A site needs no configuration: the folder of what dev or build leave tells as much. */
const vitepress: DocsTool = {
  tool: "VitePress",
  files: [...scripts(".vitepress/config"), ...scripts(".vitepress/config/index")],
  needsNoFile: true,
  find({ project, folder, file, settings }) {
    const own = below(folder, ".vitepress");
    if (file === "" && !project.isFolder(own)) return undefined;
    const exclude = textsOf(settings.srcExclude);
    const host = pick(settings, "sitemap", "hostname");
    return {
      file: file || own,
      collections: [
        {
          name: "docs",
          root: folderAt(folder, settings.srcDir, ""),
          ...(exclude.length > 0 && { exclude }),
          ...addressSettings(host, baseBehind(host, settings.base)),
          anchors: "vitepress",
          ...languageSetting(settings.lang),
        },
      ],
      notes: [
        ...(settings.rewrites === undefined
          ? []
          : ["`rewrites` of VitePress change addresses of pages; links to those pages miss."]),
        ...(settings.cleanUrls === true ? [] : [describeEndings("VitePress has no `cleanUrls: true`")]),
      ],
    };
  },
};

/** `base`, where the name of the host does not end in it already, as some write it. */
function baseBehind(host: unknown, base: unknown): string {
  const path = typeof base === "string" ? base.replace(/^\/+|\/+$/g, "") : "";
  const ends = typeof host === "string" && host.replace(/\/+$/, "").endsWith(`/${path}`);
  return ends ? "" : path;
}

/**
 * Anchors are those of Python-Markdown, unless the settings name another function for them: the one that is used
 * (pymdownx) keeps all letters, as GitHub does.
 */
const mkdocs: DocsTool = {
  tool: "MkDocs",
  files: ["mkdocs.yml", "mkdocs.yaml"],
  find({ folder, settings }) {
    const isMaterial = settings.theme === "material" || pick(settings, "theme", "name") === "material";
    const extensions: unknown[] = [settings.markdown_extensions].flat();
    const hasOwnSlugs = extensions.some((one) =>
      ["toc", "markdown.extensions.toc"].some((name) => pick(one, name, "slugify") !== undefined),
    );
    return {
      tool: isMaterial ? "Material for MkDocs" : "MkDocs",
      collections: [
        {
          name: "docs",
          root: folderAt(folder, settings.docs_dir, "docs"),
          ...addressSettings(settings.site_url),
          ...(!hasOwnSlugs && { anchors: "mkdocs" as const }),
          ...languageSetting(pick(settings, "theme", "language") ?? pick(settings, "theme", "locale")),
        },
      ],
      ...(settings.use_directory_urls === false && {
        notes: [describeEndings("MkDocs has `use_directory_urls: false`")],
      }),
    };
  },
};

/** The folder of the chapters. Anchors are GitHub's; the host is in no setting. */
const mdbook: DocsTool = {
  tool: "mdBook",
  files: ["book.toml"],
  find({ project, folder, settings }) {
    const root = folderAt(folder, settings["book.src"], "src");
    // The table of contents names every chapter and says nothing about any.
    const hasContents = isFile(project, below(root, "SUMMARY.md"));
    return {
      collections: [
        {
          name: "docs",
          root,
          ...(hasContents && { exclude: ["SUMMARY.md"] }),
          ...addressSettings(settings["output.html.site-url"]),
          ...languageSetting(settings["book.language"]),
        },
      ],
      notes: [describeEndings("mdBook makes a file of each chapter")],
    };
  },
};

/** The folder of `docs.json`, or of `mint.json` as it was called before. */
const mintlify: DocsTool = {
  tool: "Mintlify",
  files: ["docs.json", "mint.json"],
  find({ project, folder, file, settings }) {
    const isNamed = /mintlify/.test(textOf(settings.$schema) ?? "") || file.endsWith("mint.json");
    if (!isNamed || settings.navigation === undefined) return undefined;
    const hasSnippets = project.isFolder(below(folder, "snippets"));
    const exclude = hasSnippets && { exclude: ["snippets/**"] };
    return { collections: [{ name: "docs", root: folder, ...exclude, ...addressSettings(settings.url) }] };
  },
};

/** Starlight, the docs of Astro, and Astro with other pages of Markdown. Anchors are GitHub's. */
const astro: DocsTool = {
  tool: "Astro",
  files: scripts("astro.config", ["mjs", "ts", "mts", "js", "cjs", "cts"]),
  find({ project, folder, file, settings }) {
    const { calls } = readLiterals(project.read(file) ?? "");
    const source = folderAt(folder, settings.srcDir, "src");
    const packages = dependenciesOf(readJsonSettings(project, below(folder, "package.json")));
    const integrations: unknown[] = Array.isArray(settings.integrations) ? settings.integrations : [];
    const options =
      integrations.map(asCall).find((call) => call?.called === "starlight")?.given[0] ?? calls.get("starlight");
    if (options === undefined && !packages.has("@astrojs/starlight")) {
      const root = findFolder(project, source, ["content", "pages"]);
      return root === undefined ? undefined : { collections: [{ name: "docs", root }], folder: "" };
    }
    // The default locale is a code, or `root`, whose `lang` is the code.
    const locale = textOf(pick(options, "defaultLocale")) ?? "root";
    const code = textOf(pick(options, "locales", locale, "lang")) ?? locale;
    const root = below(source, "content/docs");
    const address = addressSettings(settings.site, settings.base);
    return { tool: "Starlight", collections: [{ name: "docs", root, ...address, ...languageSetting(code) }] };
  },
};

/**
 * Nextra, the docs of Next.js, and Next.js with pages of Markdown: the first of `content`, `pages` and `app` that is
 * there. Anchors are GitHub's. Addresses are in no setting but for the part behind the host.
 */
const next: DocsTool = {
  tool: "Next.js",
  files: scripts("next.config", ["js", "mjs", "ts", "cjs", "mts"]),
  needsNoFile: true,
  find({ project, folder, file, settings }) {
    const manifest = below(folder, "package.json");
    const packages = dependenciesOf(readJsonSettings(project, manifest));
    const isNextra = packages.has("nextra");
    if (!isNextra && !packages.has("next") && file === "") return undefined;
    const shared = { file: file || manifest, ...(isNextra ? { tool: "Nextra" } : { folder: "" }) };
    const root = findFolder(project, folder, ["content", "src/content", "pages", "src/pages"]);
    if (root !== undefined) {
      const { calls } = readLiterals(project.read(file) ?? "");
      const behind = addressSettings("", settings.basePath, calls.get("nextra")?.contentDirBasePath);
      return { ...shared, collections: [{ name: "docs", root, ...behind }] };
    }
    // The address of `app/guide/page.mdx` is /guide: its path does not tell.
    const app = findFolder(project, folder, ["app", "src/app"]);
    return app === undefined ? undefined : { ...shared, collections: [{ name: "docs", root: app }] };
  },
};

/** The content folder. Anchors are GitHub's by default. A `config.toml` is Hugo's only beside such a folder. */
const hugo: DocsTool = {
  tool: "Hugo",
  files: [
    ...settingsFiles("hugo"),
    ...settingsFiles("config/_default/hugo"),
    ...settingsFiles("config/_default/config"),
    ...settingsFiles("config"),
  ],
  find({ project, folder, settings }) {
    // Hugo takes keys whatever their case.
    const lower: Settings = Object.fromEntries(
      Object.entries(settings).map(([key, value]) => [key.toLowerCase(), value]),
    );
    const root = folderAt(folder, lower.contentdir, "content");
    if (!project.isFolder(root)) return undefined;
    const language = languageSetting(lower.defaultcontentlanguage ?? lower.languagecode);
    return {
      collections: [{ name: "docs", root, ...addressSettings(lower.baseurl), ...language }],
      notes: [
        "Pages of Hugo with `url`, `slug` or `permalinks`, and `_index.md`, have addresses that their paths do not tell.",
      ],
    };
  },
};

/** Sphinx with pages of Markdown (MyST). Pages of reStructuredText are not read. */
const sphinx: DocsTool = {
  tool: "Sphinx with MyST",
  files: ["conf.py"],
  find({ project, folder, file }) {
    if (!/["'](?:myst_parser|myst_nb)["']/.test(project.read(file) ?? "")) return undefined;
    return {
      collections: [{ name: "docs", root: folder, exclude: ["_build/**"], baseUrl: "" }],
      notes: ["Anchors of headings are those of `myst_heading_anchors`; pages of reStructuredText are not read."],
    };
  },
};

/** Jekyll, as GitHub Pages run it: all Markdown of the folder; posts apart, their paths do not tell their addresses. */
const jekyll: DocsTool = {
  tool: "Jekyll",
  files: ["_config.yml", "_config.yaml"],
  find({ project, folder, settings }) {
    // Jupyter Book has a file of the same name, and a table of contents that Jekyll has not.
    if (isFile(project, below(folder, "_toc.yml"))) return undefined;
    const posts = below(folder, "_posts");
    const language = languageSetting(settings.lang);
    const address = addressSettings(settings.url, settings.baseurl);
    // Jekyll makes no pages of these.
    const pages = { name: "docs", root: folder, exclude: ["_*/**", "vendor/**"], ...address, ...language };
    const blog = { name: "blog", root: posts, weight: 0.5, ...language };
    return { collections: project.isFolder(posts) ? [pages, blog] : [pages] };
  },
};

/** In order: those whose files can mean nothing else come first, one folder has one tool. */
const TOOLS: readonly DocsTool[] = [docusaurus, vitepress, mkdocs, mdbook, mintlify, astro, next, hugo, sphinx, jekyll];

/** The site in a folder of a project, of the first tool that has one with pages there. */
export function findSite(project: ProjectFolder, folder: string): DocsSite | undefined {
  for (const { tool, files, needsNoFile, find } of TOOLS) {
    const file = findFile(project, folder, files);
    if (file === undefined && needsNoFile !== true) continue;
    const settings = file === undefined ? {} : readSettings(project, file);
    const found = find({ project, folder, file: file ?? "", settings });
    if (found?.collections.some(({ root }) => project.isFolder(root)) !== true) continue;
    const { folder: own = folder, ...site } = found;
    return { tool, file: file ?? "", ...site, ...(own !== "" && { folder: own }) };
  }
  return undefined;
}
