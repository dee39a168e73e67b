/**
 * The plain-text reading of a file that cannot be parsed as Markdown: one section, paragraphs
 * between blank lines, everything kept as it is written.
 *
 * Pure: text in, values out. No I/O, no clock.
 */
import type { ParsedSection } from "../parsed-document.ts";
import { SectionCollector } from "./sections.ts";
import { foldWhitespace } from "./source-text.ts";

/** The root section alone, with the body's paragraphs as prose. */
export function readPlainText(body: string, bodyStartLine: number, title: string, lineCount: number): ParsedSection[] {
  const collector = new SectionCollector();
  let paragraph: string[] = [];
  const lines = body.split("\n");
  for (const [index, line] of [...lines, ""].entries()) {
    if (line.trim() !== "") {
      paragraph.push(line);
      continue;
    }
    collector.addProse(foldWhitespace(paragraph.join(" ")), bodyStartLine + index - paragraph.length, "text");
    paragraph = [];
  }
  return collector.finish(title, lineCount);
}
