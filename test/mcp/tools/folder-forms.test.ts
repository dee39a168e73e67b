import { describe, expect, it } from "vitest";
import { folderForms } from "../../../src/mcp/tools/get-tree.ts";

function document(id: string) {
  return { id, title: "T", words: 10, sections: 1, headings: ["H"] };
}

const DOCUMENTS = ["d:a/b/c/3.md", "d:1.md", "d:a/b/2.md", "d:a/2.md", "e:x/1.md"].map(document);

function texts(folder: string, maxDepth: number, documents = DOCUMENTS): (readonly string[])[] {
  return folderForms(documents, { folder, maxDepth, exported: [] }).map((form) => form.blocks());
}

describe("folderForms", () => {
  it("drop headings first, then level by level, down to counts", () => {
    expect(texts("d:", 99, DOCUMENTS.slice(0, 4)).map((blocks) => blocks.join("|").replaceAll("\n", "/"))).toEqual([
      "d: (1 document, 10 words)/  1.md T (1 section, 10 words)/    H|" +
        "d:a/ (1 document, 10 words)/  2.md T (1 section, 10 words)/    H|" +
        "d:a/b/ (1 document, 10 words)/  2.md T (1 section, 10 words)/    H|" +
        "d:a/b/c/ (1 document, 10 words)/  3.md T (1 section, 10 words)/    H",
      "d: (1 document, 10 words)/  1.md T (1 section, 10 words)|" +
        "d:a/ (1 document, 10 words)/  2.md T (1 section, 10 words)|" +
        "d:a/b/ (1 document, 10 words)/  2.md T (1 section, 10 words)|" +
        "d:a/b/c/ (1 document, 10 words)/  3.md T (1 section, 10 words)",
      "d: (1 document, 10 words)/  1.md T (1 section, 10 words)|" +
        "d:a/ (1 document, 10 words)/  2.md T (1 section, 10 words)|" +
        "d:a/b/ (1 document, 10 words)/  2.md T (1 section, 10 words)|" +
        "d:a/b/c/ (1 document, 10 words)",
      "d: (1 document, 10 words)/  1.md T (1 section, 10 words)|" +
        "d:a/ (1 document, 10 words)/  2.md T (1 section, 10 words)|" +
        "d:a/b/ (2 documents, 20 words)",
      "d: (1 document, 10 words)/  1.md T (1 section, 10 words)|d:a/ (3 documents, 30 words)",
      "d: (1 document, 10 words)|d:a/ (3 documents, 30 words)",
    ]);
  });

  it("count every document once, whatever the depth", () => {
    for (const maxDepth of [1, 2, 3, 4, 99]) {
      for (const form of folderForms(DOCUMENTS, { folder: "", maxDepth, exported: [] })) {
        const { documents, folders } = form.json(99) as { documents: object[]; folders: { documents: number }[] };
        expect(documents.length + folders.reduce((sum, folder) => sum + folder.documents, 0)).toBe(5);
      }
    }
  });

  it("take collections for the first level of everything", () => {
    expect(texts("", 1).at(-1)).toEqual(["d: (4 documents, 40 words)", "e: (1 document, 10 words)"]);
  });

  it("list as many documents as fit where a folder holds no others", () => {
    const flat = Array.from({ length: 5 }, (_, index) => document(`d:a/${index}.md`));
    const last = folderForms(flat, { folder: "d:a/", maxDepth: 99, exported: [] }).at(-1);
    expect(last?.blocks().slice(0, 2)).toEqual([
      "d:a/\n  0.md T (1 section, 10 words)",
      "  1.md T (1 section, 10 words)",
    ]);
    expect(last?.json(2).documents).toHaveLength(2);
    expect(last?.more).toBe('All: list_documents({"collection":"d","query":"a/"}).');
  });

  it("name the largest folder to go on with", () => {
    expect(folderForms(DOCUMENTS, { folder: "d:", maxDepth: 99, exported: [] }).at(-1)?.more).toBe(
      'One folder: get_tree({"path":"d:a/"}).',
    );
  });
});
