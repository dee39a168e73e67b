import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DocumentedPackage } from "../../../bench/corpora/packages.ts";
import { writeRealCorpus } from "../../../bench/corpora/real-pages.ts";
import { listPages } from "../../../bench/edits.ts";
import { makeFolder } from "../../support/temporary-folder.ts";

const PACKAGES: readonly DocumentedPackage[] = [
  { name: "@one/docs", version: "1.0.0", under: "docs", kind: "markdown" },
  { name: "two", version: "2.1.0", kind: "markdown" },
];

/** Packages as an earlier run left them. */
const FETCHED = {
  "one-docs-1.0.0/docs/.hidden/b.md": "# B\n",
  "one-docs-1.0.0/docs/a.mdx": "# A\n",
  "one-docs-1.0.0/docs/again.md": "# A\n",
  "one-docs-1.0.0/docs/script.js": "1",
  "one-docs-1.0.0/readme.md": "# Not below docs\n",
  "two-2.1.0/copied.md": "# A\n",
  "two-2.1.0/empty.md": " \n",
  "two-2.1.0/node_modules/c/readme.md": "# C\n",
};

describe("a corpus of real pages", () => {
  it("holds what differs between packages, where a build looks for it", async () => {
    const folder = await makeFolder();
    const counts = await writeRealCorpus({ packages: PACKAGES, pages: 4 }, folder, await makeFolder(FETCHED));
    expect(listPages(folder)).toEqual([
      "one-docs/a.mdx",
      "one-docs/again.md",
      "one-docs/dot-hidden/b.md",
      "two/modules/c/readme.md",
    ]);
    expect([...counts]).toEqual([
      ["@one/docs", 3],
      ["two", 1],
    ]);
  });

  it("ends at the number of pages that was asked for, and fails where there are fewer", async () => {
    const folder = await makeFolder();
    const cache = await makeFolder(FETCHED);
    await writeRealCorpus({ packages: PACKAGES, pages: 2 }, join(folder, "two"), cache);
    expect(listPages(join(folder, "two"))).toHaveLength(2);
    const tooMany = writeRealCorpus({ packages: PACKAGES, pages: 9 }, join(folder, "nine"), cache);
    await expect(tooMany).rejects.toThrow("5 pages too few");
  });
});
