/** Anchors of headings are those that generators of sites give: of VitePress in a site that is built here. */
import { mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ANCHOR_STYLES, type AnchorStyle } from "../../../../indexer/config/config.ts";
import { CONFIG_SCHEMA } from "../../../../indexer/config/config-schema.ts";
import { parseMarkdown } from "../../../../indexer/parse/markdown/parse.ts";
import { claimMkDocsAnchor, makeAnchor } from "../../../../indexer/parse/markdown/sections.ts";
import { projectRoot } from "../../../support/environment.ts";
import { runProgram } from "../../../support/run-program.ts";
import { runs } from "../../../support/runs.ts";
import { makeFolder, writeFiles } from "../../../support/temporary-folder.ts";

/** Headings, and the anchors that Python-Markdown 3.11 gives with `toc` and `attr_list`. */
const HEADINGS: readonly (readonly [heading: string, mkdocs: string])[] = [
  ["Über uns", "uber-uns"],
  ["What's new in 2.0?", "whats-new-in-20"],
  ["1. First step", "1-first-step"],
  ["Same", "same"],
  ["Same", "same_1"],
  ["Same", "same_2"],
  ["`code` & *emphasis* with [link](other.md)", "code-emphasis-with-link"],
  ["Custom {#my-id}", "my-id"],
  ["Привет мир", "_1"],
  ["日本語の見出し", "_2"],
  ["C++ / C# -- dashes", "c-c-dashes"],
  ["snake_case_name", "snake_case_name"],
  ["Crème brûlée ﬁt ½", "creme-brulee-fit-12"],
  ["Party 🎉 time", "party-time"],
  ["x_1", "x_1"],
  ["x_1", "x_2"],
  ["“Quoted” (twice), it’s", "quoted-twice-its"],
  ["a  --  b", "a-b"],
  ["`useRouter()` in `src/app.ts`", "userouter-in-srcappts"],
  ["$HOME & 100% ~/path", "home-100-path"],
];
const PAGE = `# Page\n\n${HEADINGS.map(([heading]) => `## ${heading}\n\ntext\n`).join("\n")}`;

function anchorsOf(style: AnchorStyle, text: string): string[] {
  const { sections } = parseMarkdown({ path: "page.md", text, anchors: style });
  return sections.slice(1).map(({ anchor }) => anchor);
}

describe("anchors of headings", () => {
  it("are those of a site that VitePress builds", { timeout: 60_000 }, async () => {
    const dir = await makeFolder({ "package.json": '{"private": true}', "page.md": PAGE, "other.md": "# Other\n" });
    await mkdir(join(dir, ".vitepress"));
    await symlink(join(projectRoot, "node_modules"), join(dir, "node_modules"), "dir");
    // A theme of nothing: only the pages are wanted, and a fifth of the time goes by.
    await writeFiles(dir, {
      ".vitepress/theme/index.js":
        'import { h } from "vue";\nimport { Content } from "vitepress";\nexport default { Layout: () => h(Content) };\n',
    });
    const vitepress = join(projectRoot, "node_modules/vitepress/bin/vitepress.js");
    const { exitCode, output } = await runProgram(process.execPath, [vitepress, "build"], dir);
    expect(exitCode, output).toBe(0);
    const html = await readFile(join(dir, ".vitepress/dist/page.html"), "utf8");
    const ids = [...html.matchAll(/<h2 id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(HEADINGS.length);
    expect(anchorsOf("vitepress", PAGE)).toEqual(ids);
    // The default would miss many of these.
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
    const register = new Map<string, number>();
    const claimed = Array.from({ length: 20_000 }, () => claimMkDocsAnchor(register, "x"));
    expect(claimed.at(-1)).toBe("x_19999");
  });

  it("have the styles that the schema of the configuration names", () => {
    const schema = CONFIG_SCHEMA.properties?.collections?.items?.properties?.anchors;
    expect(schema?.enum).toEqual([...ANCHOR_STYLES]);
  });
});
