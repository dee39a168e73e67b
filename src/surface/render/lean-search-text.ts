/**
 * Search results as text for a reader who has what came before: what is new, and the rest in the fewest words.
 *
 * ```
 * guide/install.md Install
 *   @12-40 #linux/with-apt
 *     Use apt to install the package.
 *   also #n7
 * faq.md #n3 #n9
 * ```
 *
 * A section's id says its heading, which stands beside it only where it does not. Scores, counts, descriptions and
 * addresses are left out: the order, the outline and the text of a section say them.
 *
 * Pure: hits in, lines out.
 */

import { splitNodeId } from "../../core/docs/node-id.ts";
import type { DocumentHit, SectionHit } from "../../core/search/answer.ts";
import { formatLines } from "./counts.ts";
import { formatSymbolNames, groupNeighbours, type HitTextOptions, shortId } from "./search-text.ts";
import { foldLine } from "./text.ts";

const MAX_TITLE_LENGTH = 80;
/** Letters by which a title's word is found in a path: `redirects` in `redirecting.md`. */
const WORD_START = 4;

/** How a hit is written. */
export interface LeanTextOptions extends Pick<HitTextOptions, "shownId" | "symbolsOf"> {
  /** Whether an earlier answer gave the document's title. */
  readonly isKnown: (documentId: string) => boolean;
  /** False for ids only. */
  readonly withExcerpts: boolean;
}

/** A document with its sections; on one line where none of them has an excerpt, without a title that its path says. */
export function formatLeanHit(hit: DocumentHit, options: LeanTextOptions): string {
  const { shownId, symbolsOf, isKnown, withExcerpts } = options;
  const name = shownId(hit.id);
  const read = withExcerpts ? hit.sections.filter(({ excerpt }) => excerpt.length > 0) : [];
  const others = hit.sections.filter((section) => !read.includes(section)).map((section) => shortId(hit, section));
  // A source file's title is its name.
  const titled = hit.path.endsWith(hit.title) ? name : `${name} ${foldLine(hit.title, MAX_TITLE_LENGTH)}`;
  if (read.length === 0) return [isKnown(hit.id) || isSaidByPath(hit) ? name : titled, ...others].join(" ");
  const lines = [isKnown(hit.id) ? name : titled];
  for (const group of groupNeighbours(read)) {
    const sections = [...group].sort((a, b) => a.ordinal - b.ordinal);
    lines.push(`  ${formatPlace(hit, sections)}`);
    for (const { excerpt } of sections) {
      const text = excerpt
        .map((part) => part.text)
        .join("")
        .trim();
      if (text !== "") lines.push(`    ${text}`);
    }
    const symbols = formatSymbolNames(sections, symbolsOf);
    if (symbols !== "") lines.push(`    ${symbols}`);
  }
  if (others.length > 0) lines.push(`  also ${others.join(" ")}`);
  return lines.join("\n");
}

/** Lines of all of the sections, and their ids. */
function formatPlace(hit: DocumentHit, sections: readonly SectionHit[]): string {
  const startLine = Math.min(...sections.map((section) => section.startLine));
  const endLine = Math.max(...sections.map((section) => section.endLine));
  const ids = sections.map((section) => {
    const heading = isSaidById(section) ? "" : ` ${foldLine(section.heading, MAX_TITLE_LENGTH)}`;
    return `${shortId(hit, section)}${heading}`;
  });
  return `@${formatLines(startLine, endLine)} ${ids.join(", ")}`;
}

/** Whether a section's id ends with its heading, but for capitals, signs and a number. The root's heading is the title. */
function isSaidById({ nodeId, heading }: SectionHit): boolean {
  const { section } = splitNodeId(nodeId);
  return section === "" || fold(section.replace(/~\d+$/, "")).endsWith(fold(heading));
}

/** Whether a word of the title begins in the path as it does there: the path then says as much as an id alone needs. */
function isSaidByPath({ path, title }: DocumentHit): boolean {
  const words = title.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= WORD_START);
  return words.some((word) => fold(path).includes(fold(word.slice(0, WORD_START))));
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
