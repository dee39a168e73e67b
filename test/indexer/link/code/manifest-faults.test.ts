/** Manifests with faults: what is reported, and that what is written well is not. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJson } from "../../../../indexer/base/file-system.ts";
import { readToml } from "../../../../indexer/languages/base/manifests.ts";
import { readManifests } from "../../../../indexer/link/code/read-manifests.ts";
import { manifest } from "../../../support/code-files.ts";

const TOML = `\uFEFF# a package
[package]
name = "a" # its name
'quoted key'.b = 'c:\\d'
version = "1\\"2"
edition = 2021
date = 1979-05-27 07:32:00Z
float = -1.5e+3
nothing = []
text = """
one "two" [
"""
raw = '''
it's'''

[dependencies."x.y"]
list = [ "a", # one
  'b', { path = "../b", optional = true },
]
table = { a.b = [1, 2], "c d" = "e" }

[[bin]]
name = "tool"
`.slice(1);

describe("TOML", () => {
  it("that is whole has no fault, with either end of line", () => {
    expect(readToml(TOML).fault).toBeUndefined();
    expect(readToml(TOML.replace(/\n/g, "\r\n")).fault).toBeUndefined();
    expect(readToml("").fault).toBeUndefined();
  });

  it.each([
    '[package\nname = "a"',
    'name = "a',
    "name = a",
    "name =",
    "name",
    'list = ["a"',
    'list = ["a" "b"]',
    'table = { a = "b"',
    'name = "a" "b"',
    'text = """\nopen',
    `deep = ${"[".repeat(50_000)}`,
  ])("has a fault: %.30s", (text) => {
    expect(readToml(`[first]\n${text}\n`).fault).toBeGreaterThanOrEqual(8);
  });
});

it("reading any text ends in a place of a fault inside of it, or in none", () => {
  const parts = fc.constantFrom("[", "]", "{", "}", '"', "'", '"""', "=", "a", "\n", "#", ",", "\\");
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 60 }), (list) => {
      const text = list.join("");
      for (const fault of [readToml(text).fault, readJson(text).fault]) {
        expect(fault === undefined || (fault >= 0 && fault <= text.length)).toBe(true);
      }
    }),
  );
});

describe("manifests with faults", () => {
  it("are reported with their line, whatever their format, and the others are read", () => {
    const texts = [
      manifest("a/package.json", `\n${"[".repeat(50_000)}`),
      manifest("b/composer.json", '{"a":'),
      manifest("c/tsconfig.json", '{\n"extends" }'),
      manifest("d/Cargo.toml", "[package]\nname = "),
      manifest("e/pyproject.toml", "[project"),
      manifest("f/pom.xml", "<project>\n<a></project>"),
      manifest("g/package.json", '\uFEFF{"name": "g"}'),
      manifest("h/tsconfig.json", ""),
    ];
    const { diagnostics, list } = readManifests(texts);
    expect(diagnostics.map(({ code, path, line }) => `${code} ${path}:${line}`)).toEqual([
      "invalid-manifest a/package.json:2",
      "invalid-manifest b/composer.json:1",
      "invalid-manifest c/tsconfig.json:2",
      "invalid-manifest d/Cargo.toml:2",
      "invalid-manifest e/pyproject.toml:1",
      "invalid-manifest f/pom.xml:1",
    ]);
    expect(list.find(({ path }) => path === "g/package.json")?.name).toBe("g");
  });
});
