import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { orderNodes } from "../../../../src/surface/render/picture/compose.ts";
import { anyGraph } from "../../../support/random-graph.ts";
import { runs } from "../../../support/runs.ts";

describe("an order of nodes", () => {
  it("gives each a place of its own, and turns no more than half of the links, on any graph", () => {
    fc.assert(
      fc.property(anyGraph, ({ count, links }) => {
        const places = orderNodes(count, links);
        expect([...places].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, at) => at));
        const distinct = [...new Map(links.map((link) => [`${link.from} ${link.to}`, link])).values()];
        const own = distinct.filter(({ from, to }) => from !== to);
        const turned = own.filter(({ from, to }) => (places[from] as number) > (places[to] as number));
        expect(2 * turned.length).toBeLessThanOrEqual(own.length);
      }),
      { numRuns: runs(1000) },
    );
  });

  it("turns no link where there is no cycle", () => {
    fc.assert(
      fc.property(anyGraph, ({ count, links }) => {
        const forward = links.filter(({ from, to }) => from < to);
        const places = orderNodes(count, forward);
        for (const { from, to } of forward) expect(places[from]).toBeLessThan(places[to] as number);
      }),
      { numRuns: runs(500) },
    );
  });
});
