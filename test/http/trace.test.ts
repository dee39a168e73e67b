import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCounters } from "../../src/core/index/cost.ts";
import { RequestRecord } from "../../src/http/trace.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";

const idOf = (header: string | null): string => new RequestRecord(header).trace;

describe("the id of a request", () => {
  it.each([`00-${TRACE}-b7ad6b7169203331-01`, `cc-${TRACE}-b7ad6b7169203331-01-what-the-future-brings`])(
    "is that of %s",
    (header) => expect(idOf(header)).toBe(TRACE),
  );

  it.each([
    null,
    "",
    TRACE,
    `ff-${TRACE}-b7ad6b7169203331-01`,
    `00-${TRACE}-b7ad6b7169203331-01-more`,
    `00-${TRACE.toUpperCase()}-b7ad6b7169203331-01`,
    `00-${"0".repeat(32)}-b7ad6b7169203331-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE}-b7ad6b7169203331-1`,
    `00-${TRACE}\n-b7ad6b7169203331-01`,
  ])("is its own where it gets %j", (header) => expect(idOf(header)).not.toBe(TRACE));
});

describe("RequestRecord", () => {
  it("has an id of 32 digits whatever the header holds", () => {
    fc.assert(fc.property(fc.string(), (header) => /^[0-9a-f]{32}$/.test(new RequestRecord(header).trace)));
    expect(new RequestRecord(null).trace).not.toBe(new RequestRecord(null).trace);
  });

  it("adds up what was read with several counters, each once and as it stands at the end", () => {
    const record = new RequestRecord(null);
    const [first, second] = [createCounters(), createCounters()];
    for (const counters of [first, first, second]) record.count(counters);
    first.reads = 2;
    second.reads = 3;
    second.bytes = 100;
    expect(record.cost()).toMatchObject({ reads: 5, bytes: 100 });
  });
});
