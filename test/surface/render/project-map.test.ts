import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listIds, type ProjectMap } from "../../../src/core/docs/project-map.ts";
import { formatProjectMap } from "../../../src/surface/render/project-map.ts";
import { runs } from "../../support/runs.ts";

const anyName = fc.oneof(fc.string({ maxLength: 30 }), fc.string({ unit: "grapheme", maxLength: 200 }));
/** As documents have them: a collection, and a path on one line. */
const anyId = fc
  .tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[\w/ü日 `.-]{1,80}$/))
  .map(([collection, path]) => `${collection}:x${path.trim()}x`);
const anyPage = fc.record({ id: anyId, title: anyName, url: fc.oneof(fc.constant(""), fc.webUrl()) });
const anyMap: fc.Arbitrary<ProjectMap> = fc.record({
  commit: fc.constantFrom("none", "1a2b3c4"),
  collections: fc.array(
    fc.record({
      name: anyName,
      kind: fc.constantFrom("docs", "code", "site"),
      version: anyName,
      documents: fc.nat(),
      sections: fc.nat(),
      pages: fc.array(anyPage, { maxLength: 60 }),
      folders: fc.array(fc.record({ path: anyName, documents: fc.nat(), entry: anyPage }), { maxLength: 60 }),
    }),
    { maxLength: 30 },
  ),
  linkHubs: fc.array(anyPage, { maxLength: 10 }),
  entryPoints: fc.array(anyId, { maxLength: 50 }),
  fileHubs: fc.array(anyId, { maxLength: 10 }),
  packages: fc.array(
    fc.record({
      module: anyName,
      name: anyName,
      files: fc.nat(),
      imports: fc.array(anyName, { maxLength: 50 }),
      exports: fc.array(anyName, { maxLength: 20 }),
      exportCount: fc.integer({ min: 20, max: 999 }),
    }),
    { maxLength: 60 },
  ),
});

describe("the text of a map", () => {
  it("is short, whatever the project is like", () => {
    fc.assert(
      fc.property(anyMap, (map) => {
        expect(new TextEncoder().encode(formatProjectMap(map)).length).toBeLessThanOrEqual(8_000);
      }),
      { numRuns: runs(60) },
    );
  });

  it("holds ids that a reader finds as they are", () => {
    fc.assert(
      fc.property(fc.array(anyId, { minLength: 1, maxLength: 8 }), (ids) => {
        const map: ProjectMap = {
          commit: "none",
          collections: [],
          linkHubs: [],
          entryPoints: [],
          fileHubs: ids,
          packages: [],
        };
        expect(listIds(formatProjectMap(map))).toEqual([...new Set(ids)]);
      }),
    );
  });

  it("links every page where a server answers, and ends with what else there is to read", () => {
    const links = {
      textOf: (id: string) => `https://own.example/documents/${id}?format=markdown`,
      optional: [{ title: "All pages", url: "https://own.example/llms-full.txt", note: "Markdown" }],
    };
    const pages = [
      { id: "docs:a.md", title: "A [1]", url: "https://docs.example/a" },
      { id: "docs:b.md", title: "B", url: "" },
      { id: "docs:c d.md", title: "C", url: "javascript:alert(1)" },
    ];
    const folders = [{ path: "guide", documents: 2, entry: { id: "docs:guide/index.md", title: "Guide", url: "" } }];
    const collections = [
      { name: "docs", kind: "docs", version: "", documents: 5, sections: 9, pages, folders } as const,
    ];
    const map = {
      commit: "1a2b3c4",
      collections,
      linkHubs: [],
      entryPoints: [],
      fileHubs: [],
      packages: [],
    };
    expect(formatProjectMap(map, links).split("\n").slice(6)).toEqual([
      "## docs: 5 pages",
      "",
      "- [A 1](https://docs.example/a): `docs:a.md`",
      "- [B](https://own.example/documents/docs:b.md?format=markdown): `docs:b.md`",
      // Not an address that a link may hold as it is.
      "- C `docs:c d.md`",
      "- [Guide](https://own.example/documents/docs:guide/index.md?format=markdown): `docs:guide/index.md`, first of 2 pages in guide/",
      "",
      "## Optional",
      "",
      "- [All pages](https://own.example/llms-full.txt): Markdown",
      "",
    ]);
    expect(formatProjectMap(map)).toContain("- Guide `docs:guide/index.md`, first of 2 pages in guide/\n");
  });

  it("says what was left out", () => {
    const pages = Array.from({ length: 300 }, (_, n) => ({ id: `docs:page-${n}.md`, title: `Page ${n}`, url: "" }));
    const text = formatProjectMap({
      commit: "1a2b3c4",
      collections: [{ name: "docs", kind: "docs", version: "2", documents: 300, sections: 900, pages, folders: [] }],
      linkHubs: [],
      entryPoints: [],
      fileHubs: [],
      packages: [],
    });
    expect(text).toContain("## docs: 300 pages, version 2");
    expect(text).toContain("- Page 0 `docs:page-0.md`");
    expect(text).toContain("- 260 more pages: list_documents");
  });
});
