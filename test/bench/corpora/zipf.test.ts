import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeVocabulary } from "../../../bench/corpora/vocabulary.ts";
import { writeZipfCorpus } from "../../../bench/corpora/zipf.ts";
import { listStoredFiles } from "../../../bench/index-files.ts";
import { makeRandom } from "../../../bench/random.ts";
import { parseMarkdown } from "../../../indexer/parse/markdown/parse.ts";
import { makeFolder } from "../../support/temporary-folder.ts";

describe("the generated corpus", () => {
  it("is the same for the same seed and another for another one", async () => {
    const folder = await makeFolder();
    for (const [name, seed] of [
      ["a", 1],
      ["b", 1],
      ["c", 2],
    ] as const)
      writeZipfCorpus(join(folder, name), 60, seed);
    expect(listStoredFiles(join(folder, "a"))).toEqual(listStoredFiles(join(folder, "b")));
    expect(listStoredFiles(join(folder, "a"))).not.toEqual(listStoredFiles(join(folder, "c")));
  });

  it("has as many sections as were asked for, as the parser counts them", async () => {
    const folder = await makeFolder();
    const { pages, sections } = writeZipfCorpus(folder, 100, 3);
    const files = [...listStoredFiles(folder).keys()];
    const texts = await Promise.all(files.map((path) => readFile(join(folder, path), "utf8")));
    const counts = texts.map((text) => parseMarkdown({ path: "page.md", text }).sections.length);
    expect(files).toHaveLength(pages);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(sections);
    expect(sections).toBe(100);
  });

  it("holds the pages of a smaller one, but for the last, which may be cut", async () => {
    const folder = await makeFolder();
    const { pages } = writeZipfCorpus(join(folder, "small"), 50, 1);
    writeZipfCorpus(join(folder, "large"), 200, 1);
    const large = listStoredFiles(join(folder, "large"));
    const whole = [...listStoredFiles(join(folder, "small"))].slice(0, pages - 1);
    expect(whole.length).toBeGreaterThan(2);
    for (const [path, file] of whole) expect(large.get(path)).toEqual(file);
  });

  it("draws words as often as the law of Zipf and Mandelbrot says", () => {
    const vocabulary = makeVocabulary();
    const random = makeRandom(1);
    const counts = new Map<number, number>();
    for (let draw = 0; draw < 300_000; draw++) {
      const rank = vocabulary.draw(random());
      counts.set(rank, (counts.get(rank) ?? 0) + 1);
    }
    for (const [a, b] of [
      [0, 9],
      [9, 99],
      [4, 49],
    ] as const) {
      const expected = ((b + 1 + 2.7) / (a + 1 + 2.7)) ** 1.05;
      expect((counts.get(a) ?? 0) / (counts.get(b) ?? 1)).toBeCloseTo(expected, -1);
    }
    const words = Array.from({ length: vocabulary.size }, (_, rank) => vocabulary.word(rank));
    expect(new Set(words).size).toBe(words.length);
  });
});
