import { describe, expect, it } from "vitest";
import { linkToSource, linkToSourceFolder } from "../../../src/http/explorer/links.ts";

const ORIGIN = {
  name: "code",
  kind: "code",
  repository: "https://github.com/a/b",
  commit: "c0ffee",
  folder: "packages/core",
} as const;
const LINES = { start: 3, end: 9 };
const at = (path: string): { collection: string; path: string } => ({ collection: "code", path });

describe("links into a repository", () => {
  it("lead to the file in the folder of its collection, at the commit", () => {
    expect(linkToSource([ORIGIN], at("src/a b#.ts"))).toBe(
      "https://github.com/a/b/blob/c0ffee/packages/core/src/a%20b%23.ts",
    );
    expect(linkToSource([{ ...ORIGIN, folder: "" }], at("a.ts"))).toBe("https://github.com/a/b/blob/c0ffee/a.ts");
    expect(linkToSourceFolder(ORIGIN, "src/")).toBe("https://github.com/a/b/tree/c0ffee/packages/core/src");
    expect(linkToSourceFolder({ ...ORIGIN, folder: "" }, "")).toBe("https://github.com/a/b/tree/c0ffee");
  });

  it("name lines as each host does, of Markdown where its text is shown", () => {
    const on = (repository: string, path = "a.ts"): string | undefined =>
      linkToSource([{ ...ORIGIN, repository, folder: "" }], at(path), LINES);
    expect(on("https://github.com/a/b")).toBe("https://github.com/a/b/blob/c0ffee/a.ts#L3-L9");
    expect(on("https://github.com/a/b", "a.md")).toBe("https://github.com/a/b/blob/c0ffee/a.md?plain=1#L3-L9");
    expect(on("https://gitlab.com/a/b/")).toBe("https://gitlab.com/a/b/-/blob/c0ffee/a.ts#L3-9");
    expect(on("https://gitlab.com/a/b", "a.md")).toBe("https://gitlab.com/a/b/-/blob/c0ffee/a.md?plain=1#L3-9");
    expect(on("https://bitbucket.org/a/b")).toBe("https://bitbucket.org/a/b/src/c0ffee/a.ts#lines-3:9");
    expect(on("https://codeberg.org/a/b")).toBe("https://codeberg.org/a/b/src/commit/c0ffee/a.ts#L3-L9");
    expect(on("https://codeberg.org/a/b", "a.md")).toBe(
      "https://codeberg.org/a/b/src/commit/c0ffee/a.md?display=source#L3-L9",
    );
  });

  it("are asked for their text only where lines are", () => {
    expect(linkToSource([ORIGIN], at("a.md"))).toBe("https://github.com/a/b/blob/c0ffee/packages/core/a.md");
  });

  it("are none where the repository or the commit is not known, or where they would run", () => {
    expect(linkToSource([], at("a.ts"))).toBeUndefined();
    for (const origin of [
      { commit: "none" },
      { repository: "" },
      { repository: "javascript:alert(1)" },
      // An index of a build that did not say where paths begin.
      { folder: undefined },
      // What was built is seldom committed.
      { kind: "site" as const },
      // Bitbucket on hosts of its own has other addresses than bitbucket.org.
      { repository: "https://bitbucket.firm.example/projects/a/repos/b" },
    ]) {
      expect(linkToSource([{ ...ORIGIN, ...origin }], at("a.ts"))).toBeUndefined();
      expect(linkToSourceFolder({ ...ORIGIN, ...origin }, "")).toBeUndefined();
    }
  });
});
