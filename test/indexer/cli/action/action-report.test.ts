/** What a run is reported as: figures as they were returned, and never more than GitHub takes. */
import { describe, expect, it } from "vitest";
import { formatComment, formatSummary, reportOutputs } from "../../../../indexer/cli/action/run-action.ts";
import type { BuildSummary } from "../../../../indexer/index/build.ts";
import type { LoggedFinding } from "../../../../src/core/format/build-log.ts";

type ActionReport = Parameters<typeof formatSummary>[0];

const build: BuildSummary = {
  levels: [],
  ...{ base: "0123456789ab", added: 0, changed: 0, deleted: 0, newBytes: 0, reusedBytes: 0, notice: "" },
  ...{
    generation: "aaaaaaaaaaaa",
    commit: "none",
    documents: 1234,
    sections: 1,
    words: 1,
    symbols: 56,
    terms: 1,
    files: 1,
  },
  ...{
    indexBytes: 1,
    textBytes: 1,
    skipped: [],
    diagnostics: [],
    diagnosticCount: 0,
    facetKeysLeftOut: [],
    failOn: [],
  },
};
const publish = {
  ...{ generation: "aaaaaaaaaaaa", replaced: "bbbbbbbbbbbb", switched: true, uploadedFiles: 4, uploadedBytes: 243_665 },
  ...{ reusedFiles: 17, reusedBytes: 69_811_264, kept: [], requests: 6, seconds: 1, dryRun: false },
};
const report: ActionReport = {
  ...{
    corpus: "v2",
    root: ".",
    url: "https://search.example.org/v2",
    requests: 6,
    seconds: 3.912,
    failures: [],
    notices: [],
  },
  task: { kind: "publish", why: "" },
  before: { generation: "0123456789ab", from: "cache" },
  steps: [{ name: "build", seconds: 2.1 }],
  changes: { added: 2, changed: 1, deleted: 0 },
  findings: { fresh: [], fixed: [], total: 3, listed: 3, isPartial: false },
  build,
  publish,
};

function finding(message: string): LoggedFinding {
  return { severity: "warning", code: "broken-link", message, collection: "docs", path: "a.md", line: 3 };
}

describe("a summary", () => {
  it("has the figures", () => {
    expect(formatSummary(report).split("\n")).toEqual([
      "### Treeline `v2`: published `aaaaaaaaaaaa`",
      "",
      "| | |",
      "|---|---|",
      "| Address | <https://search.example.org/v2> |",
      "| Generation | `aaaaaaaaaaaa` (replaces `bbbbbbbbbbbb`) |",
      "| Pages | 1,234 (2 added, 1 changed, 0 deleted) |",
      "| Symbols | 56 |",
      "| Uploaded | 4 files, 243.7 kB (243,665 bytes) |",
      "| Reused | 17 files, 69.81 MB (69,811,264 bytes) |",
      "| Requests | 6 |",
      "| Built on | `0123456789ab` out of the cache |",
      "| Seconds | 3.91 (build 2.10) |",
      "| Findings | 0 new, 0 fixed, 3 in all |",
      "",
      "",
    ]);
  });

  it("says of a dry run what would be, and of a build from scratch why", () => {
    const text = formatSummary({
      ...report,
      task: { kind: "dry-run", why: "A pull request publishes nothing." },
      publish: { ...publish, dryRun: true },
      build: { ...build, base: "", notice: "more than a quarter changed" },
    });
    expect(text).toContain("### Treeline `v2`: dry run of `aaaaaaaaaaaa`\n\nA pull request publishes nothing.\n");
    expect(text).toContain("(would replace `bbbbbbbbbbbb`)");
    expect(text).toContain("| Would upload | 4 files");
    expect(text).toContain("| Built on | nothing: `more than a quarter changed` |");
  });

  it("lists some findings and counts the others", () => {
    const fresh = Array.from({ length: 60 }, (_, at) => finding(`link to ${at}`));
    const text = formatSummary({
      ...report,
      findings: { fresh, fixed: [], total: 70_000, listed: 10_000, isPartial: true },
      placeOf: () => "docs/a.md",
    });
    expect(text.match(/^- warning in `docs\/a.md:3`/gm)).toHaveLength(50);
    expect(text).toContain("… and 10 more.");
    expect(text).toContain("There are more findings than logs hold");
    expect(text).toContain("| Findings | 60 new, 0 fixed, 70,000 in all, 10,000 of them in the log |");
    const first = formatSummary({
      ...{ corpus: "", root: ".", url: "", requests: 0, seconds: 1, steps: [], failures: [], notices: [] },
      findings: { fresh, fixed: [], total: 70_000, listed: 10_000, isPartial: false },
    });
    expect(first).toContain("… and 69,950 more.");
  });
});

describe("a comment", () => {
  it("begins with its mark and is cut to what GitHub takes, at a line", () => {
    const text = formatComment({
      ...report,
      failures: Array.from({ length: 500 }, (_, at) => `${at} ${"x".repeat(280)}`),
    });
    expect(text.startsWith("<!-- treeline:v2 -->\n### ")).toBe(true);
    expect(text.length).toBeLessThan(65_536);
    expect(text).toMatch(/x`\n{2,3}… and more in the summary of the job\.\n$/);
  });
});

describe("outputs", () => {
  it("are empty for what a run did not come to", () => {
    const { before: _, build: __, publish: ___, findings: ____, ...rest } = report;
    expect(reportOutputs(rest)).toEqual({
      ...{ generation: "", pages: "", symbols: "", "uploaded-bytes": "", "reused-bytes": "", "new-findings": "" },
      ...{ seconds: "3.91", url: "https://search.example.org/v2", published: "false" },
    });
    expect(reportOutputs(report)).toMatchObject({ published: "true", "uploaded-bytes": "243665", "new-findings": "0" });
  });
});
