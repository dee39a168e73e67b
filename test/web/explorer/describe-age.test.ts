import { describe, expect, it } from "vitest";
import { describeAge } from "../../../src/web/explorer/describe-age.ts";

const NOW = Date.parse("2026-06-10T12:00:00Z");

describe("the age of a time", () => {
  it.each([
    ["2026-06-10T12:00:00Z", "just now"],
    ["2026-06-10T11:59:01Z", "just now"],
    ["2026-06-10T11:59:00Z", "1 minute ago"],
    ["2026-06-10T11:00:01Z", "59 minutes ago"],
    ["2026-06-10T10:00:00Z", "2 hours ago"],
    ["2026-06-09T12:00:00Z", "yesterday"],
    ["2026-05-01T12:00:00Z", "40 days ago"],
    ["2027-01-01T00:00:00Z", "just now"],
  ])("%s is %s", (time, expected) => expect(describeAge(Date.parse(time), NOW)).toBe(expected));

  it("is none where there is no time", () => expect(describeAge(Number.NaN, NOW)).toBeUndefined());
});
