import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWebAddress } from "../../../src/core/text/addresses.ts";
import { runs } from "../../support/runs.ts";

describe("addresses that a link may have", () => {
  it.each(["", "/a?b#c", "guide/", "//other.example/a", "http://other.example", " HTTPS://other.example", "a b:c"])(
    "are %j",
    (address) => {
      expect(isWebAddress(address)).toBe(true);
    },
  );

  it.each(["javascript:alert(1)", " java\tscript:alert(1)", "\u0001JavaScript:1", "data:text/html,x", "mailto:a@b"])(
    "are not %j",
    (address) => {
      expect(isWebAddress(address)).toBe(false);
    },
  );

  it("are those that a browser takes for some of the web", () => {
    const characters = [..."javscript:/.#+ \t\n\r\u0001aZ0", "http", "https", "javascript", "data"];
    const anyAddress = fc.array(fc.constantFrom(...characters), { maxLength: 8 }).map((all) => all.join(""));
    fc.assert(
      fc.property(anyAddress, (address) => {
        fc.pre(URL.canParse(address, "https://site.invalid/a/"));
        const { protocol } = new URL(address, "https://site.invalid/a/");
        expect(isWebAddress(address)).toBe(protocol === "https:" || protocol === "http:");
      }),
      { numRuns: runs(1000) },
    );
  });
});
