/**
 * The published CommonMark examples: the text that a page shows is the text of the expected HTML.
 *
 * Markup has no place in a parsed document, so both sides are reduced to what they show, and
 * compared without white space and order (a title stands apart from the text around it).
 */
import { describe, expect, it } from "vitest";
import { decodeEntities } from "../../../../indexer/parse/markdown/read-tokens.ts";
import examples from "./commonmark-examples.json" with { type: "json" };
import { parsePage } from "./parsed.ts";

/** A title of its own keeps the page's headings from being taken for it, and breaks at its start for fences. */
const FRONTMATTER = "---\ntitle: T\n---\n";

/** Examples that this parser reads differently on purpose. */
const DIFFERENT: ReadonlyMap<number, string> = new Map([
  [79, "an empty heading gets a title"],
  [163, "between the tags of a component stands Markdown"],
  [475, "the title of an image is shown to readers"],
]);

const NOT_SHOWN =
  /<!-->|<!--->|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>|<![A-Z][^>]*>|<(script|style)\b[\s\S]*?(?:<\/\1>|$)/g;
const IMAGE = /<img[^>]*? alt="([^"]*)"[^>]*>/g;
const TAG = /<\/?[a-zA-Z](?:[^"'>]|"[^"]*"|'[^']*')*>/g;
const HEADING = /<h[1-6]/g;
const CONTAINER = /<(?:blockquote|li)>/;

function reduce(text: string): string {
  return [...text.replace(/\s+/g, "")].sort().join("");
}

function showHtml(html: string): string {
  return reduce(decodeEntities(html.replace(NOT_SHOWN, "").replace(IMAGE, "$1").replace(TAG, "")));
}

describe("the examples of the CommonMark specification", () => {
  it.each(examples.examples)("example $example ($section)", ({ example, markdown, html }) => {
    const { sections } = parsePage(FRONTMATTER + markdown);
    const titles = sections.slice(1).map((section) => section.title);
    const texts = sections.flatMap((section) => section.blocks.map((block) => block.text));
    const shown = reduce([...titles, ...texts].join(""));
    if (DIFFERENT.has(example)) {
      expect(shown).not.toBe(showHtml(html));
      return;
    }
    expect(shown).toBe(showHtml(html));
    if (!CONTAINER.test(html)) expect(titles).toHaveLength(html.match(HEADING)?.length ?? 0);
  });
});
