import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { InputError } from "../../src/core/errors.ts";
import { compilePathGlob } from "../../src/surface/path-glob.ts";
import { runs } from "../support/runs.ts";

const PATHS = [
  "index.md",
  "guide/install.md",
  "guide/linux/apt.mdx",
  "guide/linux/apt.md",
  "api/v1.0/users.md",
  ".hidden/notes.md",
  "odd name (1) [x] {y}.md",
  "größe/straße.md",
];

describe("a path glob", () => {
  it.each([
    ["guide/**", ["guide/install.md", "guide/linux/apt.mdx", "guide/linux/apt.md"]],
    ["guide/*", ["guide/install.md"]],
    ["guide/", ["guide/install.md", "guide/linux/apt.mdx", "guide/linux/apt.md"]],
    ["./guide/install.md", ["guide/install.md"]],
    ["/guide/install.md", ["guide/install.md"]],
    ["*.mdx", ["guide/linux/apt.mdx"]],
    ["apt.*", ["guide/linux/apt.mdx", "guide/linux/apt.md"]],
    ["**/apt.md", ["guide/linux/apt.md"]],
    ["**/index.md", ["index.md"]],
    ["{api,guide}/*/*.md", ["guide/linux/apt.md", "api/v1.0/users.md"]],
    ["guide/{install,linux/{apt,yum}}.md", ["guide/install.md", "guide/linux/apt.md"]],
    ["guide/linux/ap[s-u].md", ["guide/linux/apt.md"]],
    ["guide/linux/ap[!a-s].md", ["guide/linux/apt.md"]],
    ["index.m?", ["index.md"]],
    [".hidden/*", [".hidden/notes.md"]],
    ["odd name (1) \\[x\\] \\{y\\}.md", ["odd name (1) [x] {y}.md"]],
    ["größe/*", ["größe/straße.md"]],
    ["Guide/**", []],
    ["nothing", []],
  ])("%s chooses %j", (glob, chosen) => {
    expect(PATHS.filter(compilePathGlob(glob))).toEqual(chosen);
  });

  it.each(["{a", "!a", "[]", "[z-a]", "x".repeat(301)])("%s is refused in words", (glob) => {
    expect(() => compilePathGlob(glob)).toThrow(InputError);
  });

  it("chooses what picomatch chooses", () => {
    const segment = fc
      .array(fc.constantFrom("a", "b", "ab", "*", "?", "{a,b}", "[ab]", "."), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join(""))
      // Runs of stars and lone dots are where matchers differ, and nobody means them.
      .filter((part) => !part.includes("**") && !/^\.+$/.test(part));
    const glob = fc
      .tuple(fc.array(fc.oneof(segment, fc.constant("**")), { minLength: 1, maxLength: 3 }), segment)
      .map(([folders, file]) => [...folders, file].join("/"));
    const path = fc
      .array(fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 3 }), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) => parts.join("/"));
    let chosen = 0;
    fc.assert(
      fc.property(glob, fc.array(path, { minLength: 5, maxLength: 10 }), (written, paths) => {
        const matches = picomatch(written, { dot: true, windows: false });
        const expected = paths.filter((path) => matches(path));
        expect(paths.filter(compilePathGlob(written))).toEqual(expected);
        chosen += expected.length;
      }),
      { numRuns: runs(1000) },
    );
    expect(chosen).toBeGreaterThan(runs(1000) / 5);
  });

  it("of many stars takes no time worth the name", () => {
    const matches = compilePathGlob("*a".repeat(140));
    expect(matches(`${"a".repeat(4000)}b`)).toBe(false);
    expect(compilePathGlob("**/".repeat(90))(`${"a/".repeat(2000)}b`)).toBe(true);
  });

  it("of any characters chooses or is refused in words", () => {
    const piece = fc.oneof(
      fc.constantFrom("{", "}", "[", "]", ",", "*", "**/", "\\", "!", "-", "^", "/"),
      fc.string({ unit: "binary", maxLength: 2 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        try {
          compilePathGlob(pieces.join(""))("guide/install.md");
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});
