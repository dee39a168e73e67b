import { describe, expect, it } from "vitest";
import { findDeadIds, listIds, readProjectMap } from "../../../src/core/docs/project-map.ts";
import { buildCollections, buildPages } from "../../support/build-index.ts";

const page = (title: string): string => `# ${title}\n\nText.\n\n## Part\n\nMore.\n`;

describe("the map of a project", () => {
  it("shows pages at the root, then folders with the page that each begins with", async () => {
    const { reader } = await (
      await buildPages({
        "index.md": page("Home"),
        "guide/README.md": page("Guide"),
        "guide/a.md": page("A"),
        "guide/deep/b.md": page("B"),
        "reference.md": page("Reference"),
        "reference/x.md": page("X"),
        "reference/y.md": page("Y"),
        "zoo/last.md": page("Last"),
        "zoo/first.md": page("First"),
      })
    ).open();
    const { collections } = await readProjectMap(reader);
    expect(collections).toHaveLength(1);
    expect(collections[0]).toMatchObject({ name: "docs", documents: 9, sections: 18 });
    expect(collections[0]?.pages.map(({ id }) => id)).toEqual(["docs:index.md", "docs:reference.md"]);
    expect(collections[0]?.folders.map(({ path, documents, entry }) => [path, documents, entry.title])).toEqual([
      ["guide", 3, "Guide"],
      ["reference", 2, "Reference"],
      ["zoo", 2, "First"],
    ]);
  });

  it("takes large folders apart, and passes those by that hold one folder alone", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`site/docs/guide/${n % 2 === 0 ? "even" : "odd"}/p${n}.md`, page(`P${n}`)]),
    );
    const built = await buildPages({
      ...many,
      "site/docs/guide/index.md": page("Guide"),
      "site/docs/api/a.md": page("A"),
    });
    const { collections } = await readProjectMap((await built.open()).reader);
    expect(collections[0]?.folders.map(({ path, documents }) => [path, documents])).toEqual([
      ["site/docs/api", 1],
      ["site/docs/guide", 1],
      ["site/docs/guide/even", 20],
      ["site/docs/guide/odd", 20],
    ]);
  });

  it("names pages that others link to, and no others", async () => {
    const built = await buildPages({
      "a.md": "# A\n\n[b](b.md) [c](c.md)\n",
      "b.md": "# B\n\n[c](c.md)\n",
      "c.md": "# C\n\nText.\n",
    });
    const { linkHubs } = await readProjectMap((await built.open()).reader);
    expect(linkHubs.map(({ id }) => id)).toEqual(["docs:c.md", "docs:b.md"]);
  });

  it("says nothing of what the caller may not see", async () => {
    const built = await buildCollections([
      { name: "open", pages: { "a.md": page("Open") } },
      { name: "inner", access: "staff", pages: { "secret.md": page("Secret") } },
    ]);
    const guest = await readProjectMap((await built.open()).reader);
    expect(JSON.stringify(guest)).not.toMatch(/secret|inner/i);
    const all = await readProjectMap((await built.open("all")).reader);
    expect(all.collections.map(({ name }) => name)).toEqual(["open", "inner"]);
  });
});

describe("ids in a map", () => {
  it("are those between backticks that look like ids, each once", () => {
    const text = "`docs:a.md` and ``docs:b`c.md`` and `get_tree`, `https://x.org/`, `docs:a.md`, `` `d:e.md` ``.";
    expect(listIds(text)).toEqual(["docs:a.md", "docs:b`c.md", "`d:e.md`"]);
  });

  it("are dead where no document or section has them", async () => {
    const { reader } = await (await buildPages({ "a.md": page("A"), "b c.md": page("B") })).open();
    const ids = ["docs:a.md", "docs:a.md#part", "docs:a.md#gone", "docs:gone.md", "docs:b c.md", "nowhere:a.md"];
    expect(await findDeadIds(reader, ids)).toEqual(["docs:a.md#gone", "docs:gone.md", "nowhere:a.md"]);
  });
});
