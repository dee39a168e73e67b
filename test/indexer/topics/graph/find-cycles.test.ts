import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCycles } from "../../../../indexer/topics/graph/insights.ts";
import { anyGraph, distancesOf, slowComponents } from "../../../support/random-graph.ts";
import { runs } from "../../../support/runs.ts";

describe("import cycles", () => {
  it("are of types alone where no component is left without those imports, on any graph", () => {
    let typeOnly = 0;
    let both = 0;
    fc.assert(
      fc.property(anyGraph, ({ count, links, graph }) => {
        // Several imports of one file by another are of types alone where each of them is.
        const isLeft = ({ from, to }: (typeof links)[number]): boolean =>
          links.some((link) => link.from === from && link.to === to && !link.typeOnly);
        const left = slowComponents(count, links.filter(isLeft)).flat();
        const found = findCycles({ nodes: [], links: graph });
        const components = slowComponents(count, links);
        const far = distancesOf(count, links);
        expect(found.map(({ size }) => size)).toEqual(components.map(({ length }) => length));
        for (const [at, cycle] of found.entries()) {
          const component = components[at] ?? [];
          expect(cycle.typeOnly).toBe(!component.some((node) => left.includes(node)));
          expect(cycle.path.length).toBe(Math.min(...component.map((node) => far[node]?.[node] ?? 0)));
          if (cycle.typeOnly) typeOnly++;
          else both++;
        }
      }),
      { numRuns: runs(1000) },
    );
    expect(Math.min(typeOnly, both)).toBeGreaterThan(25);
  });
});
