import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFolder, foldGraph, listFolders, makeFolders } from "../../../../src/surface/render/picture/fold-graph.ts";
import { anyPicture } from "../../../support/random-picture.ts";
import { runs } from "../../../support/runs.ts";

const link = (from: number, to: number, typeOnly = false) => ({ from, to, typeOnly });
const IDS = ["code:src/a/one.ts", "code:src/a/two.ts", "code:src/b/three.ts", "code:src/main.ts", "code:test/main.ts"];
const ROOT = makeFolders(IDS);

describe("a folded graph", () => {
  it("has every file of its folder in one box, and every link in a box, between boxes or counted, on any graph", () => {
    fc.assert(
      fc.property(anyPicture(120), fc.nat(), fc.integer({ min: 1, max: 80 }), (graph, choice, limit) => {
        const root = makeFolders(graph.ids);
        const folders = ["", ...listFolders(root)];
        const shown = findFolder(root, folders[choice % folders.length] as string) ?? root;
        const folded = foldGraph(graph, root, shown, limit, true);
        const inside = folded.boxes.filter(({ kind }) => kind !== "outside");
        const isIn = (file: number): boolean => (graph.ids[file] as string).startsWith(folded.folder);
        expect(inside.length).toBeLessThanOrEqual(Math.max(limit, 2));
        expect(folded.boxes.length - inside.length).toBeLessThanOrEqual(8);
        expect(inside.reduce((sum, { files }) => sum + files, 0)).toBe(graph.ids.filter((_, at) => isIn(at)).length);
        const touching = graph.links.filter(({ from, to }) => isIn(from) || isIn(to)).length;
        const between = folded.links.reduce((sum, { weight }) => sum + weight, 0);
        expect(between + folded.linksInside + folded.linksLeftOut).toBe(touching);
        for (const { from, to } of folded.links) expect(from).not.toBe(to);
      }),
      { numRuns: runs(300) },
    );
  });

  it("opens the largest folders as long as there is room", () => {
    const labels = (limit: number): string[] =>
      foldGraph({ ids: IDS, links: [] }, ROOT, ROOT, limit, true).boxes.map(({ label }) => label);
    expect(labels(2)).toEqual(["src/", "test/main.ts"]);
    expect(labels(4)).toEqual(["src/a/", "src/b/three.ts", "src/main.ts", "test/main.ts"]);
    expect(labels(5)).toEqual(IDS.map((id) => id.slice(5)));
  });

  it("keeps what is connected most where a folder has more than fits, and counts the rest", () => {
    const folder = findFolder(ROOT, "code:src") ?? ROOT;
    const { boxes } = foldGraph({ ids: IDS, links: [link(3, 4), link(4, 3)] }, ROOT, folder, 2, true);
    expect(boxes.map(({ kind, label, files }) => [kind, label, files])).toEqual([
      ["file", "main.ts", 1],
      ["rest", "3 more", 3],
      ["outside", "code:test/", 1],
    ]);
  });

  it("knows cycles of boxes, and says of links that they are of types alone where all of them are", () => {
    const links = [link(0, 2, true), link(1, 2, true), link(2, 0), link(3, 0)];
    const graph = { ids: IDS, links };
    const folded = foldGraph(graph, ROOT, ROOT, 4, true);
    const [a, b, main] = folded.boxes;
    expect([a?.cycle, b?.cycle, main?.cycle]).toEqual([1, 1, 0]);
    expect(folded.links[0]).toEqual({ from: 0, to: 1, weight: 2, typeOnly: true, isInCycle: true });
    expect(folded.links.map(({ isInCycle }) => isInCycle)).toEqual([true, true, false]);
    expect(foldGraph(graph, ROOT, ROOT, 4, false).boxes.every(({ cycle }) => cycle === 0)).toBe(true);
  });

  it("finds folders by their ids alone, with or without a slash", () => {
    for (const id of ["code:src/a/", "code:src/a"]) expect(findFolder(ROOT, id)?.id).toBe("code:src/a/");
    for (const id of ["src/a", "code:src/one", "code:src/a/one.ts", "__proto__", "code"]) {
      expect(findFolder(ROOT, id)).toBeUndefined();
    }
    expect(listFolders(ROOT)).toEqual(["code:", "code:src/", "code:src/a/", "code:src/b/", "code:test/"]);
  });
});
