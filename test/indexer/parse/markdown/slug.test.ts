/**
 * Tests of anchors and slug paths.
 */
import { describe, expect, it } from "vitest";
import { SectionCollector } from "../../../../indexer/parse/markdown/sections.ts";

/** Sections of headings, each as its level, its title and the id that its author wrote. */
function collect(...headings: readonly (readonly [level: number, title: string, explicitId?: string])[]) {
  const collector = new SectionCollector();
  for (const [at, [level, title, explicitId = ""]] of headings.entries())
    collector.openSection({ level, title, explicitId, line: at + 1 });
  return collector.finish("Page", headings.length).slice(1);
}

describe("anchors", () => {
  const anchorsOf = (...titles: string[]) =>
    collect(...titles.map((title) => [1, title] as const)).map((it) => it.anchor);

  it("are numbered across the document where slugs repeat", () => {
    expect(anchorsOf("x", "x", "x")).toEqual(["x", "x-1", "x-2"]);
  });

  it("step over those that are taken by a heading of that very name", () => {
    expect(anchorsOf("x-1", "x", "x")).toEqual(["x-1", "x", "x-2"]);
  });

  it("do not repeat one that the author wrote", () => {
    expect(collect([1, "a", "x"], [1, "x"]).map(({ anchor }) => anchor)).toEqual(["x", "x-1"]);
  });

  it("have a name where the slug is empty", () => {
    expect(anchorsOf("…")).toEqual(["section"]);
  });
});

describe("slug paths", () => {
  it("number equal slugs under one parent only", () => {
    const sections = collect([1, "x"], [1, "a"], [2, "x"], [1, "x"], [1, "b"], [2, "x"], [2, "x"]);
    expect(sections.map(({ slugPath }) => slugPath)).toEqual(["x", "a", "a/x", "x~2", "b", "b/x", "b/x~2"]);
  });

  it("name an empty slug, and cut one of absurd length", () => {
    const [, empty, long] = collect([1, "a"], [2, "…"], [1, "x".repeat(100_000)]);
    expect(empty?.slugPath).toBe("a/section");
    expect(long?.slugPath.length).toBeLessThan(1_000);
  });
});
