/**
 * Types of documents by their paths.
 */
import { describe, expect, test } from "vitest";
import { deriveDocumentType, normaliseDocumentType } from "../../../indexer/topics/facets.ts";

describe("deriveDocumentType", () => {
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
    expect(deriveDocumentType(path)).toBe(type);
  });

  test("the file's name is stronger than its folders, and the innermost folder than those around it", () => {
    expect(deriveDocumentType("guides/faq.md")).toBe("faq");
    expect(deriveDocumentType("guides/examples/x.md")).toBe("example");
    expect(deriveDocumentType("examples/guides/x.md")).toBe("guide");
  });
});

describe("normaliseDocumentType", () => {
  test("known types get the derived spelling, others stay as written", () => {
    expect(normaliseDocumentType("Guide")).toBe("guide");
    expect(normaliseDocumentType("ADR")).toBe("adr");
    expect(normaliseDocumentType("White Paper")).toBe("White Paper");
    expect(normaliseDocumentType("constructor")).toBe("constructor");
  });
});
