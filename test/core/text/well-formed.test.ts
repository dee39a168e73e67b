/** Halves of characters. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { toWellFormed } from "../../../src/core/text/short-text.ts";

test("what is left can be written as UTF-8 and read again, and whole characters stay", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "\ud83d", "\udcda", "é", "\ud83d\udcda")), (parts) => {
      const text = parts.join("");
      // Writing to UTF-8 does the same to such halves.
      expect(toWellFormed(text)).toBe(new TextDecoder().decode(new TextEncoder().encode(text)));
    }),
  );
});
