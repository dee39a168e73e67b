/**
 * HTML to a tree of elements, in bounded time: parse5 builds it as browsers do, and stops where a page would make it take the square
 * of the page's length.
 */
import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse, type TreeAdapter } from "parse5";
import { attributeOf } from "../../config/selectors.ts";

export type PageNode = DefaultTreeAdapterMap["childNode"];
export type PageElement = DefaultTreeAdapterMap["element"];
type Parent = DefaultTreeAdapterMap["parentNode"];

/** Open elements that a page may nest: as many as browsers do. What walks the tree may call itself so deep. */
const MAX_DEPTH = 512;
/** Elements that every page may have, whatever its length. */
const FREE_ELEMENTS = 10_000;
/** No element takes fewer characters (`<b>`); only what a parser repeats on its own can be more. */
const CHARACTERS_AN_ELEMENT = 3;
/** Siblings that may be passed over in moving nodes about, for each character of the page. */
const STEPS_A_CHARACTER = 50;

class TooComplexError extends Error {}

/** The tree of a page; undefined where it nests or repeats elements as no page for people does. */
export function parseTree(text: string): DefaultTreeAdapterMap["document"] | undefined {
  try {
    return parse(text, { treeAdapter: boundedAdapter(text.length), scriptingEnabled: false });
  } catch (error) {
    if (error instanceof TooComplexError) return undefined;
    throw error;
  }
}

function boundedAdapter(length: number): TreeAdapter<DefaultTreeAdapterMap> {
  let depth = 0;
  let elements = FREE_ELEMENTS + length / CHARACTERS_AN_ELEMENT;
  let steps = FREE_ELEMENTS + length * STEPS_A_CHARACTER;
  const pass = ({ childNodes }: Parent): void => {
    steps -= childNodes.length;
    if (steps < 0) throw new TooComplexError();
  };
  return {
    ...defaultTreeAdapter,
    createElement(...element) {
      if (--elements < 0) throw new TooComplexError();
      return defaultTreeAdapter.createElement(...element);
    },
    insertBefore(parent, node, reference) {
      pass(parent);
      defaultTreeAdapter.insertBefore(parent, node, reference);
    },
    insertTextBefore(parent, text, reference) {
      pass(parent);
      defaultTreeAdapter.insertTextBefore(parent, text, reference);
    },
    detachNode(node) {
      if (node.parentNode) pass(node.parentNode);
      defaultTreeAdapter.detachNode(node);
    },
    onItemPush() {
      if (++depth > MAX_DEPTH) throw new TooComplexError();
    },
    onItemPop() {
      depth--;
    },
  };
}

/** The children of a node; those of a template are what it holds. */
export function childrenOf(node: Parent): readonly PageNode[] {
  return "content" in node ? node.content.childNodes : node.childNodes;
}

export function isElement(node: PageNode): node is PageElement {
  return "tagName" in node;
}

/** The text of a text node; undefined for others. */
export function textOf(node: PageNode): string | undefined {
  return "value" in node ? node.value : undefined;
}

export function classesOf(element: PageElement): string[] {
  return attributeOf(element, "class")?.split(/\s+/).filter(Boolean) ?? [];
}

/**
 * What becomes of an element. `excluded`: not even its meta data counts. `ignored`: its text does not. `body`: marked as what is read.
 * `around`: holds a marked body, and of it nothing else is read.
 */
type Region = "read" | "ignored" | "excluded" | "body" | "around";

const NEVER_READ: ReadonlySet<string> = new Set(
  "head style script noscript label form svg footer nav iframe template".split(" "),
);

/** Regions of all elements that are not simply read, and whether any body is marked. */
export interface Regions {
  readonly of: (element: PageElement) => Region;
  readonly hasBody: boolean;
}

/** Find the regions below a node. @param isExcluded What the configuration ignores. */
export function findRegions(root: PageElement, isExcluded: (element: PageElement) => boolean): Regions {
  const regions = new Map<PageElement, Region>();
  const visit = (element: PageElement, isInExcluded: boolean): Region => {
    let region: Region = isInExcluded ? "excluded" : regionOf(element, isExcluded);
    for (const child of childrenOf(element)) {
      if (!isElement(child)) continue;
      const below = visit(child, region === "excluded");
      if (below === "body" || below === "around") region = "around";
    }
    if (region !== "read") regions.set(element, region);
    return region;
  };
  const whole = visit(root, false);
  return { of: (element) => regions.get(element) ?? "read", hasBody: whole === "body" || whole === "around" };
}

/** Whether text below an element in this region is read, once the way led there. */
export function isSkipped(region: Region): boolean {
  return region === "ignored" || region === "excluded";
}

function regionOf(element: PageElement, isExcluded: (element: PageElement) => boolean): Region {
  const ignore = attributeOf(element, "data-pagefind-ignore")?.toLowerCase();
  const isBody = attributeOf(element, "data-pagefind-body") !== undefined;
  if (!isBody && ignore !== undefined && !["", "index", "true"].includes(ignore)) return "excluded";
  if (NEVER_READ.has(element.tagName) || isExcluded(element)) return "ignored";
  if (isBody) return "body";
  return ignore === undefined ? "read" : "ignored";
}

const MAX_INDEXED_ATTRIBUTES = 20;

/** Values of `data-pagefind-index-attrs`: attributes that are read as text, each once. */
export function readIndexedAttributes(element: PageElement): string[] {
  const names = attributeOf(element, "data-pagefind-index-attrs");
  if (names === undefined) return [];
  const unique = [...new Set(names.split(",").map((name) => name.trim().toLowerCase()))];
  return unique.slice(0, MAX_INDEXED_ATTRIBUTES).flatMap((name) => attributeOf(element, name) || []);
}

/** The first element that fits, in the order of the page. */
export function findElement(
  nodes: readonly PageNode[],
  fits: (element: PageElement) => boolean,
): PageElement | undefined {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    const found = fits(node) ? node : findElement(childrenOf(node), fits);
    if (found !== undefined) return found;
  }
  return undefined;
}
