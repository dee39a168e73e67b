/**
 * Which parts of a page are read, as Pagefind decides it: the marked bodies where a page has some, never what is ignored, and not the
 * elements that are about the site or belong to a program.
 *
 * Pure.
 */
import { attributeOf, childrenOf, isElement, type PageElement, type PageNode } from "./page-tree.ts";

/**
 * What becomes of an element. `excluded`: not even its meta data counts. `ignored`: its text does not. `body`: marked as what is read.
 * `around`: holds a marked body, and of it nothing else is read.
 */
export type Region = "read" | "ignored" | "excluded" | "body" | "around";

/** Elements that are never read. */
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
  // The tree is no deeper than `page-tree.ts` lets it be.
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

/** Attributes of one element that are read as text. */
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
