/** Anchors of headings are those that generators of sites give. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ANCHOR_STYLES, type AnchorStyle } from "../../../../indexer/config/config.ts";
import { parseMarkdown } from "../../../../indexer/parse/markdown/parse.ts";
import { makeAnchor, SectionCollector } from "../../../../indexer/parse/markdown/sections.ts";
import configSchema from "../../../../schemas/config.schema.json" with { type: "json" };
import { runs } from "../../../support/runs.ts";

/** Headings, their anchors by Python-Markdown 3.11 (`toc`, `attr_list`), and those in a site built by VitePress 1.6.4. */
const HEADINGS: readonly (readonly [heading: string, mkdocs: string, vitepress: string])[] = [
  ["Über uns", "uber-uns", "uber-uns"],
  ["What's new in 2.0?", "whats-new-in-20", "what-s-new-in-2-0"],
  ["1. First step", "1-first-step", "_1-first-step"],
  ["Same", "same", "same"],
  ["Same", "same_1", "same-1"],
  ["Same", "same_2", "same-2"],
  ["`code` & *emphasis* with [link](other.md)", "code-emphasis-with-link", "code-emphasis-with-link"],
  ["Custom {#my-id}", "my-id", "my-id"],
  ["Привет мир", "_1", "привет-мир"],
  ["日本語の見出し", "_2", "日本語の見出し"],
  ["C++ / C# -- dashes", "c-c-dashes", "c-c-dashes"],
  ["snake_case_name", "snake_case_name", "snake-case-name"],
  ["Crème brûlée ﬁt ½", "creme-brulee-fit-12", "creme-brulee-fit-1⁄2"],
  ["Party 🎉 time", "party-time", "party-🎉-time"],
  ["x_1", "x_1", "x-1"],
  ["“Quoted” (twice), it’s", "quoted-twice-its", "quoted-twice-it-s"],
  ["a  --  b", "a-b", "a-b"],
  ["`useRouter()` in `src/app.ts`", "userouter-in-srcappts", "userouter-in-src-app-ts"],
  ["$HOME & 100% ~/path", "home-100-path", "home-100-path"],
];
const PAGE = `# Page\n\n${HEADINGS.map(([heading]) => `## ${heading}\n\ntext\n`).join("\n")}`;

function anchorsOf(style: AnchorStyle, text: string): string[] {
  const { sections } = parseMarkdown({ path: "page.md", text, anchors: style });
  return sections.slice(1).map(({ anchor }) => anchor);
}

describe("anchors of headings", () => {
  it("are those of VitePress, of which the default would miss many", () => {
    const ids = HEADINGS.map(([, , id]) => id);
    expect(anchorsOf("vitepress", PAGE)).toEqual(ids);
    expect(anchorsOf("github", PAGE)).not.toEqual(ids);
  });

  it("are those of Python-Markdown", () => {
    expect(anchorsOf("mkdocs", PAGE)).toEqual(HEADINGS.map(([, anchor]) => anchor));
  });

  it.each(ANCHOR_STYLES)("are made of any text, and unique on a page (%s)", (style) => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (title) => {
        expect(makeAnchor(style, title)).not.toMatch(/[\s#<>"]/u);
      }),
      { numRuns: runs(200) },
    );
    const heading = fc.constantFrom("x", "x_1", "x_2", "x-1", "x-2", "1", "я", "…");
    fc.assert(
      fc.property(fc.array(heading, { maxLength: 30 }), (titles) => {
        const anchors = anchorsOf(style, titles.map((title) => `## ${title}\n`).join("\n"));
        expect(new Set(anchors).size).toBe(anchors.length);
      }),
      { numRuns: runs(100) },
    );
  });

  it("are numbered in one step each where thousands are equal", () => {
    const collector = new SectionCollector("mkdocs");
    for (let line = 1; line <= 20_000; line++) collector.openSection({ level: 1, title: "x", explicitId: "", line });
    expect(collector.finish("Page", 20_000).at(-1)?.anchor).toBe("x_19999");
  });

  it("have the styles that the schema of the configuration names", () => {
    const schema = configSchema.properties?.collections?.items?.properties?.anchors;
    expect(schema?.enum).toEqual([...ANCHOR_STYLES]);
  });
});
