import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_RANKING, toParameters } from "../../../src/core/search/ranking.ts";
import {
  expandPreset,
  RANKING_BOUNDS,
  RANKING_PRESETS,
  type RankingName,
  type RankingSettings,
} from "../../../src/core/search/ranking-settings.ts";
import { search } from "../../../src/core/search/search.ts";
import { buildPages, type OpenReader, type Pages } from "../../support/build-index.ts";
import { runs } from "../../support/runs.ts";
import { anyPages, anyQuery, ask } from "../../support/small-corpora.ts";

const filler = (words: number): string => Array.from({ length: words }, (_, n) => `filler${n}`).join(" ");

async function scoresOf(open: OpenReader, query: string, ranking: RankingSettings): Promise<Record<string, number>> {
  const { hits } = await search(open.next(), ask(query, { limit: 50, ranking }));
  return Object.fromEntries(hits.map(({ path, score }) => [path, score]));
}

/** Pages that differ in one feature alone: `with.md` has it, `without.md` has not. The others hold the words as well. */
const FEATURES: Readonly<Partial<Record<RankingName, { query: string; with: string; without: string }>>> = {
  title_weight: {
    query: "needle",
    with: `# Needle word\n\nThe needle ${filler(20)}\n`,
    without: `# Other word\n\nThe needle ${filler(20)} more\n`,
  },
  code_weight: {
    query: "needle",
    with: `# Page one\n\n${filler(20)}\n\n\`\`\`\nneedle\n\`\`\`\n`,
    without: `# Page one\n\n${filler(20)}\n\nneedle\n`,
  },
  description_weight: {
    query: "needle",
    with: `---\ndescription: About a needle\n---\n# Page one\n\nThe needle ${filler(20)}\n`,
    without: `---\ndescription: About a page\n---\n# Page one\n\nThe needle ${filler(20)}\n`,
  },
  term_proximity_bonus: {
    query: "needle thread",
    with: `# Page one\n\nA needle thread of ${filler(20)}\n`,
    without: `# Page one\n\nA thread needle of ${filler(20)}\n`,
  },
  full_coverage_bonus: {
    query: "needle thread",
    with: `# Page one\n\n## First\n\nA needle of thread ${filler(20)}\n\n## Second\n\nNothing ${filler(20)}\n`,
    without: `# Page one\n\n## First\n\nA needle of nothing ${filler(20)}\n\n## Second\n\nThread ${filler(20)}\n`,
  },
};

/** Pages enough for pairs to be kept, and with both words apart so that neither page is rare by them. */
function pagesWith(feature: { with: string; without: string }): Pages {
  const others = Array.from({ length: 20 }, (_, n) => [
    `other-${n}.md`,
    `# Other ${n}\n\n${n === 0 ? "needle thread" : "thread and needle"} ${filler(30)}\n`,
  ]);
  return Object.fromEntries([["with.md", feature.with], ["without.md", feature.without], ...others]);
}

describe("ranking parameters", () => {
  it.each(Object.keys(FEATURES) as RankingName[])(
    "%s: raising it never lowers a page that has the feature against one without",
    async (name) => {
      const feature = FEATURES[name];
      if (feature === undefined) throw new Error("no feature");
      const open = await (await buildPages(pagesWith(feature))).open();
      const { minimum, maximum, default: usual } = RANKING_BOUNDS[name];
      let before = Number.NEGATIVE_INFINITY;
      const gaps: number[] = [];
      for (const value of [minimum, usual / 2, usual, usual * 2, usual * 5, maximum]) {
        const scores = await scoresOf(open, feature.query, { [name]: value });
        const gap = (scores["with.md"] ?? 0) - (scores["without.md"] ?? 0);
        expect(gap).toBeGreaterThanOrEqual(before - 1e-9);
        before = gap;
        gaps.push(gap);
      }
      expect(gaps.at(-1)).toBeGreaterThan(gaps[0] ?? 0);
    },
  );

  describe("the weight of sections", () => {
    const others = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => {
        const word = n < 2 ? "needle" : n < 4 ? "thread" : "cloth";
        return [`other-${n}.md`, `# Other ${n}\n\n${word} ${filler(30)}\n`] as const;
      }),
    );
    const page = (first: string, second: string, words: number): string =>
      `# Page one\n\n## First\n\n${first} ${filler(words)}\n\n## Second\n\n${second} ${filler(words)}\n`;
    const firstOf = async (pages: Pages): Promise<string | undefined> => {
      const open = await (await buildPages({ ...pages, ...others })).open();
      return (await search(open.next(), ask("needle thread"))).hits[0]?.path;
    };

    // A weight below 1.45 turns this order.
    it("puts words in one section before twice as many in two sections of a page half as long", async () => {
      const together = page("A needle with thread", "Nothing", 40);
      const apart = page("needle ".repeat(2), "thread ".repeat(2), 20);
      expect(await firstOf({ "together.md": together, "apart.md": apart })).toBe("together.md");
    });

    // A weight above 1.6 turns this order.
    it("puts words in two sections before a tenth as many in one section of an equal page", async () => {
      const together = page("A needle with thread", "Nothing", 30);
      const apart = page("needle ".repeat(10), "thread ".repeat(10), 30);
      expect(await firstOf({ "together.md": together, "apart.md": apart })).toBe("apart.md");
    });
  });

  it("gives a match of a beginning exactly the share that prefix_penalty leaves", async () => {
    const pages = {
      "gizmotron.md": "# Gizmotron\n\nThe gizmotron turns.\n\n## About gizmotrons\n\nA gizmotron.\n",
      "other.md": "# Other\n\nOne gizmotronic thing.\n",
      "none.md": "# None\n\nNothing.\n",
    };
    const open = await (await buildPages(pages)).open();
    const scoresAt = async (prefix_penalty: number) =>
      new Map(
        (await search(open.next(), ask("gizmotr*", { ranking: { prefix_penalty } }))).hits.map((hit) => [
          hit.path,
          hit.score,
        ]),
      );
    const whole = await scoresAt(0);
    for (const penalty of [0.25, 0.5, 0.9]) {
      const left = await scoresAt(penalty);
      expect([...left.keys()].sort()).toEqual(["gizmotron.md", "other.md"]);
      for (const [path, score] of left) expect(score).toBeCloseTo((whole.get(path) as number) * (1 - penalty), 6);
    }
  });

  it("raising any weight lowers no score, whatever the pages and the query", async () => {
    const names = [
      "title_weight",
      "code_weight",
      "description_weight",
      "term_proximity_bonus",
      "full_coverage_bonus",
    ] as const;
    await fc.assert(
      fc.asyncProperty(
        anyPages,
        anyQuery,
        fc.constantFrom(...names),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (pages, query, name, share) => {
          const open = await (await buildPages(pages)).open();
          const { default: usual, maximum } = RANKING_BOUNDS[name];
          const usually = await scoresOf(open, query, {});
          const raised = await scoresOf(open, query, { [name]: usual + share * (maximum - usual) });
          expect(Object.keys(raised).sort()).toEqual(Object.keys(usually).sort());
          for (const [path, score] of Object.entries(usually)) {
            expect(raised[path]).toBeGreaterThanOrEqual(score - 1e-9);
          }
        },
      ),
      { numRuns: runs(25) },
    );
  });

  it("give the same at their defaults as when nobody sets them", async () => {
    const defaults = Object.fromEntries(Object.entries(RANKING_BOUNDS).map(([name, bounds]) => [name, bounds.default]));
    expect(toParameters(defaults)).toEqual(DEFAULT_RANKING);
    expect(toParameters(expandPreset("tutorials"))).toEqual(DEFAULT_RANKING);
    await fc.assert(
      fc.asyncProperty(anyPages, anyQuery, async (pages, query) => {
        const open = await (await buildPages(pages)).open();
        expect(await scoresOf(open, query, defaults)).toEqual(await scoresOf(open, query, {}));
      }),
      { numRuns: runs(10) },
    );
  });

  it("stand for what was measured at their defaults", () => {
    expect(DEFAULT_RANKING).toMatchObject({ k1: 1.2, b: 0.75, code: 1, longerWords: 0.5 });
    // A setting scales its part in the ratio of its value to its default.
    const doubled = toParameters({
      title_weight: 6,
      code_weight: 3,
      description_weight: 4,
      term_proximity_bonus: 4,
      full_coverage_bonus: 10,
      prefix_penalty: 0.75,
    });
    for (const part of ["title", "code", "description", "pairs", "fullCoverage"] as const) {
      expect(doubled[part]).toBeCloseTo(2 * DEFAULT_RANKING[part], 12);
    }
    expect(doubled.longerWords).toBe(0.25);
  });

  it("give finite scores, best first, at every corner of their bounds", async () => {
    const corner = fc.record(
      Object.fromEntries(
        Object.entries(RANKING_BOUNDS).map(([name, { minimum, maximum }]) => [name, fc.constantFrom(minimum, maximum)]),
      ),
    );
    await fc.assert(
      fc.asyncProperty(anyPages, anyQuery, corner, async (pages, query, ranking) => {
        const { reader } = await (await buildPages(pages)).open();
        const { hits } = await search(reader, ask(query, { limit: 50, ranking, asYouType: true }));
        for (const [at, { score, isFallback, sections }] of hits.entries()) {
          expect(Number.isFinite(score)).toBe(true);
          for (const section of sections) expect(Number.isFinite(section.score)).toBe(true);
          const next = hits[at + 1];
          if (next !== undefined && next.isFallback === isFallback) expect(score).toBeGreaterThanOrEqual(next.score);
        }
      }),
      { numRuns: runs(60) },
    );
  });
});

describe("presets", () => {
  let open: OpenReader;

  beforeAll(async () => {
    const pages = Object.fromEntries([
      ["prose.md", `# Page one\n\nThe needle, a needle and a needle ${filler(12)}\n`],
      ["code.md", `# Page one\n\n\`\`\`\nneedle(needle)\n\`\`\`\n\n${filler(13)}\n`],
      ["often.md", `# Page one\n\n${"needle ".repeat(30)} ${filler(12)}\n`],
      ["long.md", `# Page one\n\nThe needle, a needle and a needle ${filler(250)}\n`],
      ...Array.from({ length: 6 }, (_, n) => [`other-${n}.md`, `# Other\n\n${filler(20)}\n`]),
    ]) as Pages;
    open = await (await buildPages(pages)).open();
  });

  const ratio = async (a: string, b: string, ranking: RankingSettings): Promise<number> => {
    const scores = await scoresOf(open, "needle", ranking);
    return (scores[a] ?? 0) / (scores[b] ?? 1);
  };

  it("for API references count code more, repetition less and length more", async () => {
    const preset = expandPreset("api-reference");
    expect(await ratio("code.md", "prose.md", preset)).toBeGreaterThan(await ratio("code.md", "prose.md", {}));
    expect(await ratio("often.md", "prose.md", preset)).toBeLessThan(await ratio("often.md", "prose.md", {}));
    expect(await ratio("prose.md", "long.md", { bm25_b: preset.bm25_b })).toBeGreaterThan(
      await ratio("prose.md", "long.md", {}),
    );
  });

  it("for mixed corpora count repetition and length less, and all words in one section more", async () => {
    const preset = expandPreset("mixed");
    expect(await ratio("often.md", "prose.md", { bm25_k1: preset.bm25_k1 })).toBeLessThan(
      await ratio("often.md", "prose.md", {}),
    );
    expect(await ratio("prose.md", "long.md", { bm25_b: preset.bm25_b })).toBeLessThan(
      await ratio("prose.md", "long.md", {}),
    );
    expect(toParameters(preset).fullCoverage).toBeCloseTo(1.6 * DEFAULT_RANKING.fullCoverage, 12);
  });

  it("for tutorials are the defaults", async () => {
    expect(await scoresOf(open, "needle", expandPreset("tutorials"))).toEqual(await scoresOf(open, "needle", {}));
  });
});

describe("repetition", () => {
  it("is worth little: fifty occurrences score less than one and a half times five, at equal length", async () => {
    const page = (count: number): string => `# Page one\n\n${"needle ".repeat(count)}${filler(60 - count)}\n`;
    const pages = {
      "five.md": page(5),
      "fifty.md": page(50),
      ...Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`other-${n}.md`, `# Other\n\n${filler(60)}\n`])),
    };
    const open = await (await buildPages(pages)).open();
    for (const preset of RANKING_PRESETS) {
      const scores = await scoresOf(open, "needle", expandPreset(preset));
      const [five = 0, fifty = 0] = [scores["five.md"], scores["fifty.md"]];
      expect(fifty).toBeGreaterThan(five);
      expect(fifty).toBeLessThan(1.5 * five);
    }
  });
});

describe("forms of a word", () => {
  it("find one another: configuring finds configuration", async () => {
    const open = await (
      await buildPages({ "a.md": "# A\n\nThe configuration of it.\n", "b.md": "# B\n\nRouters and routing.\n" })
    ).open();
    for (const query of ["configuring", "configured", "configures", "CONFIGURATIONS"]) {
      expect(Object.keys(await scoresOf(open, query, {}))).toEqual(["a.md"]);
    }
    expect(Object.keys(await scoresOf(open, "routed", {}))).toEqual(["b.md"]);
  });
});
