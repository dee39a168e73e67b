import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { createCounters } from "../../src/core/index/cost.ts";
import { type RequestRecord, type TraceEnv, traceRequests } from "../../src/http/trace.ts";
import { ANONYMOUS } from "../../src/surface/access/caller.ts";

type Call = RequestRecord["calls"][number];

const CALL: Call = {
  tool: "read",
  outcome: "answered",
  cost: { ...createCounters(), waves: 1, reads: 2, bytes: 300 },
  tokens: 90,
};

/** What is written of a request with these calls. */
async function pointsOf(calls: readonly Call[], corpus = "", headers: Record<string, string> = {}) {
  const points: unknown[] = [];
  const app = new Hono<TraceEnv>();
  app.use(traceRequests());
  app.post("/mcp", (context) => {
    const { record } = context.var;
    record.generation = "0123456789ab";
    record.corpus = corpus;
    record.calls.push(...calls);
    record.count({ ...createCounters(), waves: 3, reads: 5, bytes: 700 });
    context.set("caller", { ...ANONYMOUS, name: "docs" });
    return context.body("twelve bytes", 200, { "Content-Length": "12" });
  });
  const METRICS = { writeDataPoint: (point: unknown) => void points.push(point) };
  await app.request("/mcp", { method: "POST", headers }, { LOG_LEVEL: "off", METRICS });
  return points;
}

describe("data points", () => {
  it("are one of each call with its own outcome and cost, in the order that is documented", async () => {
    expect(await pointsOf([CALL, { ...CALL, tool: "inspect", outcome: "refused" }])).toEqual([
      {
        indexes: ["read"],
        blobs: ["tool", "answered", "2025", "0123456789ab", "key:docs", ""],
        doubles: [1, 2, 300, 90, 200, 12],
      },
      expect.objectContaining({
        indexes: ["inspect"],
        blobs: ["tool", "refused", "2025", "0123456789ab", "key:docs", ""],
      }),
    ]);
  });

  it("are one of a request without calls", async () => {
    expect(await pointsOf([], "v2", { "MCP-Protocol-Version": "2026-07-28" })).toEqual([
      {
        indexes: ["/mcp"],
        blobs: ["route", "answered", "2026", "0123456789ab", "key:docs", "v2"],
        doubles: [3, 5, 700, 0, 200, 12],
      },
    ]);
  });

  it("stay below what the platform takes of one request", async () => {
    expect((await pointsOf(Array.from({ length: 100 }, () => CALL))).length).toBeLessThanOrEqual(25);
  });
});
