import { describe, expect, it } from "vitest";
import { writeZipfCorpus } from "../../bench/corpora/zipf.ts";
import { drawQueries, QUERY_CLASSES, sampleText } from "../../bench/draw-queries.ts";
import { makeRandom } from "../../bench/random.ts";
import { makeFolder } from "../support/temporary-folder.ts";

describe("drawing queries", () => {
  it("gives the same queries for the same seed, in every class as many as asked for", async () => {
    const folder = await makeFolder();
    writeZipfCorpus(folder, 200, 1);
    const drawn = drawQueries(folder, 10, 7);
    expect([...drawn.keys()]).toEqual([...QUERY_CLASSES]);
    for (const queries of drawn.values()) expect(new Set(queries).size).toBe(10);
    expect(drawQueries(folder, 10, 7)).toEqual(drawn);
    expect(drawQueries(folder, 10, 8)).not.toEqual(drawn);
  });

  it("takes each class from where it says", async () => {
    const folder = await makeFolder();
    writeZipfCorpus(folder, 200, 1);
    const drawn = drawQueries(folder, 10, 7);
    const { pagesOf, sentences, words } = sampleText(folder, makeRandom(1));
    const of = (kind: (typeof QUERY_CLASSES)[number]): readonly string[] => drawn.get(kind) ?? [];
    for (const word of of("rare word")) expect(pagesOf.get(word)).toBe(1);
    for (const word of of("common word")) expect(pagesOf.get(word)).toBeGreaterThan(1);
    for (const word of of("typo")) expect(pagesOf.has(word)).toBe(false);
    for (const phrase of of("phrase")) expect(sentences.join("\n")).toContain(phrase.slice(1, -1));
    for (const start of of("prefix")) expect(words.some((word) => word.startsWith(start))).toBe(true);
    for (const query of of("five words")) expect(query.split(" ")).toHaveLength(5);
  });

  it("leaves code, frontmatter and markup out", async () => {
    const folder = await makeFolder({
      "page.md":
        "---\ntitle: Frontmatter words\n---\n# Real heading\n\nSome **prose** with a [link](https://example.org/address) stands here plainly.\n\n```\nfenced code that nobody should ever draw\n```\n",
    });
    expect(sampleText(folder, makeRandom(1))).toMatchObject({
      headings: ["Real heading"],
      sentences: ["Some prose with a link stands here plainly."],
      words: ["prose", "link", "stands", "plainly"],
    });
  });

  it("refuses a folder that holds nothing to draw from", async () => {
    const folder = await makeFolder({ "page.md": "# Only a heading\n" });
    expect(() => drawQueries(folder, 1, 1)).toThrow(/no prose and headings/);
  });
});
