/** Random pages of plain Markdown as pages of a built site that say the same, some with what Pagefind's attributes say. */
import type { Pages } from "./build-index.ts";

/** The pages as HTML. @param isMarked Whether most of them mark what is read of them, so that the others are left out. */
export function asSite(pages: Pages, isMarked: boolean): Pages {
  return Object.fromEntries(
    Object.entries(pages).map(([path, text]) => [path.replace(/\.md$/, ".html"), asHtml(text, isMarked)]),
  );
}

function asHtml(text: string, isMarked: boolean): string {
  const head: string[] = [];
  const body: string[] = [];
  let isCode = false;
  for (const [at, line] of text.split("\n").entries()) {
    const [, signs = "", heading = ""] = /^(#+) (.*)$/.exec(line) ?? [];
    if (line.startsWith("```")) {
      isCode = !isCode;
      body.push(isCode ? "<pre>" : "</pre>");
    } else if (isCode) body.push(line);
    else if (heading !== "") {
      const level = signs.length;
      body.push(`<h${level} id="s${at}">${heading}</h${level}>`);
    } else if (line.startsWith("description: ")) head.push(`<meta name="description" content="${line.slice(13)}">`);
    else if (line.startsWith("tags: ")) {
      for (const tag of line.slice(7, -1).split(", ")) body.push(`<span data-pagefind-filter="tags">${tag}</span>`);
    } else if (line !== "" && line !== "---") body.push(paragraph(line));
  }
  const isRead = isMarked && text.length % 5 > 0;
  return `<html><head>${head.join("")}</head><body><main${isRead ? " data-pagefind-body" : ""}>${body.join("\n")}</main></body></html>`;
}

/** Its attributes follow from its length, so that an edit changes them now and then. */
function paragraph(line: string): string {
  switch (line.length % 6) {
    case 0:
      return `<p data-pagefind-weight="3">${line}</p>`;
    case 1:
      return `<p data-pagefind-weight="0">${line}</p>`;
    case 2:
      return `<p title="epsilon" data-pagefind-index-attrs="title">${line}</p>`;
    case 3:
      return `<ul><li><h3 id="li">${line}</h3><p data-pagefind-ignore>zeta</p></li></ul>`;
    default:
      return `<p>${line} <a href="page-1.html">alpha</a></p>`;
  }
}
