/**
 * Sections and documents on one line each: position first, then the id, title and size.
 *
 * Pure: values in, lines out.
 */
import type { DocumentEntry, OutlineSection } from "../../core/docs/model.ts";
import { formatCount, formatLines, formatNumber } from "./counts.ts";
import { foldLine } from "./text.ts";

/** Characters of a summary. */
const MAX_SUMMARY_LENGTH = 140;
const MAX_TITLE_LENGTH = 120;

/** What a line of a section shows. */
export interface SectionLineOptions {
  /** The id as shown: full, or short inside its document. */
  readonly id: string;
  /** The section's own where left out. */
  readonly title?: string;
  readonly withSummary: boolean;
  /** Words of the section with all below it, where that is more than its own. */
  readonly wordsInAll?: number;
  /** Sections below it that are not shown. */
  readonly hidden?: number;
}

/** `@12-40 #linux/apt With apt (120 words): Use apt to install.` */
export function formatSectionLine(section: OutlineSection, options: SectionLineOptions): string {
  const { id, withSummary, wordsInAll = section.words, hidden = 0 } = options;
  const size = [
    formatCount(section.words, "word"),
    ...(wordsInAll > section.words ? [`${formatNumber(wordsInAll)} in all`] : []),
    ...(hidden > 0 ? [`+${formatCount(hidden, "section")}`] : []),
  ];
  const title = foldLine(options.title ?? section.title, MAX_TITLE_LENGTH);
  const summary = withSummary && section.summary !== "" ? `: ${foldLine(section.summary, MAX_SUMMARY_LENGTH)}` : "";
  return `@${formatLines(section.startLine, section.endLine)} ${id}${title === "" ? "" : ` ${title}`} (${size.join(", ")})${summary}`;
}

/** `docs:guide/install.md Install (5 sections, 320 words)`. */
export function formatDocumentLine(document: DocumentEntry, id = document.id): string {
  const { title, sections, words } = document;
  const size = `(${formatCount(sections, "section")}, ${formatCount(words, "word")})`;
  return `${id} ${foldLine(title, MAX_TITLE_LENGTH)} ${size}`;
}
