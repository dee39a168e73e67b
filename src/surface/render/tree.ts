/**
 * Sections and documents on one line each, and the section tree of a document, indented.
 *
 * Over the budget summaries go first, then the deepest levels.
 */

import { shortNodeId, subtreeOf } from "../../core/docs/documents.ts";
import type { DocumentEntry, DocumentOutline, OutlineSection } from "../../core/docs/model.ts";
import type { Answer, AnswerForm } from "./answer.ts";
import { foldLine, formatCount, formatLines, formatNumber } from "./text.ts";

/** Characters of a summary. */
const MAX_SUMMARY_LENGTH = 140;
const MAX_TITLE_LENGTH = 120;

interface SectionLineOptions {
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
export function formatDocumentLine({ id, title, sections, words }: DocumentEntry): string {
  const size = `(${formatCount(sections, "section")}, ${formatCount(words, "word")})`;
  return `${id} ${foldLine(title, MAX_TITLE_LENGTH)} ${size}`;
}

const MAX_DESCRIPTION_LENGTH = 200;

interface TreeOptions {
  /** Levels below the section that is outlined. */
  readonly maxDepth: number;
  /** One call that outlines a section. */
  readonly outlineCall: (nodeId: string) => string;
}

/** First lines: the document with its size and address, and the section where it is not the root. */
function summarizeOutline({ document }: DocumentOutline, section: OutlineSection): string {
  const lines = [`${formatDocumentLine(document)}, ${formatCount(document.lines, "line")}`];
  if (section.ordinal > 0)
    lines.push(`Outline of ${section.nodeId}, lines ${formatLines(section.startLine, section.subtreeEndLine)}`);
  else if (document.description !== "") lines.push(foldLine(document.description, MAX_DESCRIPTION_LENGTH));
  const url = section.ordinal > 0 ? section.url : document.url;
  return [...lines, ...(url === "" ? [] : [url])].join("\n");
}

/** The outline from all levels with summaries down to the first level alone. */
export function describeOutline(outline: DocumentOutline, section: OutlineSection, options: TreeOptions): Answer {
  const sections = subtreeOf(outline, section);
  const depths = depthsOf(sections, section);
  const deepest = Math.min(
    options.maxDepth,
    [...depths.values()].reduce((most, depth) => Math.max(most, depth), 0),
  );
  const levels = Array.from({ length: Math.max(1, deepest) }, (_, index) => Math.max(0, deepest - index));
  const form = (depth: number, withSummary: boolean, detail: string): AnswerForm => {
    const shown = sections.filter(({ ordinal }) => (depths.get(ordinal) ?? 0) <= depth);
    return {
      detail,
      blocks: () => shown.map((one) => formatLine(outline, one, depths, { depth, withSummary })),
      json: (count) => ({ document: outline.document, sections: shown.slice(0, count) }),
      joined: true,
      more: `One part: ${options.outlineCall(largestPart(outline, section).nodeId)}.`,
    };
  };
  const barest = levels.at(-1) ?? 0;
  const forms: AnswerForm[] = [
    form(deepest, true, "the outline"),
    ...levels.map((depth) => form(depth, false, depth === deepest ? "titles" : `titles of ${formatLevels(depth)}`)),
    {
      ...form(barest, false, "titles of the first level"),
      json: (count) => ({
        document: { id: outline.document.id, title: outline.document.title },
        sections: sections
          .filter(({ ordinal }) => (depths.get(ordinal) ?? 0) <= barest)
          .slice(0, count)
          .map(({ nodeId, title, words }) => ({ nodeId, title, words })),
      }),
    },
  ];
  return { summary: summarizeOutline(outline, section), forms };
}

function formatLevels(depth: number): string {
  return depth === 1 ? "the first level" : `the first ${depth} levels`;
}

function formatLine(
  outline: DocumentOutline,
  section: OutlineSection,
  depths: ReadonlyMap<number, number>,
  { depth, withSummary }: { readonly depth: number; readonly withSummary: boolean },
): string {
  const below = subtreeOf(outline, section);
  const own = depths.get(section.ordinal) ?? 0;
  const line = formatSectionLine(section, {
    id: shortNodeId(outline, section),
    // The page's title stands in the summary line.
    title: section.ordinal === 0 ? "" : section.title,
    withSummary,
    wordsInAll: below.reduce((sum, { words }) => sum + words, 0),
    hidden: own === depth ? below.length - 1 : 0,
  });
  return `${"  ".repeat(own)}${line}`;
}

/** Levels of sections below the one outlined, by ordinal. */
function depthsOf(sections: readonly OutlineSection[], start: OutlineSection): ReadonlyMap<number, number> {
  const depths = new Map([[start.ordinal, 0]]);
  for (const { ordinal, parent } of sections.slice(1)) depths.set(ordinal, (depths.get(parent) ?? 0) + 1);
  return depths;
}

/** The child with most sections below it: the example of a part to outline by itself. */
function largestPart(outline: DocumentOutline, section: OutlineSection): OutlineSection {
  const children = section.children.flatMap((ordinal) => outline.sections[ordinal] ?? []);
  const size = (child: OutlineSection): number => subtreeOf(outline, child).length;
  return children.reduce((largest, child) => (size(child) > size(largest) ? child : largest), children[0] ?? section);
}
