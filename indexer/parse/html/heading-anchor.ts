/**
 * The id that an address scrolls to for a heading: its own, that of an anchor in it or just before it, or that of the section it begins.
 */
import { foldWhitespace } from "../../../src/core/text/short-text.ts";
import { attributeOf } from "../../config/selectors.ts";
import { HEADING_NAMES } from "./elements.ts";
import {
  childrenOf,
  isElement,
  isSkipped,
  type PageElement,
  type PageNode,
  type Regions,
  textOf,
} from "./page-tree.ts";

/** Elements in a heading, inside each other, that may carry its id. */
const LEVELS_INSIDE = 3;
/** Elements above a heading that may: DocBook puts four around each. */
const LEVELS_ABOVE = 6;
/** What may stand before the heading of a section: a link to its source, the version that it came with. */
const MAX_CHARACTERS_BEFORE = 80;
const MAX_NODES_BEFORE = 40;
/** Words of the ids of what is around a whole page: its first heading is not what it is called after. */
const LAYOUT_WORDS: ReadonlySet<string> = new Set(
  "api app area article body center col column container content contents doc docs document docusaurus inner layout main next nuxt gatsby outer page pjax primary root rustdoc site skip skiptocontent sphinx to top view wrap wrapper vpcontent apicontent apimain maincontent docmainwrapper".split(
    " ",
  ),
);
/** Nodes before a heading that are looked at for an anchor. */
const MAX_BEFORE = 4;

/** Addresses of the headings that are read of a page. */
export class HeadingAnchors {
  readonly #anchors = new Map<PageElement, string>();
  /** Elements around headings with an address. */
  readonly #around = new Set<PageElement>();

  constructor(root: PageElement, regions: Regions) {
    this.#visit(root, regions);
  }

  /** Id that an address scrolls to for a heading, without spaces; `""` where there is none. */
  of(heading: PageElement): string {
    return this.#anchors.get(heading) ?? "";
  }

  /** Whether headings with an address are in an element. */
  areIn(element: PageElement): boolean {
    return this.#around.has(element);
  }

  #visit(parent: PageElement, regions: Regions): boolean {
    const siblings = childrenOf(parent);
    let isAround = false;
    for (const [at, element] of siblings.entries()) {
      if (!isElement(element) || isSkipped(regions.of(element))) continue;
      if (HEADING_NAMES.has(element.tagName)) {
        const anchor = ownId(element) || idInside(element, 0) || idBefore(siblings, at) || idAbove(element);
        this.#anchors.set(element, anchor);
        isAround ||= anchor !== "";
      } else if (this.#visit(element, regions)) isAround = true;
    }
    if (isAround) this.#around.add(parent);
    return isAround;
  }
}

/** The title that a page gives the section of a heading, at the element whose id is the heading's; `""` for none. */
export function sectionTitle(heading: PageElement, anchor: string): string {
  let element: PageElement = heading;
  for (let level = 0; level <= LEVELS_ABOVE && anchor !== ""; level++) {
    if (ownId(element) === anchor) return foldWhitespace(attributeOf(element, "data-pagefind-title") ?? "");
    const { parentNode } = element;
    if (parentNode === null || !("tagName" in parentNode)) return "";
    element = parentNode;
  }
  return "";
}

/** The id of an element, or the name of an anchor. */
export function ownId(element: PageElement): string {
  const id = attributeOf(element, "id") ?? (element.tagName === "a" ? attributeOf(element, "name") : undefined) ?? "";
  return id.replace(/\s+/g, "");
}

/** Of an anchor anywhere in the heading; of another element only at its beginning. */
function idInside(element: PageElement, depth: number): string {
  if (depth > LEVELS_INSIDE) return "";
  for (const child of childrenOf(element)) {
    if (!isElement(child)) continue;
    const id = ownId(child) || idInside(child, depth + 1);
    if (id !== "") return id;
  }
  return "";
}

/** Of an anchor without text right before the heading. */
function idBefore(siblings: readonly PageNode[], place: number): string {
  for (let at = place - 1; at >= Math.max(0, place - MAX_BEFORE); at--) {
    const node = siblings[at] as PageNode;
    if (!isElement(node)) {
      if ((textOf(node) ?? "").trim() !== "") return "";
      continue;
    }
    if (!["a", "span", "p", "div"].includes(node.tagName) || !isBare(node, 0)) return "";
    const id = ownId(node) || idInside(node, 0);
    if (id !== "") return id;
  }
  return "";
}

function isBare(element: PageElement, depth: number): boolean {
  return (
    depth <= LEVELS_INSIDE &&
    childrenOf(element).every((child) =>
      isElement(child)
        ? ["a", "span"].includes(child.tagName) && isBare(child, depth + 1)
        : (textOf(child) ?? "").trim() === "",
    )
  );
}

/** Of the nearest section that the heading is the first of. */
function idAbove(heading: PageElement): string {
  const budget = { characters: MAX_CHARACTERS_BEFORE, nodes: MAX_NODES_BEFORE };
  let element: PageElement = heading;
  for (let level = 0; level < LEVELS_ABOVE; level++) {
    const parent = element.parentNode;
    if (parent === null || !("tagName" in parent) || OUTER.has(parent.tagName)) return "";
    for (const node of childrenOf(parent)) {
      if (node === element) break;
      if (!isBrief(node, budget)) return "";
    }
    const id = ownId(parent);
    if (id !== "") return isLayout(id) || holdsHigher(parent, heading) ? "" : id;
    element = parent;
  }
  return "";
}

const OUTER: ReadonlySet<string> = new Set(["body", "html", "main", "table", "tbody", "tr"]);

function isLayout(id: string): boolean {
  return id
    .toLowerCase()
    .split(/[-_\d]+/)
    .every((word) => word === "" || LAYOUT_WORDS.has(word));
}

/** Elements whose text belongs to what is before the heading. */
const PROSE: ReadonlySet<string> = new Set("p pre blockquote table ul ol dl figure".split(" "));

/** Whether no heading is in what stands before one, and little text. */
function isBrief(node: PageNode, budget: { characters: number; nodes: number }): boolean {
  if (--budget.nodes < 0) return false;
  if (!isElement(node)) {
    budget.characters -= (textOf(node) ?? "").trim().length;
    return budget.characters >= 0;
  }
  const left = PROSE.has(node.tagName) ? { characters: 0, nodes: budget.nodes } : budget;
  return !HEADING_NAMES.has(node.tagName) && childrenOf(node).every((child) => isBrief(child, left));
}

/** Whether an element holds a heading of a higher rank: then it is more than that heading's section. */
function holdsHigher(element: PageElement, heading: PageElement): boolean {
  return childrenOf(element).some(
    (child) =>
      isElement(child) &&
      ((HEADING_NAMES.has(child.tagName) && child.tagName < heading.tagName) || holdsHigher(child, heading)),
  );
}
