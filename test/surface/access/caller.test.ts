import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CollectionInfo } from "../../../src/core/format/root.ts";
import {
  ANONYMOUS,
  type Caller,
  callerIn,
  mayKnow,
  NOBODY,
  partlyListed,
  readListed,
  visibleGroups,
} from "../../../src/surface/access/caller.ts";
import { runs } from "../../support/runs.ts";

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

describe("an entry of a key's list", () => {
  it("is a collection of the root, one of a corpus, or all of a corpus", () => {
    expect(readListed("guide")).toEqual({ corpus: "", collection: "guide" });
    expect(readListed("v2/guide")).toEqual({ corpus: "v2", collection: "guide" });
    expect(readListed("v2/*")).toEqual({ corpus: "v2", collection: undefined });
    expect(readListed("*")).toEqual({ corpus: "", collection: undefined });
    expect(callerIn({ ...NOBODY, collections: ["*", "v2/guide"] }, "").collections).toBe("all");
    expect(callerIn({ ...NOBODY, collections: ["*", "v2/guide"] }, "v2").collections).toEqual(["guide"]);
  });

  it("is read also where its name came to be reserved after the key was made", () => {
    expect(readListed("search/guide")).toEqual({ corpus: "search", collection: "guide" });
  });

  it.each(["", "/", "v2/", "/guide", "V2/guide", "v2/a/b", "*/guide", "../guide"])("is not %j", (entry) => {
    expect(readListed(entry)).toBeUndefined();
  });
});

describe("what a key opens in several corpora", () => {
  const corpora = ["", "v1", "v2"];
  const names = ["a", "b", "c"];
  const entry = fc
    .tuple(fc.constantFrom(...corpora), fc.constantFrom(...names, "*"))
    .filter(([corpus, name]) => corpus !== "" || name !== "*")
    .map(([corpus, name]) => (corpus === "" ? name : `${corpus}/${name}`));
  const anyCaller = fc.record({
    collections: fc.oneof(fc.constantFrom("all" as const, "public" as const), fc.array(entry)),
    seesPublic: fc.boolean(),
    isAdmin: fc.constant(false),
    name: fc.constant("somebody"),
  });
  const anyIndex = fc
    .uniqueArray(fc.record({ name: fc.constantFrom(...names), access: fc.constantFrom("public", "team", "finance") }), {
      selector: ({ name }) => name,
    })
    .map((collections) => collections as CollectionInfo[]);

  /** Whether a collection is open, said plainly: its whole group is listed, by name or with all of its corpus. */
  const isOpen = (caller: Caller, corpus: string, index: readonly CollectionInfo[], access: string): boolean => {
    const { collections } = caller;
    if (access === "public" && (caller.seesPublic || collections === "public")) return true;
    if (typeof collections === "string") return collections === "all";
    return index
      .filter((other) => other.access === access)
      .every(({ name }) =>
        corpus === ""
          ? collections.includes(name)
          : collections.includes(`${corpus}/${name}`) || collections.includes(`${corpus}/*`),
      );
  };

  it("is what its list says of each, and nothing by the name of a collection elsewhere", () => {
    fc.assert(
      fc.property(anyCaller, fc.constantFrom(...corpora), anyIndex, (caller, corpus, index) => {
        const groups = [...new Set(index.map(({ access }) => access))];
        const seen = visibleGroups(callerIn(caller, corpus), index);
        expect(seen).toEqual(groups.filter((group) => isOpen(caller, corpus, index, group)));
        // Who sees something of a corpus may know of it.
        if (seen.length > 0 && caller.collections !== "public") expect(mayKnow(caller, corpus)).toBe(true);
      }),
      { numRuns: runs(2000) },
    );
  });

  it("is told by the names of corpora that it lists, and by none else in a private deployment", () => {
    const caller: Caller = { ...ANONYMOUS, collections: ["a", "v1/b"], seesPublic: false };
    expect(["", "v1", "v2", "v"].filter((corpus) => mayKnow(caller, corpus))).toEqual(["", "v1"]);
    expect(mayKnow({ ...caller, collections: ["v2/*"] }, "")).toBe(false);
    expect(mayKnow({ ...caller, seesPublic: true }, "v2")).toBe(true);
    expect(mayKnow({ ...caller, collections: "all" }, "v2")).toBe(true);
  });

  it("is the same caller for whom no list was made, so that shared answers stay shared", () => {
    expect(callerIn(ANONYMOUS, "v2")).toBe(ANONYMOUS);
  });
});
