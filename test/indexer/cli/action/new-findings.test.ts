/** Findings that are new: those of a build that the index before did not have. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareFindings } from "../../../../indexer/cli/action/index-before.ts";
import type { LoggedFinding, LogRecord } from "../../../../src/core/format/build-log.ts";
import { runs } from "../../../support/runs.ts";

function finding(line: number, more: Partial<LoggedFinding> = {}): LoggedFinding {
  return {
    severity: "warning",
    code: "broken-link",
    message: "link to a",
    collection: "docs",
    path: "p.md",
    line,
    ...more,
  };
}

function log(diagnostics: readonly LoggedFinding[], more: Partial<LogRecord> = {}): LogRecord {
  return { skipped: [], diagnosticCount: diagnostics.length, diagnostics, facetKeysLeftOut: [], ...more };
}

describe("findings", () => {
  it("are old on other lines, and new in other files, of other rules, tools and messages", () => {
    const before = log([finding(3)]);
    expect(compareFindings(log([finding(30)]), before)).toMatchObject({ fresh: [], fixed: [], total: 1 });
    for (const more of [
      { path: "q.md" },
      { code: "secret" },
      { tool: "eslint" },
      { message: "link to b" },
      { severity: "error" as const },
    ]) {
      const now = finding(3, more);
      expect(compareFindings(log([now]), before)).toMatchObject({ fresh: [now], fixed: [finding(3)] });
    }
  });

  it("are matched by their lines first where several are alike", () => {
    const { fresh } = compareFindings(log([3, 8, 20].map((line) => finding(line))), log([finding(8), finding(20)]));
    expect(fresh).toEqual([finding(3)]);
    const { fresh: behind } = compareFindings(
      log([4, 9, 30].map((line) => finding(line))),
      log([finding(3), finding(8)]),
    );
    expect(behind).toEqual([finding(30)]);
  });

  it("are all new where there is nothing before, the worst first", () => {
    const { fresh } = compareFindings(log([finding(1), finding(2, { severity: "error" })]), undefined);
    expect(fresh.map(({ severity }) => severity)).toEqual(["error", "warning"]);
  });

  it("hold skipped files, and say where logs left some out", () => {
    const skipped = [{ collection: "docs", path: "big.md", reason: "too-large", message: "too large" }];
    const now = compareFindings(log([], { skipped }), log([]));
    expect(now.fresh).toEqual([finding(0, { code: "skipped", path: "big.md", message: "skipped: too large" })]);
    expect(now.isPartial).toBe(false);
    expect(compareFindings(log([], { diagnosticCount: 2 }), log([])).isPartial).toBe(true);
  });

  it("are neither new nor fixed where a log left some out", () => {
    const [cut, whole] = [log([finding(1)], { diagnosticCount: 2 }), log([finding(1, { path: "q.md" })])];
    expect(compareFindings(cut, whole)).toMatchObject({ fresh: [], fixed: [], total: 2, listed: 1, isPartial: true });
    expect(compareFindings(whole, cut)).toMatchObject({ fresh: [], fixed: [], total: 1, listed: 1, isPartial: true });
    expect(compareFindings(cut, undefined)).toMatchObject({ fresh: [finding(1)], isPartial: false });
  });

  it("balance: what is new and what is fixed is what one log has more of than the other", () => {
    const some = fc.array(
      fc.record({ line: fc.nat({ max: 5 }), path: fc.constantFrom("a", "b"), message: fc.constantFrom("m", "n") }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(some, some, (a, b) => {
        const [now, before] = [a, b].map((list) => list.map(({ line, ...more }) => finding(line, more)));
        const { fresh, fixed } = compareFindings(log(now ?? []), log(before ?? []));
        const count = (list: readonly LoggedFinding[], like: LoggedFinding): number =>
          list.filter(({ path, message }) => path === like.path && message === like.message).length;
        for (const like of [...(now ?? []), ...(before ?? [])]) {
          const more = count(now ?? [], like) - count(before ?? [], like);
          expect(count(fresh, like)).toBe(Math.max(0, more));
          expect(count(fixed, like)).toBe(Math.max(0, -more));
        }
        expect(compareFindings(log(now ?? []), log(now ?? [])).fresh).toEqual([]);
      }),
      { numRuns: runs(200) },
    );
  });
});
