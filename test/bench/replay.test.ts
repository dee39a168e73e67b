/** Histories that `prove:replay` plays: commits of a repository, edits drawn from a seed, and the short one of the gate. */
import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { applyEdit, listPages } from "../../bench/edits.ts";
import { drawEdits, readCommits, readFolder } from "../../bench/replay/histories.ts";
import { barOf, isRewrite } from "../../bench/replay/play-history.ts";
import { makeSmallHistory, SMALL_EDITS } from "../../bench/replay/small-history.ts";
import { makeFolder, writeFiles } from "../support/temporary-folder.ts";

const OWN_PAGES = fileURLToPath(new URL("../../bench/relevance/own/docs", import.meta.url));
const SENTENCE = "The handler reads every request twice before it answers.";
const OTHER = "Nothing else happens while a request waits for its answer.";

function git(dir: string, ...words: readonly string[]): string {
  const identity = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
  return execFileSync("git", ["-C", dir, ...identity, ...words], { encoding: "utf8" }).trim();
}

function commitAll(dir: string): string {
  git(dir, "add", "--all");
  git(dir, "commit", "--quiet", "--message", "Change");
  return git(dir, "rev-parse", "HEAD");
}

describe("commits of a repository", () => {
  it("are those that touch pages of the folder, and say what changed in it", async () => {
    const dir = await makeFolder({
      "docs/a.md": "# A\n",
      "docs/b.mdx": "# B\n",
      "docs/c.txt": "c",
      "other/d.md": "# D\n",
    });
    git(dir, "init", "--quiet");
    commitAll(dir);
    await writeFiles(dir, { "other/d.md": "# Other\n", "docs/c.txt": "other" });
    commitAll(dir);
    await writeFiles(dir, { "docs/a.md": "# Other\n", "docs/in/e.MD": "# E\n" });
    rmSync(join(dir, "docs/b.mdx"));
    const changed = commitAll(dir);
    git(dir, "mv", "docs/a.md", "docs/in/a.md");
    const moved = commitAll(dir);

    const { base, edits } = readCommits({ repository: dir, folder: "docs" }, 2, 0);

    expect(Object.fromEntries(base)).toEqual({ "a.md": "# A\n", "b.mdx": "# B\n" });
    const read = [...edits(dir)].map(({ name, changes }) => [name, Object.fromEntries(changes)]);
    expect(read).toEqual([
      [changed.slice(0, 9), { "a.md": "# Other\n", "b.mdx": undefined, "in/e.MD": "# E\n" }],
      [moved.slice(0, 9), { "a.md": undefined, "in/a.md": "# Other\n" }],
    ]);
    expect(() => readCommits({ repository: dir, folder: "docs" }, 3, 0)).toThrow("has 2 such commits");
  });

  it("leave out pages whose blobs are missing", async () => {
    const dir = await makeFolder({ "a.md": "# A\n", "b.md": "# B\n" });
    git(dir, "init", "--quiet");
    commitAll(dir);
    await writeFiles(dir, { "a.md": "# Other\n" });
    commitAll(dir);
    const blob = git(dir, "rev-parse", "HEAD:b.md");
    rmSync(join(dir, ".git/objects", blob.slice(0, 2), blob.slice(2)));

    const { base } = readCommits({ repository: dir, folder: "" }, 1, 0);

    expect([...base.keys()]).toEqual(["a.md"]);
  });
});

describe("drawn edits", () => {
  it("change one page each, one after the other, and the same for the same seed", async () => {
    const pages = {
      "a.md": `# Alpha handlers\n\n${SENTENCE}\n\n${OTHER}\n`,
      "b.md": `# Beta handlers\n\n${SENTENCE}\n`,
    };
    const play = async (): Promise<readonly (readonly [string, string | undefined])[]> => {
      const dir = await makeFolder(pages);
      const edits: [string, string | undefined][] = [];
      for (const { changes } of drawEdits(readFolder(dir), 5, 7).edits(dir)) {
        expect(changes.size).toBe(1);
        for (const [path, text] of changes) expect(readFolder(dir).get(path)).not.toBe(text);
        applyEdit(dir, changes);
        edits.push(...changes);
      }
      return edits;
    };
    const edits = await play();
    expect(edits).toHaveLength(5);
    expect(await play()).toEqual(edits);
  });
});

describe("the short history", () => {
  it("can be made of the pages that it is about", async () => {
    const dir = await makeFolder();
    const { base, edits } = makeSmallHistory(readFolder(OWN_PAGES), "");
    applyEdit(dir, base);
    const names = [...edits(dir)].map(({ name, changes }) => {
      applyEdit(dir, changes);
      return name;
    });
    expect(names).toEqual(SMALL_EDITS.map(([name]) => name));
    expect(listPages(dir)).toContain("guide/sockets.md");
    expect(readdirSync(join(dir, "guide"))).not.toContain("uploads.md");
  });
});

describe("a played edit", () => {
  const edit = { notice: "", newBytes: 51, indexBytes: 100, gzipBytes: 1000 };

  it("is a rewrite where the base was no use, or more than half of the index is new", () => {
    const judge = (changes: Partial<typeof edit>): boolean => isRewrite({ ...edit, ...changes });
    expect([judge({}), judge({ newBytes: 50 }), judge({ newBytes: 1, notice: "why" })]).toEqual([true, false, true]);
  });

  it("has a bar that grows with what its pages weigh", () => {
    expect(barOf(edit)).toBe(126_000);
  });
});
