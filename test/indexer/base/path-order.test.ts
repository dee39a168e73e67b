/**
 * The order of paths, with the bytes themselves as the oracle.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { comparePaths } from "../../../indexer/base/globs.ts";
import { runs } from "../../support/runs.ts";

test("orders any two paths as their UTF-8 bytes", () => {
  const path = fc.string({
    unit: fc.oneof(fc.constantFrom("a", "/", "é", "\uFFFD", "\uE000", "\u{10000}", "\u{1F600}"), fc.string()),
  });
  fc.assert(
    fc.property(path, path, (a, b) => {
      expect(Math.sign(comparePaths(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { numRuns: runs(2000) },
  );
});
