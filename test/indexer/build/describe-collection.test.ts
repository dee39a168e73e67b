import { expect, it } from "vitest";
import { describeCollection } from "../../../indexer/build/describe-collection.ts";
import { parseConfig } from "../../../indexer/config.ts";

const REPOSITORY = "https://github.com/o/r";

function folderOf(root: string, folder: string, repository = REPOSITORY, commit = "c0ffee"): string | undefined {
  const [collection] = parseConfig(JSON.stringify({ collections: [{ name: "a", root, repository }] })).collections;
  if (collection === undefined) throw new Error("no collection");
  return describeCollection(collection, 0, [], { commit, folder }).folder;
}

it("says where in the repository paths begin: below the project's folder in it, and below the collection's root", () => {
  expect(folderOf("docs/guide", "packages/core")).toBe("packages/core/docs/guide");
  expect(folderOf(".", "packages/core")).toBe("packages/core");
  expect(folderOf("docs", "")).toBe("docs");
});

it("says nothing where that is the top, or where no link could be made of it", () => {
  expect(folderOf(".", "")).toBeUndefined();
  expect(folderOf("docs", "", "")).toBeUndefined();
  expect(folderOf("docs", "", REPOSITORY, "none")).toBeUndefined();
});
