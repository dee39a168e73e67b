/** Pages that people read first have short sentences, and every page of the docs says in front matter what it is. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { projectRoot } from "../support/environment.ts";
import { findLongSentences } from "../support/long-sentences.ts";

/** Most words of a sentence. */
const LIMIT = 25;
const READ_FIRST = [
  ...["getting-started", "configuration", "tools", "code", "search-box", "static-hosting", "deploy", "github-action"],
  ...["access", "explorer"],
];
const PAGES = ["README.md", ...READ_FIRST.map((name) => `docs/${name}.md`)];

const read = (path: string): string => readFileSync(join(projectRoot, path), "utf8");
const some = (words: number): string => Array.from({ length: words }, (_, at) => `Word${at}`).join(" ");

describe("prose", () => {
  it.each(PAGES)("has no sentence over 25 words: %s", (path) => {
    expect(findLongSentences(read(path), LIMIT)).toEqual([]);
  });

  it.each([
    ["a paragraph", (text: string) => `# Title\n\nShort. ${text} end.\n`, 3],
    ["a list item", (text: string) => `- Short.\n- ${text}\n`, 2],
    ["a table cell", (text: string) => `| a | b |\n|---|---|\n| c | ${text} |\n`, 3],
    ["a page with front matter", (text: string) => `---\ntitle: A\n---\n\n${text}\n`, 5],
    ["a sentence over two lines", (text: string) => `Short.\n\n${text.replace(" ", "\n")}\n`, 3],
  ])("is found too long in %s", (_, write, line) => {
    expect(findLongSentences(write(some(LIMIT + 1)), LIMIT)).toMatchObject([{ line }]);
    expect(findLongSentences(write(some(LIMIT - 1)), LIMIT)).toEqual([]);
  });

  it("counts neither code, nor link targets, nor what another sentence says", () => {
    const page = `\`${some(40)}\`. Half [${some(10)}](https://example.com/a-b "${some(40)}"). ${some(20)}.\n\n\`\`\`sh\n${some(40)}\n\`\`\`\n`;
    expect(findLongSentences(page, LIMIT)).toEqual([]);
    expect(findLongSentences(page, 12)).toHaveLength(1);
  });
});

describe("front matter", () => {
  const pages = readdirSync(join(projectRoot, "docs")).filter((name) => name.endsWith(".md"));

  it.each(pages)("has a title and a description: docs/%s", (name) => {
    const [, front = ""] = /^---\n([\s\S]*?)\n---\n/.exec(read(`docs/${name}`)) ?? [];
    expect(parse(front)).toMatchObject({
      title: expect.stringMatching(/\S/),
      description: expect.stringMatching(/\S/),
    });
  });
});
