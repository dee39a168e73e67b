/**
 * CSS selectors as far as configurations need them: names, classes, ids, attributes, descendants (`a b`), children (`a > b`), lists.
 *
 * Pure.
 */
import type { DefaultTreeAdapterTypes } from "parse5";

/** An element, as parse5 gives it. */
type PageElement = DefaultTreeAdapterTypes.Element;

interface Compound {
  readonly tests: readonly ((element: PageElement) => boolean)[];
  /** Whether the compound before must fit the parent; else any element above. */
  readonly isChild: boolean;
}

const PART =
  /\*|[.#]?(?:[\w-]|[^\0-\x7f])+|\[\s*([\w:.-]+)\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\s"'\]]+))\s*)?\]/y;
const GAP = /\s*(>|,|\s)\s*/y;

/** Whether an element fits one of the selectors; undefined for a text that is no selector of these kinds. */
export function compileSelector(text: string): ((element: PageElement) => boolean) | undefined {
  const alternatives = parseSelector(text.trim());
  if (alternatives === undefined) return undefined;
  return (element) => alternatives.some((compounds) => fits(element, compounds, compounds.length - 1));
}

function parseSelector(text: string): Compound[][] | undefined {
  const alternatives: Compound[][] = [[]];
  let tests: ((element: PageElement) => boolean)[] = [];
  let isChild = false;
  for (let at = 0; at < text.length; ) {
    PART.lastIndex = at;
    const part = PART.exec(text);
    if (part !== null) {
      tests.push(testOf(part));
      at = PART.lastIndex;
      continue;
    }
    GAP.lastIndex = at;
    const gap = GAP.exec(text);
    if (gap === null || tests.length === 0) return undefined;
    alternatives.at(-1)?.push({ tests, isChild });
    tests = [];
    isChild = gap[1] === ">";
    if (gap[1] === ",") alternatives.push([]);
    at = GAP.lastIndex;
  }
  if (tests.length === 0) return undefined;
  alternatives.at(-1)?.push({ tests, isChild });
  return alternatives;
}

function testOf([part, name = "", operator, double, single, bare]: RegExpExecArray): (element: PageElement) => boolean {
  if (part === "*") return () => true;
  if (part.startsWith("."))
    return (element) => attributeOf(element, "class")?.split(/\s+/).includes(part.slice(1)) === true;
  if (part.startsWith("#")) return (element) => attributeOf(element, "id") === part.slice(1);
  if (!part.startsWith("[")) return (element) => element.tagName === part.toLowerCase();
  const wanted = double ?? single ?? bare ?? "";
  const attribute = name.toLowerCase();
  return (element) => {
    const value = attributeOf(element, attribute);
    return value !== undefined && (operator === undefined || hasValue(value, operator, wanted));
  };
}

function hasValue(value: string, operator: string, wanted: string): boolean {
  switch (operator) {
    case "=":
      return value === wanted;
    case "~=":
      return value.split(/\s+/).includes(wanted);
    case "|=":
      return value === wanted || value.startsWith(`${wanted}-`);
    case "^=":
      return wanted !== "" && value.startsWith(wanted);
    case "$=":
      return wanted !== "" && value.endsWith(wanted);
    default:
      return wanted !== "" && value.includes(wanted);
  }
}

/** Goes up the tree, which is of bounded depth; a selector is as long as a configuration writes it. */
function fits(element: PageElement, compounds: readonly Compound[], at: number): boolean {
  const compound = compounds[at];
  if (compound === undefined || !compound.tests.every((test) => test(element))) return false;
  if (at === 0) return true;
  for (let above = parentOf(element); above !== undefined; above = parentOf(above)) {
    if (fits(above, compounds, at - 1)) return true;
    if (compound.isChild) return false;
  }
  return false;
}

function parentOf({ parentNode }: PageElement): PageElement | undefined {
  return parentNode !== null && "tagName" in parentNode ? parentNode : undefined;
}

/** An attribute's value; undefined where the element has none of that name. */
export function attributeOf(element: PageElement, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}
