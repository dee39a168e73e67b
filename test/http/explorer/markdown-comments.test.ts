import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stripMarkup } from "../../../src/core/text/markup.ts";
import { writeMarkdown } from "../../../src/http/explorer/markdown.ts";
import { runs } from "../../support/runs.ts";

const P = `<p dir="auto">`;

function write(text: string, isMdx = false): string {
  return writeMarkdown(text, () => undefined, isMdx).toString();
}

/** What a reader sees of a page, and nothing of its tags. */
function visible(text: string): string {
  return write(text, true)
    .replace(/<[^<>]*>/g, " ")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, "&");
}

const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

describe("comments of a page", () => {
  it.each([
    ["of a line", "{/* one */}\n\nText {/* two */}goes on.", `${P}Text goes on.</p>`],
    ["of several lines", "{/* a\n\nb\n*/}\nText.", `${P}Text.</p>`],
    ["over a line's end", "A {/* b\nc */} d", `${P}A  d</p>`],
    ["over paragraphs", "A {/* b\n\n- c\n\nd */} e\nf", `${P}A  e\nf</p>`],
    ["of HTML over paragraphs", "<!-- a\n\nb -->\n\nc <!-- d --> e", `${P}c  e</p>`],
    ["behind the end of another", "{/* a\n*/} text {/* b */}\n\n{/* c\n*/} {/* d\ne */}", `${P} text </p>`],
    ["in front of other blocks", "{/* a */}\n1. b\n\n{/* c */}\n- d", `<ol><li>b</li></ol><ul><li>d</li></ul>`],
    [
      "in lists and quotes",
      "- a {/* b */}\n\n> c {/* d */}",
      `<ul><li>a </li></ul><blockquote>${P}c </p></blockquote>`,
    ],
    ["in headings", "Text.\n\n## A {/* #id */}\n\n## {/* b */}", `${P}Text.</p>${P}<strong>A</strong></p>`],
    [
      "with bars in tables",
      "| a | {/* | */}b |\n|--|--|\n| c | d |",
      `<div class="table" tabindex="0"><table><thead><tr><th>a</th><th>b</th></tr></thead>\n<tbody><tr><td>c</td><td>d</td></tr></tbody></table></div>`,
    ],
    ["in components", "<A>\n{/* a */}\nb\n</A>", `${P}b</p>`],
    ["with a backtick inside", "a {/* it`s */} b `c`", `${P}a  b <code>c</code></p>`],
  ])("%s are left out", (_, text, shown) => expect(write(text)).toBe(shown));

  it.each([
    ["in a fence", '```mdx\n{/* shown */}\nimport a from "a"\n```', ["{/* shown */}", 'import a from "a"']],
    ["in a fence in a list", "- item\n\n  ~~~\n  {/* shown */}\n  ~~~", ["{/* shown */}"]],
    ["in a fence on the line of an item", "- ```mdx\n  {/* x */}\n  ```\n\nText {/* y */}.", ["{/* x */}", "Text ."]],
    ["in a fence in a quote", "> ```mdx\n> {/* x */}\n> ```", ["{/* x */}"]],
    ["indented", "    {/* indented */}", ["{/* indented */}"]],
    ["between backticks", "Write `{/* so */}` for a comment.", ["{/* so */}"]],
    ["between two backticks", "Write ``{/* so */}`` for a comment.", ["{/* so */}"]],
    ["in code over a line's end", "Write `a\n{/* so */}` for it.", ["{/* so */}"]],
    ["behind a backslash", "Write \\{/* shown */} so.", ["{/* shown */}"]],
    ["without an end", "{/* without an end", ["{/* without an end"]],
    [
      "with an end in code alone",
      "Write {/* first.\n\n```jsx\n{/* c */}\n<A/>\n```\nEnd.",
      ["{/* first.", "{/* c */}\n<A/>"],
    ],
    ["with blanks", "Braces { /* apart */ } stay.", ["Braces { /* apart */ } stay."]],
    ["that is a paragraph of words", "import/export works so.\nMore.", ["import/export works so.\nMore."]],
  ])("are none %s", (_, text, shown) => {
    for (const part of shown) expect(visible(text)).toContain(part);
  });

  it("begin and end where those of excerpts do", () => {
    const word = fc.constantFrom(..."alpha beta gamma delta omega".split(" "));
    const inner = fc.array(fc.oneof(word, fc.constantFrom("`", "{/*", "\\", "\n", "- x", "|")), { maxLength: 5 });
    const comment = inner.map((parts) => `{/* ${parts.join(" ")} */}`);
    const part = fc.oneof(
      { weight: 3, arbitrary: word },
      comment,
      inner.map((parts) => `<!-- ${parts.join(" ")} -->`),
      word.map((one) => `\`{/* ${one} */}\``),
      word.map((one) => `\`\`{/* ${one} \` */}\`\``),
      word.map((one) => `\\{/\\* ${one} \\*/}`),
    );
    const paragraph = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(" "));
    const block = fc.oneof(
      { weight: 3, arbitrary: paragraph },
      fc.tuple(word, word, word).map(([a, b, c]) => `${a} {/* ${b}\n\n${b}\n*/} ${c}`),
      fc.array(word, { minLength: 1 }).map((items) => items.map((one) => `- ${one} {/* ${one} */}`).join("\n")),
      word.map((one) => `> ${one} {/* ${one} */} ${one}`),
      word.map((one) => `\`\`\`\n{/* ${one} */}\n\`\`\``),
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 6 }), (blocks) => {
        const text = blocks.join("\n\n");
        expect(wordsOf(visible(text))).toEqual(wordsOf(stripMarkup(text, false)));
      }),
      { numRuns: runs(300) },
    );
  });

  it("never touch code", () => {
    const line = fc
      .array(fc.constantFrom("{/*", "*/}", "<!--", "-->", "x", "\\", "import 'a'", "- "), {
        minLength: 1,
        maxLength: 5,
      })
      .map((parts) => parts.join(" ").trim());
    const code = fc.array(line, { minLength: 1, maxLength: 5 });
    const around = fc.constantFrom(["", ""], ["- ", "  "], ["> ", "> "], ["1. ", "   "], ["- > ", "  > "]);
    fc.assert(
      fc.property(code, around, fc.constantFrom("```", "~~~~"), ([...lines], [first = "", next = ""], mark) => {
        const text = `${first}${mark}\n${[...lines, mark].map((one) => next + one).join("\n")}\n\nEnd {/* a */}here.`;
        expect(visible(text)).toContain(lines.join("\n"));
        expect(visible(text)).toContain("End here.");
      }),
      { numRuns: runs(200) },
    );
  });

  it("are looked for in a bounded way: what takes the square of a page would not end here", () => {
    const pieces = [
      "`{/*",
      "{/*",
      "<!--",
      "{/*\n\n",
      "a {/*\n\n",
      "a <!--\n\n",
      "{/* */}",
      "{/*\n\n*/} ",
      "a {/*\n\n*/}",
      "<a\n{/*\n\n",
    ];
    for (const piece of pieces) {
      expect(write(`${piece.repeat(300_000 / piece.length)}\n\nend`)).toContain("end");
    }
  });
});
