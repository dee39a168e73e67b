import { describe, expect, it } from "vitest";
import { ask, askJson, askPages } from "./handbook.ts";

const INSTALL = "docs:guide/install.md";

interface Section {
  readonly nodeId: string;
  readonly level: number;
}

async function nodeIds(given: Record<string, unknown>): Promise<string[]> {
  return ((await askJson("get_tree", given)).sections as Section[]).map(({ nodeId }) => nodeId);
}

describe("get_tree of a document", () => {
  it("indents sections with short ids, titles, words, lines and summaries, and shows no text", async () => {
    const { texts } = await ask("get_tree", { doc_id: INSTALL });
    expect(texts[1]?.split("\n")[2]).toBe(
      "    @20-23 #linux/behind-a-proxy Behind a proxy (14 words): " +
        "Set HTTP_PROXY before the install; the server reads it once, when it starts.",
    );
    expect(texts.join("\n")).not.toContain("apt update");
  });

  it.each([
    { doc_id: INSTALL },
    { doc_id: "guide/install.md" },
    { path: "guide/install.md" },
    { path: INSTALL },
    { doc_id: INSTALL, path: INSTALL },
    { path: "guide/install.md", collection: "docs" },
    { node_id: INSTALL },
    { node_id: "#n0", doc_id: INSTALL },
  ])("finds it by id and by path: %j", async (given) => {
    expect(await nodeIds(given)).toHaveLength(6);
  });

  it.each([
    { node_id: `${INSTALL}#linux` },
    { node_id: "guide/install.md#linux" },
    { node_id: "#linux", doc_id: INSTALL },
    { node_id: "linux", doc_id: "guide/install.md" },
    { node_id: "#n1", doc_id: INSTALL },
    { node_id: `${INSTALL}#n1` },
    { node_id: "#linux", path: "guide/install.md" },
  ])("outlines one of its sections: %j", async (given) => {
    expect(await nodeIds(given)).toEqual([
      `${INSTALL}#linux`,
      `${INSTALL}#linux/behind-a-proxy`,
      `${INSTALL}#linux/as-a-service`,
    ]);
  });

  it("stops at max_depth and says how many sections are below", async () => {
    const { text } = await ask("get_tree", { doc_id: INSTALL, max_depth: 1 });
    expect(text).toContain("#linux Linux (17 words, 47 in all, +2 sections)");
    expect(await nodeIds({ doc_id: INSTALL, max_depth: 1 })).toHaveLength(4);
  });

  it("works on every page, those without headings too", async () => {
    for (const page of await askPages("list_documents", { limit: 10 })) {
      for (const { id, sections } of page.documents as { id: string; sections: number }[]) {
        expect(await nodeIds({ doc_id: id, max_tokens: 6000 })).toHaveLength(sections);
      }
    }
    expect((await ask("get_tree", { doc_id: "plain.md" })).texts[1]).toBe(
      "@1-3 #n0 (18 words): A page without any heading.",
    );
  });

  it("drops summaries before levels, and levels before sections", async () => {
    const outline = async (max_tokens: number): Promise<string> =>
      (await ask("get_tree", { doc_id: INSTALL, max_tokens })).text;
    expect(await outline(3000)).toContain(": Use brew to install.");
    expect(await outline(260)).toMatch(/#linux\/as-a-service[\s\S]*Only titles fit/);
    expect(await outline(215)).toMatch(/\+2 sections[\s\S]*Only titles of the first level fit/);
  });
});

describe("get_tree of a folder", () => {
  it("lists its documents with sizes and headings", async () => {
    const { texts } = await ask("get_tree", { path: "guide" });
    expect(texts[0]).toBe("docs:guide/: 2 documents, 110 words.");
    expect(texts[1]).toContain("  install.md Install Lantern (6 sections, 73 words)\n    Linux · Mac · Mac");
  });

  it.each(["guide", "guide/", "docs:guide", "docs:guide/"])("takes %s for the same folder", async (path) => {
    expect((await ask("get_tree", { path })).texts[0]).toBe("docs:guide/: 2 documents, 110 words.");
  });

  it("outlines a collection, and everything", async () => {
    expect((await ask("get_tree", { collection: "notes" })).texts[0]).toBe("notes: 2 documents, 25 words.");
    expect((await ask("get_tree", { path: "docs:" })).texts[0]).toBe("docs: 22 documents, 3,168 words.");
    expect((await ask("get_tree")).texts[0]).toBe("Everything: 24 documents, 3,193 words.");
  });

  it("shows what several collections have at the same path", async () => {
    expect((await ask("get_tree", { path: "index.md" })).texts[0]).toBe("index.md: 2 documents, 48 words.");
  });

  it("counts deep folders where their documents do not fit, down to counts alone", async () => {
    const some = await ask("get_tree", { max_tokens: 250 });
    expect(some.texts[1]).toContain("docs:recipes/ (14 documents, 322 words)");
    expect(some.texts[1]).toContain("  meetings.md Meetings");
    const { documents, folders, leftOut } = await askJson("get_tree", { path: "docs:", max_tokens: 200 });
    expect(documents).toEqual([]);
    expect(folders).toContainEqual({ id: "docs:recipes/", documents: 14, words: 322 });
    expect(leftOut).toContain('get_tree({"path":"docs:recipes/"})');
  });

  it("enters as many levels as max_depth says", async () => {
    const { documents, folders } = await askJson("get_tree", { collection: "docs", max_depth: 1 });
    expect((documents as { id: string }[]).map(({ id }) => id)).toEqual([
      "docs:changelog.md",
      "docs:index.md",
      "docs:odd name %231 & more.md",
      "docs:plain.md",
    ]);
    expect(folders).toMatchObject([{ id: "docs:guide/" }, { id: "docs:recipes/" }, { id: "docs:reference/" }]);
  });
});
