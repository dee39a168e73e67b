import { parseHtml } from "../../../../indexer/parse/html/parse.ts";
import type { ParsedDocument, SitePage } from "../../../../indexer/parse/parsed-document.ts";

/** A page that is read, with the Markdown made of it. */
export interface ReadPage extends ParsedDocument {
  readonly text: string;
  readonly site: SitePage;
}

/** The document that a page of HTML holds. */
export function parsePage(html: string, settings: Partial<Parameters<typeof parseHtml>[0]> = {}): ReadPage {
  const page = parseHtml({ path: "page.html", text: html, root: "", exclude: [], ...settings });
  if (!page.ok) throw new Error(page.message);
  if (page.parsed.site === undefined) throw new Error("no page of a site");
  return { ...page.parsed, text: page.text, site: page.parsed.site };
}

/** All text that is searched, in order. */
export function wordsOf({ sections }: ParsedDocument): string {
  return sections.flatMap(({ blocks }) => blocks.map(({ text }) => text)).join(" ");
}
