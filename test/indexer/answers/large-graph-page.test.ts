import { beforeAll, describe, expect, it } from "vitest";
import { bareSite } from "../../../src/http/explorer/answer-page.ts";
import { writePicturePage } from "../../../src/http/explorer/picture-page.ts";
import { type BuiltIndex, buildPages } from "../../support/build-index.ts";

describe("the page of a graph that is too large to be read at once", () => {
  let index: BuiltIndex;

  beforeAll(async () => {
    index = await buildPages({
      "guide/a.md": "# A\n\n[B](../more/b.md)\n",
      "more/b.md": "# B\n\n[A](../guide/a.md)\n",
    });
  });

  /** @param isLarge Whether the directory of links has two levels, as only that of a large table has. */
  async function show(isLarge: boolean): Promise<string> {
    const { reader } = await index.open();
    for (const { root } of reader.shards) Object.assign(root.tables.links, { height: isLarge ? 1 : 0 });
    const { main } = await writePicturePage(reader, bareSite(""), new URLSearchParams("of=links"));
    return `${main}`;
  }

  it("says so, lists the folders and leads to the map of the build", async () => {
    const text = await show(true);
    expect(text).toContain("There are more links between pages than are read for one page");
    expect(text).toContain('href="/summary"');
    expect(text).toContain('href="/explorer/tree?folder=docs%3Aguide%2F"');
    expect(text).toContain('href="/explorer/tree?folder=docs%3Amore%2F"');
    expect(text).not.toContain("<svg");
  });

  it("is drawn where it is not", async () => {
    const text = await show(false);
    expect(text).toContain("<svg");
    expect(text).not.toContain("There are more links");
  });
});
