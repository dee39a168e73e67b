import { expect, it } from "vitest";
import { parseConfig } from "../../../indexer/config/config.ts";
import { describeCollection } from "../../../indexer/index/describe-corpus.ts";

const REPOSITORY = "https://github.com/o/r";

interface Setting {
  readonly repository?: string;
  readonly commit?: string;
  readonly kind?: string;
}

function folderOf(root: string, folder: string, setting: Setting = {}): string | undefined {
  const { repository = REPOSITORY, commit = "c0ffee", kind = "docs" } = setting;
  const [collection] = parseConfig(
    JSON.stringify({ collections: [{ name: "a", kind, root, repository }] }),
  ).collections;
  if (collection === undefined) throw new Error("no collection");
  return describeCollection(collection, 0, [], { commit, folder }).folder;
}

it("says where in the repository paths begin: below the project's folder in it, and below the collection's root", () => {
  expect(folderOf("docs/guide", "packages/core")).toBe("packages/core/docs/guide");
  expect(folderOf(".", "packages/core")).toBe("packages/core");
  expect(folderOf("docs", "")).toBe("docs");
  expect(folderOf(".", "")).toBe("");
});

it("says nothing where no link could be made of it: of no repository, no commit, and what was built of it", () => {
  expect(folderOf("docs", "", { repository: "" })).toBeUndefined();
  expect(folderOf("docs", "", { commit: "none" })).toBeUndefined();
  expect(folderOf("dist", "", { kind: "site" })).toBeUndefined();
});
