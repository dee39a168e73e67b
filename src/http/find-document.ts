/**
 * The document that an address names, spelled as people and links spell it: with the ending of its file or without, and with `.md` behind it
 * for its Markdown.
 *
 * An id that is one goes before all other readings, so `docs:guide/install.md` is that document in whichever form the request prefers;
 * `docs:guide/install.md.md`, and `docs:guide/install.md` where the page is written in another format, ask for Markdown.
 */

import { resolveOutlines } from "../core/docs/documents.ts";
import type { DocumentOutline } from "../core/docs/model.ts";
import type { IndexReader } from "../core/index/index-reader.ts";

/** Behind an id or a path, it asks for Markdown. */
export const MARKDOWN_ENDING = ".md";
/** Endings that pages have, the commonest first. */
export const PAGE_ENDINGS = [".md", ".mdx", ".markdown", ".html", ".htm"] as const;

/** A document that was found. */
export interface FoundDocument {
  readonly outline: DocumentOutline;
  /** Whether its address asks for Markdown, whatever the header says. */
  readonly asksForMarkdown: boolean;
}

/** The document, or undefined. One wave where the id is one, else another. */
export async function findDocument(reader: IndexReader, asked: string): Promise<FoundDocument | undefined> {
  const [exact] = await resolveOutlines(reader, [asked], true);
  if (exact !== undefined) return { outline: exact, asksForMarkdown: false };
  const asksForMarkdown = asked.endsWith(MARKDOWN_ENDING);
  const stem = asksForMarkdown ? asked.slice(0, -MARKDOWN_ENDING.length) : asked;
  const spelled = [...(asksForMarkdown ? [stem] : []), ...PAGE_ENDINGS.map((ending) => `${stem}${ending}`)];
  const outline = (await resolveOutlines(reader, spelled, true)).find((one) => one !== undefined);
  return outline === undefined ? undefined : { outline, asksForMarkdown };
}
