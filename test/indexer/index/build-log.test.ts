import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeBuildLog } from "../../../indexer/index/build-log.ts";

function finding(
  severity: "error" | "warning" | "info",
  collection: string,
  path: string,
  line: number,
  message = "m",
) {
  return { severity, code: "c", message, path, line, collection };
}

describe("makeBuildLog", () => {
  it("puts errors first, then what is in order of collection, path and line", () => {
    const { diagnostics } = makeBuildLog(
      [],
      [
        finding("info", "a", "a.md", 1),
        finding("warning", "b", "a.md", 1),
        finding("warning", "a", "b.md", 2),
        finding("warning", "a", "b.md", 1),
        finding("warning", "a", "a.md", 9),
        finding("error", "z", "z.md", 1),
      ],
      [],
    );
    expect(
      diagnostics.map(({ severity, collection, path, line }) => `${severity} ${collection}:${path}:${line}`),
    ).toEqual([
      "error z:z.md:1",
      "warning a:a.md:9",
      "warning a:b.md:1",
      "warning a:b.md:2",
      "warning b:a.md:1",
      "info a:a.md:1",
    ]);
  });

  it("does not depend on the order in which findings came", () => {
    const severities = ["error", "warning", "info"] as const;
    const all = Array.from({ length: 12 }, (_, n) =>
      finding(severities[n % 3] ?? "info", "c", `${n % 4}.md`, n % 2, `m${n}`),
    );
    const sorted = makeBuildLog([], all, []);
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
        expect(makeBuildLog([], shuffled, [])).toEqual(sorted);
      }),
    );
  });

  it("counts all findings and keeps two thousand, the worst ones", () => {
    const many = Array.from({ length: 2_500 }, (_, n) => finding(n < 2_400 ? "info" : "error", "a", "a.md", n));
    const log = makeBuildLog([], many, []);
    expect(log.diagnosticCount).toBe(2_500);
    expect(log.diagnostics).toHaveLength(2_000);
    expect(log.diagnostics.filter(({ severity }) => severity === "error")).toHaveLength(100);
  });
});
