import { expect, it } from "vitest";
import { quoteName, quoteValue } from "../../../src/core/text/nearest.ts";

it("shows a value as JSON, and numbers that JSON lacks by their names", () => {
  expect([quoteValue("a"), quoteValue({ a: [1] }), quoteValue(Number.NaN), quoteValue(undefined)]).toEqual([
    '"a"',
    '{"a":[1]}',
    "NaN",
    "undefined",
  ]);
});

it("shortens a long value", () => {
  expect(quoteValue("x".repeat(1000))).toBe(`"${"x".repeat(59)}…`);
});

it("keeps more of a name, and its quotes", () => {
  expect(quoteName("guide/install.md")).toBe('"guide/install.md"');
  expect(quoteName(`a"${"x".repeat(1000)}`)).toBe(`"a\\"${"x".repeat(198)}…"`);
});
