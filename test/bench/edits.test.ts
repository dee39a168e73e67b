import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeZipfCorpus } from "../../bench/corpora/zipf.ts";
import { applyEdit, listPages, planEdits } from "../../bench/edits.ts";
import { listStoredFiles, listUploads } from "../../bench/index-files.ts";
import { makeFolder } from "../support/temporary-folder.ts";

describe("edits of a corpus", () => {
  it("change as many pages as they say, and are taken back without a trace", async () => {
    const folder = await makeFolder();
    writeZipfCorpus(folder, 200, 1);
    const before = listStoredFiles(folder);
    const changed = planEdits(folder, listPages(folder), 1).map(({ name, changes }) => {
      const undo = applyEdit(folder, changes);
      const after = listStoredFiles(folder);
      undo();
      expect(listStoredFiles(folder)).toEqual(before);
      const gone = [...before.keys()].filter((path) => !after.has(path)).length;
      return [name, listUploads(before, after).objects, gone];
    });
    expect(changed).toEqual([
      ["nothing", 0, 0],
      ["the same paragraph in 5 pages", 5, 0],
      ["different paragraphs in 5 pages", 5, 0],
      ["one page added", 1, 0],
      ["one page deleted", 0, 1],
      ["one page renamed", 1, 1],
    ]);
  });

  it("put a paragraph between others, never into frontmatter or code", async () => {
    const page =
      "---\ntitle: A\n\ndescription: B\n---\n# Title\n\nOne sentence that is long enough to be drawn here.\n\n```\na\n\n\n\n\nb\n```\n";
    const folder = await makeFolder({ "page.md": page });
    const edit = planEdits(folder, listPages(folder), 1).find(({ name }) => name.startsWith("the same"));
    const [text = ""] = [...(edit?.changes.values() ?? [])];
    const added = "One sentence that is long enough to be drawn here.\n".repeat(4);
    expect(text.replace(added, "")).not.toBe(text);
    expect(text).toContain("---\ntitle: A\n\ndescription: B\n---\n# Title\n");
    expect(text).toContain("```\na\n\n\n\n\nb\n```");
  });
});

describe("uploads", () => {
  it("are files of new names, and of known names with another content", async () => {
    const folder = await makeFolder({
      "old/same": "1",
      "old/changed": "12",
      "old/gone": "123",
      "new/same": "1",
      "new/changed": "21",
      "new/more": "1234",
    });
    const [before, after] = ["old", "new"].map((name) => listStoredFiles(join(folder, name))) as [
      ReturnType<typeof listStoredFiles>,
      ReturnType<typeof listStoredFiles>,
    ];
    expect(listUploads(before, after)).toEqual({ objects: 2, bytes: 6 });
    expect(listUploads(before, before)).toEqual({ objects: 0, bytes: 0 });
  });
});
