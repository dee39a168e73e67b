/**
 * The beginning of a document's text as lists of documents show it. Pure.
 */
import { PREVIEW_LENGTH } from "../../src/core/taxonomy/model.ts";
import { cutWithDots } from "../../src/core/text/cut-text.ts";
import { foldWhitespace } from "../parse/markdown/source-text.ts";
import type { ParsedDocument } from "../parse/parsed-document.ts";

const SENTENCE_END = /[.!?:…。！？]["')\]]*$/u;

/**
 * What a document says of itself, and the text behind that as far as there is room: one line of at most `PREVIEW_LENGTH`
 * UTF-16 units, and `...` where there is more text. The title where there is no text.
 *
 * @param isSource Whether it is a source file. What stands above its first symbol, imports for the most part, is shown where it
 *   has no symbols alone.
 */
export function makePreview({ title, description, sections }: ParsedDocument, isSource: boolean): string {
  const shown = isSource && sections.length > 1 ? sections.slice(1) : sections;
  const about = foldWhitespace(description);
  const room = about.length + PREVIEW_LENGTH;
  let text = "";
  for (const { blocks } of shown) {
    for (const block of blocks) {
      if (text.length > room) break;
      text = `${text} ${foldWhitespace(block.text)}`.trim();
    }
  }
  return cutWithDots(joinTexts(about, text) || title, PREVIEW_LENGTH);
}

/** What is said of a text, and the text, which may begin with that. */
function joinTexts(about: string, text: string): string {
  if (text.startsWith(about)) return text;
  if (text === "") return about;
  return `${about}${SENTENCE_END.test(about) ? "" : "."} ${text}`;
}
