/**
 * The text of an element as Pagefind takes it for meta data and filters: blocks apart and ended by a full stop, what is ignored left out.
 *
 * Pure.
 */
import { foldWhitespace } from "../../../src/core/text/short-text.ts";
import { attributeOf, childrenOf, isElement, type PageElement, textOf } from "./page-tree.ts";
import { isSkipped, type Regions, readIndexedAttributes } from "./regions.ts";

const BLOCKS: ReadonlySet<string> = new Set("h1 h2 h3 h4 h5 h6 p td div ul li article section".split(" "));
/** A last character that asks for a full stop. */
const OPEN_END = /[\p{L}\p{N}\p{M}_'")$*]$/u;
/** Longest text of one element; a value is a word or a line. */
export const MAX_VALUE_CHARACTERS = 20_000;
/** Marks of links from a heading to itself. */
const ANCHOR_MARK = /^(?:[\s#¶§\u200b]|\u{1f517}|\ufe0f)*$/u;

/** How much text may still be taken off a page: elements inside each other are read again and again. */
export interface TextBudget {
  characters: number;
}

/** Text of an element on one line. */
export function elementText(element: PageElement, regions: Regions, budget: TextBudget): string {
  const parts: string[] = [];
  let left = MAX_VALUE_CHARACTERS;
  const add = (text: string): void => {
    if (left <= 0 || budget.characters <= 0) return;
    left -= text.length + 1;
    budget.characters -= text.length + 1;
    parts.push(text);
  };
  const endsOpen = (from: number): boolean => {
    for (let at = parts.length - 1; at >= from; at--) {
      const part = parts[at] as string;
      if (part !== "") return OPEN_END.test(part);
    }
    return false;
  };
  const visit = (parent: PageElement): void => {
    const isAround = regions.of(parent) === "around";
    for (const child of childrenOf(parent)) {
      if (left <= 0 || budget.characters <= 0) return;
      left--;
      budget.characters--;
      if (!isElement(child)) {
        if (!isAround) add(textOf(child) ?? "");
        continue;
      }
      const region = regions.of(child);
      if (region !== "excluded")
        for (const value of readIndexedAttributes(child)) add(` ${value.slice(0, MAX_VALUE_CHARACTERS)}. `);
      if (isSkipped(region) || (isAround && region !== "body" && region !== "around") || isAnchorMark(child)) continue;
      const isBlock = BLOCKS.has(child.tagName);
      if (isBlock || child.tagName === "br" || attributeOf(child, "id") !== undefined) add(" ");
      const from = parts.length;
      visit(child);
      if (isBlock) add(endsOpen(from) ? ". " : " ");
    }
  };
  visit(element);
  return foldWhitespace(parts.join(""));
}

/** Whether an element is the link that a heading carries to its own address: `#` or `¶`, or nothing that is seen. */
export function isAnchorMark(element: PageElement): boolean {
  if (element.tagName !== "a") return false;
  const href = attributeOf(element, "href");
  if (href === undefined || !href.includes("#")) return false;
  const classes = attributeOf(element, "class") ?? "";
  if (/header-?link|header-?anchor|heading-?anchor|anchor-?link|hash-?link|permalink/i.test(classes)) {
    return isMark(element, true);
  }
  return isMark(element, false);
}

/** Headings that are wrapped into a link to themselves (mdBook) are no marks: they have words. */
function isMark(element: PageElement, mayBeEmpty: boolean): boolean {
  let text = "";
  const collect = (parent: PageElement): void => {
    for (const child of childrenOf(parent)) {
      if (text.length > 40) return;
      if (isElement(child)) collect(child);
      else text += textOf(child) ?? "";
    }
  };
  collect(element);
  if (text.trim() === "") return mayBeEmpty || attributeOf(element, "aria-hidden") === "true";
  // A class says that it is a mark, whatever sign or short name a theme gives it.
  return (
    ANCHOR_MARK.test(text) ||
    (mayBeEmpty && /^\s*(?:link to this|permalink|direct link|anchor|section titled)/i.test(text))
  );
}
