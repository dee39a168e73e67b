import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { keyOf } from "../../../src/core/bytes/key.ts";
import {
  loadDocuments,
  loadLinks,
  loadOutline,
  loadOutlines,
  readPassages,
  readSections,
  resolveDocumentId,
  resolveNode,
  resolveOutlines,
} from "../../../src/core/docs/documents.ts";
import type { DocumentOutline } from "../../../src/core/docs/model.ts";
import { encodeDocument, encodeSections } from "../../../src/core/format/document-records.ts";
import { anyMarkdown } from "../../support/any-markdown.ts";
import {
  type BuiltIndex,
  buildCollections,
  buildPages,
  type OpenReader,
  type Pages,
} from "../../support/build-index.ts";
import { refusalOf } from "../../support/format-cases.ts";
import { openTables } from "../../support/open-tables.ts";
import { runs } from "../../support/runs.ts";

type StoredSection = Parameters<typeof encodeSections>[0][number];

const GUIDE = [
  "---",
  "title: Guide",
  "description: How to",
  "tags: [a, b]",
  "---",
  "",
  "Intro, see [setup](#setup).",
  "",
  "## Setup",
  "",
  "Text of setup.",
  "",
  "### On Linux",
  "",
  "```sh",
  "apt install x",
  "```",
  "",
  "## n3",
  "",
  "A heading like an alias. [Out](https://example.org) and [back](other.md#deep).",
  "",
  "## Setup",
  "",
  "Again.",
  "",
].join("\n");

const PAGES: Pages = {
  "guide.md": GUIDE,
  "other.md": "# Other\n\n[To](guide.md#n3) and [gone](missing.md).\n\n#### Deep\n\nDeep text.\n",
  "bare.md": "No heading at all.",
  "empty.md": "",
  "odd #1%.md": "# Odd\n",
};

async function outlineOf({ reader }: OpenReader, id: string): Promise<DocumentOutline> {
  const outline = await loadOutline(reader, id);
  if (outline === undefined) throw new Error(`no document ${id}`);
  return outline;
}

describe("documents of an index", () => {
  let built: BuiltIndex;
  let opened: OpenReader;
  let guide: DocumentOutline;

  beforeAll(async () => {
    built = await buildCollections([{ name: "docs", pages: PAGES, baseUrl: "https://example.org/" }]);
    opened = await built.open();
    guide = await outlineOf(opened, "docs:guide.md");
  });

  it("come by their ids in the order asked for, those that exist", async () => {
    const found = await loadDocuments(opened.next(), [
      "docs:other.md",
      "docs:no.md",
      "docs:guide.md",
      "",
      "x:guide.md",
    ]);
    expect(found.map(({ id }) => id)).toEqual(["docs:other.md", "docs:guide.md"]);
    expect(found[1]).toEqual({
      id: "docs:guide.md",
      collection: "docs",
      path: "guide.md",
      title: "Guide",
      description: "How to",
      url: "https://example.org/guide",
      words: built.documents.get("docs:guide.md")?.words,
      sections: 5,
      lines: 25,
      contentHash: built.documents.get("docs:guide.md")?.hash,
      facets: found[1]?.facets,
      meta: { tags: ["a", "b"] },
    });
    expect(found[1]?.facets).toMatchObject({ tags: ["a", "b"], code_language: ["sh"], collection: ["docs"] });
    expect(await loadDocuments(opened.next(), [])).toEqual([]);
  });

  it("have a tree of sections with ids, lines, children and what is in them", () => {
    expect(guide.sections.map(({ nodeId, level, parent, children }) => [nodeId, level, parent, children])).toEqual([
      ["docs:guide.md", 0, -1, [1, 3, 4]],
      ["docs:guide.md#setup", 2, 0, [2]],
      ["docs:guide.md#setup/on-linux", 3, 1, []],
      ["docs:guide.md#n3", 2, 0, []],
      ["docs:guide.md#setup~2", 2, 0, []],
    ]);
    expect(
      guide.sections.map(({ startLine, endLine, subtreeEndLine }) => [startLine, endLine, subtreeEndLine]),
    ).toEqual([
      [1, 8, 25],
      [9, 12, 18],
      [13, 18, 18],
      [19, 22, 22],
      [23, 25, 25],
    ]);
    expect(guide.sections[2]).toMatchObject({
      ordinal: 2,
      title: "On Linux",
      codeLanguages: ["sh"],
      url: "https://example.org/guide#on-linux",
    });
    expect(guide.sections[1]?.summary).toBe("Text of setup.");
    expect(guide.sections[3]?.linksOut).toBe(2);
  });

  it("have a tree even without a heading or any text", async () => {
    for (const id of ["docs:bare.md", "docs:empty.md"]) {
      const outline = await outlineOf(opened, id);
      expect(outline.sections).toHaveLength(1);
      expect(outline.sections[0]).toMatchObject({ nodeId: id, level: 0, parent: -1, children: [] });
    }
    expect((await outlineOf(opened, "docs:odd %231%25.md")).document.path).toBe("odd #1%.md");
    expect(await loadOutline(opened.next(), "docs:no.md")).toBeUndefined();
  });

  it("have sections by slug path, full or short, and by number; a slug that looks like a number wins", () => {
    const ordinalOf = (nodeId: string): number | undefined => resolveNode(guide, nodeId)?.ordinal;
    expect(ordinalOf("docs:guide.md#setup/on-linux")).toBe(2);
    expect(ordinalOf("#setup/on-linux")).toBe(2);
    expect(ordinalOf("setup/on-linux")).toBe(2);
    expect(ordinalOf("docs:guide.md")).toBe(0);
    expect(ordinalOf("")).toBe(0);
    expect(ordinalOf("#")).toBe(0);
    expect(ordinalOf("#n0")).toBe(0);
    expect(ordinalOf("#n2")).toBe(2);
    expect(ordinalOf("docs:guide.md#n4")).toBe(4);
    // Section number 3 has this slug, and so has the alias; where they differ, the slug wins.
    expect(ordinalOf("#n3")).toBe(3);
    const swapped = {
      ...guide,
      sections: guide.sections.map((section) => ({
        ...section,
        nodeId: section.ordinal === 1 ? "docs:guide.md#n2" : section.nodeId,
      })),
    };
    expect(resolveNode(swapped, "#n2")?.ordinal).toBe(1);
    for (const wrong of [
      "#n5",
      "#n99999999",
      "#nothing",
      "setup/on-linux/",
      "docs:guide.mdx#setup",
      "docs:other.md#deep",
      "#n-1",
    ]) {
      expect(ordinalOf(wrong)).toBeUndefined();
    }
  });

  it("give the exact text of sections in the order asked for, the root's without frontmatter", async () => {
    const texts = await readSections(opened.next(), guide, [2, 0, 4, 2]);
    expect(texts.map(({ section, text }) => [section.ordinal, text])).toEqual([
      [2, "### On Linux\n\n```sh\napt install x\n```\n\n"],
      [0, "\nIntro, see [setup](#setup).\n\n"],
      [4, "## Setup\n\nAgain.\n"],
      [2, "### On Linux\n\n```sh\napt install x\n```\n\n"],
    ]);
    expect(await readSections(opened.next(), guide, [])).toEqual([]);
    const empty = await outlineOf(opened, "docs:empty.md");
    expect((await readSections(opened.next(), empty, [0])).map(({ text }) => text)).toEqual([""]);
  });

  it("give exact lines, with frontmatter where that is wanted", async () => {
    const lines = GUIDE.split(/(?<=\n)/);
    const read = async (startLine: number, endLine: number, withFrontmatter = true) => {
      const [passage] = await readPassages(opened.next(), [{ outline: guide, startLine, endLine, withFrontmatter }]);
      return passage;
    };
    expect(await read(1, 25)).toEqual({ startLine: 1, endLine: 25, text: GUIDE });
    expect(await read(7, 11)).toEqual({ startLine: 7, endLine: 11, text: lines.slice(6, 11).join("") });
    expect(await read(12, 12)).toEqual({ startLine: 12, endLine: 12, text: "\n" });
    expect(await read(20, 99)).toEqual({ startLine: 20, endLine: 25, text: lines.slice(19).join("") });
    expect(await read(1, 8, false)).toEqual({ startLine: 6, endLine: 8, text: lines.slice(5, 8).join("") });
    expect((await read(30, 40))?.text).toBe("");
  });

  it("tell where links lead and where they come from", async () => {
    const { out, in: incoming } = await loadLinks(opened.next(), guide);
    expect(out.map(({ fromNodeId, toNodeId, href, kind }) => [fromNodeId, toNodeId, href, kind])).toEqual([
      ["docs:guide.md", "docs:guide.md#setup", "#setup", "internal"],
      ["docs:guide.md#n3", "", "https://example.org", "external"],
      ["docs:guide.md#n3", "docs:other.md#deep", "other.md#deep", "internal"],
    ]);
    expect(incoming.map(({ fromNodeId, toNodeId }) => [fromNodeId, toNodeId])).toEqual([
      ["docs:guide.md", "docs:guide.md#setup"],
      ["docs:other.md", "docs:guide.md#n3"],
    ]);
    const other = await loadLinks(opened.next(), await outlineOf(opened, "docs:other.md"));
    expect(other.out.map(({ kind }) => kind)).toEqual(["internal", "broken"]);
    expect(await loadLinks(opened.next(), await outlineOf(opened, "docs:bare.md"))).toEqual({ out: [], in: [] });
  });

  it("are found by id or by a path that one collection alone has", async () => {
    const two = await buildCollections([
      { name: "docs", pages: PAGES },
      { name: "blog", pages: { "guide.md": "# Post", "post.md": "# Post" } },
    ]);
    const { reader } = await two.open();
    expect(await resolveDocumentId(reader, "docs:guide.md")).toBe("docs:guide.md");
    expect(await resolveDocumentId(reader, "post.md")).toBe("blog:post.md");
    expect(await resolveDocumentId(reader, "odd #1%.md")).toBe("docs:odd %231%25.md");
    expect(await resolveDocumentId(reader, "guide.md")).toBeUndefined();
    expect(await resolveDocumentId(reader, "no.md")).toBeUndefined();
    const outlines = await resolveOutlines(reader, ["post.md", "guide.md", "docs:guide.md"]);
    expect(outlines.map((outline) => outline?.document.id)).toEqual(["blog:post.md", undefined, "docs:guide.md"]);
  });

  it("cost one wave, however many are asked for, and one more for their text", async () => {
    const cold = await built.open();
    await loadOutlines(cold.reader, ["docs:guide.md", "docs:other.md", "docs:no.md"]);
    expect(cold.source.rounds).toBe(1);
    cold.source.reset();
    await readSections(cold.next(), guide, [0, 1, 2, 3, 4]);
    expect(cold.source.rounds).toBeLessThanOrEqual(2);
    cold.source.reset();
    await readSections(cold.next(), guide, [0, 1, 2, 3, 4]);
    expect(cold.source.rounds).toBe(0);
  });

  it("of groups that a reader may not see are not there", async () => {
    const both = await buildCollections([
      { name: "docs", pages: PAGES },
      { name: "plans", access: "staff", pages: { "plan.md": "# Plan" } },
    ]);
    const { reader } = await both.open();
    expect(await loadOutline(reader, "plans:plan.md")).toBeUndefined();
    expect(await resolveDocumentId(reader, "plan.md")).toBeUndefined();
    expect((await loadOutline((await both.open(["staff"])).reader, "plans:plan.md"))?.document.title).toBe("Plan");
    expect(await loadOutline((await both.open(["staff"])).reader, "docs:guide.md")).toBeUndefined();
  });

  it("give back any page, section by section and line by line", async () => {
    await fc.assert(
      fc.asyncProperty(anyMarkdown({ long: true }), fc.nat(), fc.nat(), async (text, a, b) => {
        const { reader } = await (await buildPages({ "a.md": text })).open();
        const outline = await loadOutline(reader, "docs:a.md");
        if (outline === undefined) throw new Error("the page is not there");
        const sections = await readSections(
          reader,
          outline,
          outline.sections.map(({ ordinal }) => ordinal),
        );
        expect(text.endsWith(sections.map((section) => section.text).join(""))).toBe(true);
        const lines = text.split(/(?<=\n)/);
        const [startLine, endLine] = [(a % lines.length) + 1, (b % lines.length) + 1].sort((x, y) => x - y) as [
          number,
          number,
        ];
        const [passage] = await readPassages(reader, [{ outline, startLine, endLine, withFrontmatter: true }]);
        expect(passage?.text).toBe(lines.slice(startLine - 1, endLine).join(""));
        for (const section of outline.sections) {
          expect(resolveNode(outline, section.nodeId)).toBe(section);
          const own = sections[section.ordinal]?.text ?? "";
          if (section.ordinal > 0) expect(own).toBe(lines.slice(section.startLine - 1, section.endLine).join(""));
        }
      }),
      { numRuns: runs(40) },
    );
  });
});

describe("tables of documents and sections that are whole but wrong", () => {
  const ENTRY: Parameters<typeof encodeDocument>[0] = {
    ...{ number: 0, words: 1, sections: 1, lines: 1, skip: 0, hash: "0".repeat(16), title: "A", description: "" },
    ...{ facets: [], meta: {} },
  };
  const ROW: StoredSection = {
    ...{ level: 0, title: "A", parent: -1, slug: "", anchor: "", startLine: 1, endLine: 1, words: 1, summary: "" },
    ...{ languages: [], links: 0, units: 1 },
  };

  async function refused(document: Uint8Array, sections: Uint8Array): Promise<string> {
    const table = (value: Uint8Array) => [{ key: keyOf("docs:a.md"), value }];
    const { reader } = await openTables({ documents: table(document), sections: table(sections) });
    return (await refusalOf(() => loadOutline(reader, "docs:a.md"))).what;
  }

  it("are refused with the name of the table", async () => {
    const [document, sections] = [encodeDocument(ENTRY), encodeSections([ROW])];
    expect(await refused(document.subarray(1), sections)).toBe("table documents");
    expect(await refused(document, sections.subarray(1))).toBe("table sections");
  });

  it("are refused where a section holds more units than a document can", async () => {
    const sections = encodeSections([{ ...ROW, units: 2 ** 30 }]);
    expect(await refused(encodeDocument(ENTRY), sections)).toBe("table sections");
  });
});
