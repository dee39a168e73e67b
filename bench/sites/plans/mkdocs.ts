/** MkDocs with the Material theme: the documentation of Bun 1.2. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFiles } from "../../../test/support/temporary-folder.ts";
import { readKey, splitFrontMatter } from "../markdown.ts";
import { listFiles, type Site } from "../site.ts";

/** The site. */
export const mkdocs: Site = {
  name: "mkdocs",
  about: "MkDocs, Material",
  pages: { npm: { bun: "bun-types@1.2.20" } },
  debian: ["mkdocs-material"],
  async write(source, folder, script) {
    const docs = join(source, "bun", "docs");
    const pages: Record<string, string> = {};
    for (const path of await listFiles(docs, ".md")) {
      const { front, body } = splitFrontMatter(await readFile(join(docs, path), "utf8"));
      const title = readKey(front, "name");
      const head = title === undefined ? "" : `---\ntitle: ${JSON.stringify(title)}\n---\n\n`;
      // Tags of the site that these pages were written for.
      pages[`docs/${path}`] = `${head}${body.replace(/\{%[\s\S]*?%\}/g, "")}`;
    }
    await writeFiles(folder, {
      ...pages,
      "mkdocs.yml": `site_name: Bun
theme:
  name: material
  custom_dir: overrides
  features: [navigation.instant, navigation.tabs]
  palette:
    - scheme: default
      toggle: { icon: material/weather-night, name: Dark }
    - scheme: slate
      toggle: { icon: material/weather-sunny, name: Light }
markdown_extensions: [admonition, tables, fenced_code]
plugins: []
`,
      "overrides/main.html": `{% extends "base.html" %}
{% block extrahead %}<script type="module" src="${script}"></script>{% endblock %}
`,
    });
  },
  build: ["mkdocs", "build", "--quiet"],
  output: "site",
  base: "/",
  visit: {
    start: "",
    query: "file system router",
    page: "api/file-system-router/",
    dark: [".md-header__option label:not([hidden])"],
  },
};
