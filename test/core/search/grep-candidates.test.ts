import { beforeAll, describe, expect, it } from "vitest";
import { keyOf } from "../../../src/core/bytes/key.ts";
import { findCandidates, type GramLookup, planLookup, readsOf } from "../../../src/core/search/grep-candidates.ts";
import { type Need, wantedOf } from "../../../src/core/search/grep-needs.ts";
import { parsePattern } from "../../../src/core/search/grep-syntax.ts";
import { encodeGram } from "../../support/format-vectors.ts";
import { type OpenTables, openTables } from "../../support/open-tables.ts";

const LETTERS = "abcdefghij";
const DOCUMENTS = 1000;

/** Documents of a gram: some for each, too many to list for every 50th. */
function documentsOf(gram: string): number[] {
  const seed = Array.from(gram).reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7);
  return seed % 50 === 0
    ? Array.from({ length: 500 }, (_, at) => at)
    : Array.from({ length: 300 }, (_, at) => (seed % 97) + at * 2);
}

/** All grams of four out of `letters`, and the ends of words. */
function gramsOver(letters: string): string[] {
  const all = [...letters];
  const threes = all.flatMap((a) => all.flatMap((b) => all.map((c) => a + b + c)));
  return [...threes, ...threes.flatMap((three) => all.map((d) => three + d))].sort();
}

/** What a text must hold for one of these texts to be in it. */
function needsOfTexts(texts: readonly string[]): Need {
  return wantedOf({ kind: "choice", nodes: texts.map((text) => ({ kind: "text", text })) });
}

function needsOfPattern(pattern: string): Need {
  return wantedOf(parsePattern(pattern));
}

describe.each([
  { letters: LETTERS.slice(0, 5), height: 0 },
  { letters: "abcdefghijklmnop", height: 1 },
])("with a directory of height $height", ({ letters, height }) => {
  let tables: OpenTables;

  beforeAll(async () => {
    const trigrams = gramsOver(letters).map((gram) => ({
      key: keyOf(gram),
      value: encodeGram(documentsOf(gram), DOCUMENTS),
    }));
    tables = await openTables({ trigrams });
    expect(tables.directories.trigrams.height).toBe(height);
  }, 60_000);

  async function find(
    need: Need,
    wanted = 4,
    most = 7,
  ): Promise<{ lookup: GramLookup; found: number[] | "all"; reads: number }> {
    const lookup = planLookup(need, tables.directories.trigrams, wanted, most);
    tables.source.reset();
    const { tables: chunks } = await tables.reader.read(readsOf(lookup, 0));
    const found = findCandidates(need, lookup, chunks);
    return { lookup, found: found === "all" ? found : Array.from(found), reads: tables.source.reads.length };
  }

  it("a gram leaves the documents that hold it, in no more reads than planned", async () => {
    for (const gram of ["abcd", "eeee", "dcba", "aaaa", "bcde"]) {
      const { found, lookup, reads } = await find(needsOfTexts([gram]));
      const documents = documentsOf(gram);
      expect(found).toEqual(documents.length > DOCUMENTS / 3 ? "all" : documents);
      expect(reads).toBeLessThanOrEqual(lookup.reads);
    }
  });

  it("three characters leave the documents of all grams that begin with them", async () => {
    for (const three of ["abc", "ede", "eee", "bad"]) {
      const { found, lookup, reads } = await find(needsOfTexts([three]));
      const lists = [three, ...[...letters].map((letter) => three + letter)].map(documentsOf);
      const isCommon = lists.some((list) => list.length > DOCUMENTS / 3);
      expect(found).toEqual(isCommon ? "all" : [...new Set(lists.flat())].sort((a, b) => a - b));
      expect(reads).toBeLessThanOrEqual(lookup.reads);
    }
  });

  it("an absent gram leaves none, and a choice the documents of either side", async () => {
    expect((await find(needsOfTexts(["zzzz"]))).found).toEqual([]);
    expect((await find(needsOfTexts(["zzz"]))).found).toEqual([]);
    const either = await find(needsOfPattern("abce|zzzz"));
    expect(either.found).toEqual(documentsOf("abce"));
    expect((await find(needsOfPattern("abce|."))).found).toBe("all");
    expect((await find(needsOfPattern("abce.*zzzz"))).found).toEqual([]);
  });

  it("a choice with more sides than there are reads leaves all", async () => {
    const sides = ["abcd", "bcde", "cdea", "deab", "eabc", "acbd", "bdca", "cbad", "dbca", "ebda"];
    const { lookup, found } = await find(needsOfTexts(sides), 1, 1);
    expect(lookup).toEqual({ grams: [], reads: 0 });
    expect(found).toBe("all");
  });
});

describe("which grams are looked up", () => {
  const flat = {
    height: 0,
    entries: [..."abcdefghijklmnopqrstuvwxyz"].map((letter, at) => ({
      prefix: at === 0 ? keyOf("") : keyOf(letter),
      pack: 0,
      offset: at * 10_000,
      length: 100,
    })),
  };

  it("are those of the rarest letters, each in another chunk", () => {
    const wanted = needsOfPattern("cacheComponents");
    expect(planLookup(wanted, flat, 1, 1)).toEqual({ grams: ["cach", "chec", "comp"], reads: 1 });
    expect(planLookup(wanted, flat, 4, 7).reads).toBe(4);
  });

  it("are all that lie in the chunks that are read", () => {
    const one = { height: 0, entries: flat.entries.slice(0, 1) };
    expect(planLookup(needsOfTexts(["useState"]), one, 4, 7)).toEqual({
      grams: ["uses", "sest", "esta", "stat", "tate"],
      reads: 1,
    });
  });

  it("is none for a pattern without words, and in a table without chunks", () => {
    expect(planLookup(needsOfTexts(["=> {"]), flat, 4, 7).grams).toEqual([]);
    expect(planLookup(needsOfTexts(["useState"]), { height: 0, entries: [] }, 4, 7).grams).toEqual([]);
  });
});
