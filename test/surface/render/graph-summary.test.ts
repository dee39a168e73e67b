import { describe, expect, it } from "vitest";
import { MERGES } from "../../../src/core/code/insights.ts";
import type { InsightValues } from "../../../src/core/format/insights.ts";
import { formatBars, summarize, summaryForms, summaryJson } from "../../../src/surface/render/graph-summary.ts";

type SummaryMetadata = Parameters<typeof summaryForms>[1];

const NOTHING: InsightValues = {
  fileMetrics: MERGES.fileMetrics([]),
  topHubs: MERGES.topHubs([]),
  circularDependencies: MERGES.circularDependencies([]),
  orphanFiles: MERGES.orphanFiles([]),
  noImporters: MERGES.noImporters([]),
  possiblyUnused: MERGES.possiblyUnused([]),
  entryPoints: MERGES.entryPoints([]),
  pageMetrics: MERGES.pageMetrics([]),
  linkHubs: MERGES.linkHubs([]),
  unlinkedPages: MERGES.unlinkedPages([]),
  brokenLinks: MERGES.brokenLinks([]),
};
const METADATA: SummaryMetadata = {
  scanDurationMs: 4510,
  cacheUsed: true,
  cacheReason: "memory",
  commit: "none",
  builtAt: "",
  ageSeconds: null,
  warnings: [],
};

/** An id of 80 characters. */
function longId(n: number): string {
  return `code:packages/library/src/features/${String(n).padStart(5, "0")}/`.padEnd(77, "x").concat(".ts");
}

function list<T>(limit: number, total: number, make: (n: number) => T) {
  return { limit, total, items: Array.from({ length: Math.min(limit, total) }, (_, n) => make(n)) };
}

/** What an index of 10,000 files and as many pages may say at the most. */
const LARGE: InsightValues = {
  fileMetrics: {
    fileCount: 10_000,
    dependencyCount: 100_000,
    fileTypeBreakdown: Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`type${n}`, 250])),
    aside: {},
    asideDependencyCount: 0,
    thresholds: [100, 1000, 10_000],
  },
  topHubs: list(10, 10, (n) => ({ id: longId(n), fanIn: 900 - n, fanOut: 20, rank: 80 })),
  circularDependencies: {
    ...list(20, 130, (n) => {
      const ids = Array.from({ length: 30 }, (_, at) => longId(n * 30 + at));
      return { path: [...ids, ids[0] as string], size: 40, typeOnly: n % 2 === 0 };
    }),
    typeOnlyTotal: 60,
  },
  orphanFiles: list(50, 800, longId),
  noImporters: list(50, 3000, longId),
  possiblyUnused: list(50, 700, longId),
  entryPoints: list(50, 700, longId),
  pageMetrics: { pageCount: 10_000, linkCount: 70_000 },
  linkHubs: list(10, 10, (n) => ({ id: longId(n), fanIn: 900 - n, fanOut: 20, rank: 80 })),
  unlinkedPages: list(50, 900, longId),
  brokenLinks: list(50, 900, (n) => ({ id: longId(n), href: "../../".repeat(10) })),
};

describe("the summary of a graph", () => {
  it.each([40, 60, 80, 150, 400])(
    "takes 6 kB of text at most for 10,000 files and 10,000 pages, paths of %i characters",
    (length) => {
      const values = JSON.parse(
        JSON.stringify(LARGE, (_, value) =>
          typeof value === "string" && value.startsWith("code:") ? value.padEnd(length, "y").slice(-length) : value,
        ),
      ) as InsightValues;
      const [form] = summaryForms(values, METADATA);
      const text = [summarize(values, METADATA), ...(form?.blocks() ?? [])].join("\n\n");
      expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(6000);
      expect(text).toContain("Import cycles, a shortest one of each set of files: 130");
    },
  );

  it("names files, connections, duration, how complex they are, the top hub and cycles", () => {
    expect(summarize(LARGE, METADATA)).toMatch(
      /^10,000 source files with 100,000 connections, built in 4\.5 s: a very complex graph\. Top hub: \S+ \(920 connections\)\. 130 import cycles, 60 of them of types alone\. 10,000 pages with 70,000 links/,
    );
    const word = (dependencyCount: number): string =>
      summarize({ ...NOTHING, fileMetrics: { ...LARGE.fileMetrics, dependencyCount } }, METADATA);
    expect([99, 100, 999, 1000, 9999, 10_000].map((count) => /a ([\w ]+) graph/.exec(word(count))?.[1])).toEqual([
      "simple",
      "moderate",
      "moderate",
      "complex",
      "complex",
      "very complex",
    ]);
  });

  it("says nothing of how long the build took where that is not known, and of what is not there", () => {
    expect(summarize({ ...NOTHING, pageMetrics: { pageCount: 1, linkCount: 0 } }, { scanDurationMs: 0 })).toBe(
      "1 page with 0 links between them.",
    );
    expect(summarize(NOTHING, METADATA)).toBe("There are no source files and no pages in the graph.");
    expect(summaryForms(NOTHING, METADATA)[0]?.blocks()).toEqual([]);
  });

  it("tells one cycle from several, and those of types alone", () => {
    const cycles = (total: number, typeOnlyTotal: number): string | undefined => {
      const circularDependencies = { limit: 20, total, items: [], typeOnlyTotal };
      const fileMetrics = { ...LARGE.fileMetrics, fileCount: 1 };
      return /[^.]*cycle[^.]*\./
        .exec(summarize({ ...NOTHING, fileMetrics, circularDependencies }, METADATA))?.[0]
        .trim();
    };
    expect([cycles(0, 0), cycles(1, 0), cycles(1, 1), cycles(3, 1)]).toEqual([
      "No import cycles.",
      "1 import cycle.",
      "1 import cycle, of types alone.",
      "3 import cycles, 1 of them of types alone.",
    ]);
  });

  it("names in JSON what lists leave out, and gives details in the order of the cycles", () => {
    const { insights } = summaryJson(LARGE, METADATA) as { insights: Record<string, unknown> };
    expect(insights["omitted"]).toEqual({
      circularDependencies: 110,
      orphanFiles: 750,
      noImporters: 2950,
      possiblyUnused: 650,
      entryPoints: 650,
      unlinkedPages: 850,
      brokenLinks: 850,
    });
    expect(insights["cycleDetails"]).toHaveLength((insights["circularDependencies"] as unknown[]).length);
    expect(insights["topHubs"]).toContainEqual({ id: longId(0), connectionCount: 920, fanIn: 900, fanOut: 20 });
  });
});

describe("bars", () => {
  it("are as long as their values, the longest twelve characters, none of what is there without one", () => {
    const bars = [1200, 600, 1, 0].map((value) => ({ label: "x", value }));
    expect(formatBars(bars, "#")).toEqual([
      "############ 1,200 x",
      "######         600 x",
      "#                1 x",
      "                 0 x",
    ]);
    expect(formatBars([], "█")).toEqual([]);
  });
});
