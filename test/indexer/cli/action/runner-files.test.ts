/** Outputs come back as they were, whatever they hold. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { formatOutputs } from "../../../../indexer/cli/action/runner.ts";
import { parseOutputs } from "../../../support/run-action.ts";
import { runs } from "../../../support/runs.ts";

it("writes outputs that are read back, and no others", () => {
  const value = fc
    .array(fc.constantFrom("\n", "a=b", "c<<end", "end-1", " ", "x"), { maxLength: 8 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("a", "b-c", "d"), value), (outputs) => {
      expect(parseOutputs(formatOutputs(outputs))).toEqual({ ...outputs });
    }),
    { numRuns: runs(200) },
  );
});

it("takes another mark where a value holds the first", () => {
  const marks = ["1", "2"];
  const text = formatOutputs({ a: "x\nend-1\nb=injected" }, () => marks.shift() ?? "none");
  expect(parseOutputs(text)).toEqual({ a: "x\nend-1\nb=injected" });
});
