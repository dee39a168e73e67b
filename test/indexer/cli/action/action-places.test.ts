/** Folders of a run: nothing that a checkout brings there is followed, used or lost by accident. */
import { access, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { prepareRun } from "../../../../indexer/cli/action/prepare-run.ts";
import { actHere, makeDocs } from "../../../support/act-here.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

/** Paths of all that is in a folder, links not followed. */
async function listFolder(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.map(({ parentPath, name }) => join(relative(dir, parentPath), name));
}

describe("what a checkout brings", () => {
  const pull = { event: "pull_request", ref: "refs/pull/7/merge" };
  const prepare = { ...pull, step: prepareRun };

  it("is not taken for the index or the parse cache of an earlier run", async () => {
    const workspace = await makeDocs({ "a.md": "# A\n\n[b](b.md)\n" });
    const committed = await actHere(workspace, { corpus: "v1" });
    expect(committed.log.annotations).toHaveLength(1);
    const segment = join(workspace, "docs", ".treeline", "cache", "documents.cache");
    await access(segment);
    expect((await actHere(workspace, { corpus: "v1" }, prepare)).code).toBe(0);
    await expect(access(segment)).rejects.toThrow("ENOENT");
    const { outputs, log, summary } = await actHere(workspace, { corpus: "v1" }, pull);
    expect(outputs["new-findings"]).toBe("");
    expect(log.annotations).toHaveLength(1);
    expect(summary).toContain("| Built on | nothing |");
    // Nor is what the step before left of another corpus.
    await actHere(workspace, { corpus: "v2" }, { step: prepareRun });
    expect((await actHere(workspace, { corpus: "v2" })).outputs["new-findings"]).toBe("");
  });

  it.each([
    ["docs/.treeline", "docs/.treeline", {}],
    ["docs/.treeline/index", "docs/.treeline/index", {}],
    ["docs/.treeline/cache", "docs/.treeline/cache", {}],
    ["docs", "docs", {}],
    ["treeline-part", "treeline-part", { shard: "1/2" }],
  ])("leads no run out of the workspace where %s is a link", async (path, shown, inputs) => {
    const outside = await makeFolder({ "index/keep.txt": "keep", "keep.txt": "keep", "a.md": "# TOPSECRET\n" });
    const workspace = await makeDocs({ "a.md": "# A\n", ".treeline/other.txt": "" });
    await rm(join(workspace, path), { recursive: true, force: true });
    await symlink(outside, join(workspace, path));
    expect((await actHere(workspace, inputs, prepare)).outputs["cache-path"]).toBeUndefined();
    const { code, log, outputs } = await actHere(workspace, inputs, pull);
    expect([code, outputs["generation"]]).toEqual([1, ""]);
    expect(log.annotations[0]?.message).toContain(`"${shown}"`);
    expect(log.annotations[0]?.message).toMatch(/is a link, and Treeline writes|leads out of the workspace/);
    expect((await listFolder(outside)).sort()).toEqual(["a.md", "index", "index/keep.txt", "keep.txt"]);
  });

  it("may hold links that stay in the workspace, and no file in the place of a folder", async () => {
    const workspace = await makeFolder({ "pages/a.md": "# A\n", "more/b.md": "# B\n", "more/.treeline": "text" });
    await symlink("pages", join(workspace, "docs"));
    expect((await actHere(workspace, {}, prepare)).code).toBe(0);
    expect((await actHere(workspace, {}, pull)).outputs).toMatchObject({ pages: "1", index: "docs/.treeline/index" });
    await actHere(workspace, { root: "more" }, prepare);
    const { log } = await actHere(workspace, { root: "more" }, pull);
    expect(log.annotations[0]?.message).toContain('"more/.treeline" in the repository is a file');
    expect(await readFile(join(workspace, "more/.treeline"), "utf8")).toBe("text");
  });

  it("gets no comment written through a link", async () => {
    const outside = await makeFolder({ "victim.txt": "mine" });
    const workspace = await makeDocs({ "a.md": "# A\n" });
    await symlink(join(outside, "victim.txt"), join(workspace, "comment.md"));
    await symlink(outside, join(workspace, "out"));
    const replaced = await actHere(workspace, { "comment-file": "comment.md" }, pull);
    expect([replaced.code, replaced.comment.split("\n")[0]]).toEqual([0, "<!-- treeline:root:docs -->"]);
    for (const folder of ["out", "out/deep"]) {
      const refused = await actHere(workspace, { "comment-file": `${folder}/comment.md` }, pull);
      expect([refused.code, refused.outputs["comment-file"]]).toEqual([1, ""]);
      expect(refused.log.annotations[0]?.message).toContain(`"${folder}", which leads out of the workspace`);
    }
    expect(await listFolder(outside)).toEqual(["victim.txt"]);
    expect(await readFile(join(outside, "victim.txt"), "utf8")).toBe("mine");
  });

  it("keeps its own folder of the name that parts have", async () => {
    const workspace = await makeDocs({ "a.md": "# A\n" });
    await mkdir(join(workspace, "treeline-part"));
    await writeFile(join(workspace, "treeline-part", "song.txt"), "mine");
    await actHere(workspace, { shard: "1/2" }, prepare);
    const { code, log } = await actHere(workspace, { shard: "1/2" }, pull);
    expect(code).toBe(1);
    expect(log.annotations[0]?.message).toContain('"treeline-part" at the top of the workspace is no part');
    expect(await listFolder(join(workspace, "treeline-part"))).toEqual(["song.txt"]);
  });
});
