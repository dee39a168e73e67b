/**
 * Tests of anchors and slug paths.
 */
import { describe, expect, it } from "vitest";
import { claimAnchor, claimSlugPath, reserveAnchor } from "../../../../indexer/parse/markdown/sections.ts";

describe("claimAnchor", () => {
  it("numbers repeated slugs across the document", () => {
    const register = new Map<string, number>();
    expect([1, 2, 3].map(() => claimAnchor(register, "x"))).toEqual(["x", "x-1", "x-2"]);
  });

  it("steps over anchors that are taken by a heading of that very name", () => {
    const register = new Map<string, number>();
    expect(["x-1", "x", "x"].map((slug) => claimAnchor(register, slug))).toEqual(["x-1", "x", "x-2"]);
  });

  it("does not repeat an anchor that the author wrote", () => {
    const register = new Map<string, number>();
    reserveAnchor(register, "x");
    expect(claimAnchor(register, "x")).toBe("x-1");
  });

  it("gives an empty slug a name", () => {
    expect(claimAnchor(new Map(), "")).toBe("section");
  });
});

describe("claimSlugPath", () => {
  it("numbers equal slugs under one parent only", () => {
    const register = new Map<string, number>();
    expect(claimSlugPath(register, "", "x")).toBe("x");
    expect(claimSlugPath(register, "a", "x")).toBe("a/x");
    expect(claimSlugPath(register, "", "x")).toBe("x~2");
    expect(claimSlugPath(register, "a", "x")).toBe("a/x~2");
    expect(claimSlugPath(register, "a", "x")).toBe("a/x~3");
  });

  it("gives an empty slug a name", () => {
    expect(claimSlugPath(new Map(), "a", "")).toBe("a/section");
  });

  it("cuts a slug of absurd length", () => {
    expect(claimSlugPath(new Map(), "", "x".repeat(100_000)).length).toBeLessThan(1_000);
  });
});
