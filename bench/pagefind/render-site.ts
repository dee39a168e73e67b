/**
 * The pages of a corpus as the HTML that Pagefind reads: markdown-it's, one `<main>` a page, nothing around it.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import MarkdownIt from "markdown-it";

const markdown = new MarkdownIt({ html: true });

/** Render pages of `dir` into `site`. */
export function renderSite(dir: string, paths: readonly string[], site: string): void {
  for (const path of paths) {
    const place = join(site, htmlPath(path));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, renderPage(readFileSync(join(dir, path), "utf8")));
  }
}

/** An edit of Markdown pages as one of their HTML. */
export function renderChanges(changes: ReadonlyMap<string, string | undefined>): Map<string, string | undefined> {
  return new Map(
    [...changes].map(([path, text]) => [htmlPath(path), text === undefined ? undefined : renderPage(text)]),
  );
}

/** The ending is kept in the name: `a.md` and `a.mdx` are two pages. */
function htmlPath(path: string): string {
  return `${path.replace(/\.(md|mdx|markdown)$/i, "-$1")}.html`;
}

function renderPage(page: string): string {
  const [, frontmatter = "", body = page] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(page) ?? [];
  const title = /^title: *["']?(.*?)["']? *$/m.exec(frontmatter)?.[1];
  // A site's template shows the title of the frontmatter where the page has no heading of the first level.
  const heading = title === undefined || /^# /m.test(body) ? "" : `<h1>${markdown.utils.escapeHtml(title)}</h1>\n`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${markdown.utils.escapeHtml(title ?? "")}</title></head>
<body><main data-pagefind-body>
${heading}${markdown.render(body)}</main></body></html>
`;
}
