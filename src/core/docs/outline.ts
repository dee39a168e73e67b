/**
 * A section among the others of its document: its short id, what is below it, what it stands under.
 *
 * Pure: outlines in, values out.
 */
import type { DocumentOutline, OutlineSection } from "./model.ts";

/** Id of a root section inside its document: an alias of the document's own id. */
const SHORT_ROOT = "#n0";

/** Id of a section inside its document: `#linux/apt`, `#n0` for the root. */
export function shortNodeId({ document }: DocumentOutline, section: OutlineSection): string {
  return section.ordinal === 0 ? SHORT_ROOT : section.nodeId.slice(document.id.length);
}

/** A section and all below it, in source order. */
export function subtreeOf(outline: DocumentOutline, section: OutlineSection): OutlineSection[] {
  const below = section.children.flatMap((ordinal) => {
    const child = outline.sections[ordinal];
    return child === undefined ? [] : subtreeOf(outline, child);
  });
  return [section, ...below];
}

/** Titles from the page down to a section. */
export function titlePath(outline: DocumentOutline, section: OutlineSection): string[] {
  const parent = section.parent < 0 ? undefined : outline.sections[section.parent];
  const above = parent === undefined ? [] : titlePath(outline, parent);
  return [...above, section.ordinal === 0 ? outline.document.title : section.title];
}
