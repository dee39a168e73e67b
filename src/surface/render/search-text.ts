/**
 * Search results as text: one block a document, one line a section with its excerpt below.
 *
 * ```
 * guide/install.md (2 sections) Install, 12.3
 *   How to get it running.
 *   @12-40 Linux > With apt #linux/with-apt
 *     Use **apt** to **install** the package.
 *     names src/install.ts#install
 *   also #n7
 * ```
 *
 * Pure: hits in, lines out.
 */
import type { DocumentHit, ExcerptPart, SectionHit } from "../../core/search/answer.ts";
import { formatCount, formatLines } from "./counts.ts";
import { formatExplanation } from "./explanation.ts";
import { fence } from "./passages.ts";
import { foldLine } from "./text.ts";

const MAX_TITLE_LENGTH = 120;
const MAX_DESCRIPTION_LENGTH = 120;
/** Symbols that are shown of those that neighbouring sections name. */
const MAX_SYMBOLS = 3;

/** How a hit is written. */
export interface HitTextOptions {
  /** The document's id as shown: a path where there is one collection only. */
  readonly shownId: (documentId: string) => string;
  /** Text of sections to show in place of their excerpts. */
  readonly contentOf?: (section: SectionHit) => SectionContent | undefined;
  /** Ids of the symbols that a section names, as shown. */
  readonly symbolsOf?: (section: SectionHit) => readonly string[];
  /** False for titles and ids only. */
  readonly withExcerpts: boolean;
}

/** Text of a section, from its start. */
export interface SectionContent {
  readonly text: string;
  /** Lines that are not in it. */
  readonly linesLeft: number;
}

/** A document with its sections. */
export function formatHit(hit: DocumentHit, options: HitTextOptions): string {
  const read = hit.sections.filter(({ heading }) => heading !== "");
  const others = hit.sections.filter(({ heading }) => heading === "").map((section) => shortId(hit, section));
  const lines = [formatHead(hit, options)];
  if (hit.explanation !== undefined) lines.push(...formatExplanation(hit.explanation).map((line) => `    ${line}`));
  if (options.withExcerpts) {
    if (hit.description !== "") lines.push(`  ${foldLine(hit.description, MAX_DESCRIPTION_LENGTH)}`);
    for (const group of groupNeighbours(read, options.contentOf)) lines.push(...formatSections(hit, group, options));
    if (others.length > 0) lines.push(`  ${read.length > 0 ? "also " : ""}${others.join(", ")}`);
  } else {
    const ids = hit.sections.map((section) => shortId(hit, section));
    if (ids.length > 0) lines.push(`  ${ids.join(", ")}`);
  }
  return lines.join("\n");
}

/** A document on one line: id, number of sections, title, score. */
function formatHead(hit: DocumentHit, { shownId }: HitTextOptions): string {
  const sections = hit.sections.length > 0 ? ` (${formatCount(hit.sections.length, "section")})` : "";
  return `${shownId(hit.id)}${sections} ${foldLine(hit.title, MAX_TITLE_LENGTH)}, ${hit.score.toFixed(1)}`;
}

/** Sections that stand side by side on the page are one hit, as long as excerpts are all that is shown of them. */
export function groupNeighbours(
  sections: readonly SectionHit[],
  contentOf?: HitTextOptions["contentOf"],
): SectionHit[][] {
  const groups: SectionHit[][] = [];
  for (const section of sections) {
    const isNext = (other: SectionHit): boolean => Math.abs(other.ordinal - section.ordinal) === 1;
    const group = contentOf?.(section) === undefined ? groups.find((others) => others.some(isNext)) : undefined;
    if (group === undefined) groups.push([section]);
    else group.push(section);
  }
  return groups;
}

/** One line of places, below it the excerpts of all of the group's sections, in the order of the page. */
function formatSections(
  hit: DocumentHit,
  group: readonly SectionHit[],
  { contentOf, symbolsOf }: HitTextOptions,
): string[] {
  const sections = [...group].sort((a, b) => a.ordinal - b.ordinal);
  const startLine = Math.min(...sections.map((section) => section.startLine));
  const endLine = Math.max(...sections.map((section) => section.endLine));
  const paths = sections.map(({ headingPath }) => foldLine(headingPath.slice(1).join(" > "), MAX_TITLE_LENGTH));
  const ids = sections.map((section) => shortId(hit, section));
  const place = [
    `@${formatLines(startLine, endLine)}`,
    paths.filter((path) => path !== "").join("; "),
    ids.join(", "),
    sections[0]?.url ?? "",
  ];
  const lines = [`  ${place.filter((part) => part !== "").join(" ")}`];
  for (const section of sections) {
    const content = contentOf?.(section);
    const text = formatExcerpt(section.excerpt);
    if (content === undefined) {
      if (text !== "") lines.push(`    ${text}`);
      continue;
    }
    lines.push(fence(content.text));
    if (content.linesLeft > 0) lines.push(`  (${formatCount(content.linesLeft, "line")} of this section left)`);
  }
  const symbols = formatSymbolNames(sections, symbolsOf);
  if (symbols !== "") lines.push(`    ${symbols}`);
  return lines;
}

/** `names src/install.ts#install`; `""` where sections name no symbol. */
export function formatSymbolNames(sections: readonly SectionHit[], symbolsOf: HitTextOptions["symbolsOf"]): string {
  const symbols = [...new Set(sections.flatMap((section) => symbolsOf?.(section) ?? []))];
  return symbols.length === 0 ? "" : `names ${formatSome(symbols, MAX_SYMBOLS)}`;
}

function formatSome(items: readonly string[], limit: number): string {
  const left = items.length - limit;
  return `${items.slice(0, limit).join(", ")}${left > 0 ? ` (${left} more)` : ""}`;
}

/** The excerpt with its matches in bold; matches side by side share their marks. */
function formatExcerpt(parts: readonly ExcerptPart[]): string {
  const text = parts.map((part) => (part.marked ? `**${part.text}**` : part.text)).join("");
  return text.replace(/\*\*(\s)\*\*/g, "$1").trim();
}

/** Id of a section inside its document: `#linux`, `#n7`, `#n0` for the root. */
export function shortId(hit: Pick<DocumentHit, "id">, { nodeId }: SectionHit): string {
  return nodeId.length > hit.id.length ? nodeId.slice(hit.id.length) : "#n0";
}
