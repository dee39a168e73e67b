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
  readonly skips: (element: PageElement) => boolean;
  readonly hasBody: boolean;
}

/** Finds the regions below a node. @param isOpen Whether conventions name what is read, as `content`, where no body is marked. */
export function findRegions(
  root: PageElement,
  isExcluded: (element: PageElement) => boolean,
  isOpen: boolean,
): Regions & { readonly content?: PageElement | undefined } {
  const regions = new Map<PageElement, Region>();
  const chrome: PageElement[] = [];
  const visit = (element: PageElement, isInExcluded: boolean): Region => {
    let region: Region = isInExcluded ? "excluded" : regionOf(element, isExcluded);
    for (const child of childrenOf(element)) {
      if (!isElement(child)) continue;
      const below = visit(child, region === "excluded");
      if (below === "body" || below === "around") region = "around";
    }
    if (region !== "read") regions.set(element, region);
    else if (isOpen && namesOf(element).some((name) => CHROME.has(name))) chrome.push(element);
    return region;
  };
  const whole = visit(root, false);
  const hasBody = whole === "body" || whole === "around";
  const of = (element: PageElement): Region => regions.get(element) ?? "read";
  const found = { of, skips: (element: PageElement) => ["ignored", "excluded"].includes(of(element)), hasBody };
  if (hasBody || !isOpen) return found;
  for (const element of chrome) regions.set(element, "ignored");
  return { ...found, content: findContent(root, found) };
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

/** Elements that hold the content of a page, by tag, role, id or class, the best first. */
const CONTENT =
  ".VPHome .VPPage .theme-doc-markdown .md-content__inner .bd-article #furo-main-content .td-content .book-page main role=main " +
  "#doc-content .body .document article";

/** Parts of content that are about the page, by role or class. */
const CHROME: ReadonlySet<string> = new Set(
  (
    "role=navigation role=search role=contentinfo .theme-doc-toc-mobile .theme-doc-version-badge .table-of-contents .md-source-file " +
    ".md-content__button .md-feedback .nav-chapters .mobile-nav-chapters .page-meta .td-page-meta .td-toc .book-toc .book-header " +
    ".edit-page .edit-this-page .editLink .skip-link .skip-to-content .prev-next-area .prev-next-footer .nav .bd-sidebar-secondary " +
    ".content-icon-container .back-to-top .navheader .navfooter .nav-panel .VPDocAside .VPDocOutlineDropdown"
  ).split(" "),
);

function namesOf(element: PageElement): readonly string[] {
  const [id, role] = ["id", "role"].map((name) => attributeOf(element, name));
  return [element.tagName, `#${id}`, `role=${role}`, ...classesOf(element).map((name) => `.${name}`)];
}

/** The element that holds the content of a page by convention; undefined where none does, or where it has no text. */
function findContent(html: PageElement, regions: Regions): PageElement | undefined {
  const found = new Map(CONTENT.split(" ").map((name) => [name, [] as PageElement[]]));
  const visit = (parent: PageElement): void => {
    for (const child of childrenOf(parent)) {
      if (!isElement(child) || regions.skips(child)) continue;
      for (const name of namesOf(child)) found.get(name)?.push(child);
      visit(child);
    }
  };
  visit(html);
  // Of several articles none is the page.
  if (found.get("article")?.length !== 1) found.delete("article");
  return [...found.values()].flat().find((element) => holdsText(element, regions));
}

function holdsText(element: PageElement, regions: Regions): boolean {
  return childrenOf(element).some((child) =>
    isElement(child) ? !regions.skips(child) && holdsText(child, regions) : (textOf(child) ?? "").trim() !== "",
  );
}
