import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codeDigest, listPackages } from "../../../../indexer/index/digests.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

const MANIFEST = JSON.stringify({ name: "a", dependencies: { typescript: "^5.9.0", "@scope/grammars": "1.0.0" } });

function packageFile(name: string, version: string): Record<string, string> {
  return { [join("node_modules", name, "package.json")]: JSON.stringify({ name, version, main: "index.js" }) };
}

describe("the digest of a parse cache", () => {
  it("follows the versions of packages that are installed, whatever the manifest allows", async () => {
    const installed = async (version: string) =>
      listPackages(
        await makeFolder({
          "package.json": MANIFEST,
          ...packageFile("typescript", version),
          ...packageFile("@scope/grammars", "1.0.0"),
        }),
      );
    expect(await installed("5.9.3")).toEqual(["typescript@5.9.3", "@scope/grammars@1.0.0"]);
    expect(await installed("5.9.4")).toEqual(["typescript@5.9.4", "@scope/grammars@1.0.0"]);
  });

  it("covers the parsers and the grammars of this project", () => {
    const packages = listPackages(join(import.meta.dirname, "..", "..", "..", ".."));
    for (const name of [
      "typescript",
      "web-tree-sitter",
      "tree-sitter-bash",
      "@repomix/tree-sitter-wasms",
      "markdown-it",
    ]) {
      expect(packages.find((found) => found.startsWith(`${name}@`))).toMatch(/@\d+\.\d+\.\d+/);
    }
    expect(codeDigest()).toBe(codeDigest());
  });
});
