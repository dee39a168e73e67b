import { describe, expect, it } from "vitest";
import { ANONYMOUS, type Caller, partlyListed, visibleGroups } from "../../src/access/caller.ts";
import type { CollectionInfo } from "../../src/core/format/collection.ts";

const COLLECTIONS = [
  { name: "docs", access: "public" },
  { name: "notes", access: "team" },
  { name: "plans", access: "team" },
  { name: "books", access: "finance" },
] as CollectionInfo[];

function groupsOf(caller: Partial<Caller>): readonly string[] {
  return visibleGroups({ ...ANONYMOUS, ...caller }, COLLECTIONS);
}

describe("groups that a caller sees", () => {
  it("are the public one for nobody in particular", () => {
    expect(groupsOf({})).toEqual(["public"]);
  });

  it("are all for a key without a list", () => {
    expect(groupsOf({ collections: "all" })).toEqual(["public", "team", "finance"]);
  });

  it("are those of which every collection is listed", () => {
    expect(groupsOf({ collections: ["books"] })).toEqual(["public", "finance"]);
    expect(groupsOf({ collections: ["notes", "plans"] })).toEqual(["public", "team"]);
    expect(groupsOf({ collections: ["notes", "books", "unknown"] })).toEqual(["public", "finance"]);
  });

  it("hold the public one only where it is listed, in a deployment that is private", () => {
    expect(groupsOf({ collections: ["books"], seesPublic: false })).toEqual(["finance"]);
    expect(groupsOf({ collections: ["docs", "books"], seesPublic: false })).toEqual(["public", "finance"]);
    expect(groupsOf({ collections: [], seesPublic: false })).toEqual([]);
  });
});

describe("groups that a list names in part", () => {
  it("are those of which it leaves out some collections and not all", () => {
    expect(partlyListed(["docs", "notes"], COLLECTIONS)).toEqual([
      { group: "team", listed: ["notes"], missing: ["plans"] },
    ]);
    expect(partlyListed(["docs", "notes", "plans"], COLLECTIONS)).toEqual([]);
    expect(partlyListed([], COLLECTIONS)).toEqual([]);
  });
});
