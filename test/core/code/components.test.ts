import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeLinkGraph } from "../../../indexer/topics/graph/link-graph.ts";
import { findComponents } from "../../../src/core/code/components.ts";
import { anyGraph, idsOf, slowComponents } from "../../support/random-graph.ts";
import { runs } from "../../support/runs.ts";

describe("strongly connected components", () => {
  it("are the sets that all lead to one another, on any graph", () => {
    fc.assert(
      fc.property(anyGraph, ({ count, links, graph }) => {
        expect(findComponents(graph)).toEqual(slowComponents(count, links));
      }),
      { numRuns: runs(1000) },
    );
  });

  it("are none of a graph without links, and none of nothing", () => {
    expect(findComponents(makeLinkGraph(["code:a.ts"], []))).toEqual([]);
    expect(findComponents(makeLinkGraph([], []))).toEqual([]);
  });

  it("need no stack: one ring of 100,000 files is one component", () => {
    const count = 100_000;
    const ring = Array.from({ length: count }, (_, from) => ({ from, to: (from + 1) % count, typeOnly: false }));
    const components = findComponents(makeLinkGraph(idsOf(count), ring));
    expect(components.map(({ length }) => length)).toEqual([count]);
  });
});
