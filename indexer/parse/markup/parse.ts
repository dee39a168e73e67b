/**
 * Pages that are neither Markdown nor HTML, by the endings of their names.
 */
import type { ParsedDocument } from "../parsed-document.ts";
import { parseAdoc } from "./adoc.ts";
import type { MarkupSource } from "./line-page.ts";
import { parseRst } from "./rst.ts";

/** Document of a page of reStructuredText or AsciiDoc, and the text that is indexed. Never throws for its content. */
export function parseMarkup(source: MarkupSource): { readonly parsed: ParsedDocument; readonly text: string } {
  const parse = /\.(?:adoc|asciidoc)$/i.test(source.path) ? parseAdoc : parseRst;
  return { parsed: parse(source), text: source.text };
}
