/** What reaches a terminal. */
import { expect, test } from "vitest";
import { toPrintable } from "../../../indexer/base/diagnostic.ts";

test("controls and marks that turn text around are written out, letters and emoji stay", () => {
  expect(toPrintable("a\u202eb\u0000\n\u001b[2J\u2028\u{e0041}é👍")).toBe(
    "a\\u{202e}b\\u{0}\\u{a}\\u{1b}[2J\\u{2028}\\u{e0041}é👍",
  );
});
