import { beforeAll, describe, expect, it } from "vitest";
import { bareSite } from "../../../src/http/explorer/answer-page.ts";
import { GRAPH_PAGE } from "../../../src/http/explorer/graph-page.ts";
import type { Page } from "../../../src/http/explorer/page.ts";
import { type BuiltIndex, buildCollections, buildPages, type OpenReader } from "../../support/build-index.ts";
import { makeUpCode } from "../../support/made-up-code.ts";

/** Directories are decoded when they are asked for. */
function setHeight(directory: object, height: number): void {
  Object.defineProperty(directory, "height", { value: height });
}

describe("the page of a graph that is too large to be read at once", () => {
  let index: BuiltIndex;

  beforeAll(async () => {
    index = await buildPages({
      "guide/a.md": "# A\n\n[B](../more/b.md)\n",
      "more/b.md": "# B\n\n[A](../guide/a.md)\n",
    });
  });

  /** @param isLarge Whether the directory of links has two levels, as only that of a large table has. */
  async function show(isLarge: boolean, of: BuiltIndex = index, folder = ""): Promise<string> {
    const { reader } = await of.open();
    for (const { root } of reader.shards) setHeight(root.tables.links, isLarge ? 1 : 0);
    return write(reader, { of: "links", folder });
  }

  async function write(reader: OpenReader["reader"], asked: Record<string, string>): Promise<string> {
    const { main } = (await GRAPH_PAGE.write(reader, bareSite(""), new URLSearchParams(asked), "")) as Page;
    return `${main}`;
  }

  it("says so, and leads to the tree and to the map of the build", async () => {
    const text = await show(true);
    expect(text).toContain("There are more links between pages than are read for one page");
    expect(text).toContain('href="/summary"');
    expect(text).toContain('href="/explorer/tree"');
    expect(text).not.toContain("data-graph");
  });

  it("leads to the folder that was entered", async () => {
    const pages = { "guide/a/x.md": "# X\n", "guide/b/y.md": "# Y\n", "more/z.md": "# Z\n" };
    const text = await show(true, await buildPages(pages), "docs:guide/");
    expect(text).toContain('href="/explorer/tree?folder=docs%3Aguide%2F"');
  });

  it("names the graph of packages only where that can be drawn", async () => {
    const code = makeUpCode(11, { files: 3, symbolsPerFile: 2, edgesPerFile: 2, mentions: 0 });
    const built = await buildCollections([{ name: "docs", pages: {} }], undefined, new Map([["public", code]]));
    for (const packages of [0, 1]) {
      const { reader } = await built.open();
      for (const { root } of reader.shards) {
        setHeight(root.tables.reach, 1);
        setHeight(root.tables.packages, packages);
      }
      const text = await write(reader, { of: "imports" });
      expect(text).toContain("There are more imports");
      expect(text.includes("few enough to draw")).toBe(packages === 0);
    }
  });

  it("is drawn where it is not", async () => {
    const text = await show(false);
    expect(text).toContain("data-graph");
    expect(text).not.toContain("There are more links");
  });
});
