import { describe, expect, it } from "vitest";
import { keyOf } from "../../../src/core/bytes/key.ts";
import { decodePostings } from "../../../src/core/format/postings.ts";
import { stopListOf } from "../../../src/core/text/analyze.ts";
import { buildCollections, buildPages, type OpenReader } from "../../support/build-index.ts";

async function postingsOf({ reader }: OpenReader, term: string, shard = 0) {
  const [bytes] = await reader.lookUp(shard, "terms", [keyOf(term)]);
  if (bytes === undefined) throw new Error(`no term ${term}`);
  return decodePostings(bytes);
}

describe("writeShard", () => {
  it("puts what readers take whole at the start of a pack, one behind the other", async () => {
    const { index } = await (
      await buildCollections([
        { name: "a", pages: { "a.md": "# A\n\nText." } },
        { name: "b", access: "staff", pages: { "b.md": "# B\n\nMore text." } },
      ])
    ).open();
    for (const { tables } of index.root.shards) {
      const places = [tables.synonyms, tables.locator, tables.facets, tables.titles].flatMap(({ entries }) => entries);
      expect(places[0]?.offset).toBe(0);
      for (const [at, place] of places.entries()) {
        const before = places[at - 1];
        if (before !== undefined)
          expect([place.pack, place.offset]).toEqual([before.pack, before.offset + before.length]);
      }
    }
  });

  it("sums what scoring needs over its documents", async () => {
    const built = await buildPages({
      "a.md": "---\ndescription: about it\n---\n# One two\n\nthree four five\n\n## Six\n\nseven\n",
      "b.md": "# Eight\n\nnine\n",
    });
    const { index } = await built.open();
    expect(index.root.shards[0]).toMatchObject({
      group: "public",
      documents: 2,
      slots: 2,
      described: 1,
      units: 3,
      // Headings count as text of their sections; the title too.
      lengths: { body: 9, title: 3, path: 2, description: 2 },
    });
  });

  it("keeps every document of a word, however frequent, and the short form for words that are always stop words", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 2200 }, (_, n) => [`p${n}.md`, `# Page ${n}\n\nThe wells of ${n}.\n`]),
    );
    const opened = await (await buildPages(pages)).open();
    const wells = await postingsOf(opened, "well");
    expect([wells.form, wells.documents.length, wells.frequencies.documents]).toEqual(["heavy", 2200, 2200]);
    const stop = await postingsOf(opened, stopListOf("the"));
    expect([stop.form, stop.documents.length, stop.frequencies.documents]).toEqual(["stop", 256, 2200]);
    expect((await postingsOf(opened, "page")).form).toBe("heavy");
    expect((await postingsOf(opened, "1234")).form).toBe("rare");
  });

  it("gives each group its own tables and numbers", async () => {
    const opened = await (
      await buildCollections([
        { name: "a", pages: { "a.md": "# Alpha", "b.md": "# Beta" } },
        { name: "b", access: "staff", pages: { "c.md": "# Gamma" } },
      ])
    ).open("all");
    expect(opened.index.root.shards.map(({ group, documents }) => [group, documents])).toEqual([
      ["public", 2],
      ["staff", 1],
    ]);
    expect(Array.from((await postingsOf(opened, "gamma", 1)).documents)).toEqual([0]);
    await expect(postingsOf(opened, "gamma", 0)).rejects.toThrow("no term");
  });
});
