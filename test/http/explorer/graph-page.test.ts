/** What of a graph is drawn: which neighbours, which links, and what is said of the rest. */
import { describe, expect, it } from "vitest";
import type { DrawnGraph } from "../../../src/core/docs/model.ts";
import { drawAround, prepareGraph } from "../../../src/http/explorer/graph-page.ts";

interface Given {
  readonly from: number;
  readonly to: number;
  readonly typeOnly: boolean;
  readonly weight?: number;
}
const link = (from: number, to: number, typeOnly = false): Given => ({ from, to, typeOnly });

function draw(ids: readonly string[], links: readonly Given[], opened: readonly number[], titles: string[] = []) {
  const graph = prepareGraph({ ids, links }, titles, true);
  return drawAround({ ...graph, kind: "imports", base: "", link: () => "" }, opened);
}

/** `a -> b`, `a <-> b` by the names of nodes. */
function namesOf({ nodes, links }: DrawnGraph): string[] {
  return links
    .map(({ from, to, isTwoWay }) => `${nodes[from]?.name} ${isTwoWay ? "<->" : "->"} ${nodes[to]?.name}`)
    .sort();
}

describe("the graph around a node", () => {
  const ids = ["code:a.ts", "code:b.ts", "code:c.ts", "code:deep/in/d.ts"];
  const links = [link(0, 1), link(1, 0), link(1, 2), link(0, 2, true), link(3, 2)];

  it("has its neighbours and its own links, both ways as one, and counts the others", () => {
    const drawn = draw(ids, links, [0]);
    expect(namesOf(drawn)).toEqual(["a.ts -> c.ts", "a.ts <-> b.ts"]);
    expect(drawn.nodes.map(({ name, more, isOpen }) => [name, more, isOpen])).toEqual([
      ["a.ts", 0, true],
      ["b.ts", 1, false],
      ["c.ts", 2, false],
    ]);
    expect(drawn.total).toBe(4);
    expect(drawn.links.find(({ isTypeOnly }) => isTypeOnly)).toMatchObject({ isTwoWay: false });
  });

  it("grows by the neighbours of each node that is opened", () => {
    const drawn = draw(ids, links, [0, 2]);
    expect(namesOf(drawn)).toEqual(["a.ts -> c.ts", "a.ts <-> b.ts", "b.ts -> c.ts", "d.ts -> c.ts"]);
    expect(drawn.nodes.every(({ more }) => more === 0)).toBe(true);
    expect(drawn.nodes.find(({ name }) => name === "d.ts")?.place).toBe("code:deep/in");
  });

  it("marks cycles, of their nodes and their links alone", () => {
    const { nodes, links: drawn } = draw(ids, links, [0]);
    expect(nodes.filter(({ isInCycle }) => isInCycle).map(({ name }) => name)).toEqual(["a.ts", "b.ts"]);
    expect(drawn.map(({ isInCycle, isTwoWay }) => isInCycle === isTwoWay)).toEqual([true, true]);
  });

  it("shows the heaviest ten neighbours in each direction, and how many links are left", () => {
    const many = Array.from({ length: 41 }, (_, at) => `docs:${at}.md`);
    const star = many
      .slice(1)
      .map((_, at): Given => ({ ...(at < 20 ? link(0, at + 1) : link(at + 1, 0)), weight: at }));
    const { nodes } = draw(many, star, [0]);
    expect(nodes[0]?.more).toBe(20);
    expect(nodes.slice(1).map(({ name }) => Number.parseInt(name, 10))).toEqual([
      ...Array.from({ length: 10 }, (_, at) => 20 - at),
      ...Array.from({ length: 10 }, (_, at) => 40 - at),
    ]);
  });

  it("calls pages by their titles, and by their file without one", () => {
    const { nodes } = draw(["docs:a.md", "docs:b.md"], [link(0, 1)], [0], ["The first", ""]);
    expect(nodes.map(({ name }) => name)).toEqual(["The first", "b.md"]);
  });
});
