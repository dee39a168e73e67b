import { describe, expect, it } from "vitest";
import { drawPicture, writeGraphList, writeHighlights } from "../../../src/http/explorer/picture-page.ts";
import { composePicture } from "../../../src/surface/render/picture/compose.ts";
import { foldGraph, makeFolders } from "../../../src/surface/render/picture/fold-graph.ts";

const HOSTILE = "code:\"><script>alert(1)</script>/‮evil'&.ts";
const ids = [HOSTILE, "code:src/a.ts", "code:src/b.ts", "code:test/c.ts"];
const links = [
  { from: 0, to: 1, typeOnly: false },
  { from: 1, to: 2, typeOnly: true },
  { from: 2, to: 1, typeOnly: false },
];
const root = makeFolders(ids);
const graph = foldGraph({ ids, links }, root, root, 60, true);
const hrefOf = ({ id }: { readonly id: string }): string => `/explorer/graph?folder=${encodeURIComponent(id)}`;
const picture = composePicture(graph, 100);

function draw(focus?: number): string {
  return drawPicture(picture, { title: "Imports", hrefOf, item: "file", focus }).toString();
}

describe("a graph for people", () => {
  it("holds nothing of a name that a browser would run, and nothing that nobody sees", () => {
    const options = { hrefOf, noun: "import", item: "file" };
    const written = [writeGraphList(graph, options), writeHighlights(graph, options)];
    for (const text of [draw(), ...written.map((part) => part.toString())]) {
      expect(text).not.toMatch(/<script|\son[a-z]+=|javascript:|\u202e/);
      expect(text).toContain("&lt;script&gt;");
    }
  });

  it("is a link with words for each box", () => {
    const text = draw();
    expect(text.match(/<a class="box/g)).toHaveLength(4);
    expect(text).toContain("<title>code:src/a.ts, leads to 1, 2 lead here, in cycle 1</title>");
    expect(text).toContain('role="group" aria-label="Imports"');
  });

  it("calls what is in a folder what it is", () => {
    const pages = ["docs:a/1.md", "docs:a/2.md", "docs:b/1.md", "docs:b/2.md"];
    const above = makeFolders(pages);
    const folded = foldGraph({ ids: pages, links: [] }, above, above, 2, false);
    const options = { hrefOf, noun: "link", item: "page" };
    const drawn = composePicture(folded, 9);
    for (const part of [
      writeGraphList(folded, options),
      drawPicture(drawn, { ...options, title: "Links", focus: undefined }),
    ]) {
      expect(part.toString().match(/2 pages/g)).toHaveLength(2);
      expect(part.toString()).not.toContain("file");
    }
  });

  it("shows cycles by shape and types by dashes, not by colour alone", () => {
    const text = draw();
    expect(text.match(/<rect class="inner"/g)).toHaveLength(2);
    expect(text).toMatch(/<path class="cycle types"/);
  });

  it("lets the links of one box stand out", () => {
    const focus = graph.boxes.findIndex(({ id }) => id === "code:src/b.ts");
    const text = draw(focus);
    expect(text).toContain('class="graph focused"');
    expect(text.match(/class="[^"]*near" data-from/g)).toHaveLength(2);
    expect(text.match(/class="box[^"]*near"/g)).toHaveLength(2);
  });
});
