/**
 * What single elements of a page are, or say, to who reads it: notes, formulas, weights, their text.
 *
 * Pure.
 */
import { BLOCK_NAMES, HEADING_NAMES } from "./block-names.ts";
import { ownId } from "./heading-anchor.ts";
import { attributeOf, childrenOf, classesOf, isElement, type PageElement, textOf } from "./page-tree.ts";
import type { Regions } from "./regions.ts";

/** Weight of words for which nothing sets one. */
export const NORMAL_WEIGHT = 1;
const MAX_WEIGHT = 10;

/** The weight that an element sets for the words in it, 0 to 10. */
export function readWeight(element: PageElement): number | undefined {
  const written = attributeOf(element, "data-pagefind-weight")?.trim();
  if (written === undefined) return undefined;
  const weight = written === "" ? Number.NaN : Number(written);
  return Number.isNaN(weight) ? NORMAL_WEIGHT : Math.min(MAX_WEIGHT, Math.max(0, weight));
}

/** Boxes beside the text of a section, as DocBook, Sphinx, MkDocs and others write them. */
const NOTE =
  /^(?:admonition|alert|callout|hint|note|tip|warning|caution|important|danger|attention|seealso|custom-block|markdown-alert|sidebar)$/i;

/** Whether an element is such a box. */
export function isNote(element: PageElement): boolean {
  return element.tagName === "aside" || classesOf(element).some((name) => NOTE.test(name));
}

/** A formula as its author wrote it, where the page says so; else `""`. */
export function readTex(element: PageElement): string {
  for (const child of childrenOf(element)) {
    if (!isElement(child)) continue;
    const isTex = child.tagName === "annotation" && attributeOf(child, "encoding") === "application/x-tex";
    const tex = isTex
      ? childrenOf(child)
          .map((node) => textOf(node) ?? "")
          .join("")
      : readTex(child);
    if (tex !== "") return tex;
  }
  return "";
}

/** Whether an element shows a formula that stands beside it in TeX. */
export function isFormulaTwin(element: PageElement): boolean {
  return attributeOf(element, "aria-hidden") === "true" && classesOf(element).includes("katex-html");
}

/** Neighbours of the same weight as one text. */
export function mergeTexts(texts: readonly { readonly text: string; readonly weight: number }[]) {
  const merged: { text: string; readonly weight: number }[] = [];
  for (const { text, weight } of texts) {
    const last = merged.at(-1);
    if (last !== undefined && last.weight === weight) last.text += ` ${text}`;
    else merged.push({ text, weight });
  }
  return merged;
}

/** `<code>` around blocks is a block of code without `<pre>`, or broken; its text is read as it stands. */
export function holdsBlock(element: PageElement): boolean {
  return childrenOf(element).some((child) => isElement(child) && BLOCK_NAMES.has(child.tagName));
}

/** Whether a heading with an id of its own, or of the section it stands in, is in an element. */
export function holdsSection(element: PageElement, isNamed = false): boolean {
  return childrenOf(element).some((child) => {
    if (!isElement(child) || child.tagName === "table") return false;
    const hasId = ownId(child) !== "";
    if (HEADING_NAMES.has(child.tagName)) return hasId || isNamed;
    return holdsSection(child, hasId || isNamed);
  });
}

/** The text of an element that is read, as it stands. */
export function shownText(element: PageElement, regions: Regions): string {
  const parts: string[] = [];
  const visit = (parent: PageElement): void => {
    for (const child of childrenOf(parent)) {
      if (!isElement(child)) parts.push(textOf(child) ?? "");
      else if (child.tagName === "br") parts.push(" ");
      else if (regions.of(child) === "read") visit(child);
    }
  };
  visit(element);
  return parts.join("");
}
