/** A site of VitePress, with the search box in one line of its configuration. */
import type { MarkdownPage, SitePlan } from "./site.ts";

/** Version that is proved. */
const VITEPRESS = "1.6.4";

/** The site. @param script Address of the search box. */
export function planVitePress(pages: readonly MarkdownPage[], script: string): SitePlan {
  const line = `["script", { type: "module", src: ${JSON.stringify(script)} }]`;
  const links = pages.map(({ path, title }) => ({ text: title, link: `/${path.replace(/\.md$/, "")}` }));
  return {
    packages: { vitepress: VITEPRESS },
    files: {
      "docs/.vitepress/config.mjs": `export default {
  title: "Proof",
  cleanUrls: true,
  ignoreDeadLinks: true,
  head: [${line}],
  themeConfig: { sidebar: ${JSON.stringify(links)} },
};
`,
      ...Object.fromEntries(
        pages.map(({ path, title, body }) => [
          `docs/${path}`,
          `---\ntitle: ${JSON.stringify(title)}\n---\n\n# ${title}\n\n${quoteMustaches(body)}`,
        ]),
      ),
    },
    build: ["vitepress", "build", "docs"],
    output: "docs/.vitepress/dist",
  };
}

/** Two braces are an expression of Vue outside of code. */
function quoteMustaches(text: string): string {
  return text.replaceAll("{{", "{ {");
}
