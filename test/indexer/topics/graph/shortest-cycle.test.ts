import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCycles } from "../../../../indexer/topics/graph/insights.ts";
import { type LinkGraph, makeLinkGraph } from "../../../../indexer/topics/graph/link-graph.ts";
import { findComponents } from "../../../../src/core/code/components.ts";
import { anyGraph, distancesOf, idsOf } from "../../../support/random-graph.ts";
import { runs } from "../../../support/runs.ts";

function cyclesOf(links: LinkGraph): (readonly number[])[] {
  return findCycles({ nodes: [], links }).map(({ path }) => path);
}

describe("the cycle of a component", () => {
  it("is one of its shortest, each file once, the least first, on any graph", () => {
    let found = 0;
    fc.assert(
      fc.property(anyGraph, ({ count, links, graph }) => {
        const far = distancesOf(count, links);
        for (const [set, component] of findComponents(graph).entries()) {
          found++;
          const cycle = cyclesOf(graph)[set] ?? [];
          expect(cycle.length).toBe(Math.min(...component.map((node) => far[node]?.[node] ?? 0)));
          expect(new Set(cycle).size).toBe(cycle.length);
          expect(cycle[0]).toBe(Math.min(...cycle));
          for (const [at, node] of cycle.entries()) {
            expect(component).toContain(node);
            expect(far[node]?.[cycle[(at + 1) % cycle.length] ?? 0]).toBe(1);
          }
        }
      }),
      { numRuns: runs(1000) },
    );
    expect(found).toBeGreaterThan(runs(1000) / 4);
  });

  it("is the whole of a ring, and the way across where there is one", () => {
    const count = 20_000;
    const ring = Array.from({ length: count }, (_, from) => ({ from, to: (from + 1) % count, typeOnly: false }));
    const all = ring.map(({ from }) => from);
    expect(cyclesOf(makeLinkGraph(idsOf(count), ring))).toEqual([all]);
    const across = [...ring, { from: 700, to: 500, typeOnly: false }];
    expect(cyclesOf(makeLinkGraph(idsOf(count), across))).toEqual([all.slice(500, 701)]);
  });

  it("is found in large rings without a short one in bounded work", () => {
    // Two links out of each of 30,000 files, to those 1 and 173 further: the shortest cycle has 174 files or so.
    const count = 30_000;
    const links = Array.from({ length: count }, (_, from) =>
      [1, 173].map((step) => ({ from, to: (from + step) % count, typeOnly: false })),
    ).flat();
    const graph = makeLinkGraph(idsOf(count), links);
    const [cycle = []] = cyclesOf(graph);
    for (const [at, node] of cycle.entries()) {
      const to = cycle[(at + 1) % cycle.length] as number;
      expect([1, 173]).toContain((to - node + count) % count);
    }
  });
});
