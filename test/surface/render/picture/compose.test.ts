import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { composePicture, type Picture } from "../../../../src/surface/render/picture/compose.ts";
import {
  foldGraph,
  type Graph,
  makeFolders,
  type Point,
  type Rectangle,
} from "../../../../src/surface/render/picture/fold-graph.ts";
import { anyPicture } from "../../../support/random-picture.ts";
import { runs } from "../../../support/runs.ts";

function compose(graph: Graph, limit: number, maxLinks = 1000): Picture {
  const root = makeFolders(graph.ids);
  return composePicture(foldGraph(graph, root, root, limit, true), maxLinks);
}

/** What a label covers: its letters reach half of their height above and below the middle. */
function areaOf({ x, y, text, size }: Picture["boxes"][number]["label"]): Rectangle {
  return { x, y: y - size / 2, width: Math.ceil([...text].length * size * 0.62), height: size };
}

const SLACK = 1e-6;

function isInside(inner: Rectangle, outer: Rectangle): boolean {
  return (
    inner.x >= outer.x - SLACK &&
    inner.y >= outer.y - SLACK &&
    inner.x + inner.width <= outer.x + outer.width + SLACK &&
    inner.y + inner.height <= outer.y + outer.height + SLACK
  );
}

function meet(a: Rectangle, b: Rectangle): boolean {
  return (
    a.x + SLACK < b.x + b.width &&
    b.x + SLACK < a.x + a.width &&
    a.y + SLACK < b.y + b.height &&
    b.y + SLACK < a.y + a.height
  );
}

/** Pairs that cover something in common, by a sweep from left to right. */
function findMeeting(areas: readonly Rectangle[]): [Rectangle, Rectangle][] {
  const sorted = [...areas].sort((a, b) => a.x - b.x);
  return sorted.flatMap((area, at) => {
    const found: [Rectangle, Rectangle][] = [];
    for (let next = at + 1; next < sorted.length && (sorted[next] as Rectangle).x < area.x + area.width; next++) {
      if (meet(area, sorted[next] as Rectangle)) found.push([area, sorted[next] as Rectangle]);
    }
    return found;
  });
}

function isOnSide({ x, y }: Point, box: Rectangle): boolean {
  const isAtEnd = Math.abs(x - box.x) < SLACK || Math.abs(x - box.x - box.width) < SLACK;
  return isAtEnd && Math.abs(y - box.y - box.height / 2) < SLACK;
}

describe("a picture", () => {
  it("has all boxes apart, labels in them and ways between their sides, of any graph of up to 500 files", () => {
    fc.assert(
      fc.property(anyPicture(500), fc.constantFrom(60, 500), (graph, limit) => {
        const picture = compose(graph, limit);
        const { boxes, ways, width, height } = picture;
        const whole = { x: 0, y: 0, width, height };
        expect(findMeeting(boxes)).toEqual([]);
        expect(findMeeting(boxes.map(({ label }) => areaOf(label)))).toEqual([]);
        for (const box of boxes) {
          expect(isInside(box, whole)).toBe(true);
          expect(isInside(areaOf(box.label), box)).toBe(true);
        }
        for (const { link, points } of ways) {
          const [first, last] = [points[0] as Point, points.at(-1) as Point];
          expect(isOnSide(first, boxes[link.from] as Rectangle)).toBe(true);
          expect(isOnSide(last, boxes[link.to] as Rectangle)).toBe(true);
          for (const { x, y } of points) expect(isInside({ x, y, width: 0, height: 0 }, whole)).toBe(true);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it("is the same each time, and has a way for every link or counts it", () => {
    fc.assert(
      fc.property(anyPicture(80), fc.integer({ min: 0, max: 50 }), (graph, maxLinks) => {
        const root = makeFolders(graph.ids);
        const folded = foldGraph(graph, root, root, 60, true);
        const picture = composePicture(folded, maxLinks);
        expect(picture).toEqual(composePicture(folded, maxLinks));
        expect(picture.ways.length).toBeLessThanOrEqual(maxLinks);
        expect(picture.ways.length + picture.linksNotDrawn).toBe(folded.links.length);
        expect(picture.boxes.map(({ box }) => box)).toEqual(folded.boxes);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe("a picture of layers", () => {
  const ids = ["code:a.ts", "code:b.ts", "code:c.ts", "code:d.ts", "code:lonely.ts"];
  const link = (from: number, to: number) => ({ from, to, typeOnly: false });

  it("leads from left to right, passes between boxes, and has what is alone below", () => {
    const links = [link(0, 1), link(1, 2), link(2, 3), link(0, 3)];
    const { boxes, ways, looseTop } = compose({ ids, links }, 60);
    const lefts = boxes.map(({ x }) => x);
    for (const at of [1, 2, 3]) expect(lefts[at]).toBeGreaterThan(lefts[at - 1] as number);
    expect(looseTop).toBeLessThan((boxes[4] as Rectangle).y);
    const long = ways.find((way) => way.link.from === 0 && way.link.to === 3);
    // The first two are where it leaves its box and where the layer ends.
    for (const { x, y } of long?.points.slice(2, -1) ?? []) {
      for (const box of boxes) expect(isInside({ x, y, width: 0, height: 0 }, box)).toBe(false);
    }
    expect(long?.points.length).toBeGreaterThan(4);
  });

  it("draws what closes a cycle from right to left", () => {
    const { boxes, ways } = compose({ ids, links: [link(0, 1), link(1, 2), link(2, 0)] }, 60);
    const back = ways.filter(({ link: { from, to } }) => (boxes[from] as Rectangle).x > (boxes[to] as Rectangle).x);
    expect(back).toHaveLength(1);
  });

  it("shows a hub larger", () => {
    const hub = Array.from({ length: 12 }, (_, at) => `code:user-${at}.ts`);
    const graph = { ids: ["code:hub.ts", ...hub], links: hub.map((_, at) => link(at + 1, 0)) };
    const { boxes } = compose(graph, 60);
    expect(boxes[0]?.height).toBeGreaterThan(boxes[1]?.height ?? 0);
    expect(boxes[0]?.label.size).toBeGreaterThan(boxes[1]?.label.size ?? 0);
  });
});
