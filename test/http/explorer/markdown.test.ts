import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeMarkdown } from "../../../src/http/explorer/markdown.ts";
import { anyMarkdown } from "../../support/any-markdown.ts";
import { runs } from "../../support/runs.ts";

const write = (text: string): string => writeMarkdown(text, () => undefined).toString();
const P = `<p dir="auto">`;
const PRE = `<pre tabindex="0">`;
const DONE = `<span role="img" aria-label="done">☑</span>`;
const TO_DO = `<span role="img" aria-label="to do">☐</span>`;

describe("the text of a section", () => {
  it.each([
    ["its heading is the page's", "## Install\n\nText.\n", `${P}Text.</p>`],
    ["its underlined heading too", "Install\n-------\n\nText.", `${P}Text.</p>`],
    [
      "a heading further down is none",
      "Text.\n\n### Not a section",
      `${P}Text.</p>${P}<strong>Not a section</strong></p>`,
    ],
    ["paragraphs", "a\nb\n\nc", `${P}a\nb</p>${P}c</p>`],
    [
      "code with its language",
      "```ts title=x\nlet a = 1 < 2;\n\nb\n```\nc",
      `<pre tabindex="0" data-language="ts"><code>let a = 1 &lt; 2;\n\nb</code></pre>${P}c</p>`,
    ],
    ["code that does not end", "~~~\na\n", `${PRE}<code>a\n</code></pre>`],
    ["indented code", "a\n\n    b\n\n    c\n", `${P}a</p>${PRE}<code>b\n\nc</code></pre>`],
    ["lists", "- a\n- b\n", "<ul><li>a</li><li>b</li></ul>"],
    ["numbered lists", "3. a\n4. b\n", `<ol start="3"><li>a</li><li>b</li></ol>`],
    ["lists in lists", "- a\n  - b\n- c", `<ul><li>${P}a</p><ul><li>b</li></ul></li><li>c</li></ul>`],
    [
      "code in lists",
      "1. a\n   ```sh\n   b\n   ```\n2. c",
      `<ol><li>${P}a</p><pre tabindex="0" data-language="sh"><code>b</code></pre></li><li>c</li></ol>`,
    ],
    ["quotes", "> a\n> b\n\nc", `<blockquote>${P}a\nb</p></blockquote>${P}c</p>`],
    ["rules", "a\n\n***\n", `${P}a</p><hr>`],
    ["HTML by its text", `<div onclick="x">\n<b>a</b>\n</div>\n\nb`, `${P}<strong>a</strong></p>${P}b</p>`],
    ["tasks", "- [x] a\n- [ ] b", `<ul><li>${DONE} a</li><li>${TO_DO} b</li></ul>`],
    [
      "the file that code is of",
      '```ts filename="app/page.tsx" switcher\na\n```',
      `<p class="caption"><bdi>app/page.tsx</bdi></p><pre tabindex="0" data-language="ts"><code>a</code></pre>`,
    ],
    ["components by their content", `<AppOnly>\n\n- a\n\n</AppOnly>`, "<ul><li>a</li></ul>"],
    [
      "tabs by their labels",
      `<Tabs items={["a", "b > c"]}>\n  <TabItem label="npm">\n    **a**\n  </TabItem>\n</Tabs>`,
      `${P}<strong>npm</strong></p>${P}<strong>a</strong></p>`,
    ],
    ["pictures of components", `<Image\n  alt="A tree"\n  src="/a.png"\n/>\nb`, `${P}Picture: A tree</p>${P}b</p>`],
    [
      "details",
      "<details>\n<summary>More <b>of it</b></summary>\n\n- a\n\n</details>\nb",
      `<details><summary>More <strong>of it</strong></summary><ul><li>a</li></ul></details>${P}b</p>`,
    ],
    ["code of HTML", "<pre><code>\na &lt; <b>b</b>\n</code></pre>", `${PRE}<code>\na &amp;lt; b\n</code></pre>`],
    ["nothing of scripts and styles", "<style>\na{}\n\nb{}\n</style>\n<script>a</script>\n\nc", `${P}c</p>`],
    [
      "notes of GitHub",
      "> [!WARNING]\n> a",
      `<div class="note warns" role="note">${P}<strong>Warning</strong></p>${P}a</p></div>`,
    ],
    [
      "notes of Docusaurus and VitePress",
      ":::tip[Try `it`]\na\n:::\n\n::: info Known\nb\n:::\nc",
      `<div class="note" role="note">${P}<strong>Try <code>it</code></strong></p>${P}a</p></div><div class="note" role="note">${P}<strong>Known</strong></p>${P}b</p></div>${P}c</p>`,
    ],
    [
      "groups in notes, and folded ones",
      ":::: code-group\n::: details More\na\n:::\n::::",
      `<details><summary>More</summary>${P}a</p></details>`,
    ],
    [
      "notes and tabs of MkDocs",
      '!!! danger "Mind"\n    a\n\n=== "Tab"\n\n    b\n\nc',
      `<div class="note warns" role="note">${P}<strong>Mind</strong></p>${P}a</p></div>${P}<strong>Tab</strong></p>${P}b</p>${P}c</p>`,
    ],
    ["footnotes", "[^a]: The *end*.\nx", `<div class="small" id="fn-a"><sup>a</sup>${P}The <em>end</em>.\nx</p></div>`],
    ["no definitions of links", "a\n\n[b]: https://x.example 'c'\n", `${P}a</p>`],
    ["comments are left out", "<!-- a -->\n\nb", `${P}b</p>`],
  ])("%s", (_, text, expected) => expect(write(text)).toBe(expected));

  it("has tables, whose cells may hold bars", () => {
    expect(write("| a | b |\n|---|:-:|\n| 1 \\| 2 | **3** | 4 |\n\nc")).toBe(
      `<div class="table" tabindex="0"><table><thead><tr><th>a</th><th>b</th></tr></thead>\n<tbody><tr><td>1 | 2</td><td><strong>3</strong></td></tr></tbody></table></div>${P}c</p>`,
    );
  });

  it("shows every word of any page, and no tag that it does not know", () => {
    fc.assert(
      fc.property(anyMarkdown(), (text) => {
        const tags = [...write(text).matchAll(/<\/?([a-z0-9]+)/g)].map(([, name = ""]) => name);
        const known = [
          "p",
          "pre",
          "code",
          "ul",
          "ol",
          "li",
          "blockquote",
          "hr",
          "div",
          "table",
          "thead",
          "tbody",
          "tr",
          "th",
          "td",
          "strong",
          "em",
          "s",
          "a",
          "bdi",
        ];
        expect(known).toEqual(expect.arrayContaining([...new Set(tags)]));
      }),
      { numRuns: runs(200) },
    );
  });

  it("reads a megabyte on one line and deep nesting in a bounded way", () => {
    for (const text of [
      `# ${" ".repeat(1_000_000)}x`,
      `a | b\n${" ".repeat(1_000_000)}x`,
      "> ".repeat(50_000),
      "- ".repeat(50_000),
      "* ".repeat(500_000),
      `${"- a\n  ".repeat(5000)}`,
      "<a ".repeat(100_000),
      "<A\n".repeat(100_000),
      '<A b="\n'.repeat(50_000),
      "<details>\n".repeat(50_000),
      "<pre>\n".repeat(50_000),
      "> [!NOTE]\n".repeat(30_000),
      ":::note\n".repeat(30_000),
      "!!! note\n    ".repeat(20_000),
      "[^a]: ".repeat(50_000),
      "[^a]: b\n".repeat(50_000),
      "<A {".repeat(75_000),
    ]) {
      expect(write(text).length).toBeLessThan(text.length * 30);
    }
  });

  it("reads lines of blanks just below the longest that it looks at", () => {
    const blanks = " ".repeat(1980);
    for (const [line, shown] of [
      [`#${blanks}a\u2028b`, "<strong>a"],
      [`#${blanks}a\rb`, "<strong>a"],
      [`x | y\n${blanks}|x`, "x | y"],
      [`[a](${blanks}`, "[a]("],
    ] as const) {
      expect(write(`x\n\n${`${line}\n\n`.repeat(100)}`).split(shown)).toHaveLength(101);
    }
  });
});
