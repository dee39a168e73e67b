import { expect, it } from "vitest";
import { compileSelector } from "../../../indexer/config/selectors.ts";
import { childrenOf, isElement, type PageElement, parseTree } from "../../../indexer/parse/html/page-tree.ts";

const HTML = '<main id=m class="a b"><p data-x="one two">1</p><div><p lang=en-GB>2</p></div></main><p class=a>3</p>';

function matching(selector: string): string {
  const fits = compileSelector(selector);
  const found: string[] = [];
  const visit = (element: PageElement): void => {
    if (element.tagName === "p" && fits?.(element) === true) {
      const [text] = childrenOf(element);
      found.push(text !== undefined && "value" in text ? text.value : "");
    }
    for (const child of childrenOf(element)) if (isElement(child)) visit(child);
  };
  for (const child of parseTree(HTML)?.childNodes ?? []) if (isElement(child)) visit(child);
  return found.join("");
}

it.each([
  ["p", "123"],
  ["*", "123"],
  ["P", "123"],
  [".a", "3"],
  ["p.a", "3"],
  [".b p", "12"],
  ["#m > p", "1"],
  ["main div > p", "2"],
  ["body > p, #m>p", "13"],
  ["[data-x]", "1"],
  ["[data-x~=two]", "1"],
  ['[data-x^="one"]', "1"],
  ["[data-x$='two']", "1"],
  ["[lang|=en]", "2"],
  ["nav p", ""],
])("%s fits %j", (selector, found) => {
  expect(matching(selector)).toBe(found);
});

it.each(["", " ", ">", "p >", "p::before", "p:not(.a)", "p + p", "[a", "p,,p", "a{}"])("%j is no selector", (text) => {
  expect(compileSelector(text)).toBeUndefined();
});
