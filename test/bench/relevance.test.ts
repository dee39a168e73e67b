import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Figures } from "../../bench/compare-figures.ts";
import { cutItems, drawByHash } from "../../bench/quality/cut-items.ts";
import { makeRandom } from "../../bench/random.ts";
import { judgeFigures } from "../../bench/relevance/floors.ts";
import { measureJudgedSet } from "../../bench/relevance/judged-set.ts";
import { misspell } from "../../bench/relevance/misspell.ts";
import { measureQuestions } from "../../bench/relevance/questions.ts";

const RELEVANCE = fileURLToPath(new URL("../../bench/relevance/", import.meta.url));
const QUESTIONS = fileURLToPath(new URL("../../bench/quality/questions/", import.meta.url));
const floors = JSON.parse(readFileSync(join(RELEVANCE, "floors.json"), "utf8")) as Readonly<Record<string, Figures>>;

describe("the relevance gate", () => {
  let room: string;

  beforeAll(() => {
    room = mkdtempSync(join(tmpdir(), "treeline-test-"));
  });

  afterAll(() => rmSync(room, { recursive: true, force: true }));

  const judgeOwn = async (name: string, ranking: Readonly<Record<string, number>>) => {
    const config = join(room, `${name}.json`);
    writeFileSync(config, JSON.stringify({ ranking }));
    const measured = await measureJudgedSet(join(RELEVANCE, "own"), join(room, name), config);
    return judgeFigures("own", floors.own ?? {}, measured);
  };

  it("passes the committed set with the default ranking", async () => {
    const { isFailed, lines } = await judgeOwn("defaults", {});
    expect(lines.at(-1)).toBe("ok own (6 figures; 84 queries, 58 pages)");
    expect(isFailed).toBe(false);
  });

  it.each([
    ["titles count for nothing", { title_weight: 0 }],
    ["titles drown the text", { title_weight: 30 }],
    ["repeated words count in full", { bm25_k1: 10 }],
  ])("fails when %s", async (name, ranking) => {
    const { isFailed, lines } = await judgeOwn(name, ranking);
    expect(lines.at(-1)).toMatch(/^FAILED own \(\d of 6 figures; /);
    expect(isFailed).toBe(true);
  });

  it("holds floors of every group, so that none is unguarded", () => {
    const asked = readdirSync(QUESTIONS).map((file) => file.replace(/\.json$/, ""));
    const groups = ["core", "cranfield", "docs", "next", "own", "query", "tldr", ...asked];
    expect(Object.keys(floors).sort()).toEqual(groups.sort());
  });
});

describe("judged questions", () => {
  let room: string;

  beforeAll(() => {
    room = mkdtempSync(join(tmpdir(), "treeline-test-"));
    mkdirSync(join(room, "pages"));
    writeFileSync(join(room, "pages", "perch.md"), "# Perch\n\nPerch keeps what it was told in a file on the disk.\n");
    writeFileSync(join(room, "pages", "heron.md"), "# Heron\n\nHeron forgets everything when it stops.\n");
  });

  afterAll(() => rmSync(room, { recursive: true, force: true }));

  it("are counted by kind, alone and fused with their wordings", async () => {
    const questions = [
      { text: "where does perch keep things", kind: "same", pages: ["perch.md"], wordings: ["disk file"] },
      { text: "is it volatile", kind: "other", pages: ["heron.md"], wordings: ["forgets when it stops"] },
      { text: "what does heron forget", kind: "wrong", pages: ["perch.md"] },
    ];
    const { figures, size, misses } = await measureQuestions({ questions }, join(room, "pages"), join(room, "index"));
    expect(size).toBe("3 questions");
    expect(figures).toEqual({
      all: { first: 1 / 3, five: 1 / 3, firstFused: 1, fiveFused: 1 },
      same: { first: 1, five: 1, firstFused: 1, fiveFused: 1 },
      other: { first: 0, five: 0, firstFused: 1, fiveFused: 1 },
      wrong: { first: 0, five: 0 },
    });
    expect(misses.map(({ kind, got }) => [kind, got])).toEqual([
      ["other", []],
      ["wrong", ["heron.md"]],
    ]);
  });

  it("fail for a right page that does not exist", async () => {
    const questions = [{ text: "where is it", kind: "same", pages: ["gone.md"] }];
    await expect(measureQuestions({ questions }, join(room, "pages"), join(room, "other"))).rejects.toThrow(
      /there is no page gone\.md/,
    );
  });
});

describe("judging figures", () => {
  const stored: Figures = { clean: { ndcg: 0.5, mrr: 0.6 } };
  const judge = (figures: Figures) => judgeFigures("own", stored, { figures, size: "9 queries" });

  it("lets a fall of .004 and of .005 pass", () => {
    for (const ndcg of [0.496, 0.495]) {
      expect(judge({ clean: { ndcg, mrr: 0.6 } })).toEqual({
        isFailed: false,
        lines: ["ok own (2 figures; 9 queries)"],
      });
    }
  });

  it("fails a fall of .006 and names the figure", () => {
    expect(judge({ clean: { ndcg: 0.494, mrr: 0.6 } })).toEqual({
      isFailed: true,
      lines: ["worse: own, clean / ndcg: 0.5 → 0.494", "FAILED own (1 of 2 figures; 9 queries)"],
    });
  });

  it("reports a better figure", () => {
    expect(judge({ clean: { ndcg: 0.501, mrr: 0.6 } }).lines[0]).toBe("better: own, clean / ndcg: 0.5 → 0.501");
  });

  it.each([
    ["a missing figure", { clean: { ndcg: 0.5 } }, "only stored: own, clean / mrr"],
    ["a figure without a floor", { clean: { ndcg: 0.5, mrr: 0.6, map: 1 } }, "only measured: own, clean / map"],
    ["a figure that is no number", { clean: { ndcg: Number.NaN, mrr: 0.6 } }, "worse: own, clean / ndcg: 0.5 → NaN"],
  ])("fails %s", (_, figures, line) => {
    const { isFailed, lines } = judge(figures);
    expect(isFailed).toBe(true);
    expect(lines).toContain(line);
  });
});

describe("misspelt queries", () => {
  it("differ in one longest word and keep its first letter", () => {
    const random = makeRandom(1);
    const seen = new Set(Array.from({ length: 40 }, () => misspell("how to rotate keys", random)));
    expect(seen.size).toBeGreaterThan(10);
    for (const text of seen) expect(text).toMatch(/^how to r[a-z]{4,6} keys$/);
    expect(seen).not.toContain("how to rotate keys");
  });

  it("leave short words alone", () => {
    expect(misspell("git ls", makeRandom(1))).toBe("git ls");
  });
});

describe("known items", () => {
  const page = [
    "---",
    "title: Guide",
    "---",
    "## Set up",
    "Perch answers from memory and writes what it was told to a file on the disk.",
    "The second paragraph has eight words and a few more, to be drawn from.",
    "```ts",
    "const maxBody = readLimit(settings);",
    "```",
    "## Twice",
    "## Twice",
  ];

  it("are cut with the lines they come from", () => {
    const items = cutItems(new Map([["a.md", page]]));
    expect(items.map(({ kind, line }) => [kind, line])).toEqual([
      ["introduction", 5],
      ["prose", 6],
      ["heading", 4],
      ["identifier", 8],
      ["identifier", 8],
    ]);
    expect(items[1]?.query.split(" ")).toHaveLength(8);
    expect(items.slice(2).map(({ query }) => query)).toEqual(["Guide Set up", "maxBody", "readLimit"]);
  });

  it("stay drawn when another one changes", () => {
    const names = Array.from({ length: 50 }, (_, at) => `item ${at}`);
    const drawn = drawByHash(names, 10, (name) => name);
    const without = names.filter((name) => name !== drawn[0]);
    expect(drawByHash(without, 9, (name) => name)).toEqual(drawn.slice(1));
  });
});
