/**
 * Globs: literal paths, reach, and faults. What files they select is tested with discovery.
 */
import { describe, expect, test } from "vitest";
import { compileGlobs, findGlobFault, literalPathOf } from "../../../indexer/base/globs.ts";

describe("literal paths", () => {
  test.each([
    ["**/*.md", ""],
    ["docs/**/*.md", "docs"],
    ["docs/a.md", "docs/a.md"],
    ["./docs//a.md", "docs/a.md"],
    ["docs/", "docs"],
    ["node_modules/@scope/pkg/**/*.d.ts", "node_modules/@scope/pkg"],
    ["docs/{a,b}/*.md", "docs"],
    ["a\\*b/c.md", "a*b/c.md"],
    ["a/b?.md", "a"],
  ])("%s begins with %j", (glob, literal) => {
    expect(literalPathOf(glob)).toBe(literal);
  });
});

describe("reach", () => {
  test("goes down to a literal path, and below it as deep as the glob is long", () => {
    const globs = compileGlobs(["a/b/*.md"], []);
    expect(["a", "a/b", "a/b/c", "a/c", "b"].map((folder) => globs.reaches(folder))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test("has no bottom below a double star or a brace", () => {
    for (const glob of ["a/**", "a/{b,c/d/e}.md", "a/+(b|c/d/e).md"]) {
      expect(compileGlobs([glob], []).reaches("a/b/c/d"), glob).toBe(true);
    }
  });

  test("ends at an excluded folder", () => {
    const globs = compileGlobs(["**/*.md"], ["**/drafts/**", "old", "some/*"]);
    expect(["drafts", "a/drafts", "old", "a/old", "some", "some/a"].map((folder) => globs.reaches(folder))).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
  });
});

describe("naming", () => {
  test("tells a path that is spelled out from one on the way to it", () => {
    const globs = compileGlobs(["a/b/*.md", "c.md"], []);
    expect(["a", "a/b", "a/b/c", "c.md", "ab"].map((path) => globs.naming(path))).toEqual([
      "on-the-way",
      "itself",
      "none",
      "itself",
      "none",
    ]);
    expect(globs.within("a").selects("c.md")).toBe(false);
    expect(globs.within("a").selects("a/b/x.md")).toBe(true);
  });
});

describe("faults", () => {
  test("globs that stay inside are fine", () => {
    for (const glob of ["*", "!(a|b)/*.md", "[", "a..b/*.md", "(x)", "..."]) {
      expect(findGlobFault(glob), glob).toBeUndefined();
    }
  });

  test.each(["/a", "..", "a/../b", "!a", "c:/x", "a\0b", "./", "./.", "{a,b"])("%j is refused", (glob) => {
    expect(findGlobFault(glob)).toBeTypeOf("string");
  });
});
