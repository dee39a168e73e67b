import { beforeAll, describe, expect, it } from "vitest";
import { loadOutline, shortNodeId, subtreeOf, titlePath } from "../../../src/core/docs/documents.ts";
import type { DocumentOutline, OutlineSection } from "../../../src/core/docs/model.ts";
import { buildPages } from "../../support/build-index.ts";

describe("a section among the others of its document", () => {
  let outline: DocumentOutline;

  beforeAll(async () => {
    const text = "# Guide\n\n## Setup\n\n#### Linux\n\n### Mac\n\n## Use\n";
    const { reader } = await (await buildPages({ "a.md": text })).open();
    outline = (await loadOutline(reader, "docs:a.md")) as DocumentOutline;
  });

  function at(ordinal: number): OutlineSection {
    return outline.sections[ordinal] as OutlineSection;
  }

  it("has a short id inside its document", () => {
    expect(outline.sections.map((section) => shortNodeId(outline, section))).toEqual([
      "#n0",
      "#setup",
      "#setup/linux",
      "#setup/mac",
      "#use",
    ]);
  });

  it("has a subtree in source order, itself first", () => {
    const ordinals = (section: OutlineSection): number[] => subtreeOf(outline, section).map(({ ordinal }) => ordinal);
    expect(ordinals(at(0))).toEqual([0, 1, 2, 3, 4]);
    expect(ordinals(at(1))).toEqual([1, 2, 3]);
    expect(ordinals(at(4))).toEqual([4]);
  });

  it("has a path of titles from the page down", () => {
    expect(titlePath(outline, at(3))).toEqual(["Guide", "Setup", "Mac"]);
    expect(titlePath(outline, at(0))).toEqual(["Guide"]);
  });
});
