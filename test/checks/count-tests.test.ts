import { describe, expect, it } from "vitest";
import { countTests, formatCounts, listFailures, sumCounts } from "../support/count-tests.ts";

const file = (status: string, ...statuses: string[]) => ({
  status,
  assertionResults: statuses.map((each) => ({ status: each })),
});

describe("the counts of a test run", () => {
  it("add up the tests of all files", () => {
    const report = { testResults: [file("passed", "passed", "passed"), file("failed", "passed", "failed", "pending")] };
    expect(countTests(report, 1)).toEqual({ passed: 3, failed: 1, skipped: 1 });
  });

  it("of several runs are added up", () => {
    const counts = { passed: 1, failed: 2, skipped: 0 };
    expect(sumCounts([counts, { passed: 5, failed: 0, skipped: 1 }])).toEqual({ passed: 6, failed: 2, skipped: 1 });
  });

  it("count a file that does not load as one failure", () => {
    expect(countTests({ testResults: [file("failed"), file("passed", "passed")] }, 1)).toEqual({
      passed: 1,
      failed: 1,
      skipped: 0,
    });
  });

  it("count a crash without a report as a failure", () => {
    expect(countTests(undefined, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it("count an error outside of all tests as a failure", () => {
    expect(countTests({ testResults: [file("passed", "passed")] }, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it("stand on one plain line", () => {
    expect(formatCounts({ passed: 12, failed: 0, skipped: 0 })).toBe("12 passed, 0 failed");
    expect(formatCounts({ passed: 12, failed: 1, skipped: 3 })).toBe("12 passed, 1 failed, 3 skipped");
  });

  it("stand behind the names of what failed", () => {
    const failed = { status: "failed", fullName: "a box opens", failureMessages: ["Error: closed\n    at box.ts:1"] };
    const report = {
      testResults: [
        { name: "box.test.ts", status: "failed", assertionResults: [{ status: "passed" }, failed] },
        { name: "other.test.ts", status: "failed", message: "does not load", assertionResults: [] },
        { name: "good.test.ts", status: "passed", assertionResults: [{ status: "passed" }] },
      ],
    };
    expect(listFailures(report)).toEqual([
      "FAIL box.test.ts > a box opens\n  Error: closed\n      at box.ts:1",
      "FAIL other.test.ts > the file\n  does not load",
    ]);
    expect(listFailures(undefined)).toEqual([]);
  });
});
