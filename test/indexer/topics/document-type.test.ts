/**
 * Types of documents by their paths.
 */
import { describe, expect, test } from "vitest";
import { deriveFacets } from "../../../indexer/topics/facets.ts";

function typeOf(path: string, type?: string): string | undefined {
  const parsed = { frontmatter: type === undefined ? {} : { type }, sections: [] };
  return deriveFacets({ collection: { name: "docs", version: "", facets: {} }, path, parsed })["type"]?.[0];
}

describe("the type that a path shows", () => {
  test.each([
    ["guides/install.md", "guide"],
    ["01-app/02-guides/03-caching.mdx", "guide"],
    ["how-to/reset.md", "guide"],
    ["docs/migration-guide.md", "guide"],
    ["tutorials/01-first.md", "tutorial"],
    ["getting-started.md", "tutorial"],
    ["docs/quick_start.md", "tutorial"],
    ["reference/cli.md", "reference"],
    ["03-api-reference/01-directives/use-client.mdx", "reference"],
    ["api/index.md", "reference"],
    ["docs/FAQ.md", "faq"],
    ["CHANGELOG.md", "changelog"],
    ["changelog-2024.md", "changelog"],
    ["release-notes/v2.md", "changelog"],
    ["docs/adr/0007-cache.md", "adr"],
    ["docs/decisions/0001-names.md", "adr"],
    ["notes/adr-12-cache.md", "adr"],
    ["ops/runbooks/restart.md", "runbook"],
    ["examples/worker/notes.md", "example"],
    ["glossary.md", "glossary"],
    ["README.md", "readme"],
    ["guides/README.zh-CN.md", "readme"],
    ["blog/2024-05-01-release.md", "blog"],
    ["docs/index.md", "page"],
    ["guidelines.md", "page"],
    ["apiary/x.md", "page"],
    ["404.md", "page"],
    ["constructor.md", "page"],
    ["", "page"],
  ])("%s is a %s", (path, type) => {
    expect(typeOf(path)).toBe(type);
  });

  test("the file's name is stronger than its folders, and the innermost folder than those around it", () => {
    expect(typeOf("guides/faq.md")).toBe("faq");
    expect(typeOf("guides/examples/x.md")).toBe("example");
    expect(typeOf("examples/guides/x.md")).toBe("guide");
  });
});

describe("a type in frontmatter", () => {
  test("known types get the derived spelling, others stay as written", () => {
    expect(typeOf("a.md", "Guide")).toBe("guide");
    expect(typeOf("a.md", "ADR")).toBe("adr");
    expect(typeOf("a.md", "White Paper")).toBe("White Paper");
    expect(typeOf("a.md", "constructor")).toBe("constructor");
  });
});
