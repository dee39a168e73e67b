import { describe, expect, it } from "vitest";
import { applyOptions, DEFAULT_SETTINGS, type PagefindOptions } from "../../../src/web/pagefind/options.ts";

const apply = (options: object): typeof DEFAULT_SETTINGS => applyOptions(DEFAULT_SETTINGS, options as PagefindOptions);

describe("options", () => {
  it("change nothing where there are none, or where they are unknown or of another type", () => {
    const wrong = { baseUrl: 1, excerptLength: "9", excerptEllipsis: 3, highlightParam: null, indexWeight: "2" };
    for (const options of [
      {},
      wrong,
      { mergeFilter: "x", ranking: 3, language: [] },
      { noWorker: true, metaCacheTag: "x" },
    ]) {
      expect(apply(options)).toEqual(DEFAULT_SETTINGS);
    }
  });

  it("are kept until others replace them", () => {
    const first = apply({ excerptLength: 12, baseUrl: "/docs/", ranking: { pageLength: 0.5 } });
    expect(applyOptions(first, { excerptLength: 5, ranking: { termSaturation: 1 } })).toMatchObject({
      excerptLength: 5,
      baseUrl: "/docs/",
      ranking: { bm25_b: 0.5, bm25_k1: 1 },
    });
  });

  it("give every page values of filters, one or several", () => {
    expect(apply({ mergeFilter: { site: "Blog", area: ["a", "b"], bad: 3, none: [] } }).added).toEqual({
      site: ["Blog"],
      area: ["a", "b"],
    });
  });

  it("name ranking as Pagefind does, where the same is meant", () => {
    expect(
      apply({ ranking: { pageLength: 0.1, termSaturation: 2, termFrequency: 0.1, termSimilarity: 9 } }).ranking,
    ).toEqual({
      bm25_b: 0.1,
      bm25_k1: 2,
      prefix_penalty: 1,
    });
    expect(apply({ ranking: { termSimilarity: 1 } }).ranking).toEqual({ prefix_penalty: 0.5 });
    expect(apply({ ranking: { metaWeights: { title: 5 } } }).ranking).toEqual({ title_weight: 3 });
    expect(apply({ ranking: { metaWeights: { title: 1, description: 2, author: 9 } } }).ranking).toEqual({
      title_weight: 0.6000000000000001,
      description_weight: 4,
    });
    expect(apply({ ranking: { pageLength: 7, termSaturation: -1, metaWeights: { title: 1e9 } } }).ranking).toEqual({
      bm25_b: 1,
      bm25_k1: 0,
      title_weight: 100,
    });
  });
});
