import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fetchTree, NotHere, readTrees, type WorldTree } from "../../bench/world/fetch-tree.ts";
import { CODE_LANGUAGES } from "../../src/core/text/code-languages.ts";
import { makeFolder } from "../support/temporary-folder.ts";

const TREES = readTrees();
const LANGUAGES = [...CODE_LANGUAGES, "vue", "svelte"];
const TOOLS = [
  ...["vitepress", "docusaurus", "starlight", "mkdocs", "sphinx", "mdbook", "hugo", "jekyll", "nextra", "mintlify"],
  ...["markdown", "html"],
];

function treesOf(kind: string): WorldTree[] {
  return TREES.filter((tree) => tree.kinds.includes(kind));
}

it("names at least 120 trees, sorted, at most three of them slow", () => {
  const names = TREES.map((tree) => tree.name);
  expect(names.length).toBeGreaterThanOrEqual(120);
  expect(names).toEqual([...names].sort());
  expect(TREES.filter((tree) => tree.slow).length).toBeLessThanOrEqual(3);
});

it.each(LANGUAGES)("has five trees of %s", (language) => {
  expect(treesOf(language).length).toBeGreaterThanOrEqual(5);
});

it.each(TOOLS)("has three trees of %s", (tool) => {
  expect(treesOf(tool).length).toBeGreaterThanOrEqual(3);
});

it.each(["javadoc", "rustdoc", "monorepo", "huge", "junk", "encodings", "symbols", "tiny", "other-languages"])(
  "has a tree of kind %s",
  (kind) => {
    expect(treesOf(kind)).not.toEqual([]);
  },
);

it("has at least 24 small trees in which each language occurs", () => {
  const small = TREES.filter((tree) => tree.small);
  expect(small.length).toBeGreaterThanOrEqual(24);
  const kinds = new Set(small.flatMap((tree) => tree.kinds));
  expect(CODE_LANGUAGES.filter((language) => !kinds.has(language))).toEqual([]);
});

it("names no host", () => {
  expect(readFileSync(new URL("../../bench/world/trees.json", import.meta.url), "utf8")).not.toMatch(
    /:\/\/|\.(org|com|net)\b/,
  );
});

it.each<WorldTree["source"]>([
  { debian: "hello", version: "2.10-3" },
  { debianSource: "hello", version: "2.10-3" },
  { npm: "ms@2.1.3", integrity: `sha512-${"A".repeat(86)}==` },
])("says that a tree is not here when PATH has no client: %o", async (source) => {
  const cache = await makeFolder();
  const fetched = fetchTree({ name: "hello", kinds: ["c"], source }, cache, { PATH: cache });
  await expect(fetched).rejects.toThrow(NotHere);
  await expect(fetched).rejects.toThrow(/is not on PATH/);
});
