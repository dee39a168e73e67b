/** VitePress with clean URLs: npm's own manual. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFiles } from "../../../test/support/temporary-folder.ts";
import { quoteForVue, readKey, splitFrontMatter } from "../markdown.ts";
import { listFiles, type Site } from "../site.ts";
import { visitSite } from "../visit.ts";

/** The site. */
export const vitepress: Site = {
  name: "vitepress",
  about: "VitePress, clean URLs",
  pages: { npm: { npm: "npm@11.6.0" } },
  hasPlugin: true,
  async write(source, folder) {
    const content = join(source, "npm", "docs", "content");
    const paths = await listFiles(content, ".md");
    const pages = await Promise.all(
      paths.map(async (path) => {
        const { front, body } = splitFrontMatter(await readFile(join(content, path), "utf8"));
        const title = readKey(front, "title") ?? path;
        return { path, title, text: `---\n${front}\n---\n\n# ${title}\n\n${quoteForVue(body)}` };
      }),
    );
    const groups = [...new Set(pages.map(({ path }) => path.split("/")[0] ?? ""))];
    const sidebar = groups.map((group) => ({
      text: group,
      items: pages
        .filter(({ path }) => path.startsWith(`${group}/`))
        .map(({ path, title }) => ({ text: title, link: `/${path.replace(/\.md$/, "")}` })),
    }));
    await writeFiles(folder, {
      "docs/.vitepress/config.mjs": `import treeline from "treeline/vitepress";

export default {
  title: "npm Docs",
  lang: "en-US",
  cleanUrls: true,
  ignoreDeadLinks: true,
  vite: { plugins: [treeline()] },
  themeConfig: { sidebar: ${JSON.stringify(sidebar)} },
};
`,
      "docs/index.md": "# npm Docs\n\nThe command line, its configuration and its concepts.\n",
      ...Object.fromEntries(pages.map(({ path, text }) => [`docs/${path}`, text])),
    });
  },
  build: ["vitepress", "build", "docs"],
  output: "docs/.vitepress/dist",
  base: "/",
  visit: {
    start: "",
    query: "audit signatures",
    page: "commands/npm-audit",
    dark: [".VPNavBarAppearance button"],
  },
  also: (page, url) =>
    visitSite(page, url, {
      query: "audit signatures",
      leadsTo: "/commands/npm-audit",
      link: ".VPSidebar a.link",
      isInPlace: true,
    }),
};
