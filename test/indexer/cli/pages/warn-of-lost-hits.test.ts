import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { warnOfLostHits } from "../../../../indexer/cli/pages/pages.ts";
import { buildCorpus } from "../../../../indexer/index/build.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

const FILES = {
  "docs/a.md": "# Apples\n",
  "src/a.ts": "export const apple = 1;\n",
  "site/index.html": "<!doctype html><title>Apples</title><h1>Apples</h1><p>They are red.",
};

/** Warnings about the index that some collections of the files give. */
async function warn(collections: readonly object[]): Promise<readonly string[]> {
  const dir = await makeFolder({ ...FILES, "treeline.config.json": JSON.stringify({ collections }) });
  const outDir = join(dir, "index");
  await buildCorpus({ dir, outDir });
  const warnings: string[] = [];
  await warnOfLostHits(outDir, { has: () => false }, { warn: (line) => warnings.push(line) });
  return warnings;
}

describe("hits that lead nowhere", () => {
  it("are told of collections without an address, with what to set", async () => {
    const [docs, code, ...others] = await warn([
      { name: "docs", root: "docs" },
      { name: "code", kind: "code", root: "src" },
    ]);
    expect(docs).toMatch(/"docs" has no address.*"baseUrl".*built site/);
    expect(code).toMatch(/"code" has no address.*"baseUrl".*collections="docs"/);
    expect(others).toEqual([]);
  });

  it("are none where pages have an address, in a built site, and where nobody finds them", async () => {
    const warnings = await warn([
      { name: "docs", root: "docs", baseUrl: "https://docs.example.org" },
      { name: "site", kind: "site", root: "site" },
      { name: "staff", kind: "code", root: "src", access: "staff" },
    ]);
    expect(warnings).toEqual([]);
  });
});
