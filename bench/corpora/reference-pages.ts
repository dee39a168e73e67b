/**
 * Pages of an API reference out of the doc comments of TypeScript declarations: a page for each documented interface, a
 * section for each of its documented members. Real text in the shape that generated references have.
 */

/** Interfaces with fewer words of documentation are no pages. */
const LEAST_WORDS = 25;
const INTERFACE = /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export interface (\w+)[^{]*\{\n([\s\S]*?)\n\}/g;
const MEMBER = /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\s*(\w+)\??: ([^;]*);/g;

/** A page of a reference. */
export interface ReferencePage {
  readonly name: string;
  readonly text: string;
}

/** The documented interfaces of a declaration file, in its order. */
export function makeReferencePages(declarations: string): ReferencePage[] {
  const pages: ReferencePage[] = [];
  for (const [, comment = "", name = "", body = ""] of declarations.matchAll(INTERFACE)) {
    const about = readComment(comment);
    const members = [...body.matchAll(MEMBER)].map(([, note = "", member = "", type = ""]) => {
      return `## ${member}\n\nType: \`${type.replace(" | undefined", "")}\`\n\n${readComment(note)}\n`;
    });
    const text = [`# ${name}\n`, ...(about === "" ? [] : [`${about}\n`]), ...members].join("\n");
    if (text.split(/\s+/).length >= LEAST_WORDS) pages.push({ name, text });
  }
  return pages;
}

/** A comment as Markdown: its HTML as paragraphs, lists and code, its tags for the documentation tool left out. */
function readComment(comment: string): string {
  return comment
    .replace(/^\s*\/\*\*/, "")
    .replace(/\*\/\s*$/, "")
    .replaceAll(/^\s*\* ?/gm, "")
    .replaceAll(/^\s*@.*$/gm, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/<li>\s*(?:<p>)?/g, "\n\n- ")
    .replaceAll(/<\/?(?:p|note|important|dl|ul|ol)>/g, "\n\n")
    .replaceAll(/<\/?code>/g, "`")
    .replaceAll(/<\/?[a-z][^>]*>/gi, "")
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
