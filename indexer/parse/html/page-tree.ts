/**
 * HTML to a tree of elements, in bounded time: parse5 builds it as browsers do, and stops where a page would make it take the square
 * of the page's length.
 *
 * Pure: text in, values out.
 */
import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse, type TreeAdapter } from "parse5";

/** A node of the tree. */
export type PageNode = DefaultTreeAdapterMap["childNode"];
/** An element of the tree. */
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

/** Whether a node is an element. */
export function isElement(node: PageNode): node is PageElement {
  return "tagName" in node;
}

/** The text of a text node; undefined for others. */
export function textOf(node: PageNode): string | undefined {
  return "value" in node ? node.value : undefined;
}

/** An attribute's value; undefined where the element has none of that name. */
export function attributeOf(element: PageElement, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

/** Classes of an element. */
export function classesOf(element: PageElement): string[] {
  return attributeOf(element, "class")?.split(/\s+/).filter(Boolean) ?? [];
}
