/** The bytes of a build log. */
import { expect, test } from "vitest";
import { encodeLog, type LoggedFinding } from "../../../src/core/format/build-log.ts";

test("a severity that readers would refuse is refused when it is written", () => {
  const finding = { severity: "toString", code: "c", message: "m", collection: "a", path: "", line: 0 };
  const log = {
    skipped: [],
    diagnosticCount: 1,
    diagnostics: [finding as unknown as LoggedFinding],
    facetKeysLeftOut: [],
  };
  expect(() => encodeLog(log, (bytes) => bytes)).toThrow("no severity: toString of c");
});
