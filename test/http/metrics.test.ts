import { describe, expect, it } from "vitest";
import { createCounters } from "../../src/core/index/cost.ts";
import { type ObservedCall, type RequestLine, toPoints } from "../../src/http/trace.ts";

const LINE: RequestLine = {
  level: "info",
  trace: "0af7651916cd43dd8448eb211c80319c",
  method: "POST",
  route: "/mcp",
  status: 200,
  outcome: "refused",
  caller: "key:docs",
  era: "2025",
  generation: "0123456789ab",
  waves: 3,
  reads: 5,
  bytesRead: 700,
};
const CALL: ObservedCall = {
  tool: "read",
  outcome: "answered",
  cost: { ...createCounters(), waves: 1, reads: 2, bytes: 300 },
  tokens: 90,
};

describe("toPoints", () => {
  it("makes a point of each call with its own outcome and cost, in the order that is documented", () => {
    const points = toPoints(LINE, [CALL, { ...CALL, tool: "inspect", outcome: "refused" }]);
    expect(points[0]).toEqual({
      indexes: ["read"],
      blobs: ["tool", "answered", "2025", "0123456789ab", "key:docs", ""],
      doubles: [1, 2, 300, 90, 200, 0],
    });
    expect(points[1]?.indexes).toEqual(["inspect"]);
    expect(points[1]?.blobs.slice(0, 2)).toEqual(["tool", "refused"]);
  });

  it("makes one point of a request without calls", () => {
    expect(toPoints({ ...LINE, answerBytes: 12, corpus: "v2" }, [])).toEqual([
      {
        indexes: ["/mcp"],
        blobs: ["route", "refused", "2025", "0123456789ab", "key:docs", "v2"],
        doubles: [3, 5, 700, 0, 200, 12],
      },
    ]);
  });

  it("stays below what the platform takes of one request", () => {
    expect(
      toPoints(
        LINE,
        Array.from({ length: 100 }, () => CALL),
      ).length,
    ).toBeLessThanOrEqual(25);
  });
});
