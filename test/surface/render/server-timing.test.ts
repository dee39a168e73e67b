import { describe, expect, it } from "vitest";
import { createCounters } from "../../../src/core/index/cost.ts";
import { formatServerTiming } from "../../../src/surface/render/problem.ts";

/** `server-timing-metric = metric-name *( OWS ";" OWS param )`, a quoted description being the only parameter here. */
const METRIC = /^[a-z]+;desc="(\d+) [a-z ]+"$/;

describe("Server-Timing", () => {
  it("is a list of metrics by the standard's grammar, each beginning with its count", () => {
    const counters = createCounters();
    for (const [at, unit] of (Object.keys(counters) as (keyof typeof counters)[]).entries()) counters[unit] = 10 + at;
    const metrics = formatServerTiming(counters).split(", ");
    for (const metric of metrics) expect(metric).toMatch(METRIC);
    const shown = metrics.map((metric) => Number(METRIC.exec(metric)?.[1]));
    // Every unit but the reads at once, which no budget holds.
    expect(shown.sort()).toEqual([10, 11, 12, 13, 14, 15, 16, 17]);
    expect(new Set(metrics.map((metric) => metric.split(";")[0])).size).toBe(metrics.length);
  });
});
