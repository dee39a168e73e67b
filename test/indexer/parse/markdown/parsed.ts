/**
 * Short ways to say what a test expects of a parsed page.
 */
import { parseMarkdown } from "../../../../indexer/parse/markdown/parse.ts";
import type { ParsedDocument, ParsedSection } from "../../../../indexer/parse/parsed-document.ts";

/** The document of a Markdown page. */
export function parsePage(text: string, path = "page.md"): ParsedDocument {
  return parseMarkdown({ path, text });
}

/** The document of an MDX page. */
export function parseMdxPage(text: string): ParsedDocument {
  return parseMarkdown({ path: "page.mdx", text });
}

/** All texts of prose of the document, in order. */
export function proseOf(document: ParsedDocument): string[] {
  return document.sections.flatMap((section) => textsOf(section, "prose"));
}

/** All texts of code of the document, in order. */
export function codeOf(document: ParsedDocument): string[] {
  return document.sections.flatMap((section) => textsOf(section, "code"));
}

/** Title of every section but the root, in order. */
export function headingsOf(document: ParsedDocument): string[] {
  return document.sections.slice(1).map((section) => section.title);
}

/** Texts of one kind in one section. */
export function textsOf(section: ParsedSection | undefined, kind: "prose" | "code"): string[] {
  return (section?.blocks ?? []).filter((block) => block.kind === kind).map((block) => block.text);
}

/** `href` and text of every link of the document, in order. */
export function linksOf(document: ParsedDocument): [string, string][] {
  return document.sections.flatMap((section) => section.links.map((link): [string, string] => [link.href, link.text]));
}

/** What is wrong with the way the sections share out the lines of the text; empty when nothing is. */
export function findPartitionFaults(document: ParsedDocument, text: string): string[] {
  const faults: string[] = [];
  const lines = text.split("\n").length - (text.endsWith("\n") && text !== "" ? 1 : 0);
  let next = 1;
  for (const [index, section] of document.sections.entries()) {
    if (section.startLine !== next) faults.push(`section ${index} starts at ${section.startLine}, expected ${next}`);
    next = section.endLine + 1;
    for (const { line } of [...section.blocks, ...section.links]) {
      const isInside = line >= section.startLine && line <= section.endLine;
      if (!isInside) faults.push(`section ${index} (${section.startLine}-${section.endLine}) holds line ${line}`);
    }
  }
  if (next !== Math.max(1, lines) + 1) faults.push(`the last section ends at ${next - 1}, the text has ${lines} lines`);
  return faults;
}
