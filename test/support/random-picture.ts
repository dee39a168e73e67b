/** Random documents in folders with links between them, for fast-check. */
import fc from "fast-check";
import type { Graph } from "../../src/surface/render/picture/fold-graph.ts";

const NAMES = ["core", "render", "a-folder-with-quite-a-long-name", "über", "日本語", "x"];

/** Up to so many documents, in up to four levels of folders of one or two collections. */
export function anyPicture(most: number): fc.Arbitrary<Graph> {
  return fc.integer({ min: 1, max: most }).chain((count) => {
    const node = fc.nat({ max: count - 1 });
    const folder = fc.array(fc.constantFrom(...NAMES), { maxLength: 4 });
    return fc
      .record({
        folders: fc.array(fc.tuple(fc.constantFrom("code", "docs"), folder), { minLength: count, maxLength: count }),
        pairs: fc.array(fc.tuple(node, node, fc.boolean()), { maxLength: 3 * count, size: "max" }),
      })
      .map(({ folders, pairs }) => {
        const ids = folders
          .map(([collection, path], at) => `${collection}:${[...path, `file-${at}.ts`].join("/")}`)
          .sort();
        const links = new Map(
          pairs
            .filter(([from, to]) => from !== to)
            .map(([from, to, typeOnly]) => [`${from} ${to}`, { from, to, typeOnly }]),
        );
        return { ids, links: [...links.values()] };
      });
  });
}
