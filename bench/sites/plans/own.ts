/** Plain HTML with clean URLs: Treeline's own documentation, and two pages in German. It needs no network. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import MarkdownIt from "markdown-it";
import { writeFiles } from "../../../test/support/temporary-folder.ts";
import { readKey, splitFrontMatter } from "../markdown.ts";
import { listFiles, type Site } from "../site.ts";

const GERMAN = {
  "de/index": ["Dokumentation", "Was Treeline ist und was es kann.\n\n[Konfiguration](configuration)\n"],
  "de/configuration": [
    "Konfiguration",
    "Eine Datei `treeline.config.json` nennt die Ordner.\n\n## Sammlungen\n\nJede Sammlung hat einen Namen.\n",
  ],
} as const;

/** The site. */
export const own: Site = {
  name: "own",
  about: "Own documentation, clean URLs, two languages",
  pages: { own: "docs" },
  place: "header",
  async write(source, folder, script) {
    const names = (await listFiles(source, ".md")).filter((path) => !path.includes("/"));
    const pages = await Promise.all(
      names.map(async (path) => {
        const { front, body } = splitFrontMatter(await readFile(join(source, path), "utf8"));
        return { path: path.replace(/\.md$/, ""), title: readKey(front, "title") ?? path, body, language: "en" };
      }),
    );
    const german = Object.entries(GERMAN).map(([path, [title, body]]) => ({
      path,
      title,
      body: `# ${title}\n\n${body}`,
      language: "de",
    }));
    const markdown = new MarkdownIt({ html: true });
    const links = [...pages, ...german]
      .map(({ path, title }) => `<li><a href="/${path.replace(/index$/, "")}">${title}</a></li>`)
      .join("");
    const render = ({ title, body, language }: (typeof pages)[number]): string => `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} | Treeline</title><link rel="icon" href="data:,"><style>html.dark { color-scheme: dark; background: #111; color: #eee; }</style>
<script type="module" src="${script}"></script></head><body>
<header><a href="/">Treeline</a> <button id="dark" onclick="document.documentElement.classList.toggle('dark')">Dark</button></header>
<nav><ul>${links}</ul></nav><main>${addIds(markdown.render(body.replace(/\]\(([\w-]+)\.md/g, "]($1")))}</main><footer>Edit this page</footer></body></html>
`;
    const start = {
      path: "index",
      title: "Treeline",
      body: "# Treeline\n\nSearch for documentation.\n",
      language: "en",
    };
    await writeFiles(
      folder,
      Object.fromEntries([start, ...pages, ...german].map((page) => [`html/${page.path}.html`, render(page)])),
    );
  },
  output: "html",
  base: "/",
  visit: {
    start: "",
    query: "search box attributes",
    page: "search-box",
    dark: ["#dark"],
    scopes: [{ kind: "language", start: "de/configuration", query: "treeline", within: /^\/de\// }],
  },
};

/** Headings get ids of their words. */
function addIds(html: string): string {
  return html.replace(/<h([1-6])>(.*?)<\/h\1>/g, (_, level: string, text: string) => {
    const id = text
      .replace(/<[^>]*>/g, "")
      .toLowerCase()
      .replace(/[^\w]+/g, "-")
      .replace(/^-|-$/g, "");
    return `<h${level} id="${id}">${text}</h${level}>`;
  });
}
