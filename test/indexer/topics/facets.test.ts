/**
 * Facets of documents and the choice of keys.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DERIVED_FACET_KEYS } from "../../../indexer/config/config.ts";
import type { ParsedSection } from "../../../indexer/parse/parsed-document.ts";
import { chooseFacetKeys, deriveFacets, listShardKeys } from "../../../indexer/topics/facets.ts";
import { runs } from "../../support/runs.ts";

type ShardFacets = Parameters<typeof chooseFacetKeys>[0][number];

const NOT_FORCED = { include: [], exclude: [] };

describe("deriveFacets", () => {
  test("a bare page has the derived keys alone", () => {
    expect(derive({})).toEqual({
      collection: ["docs"],
      type: ["page"],
      content_type: ["docs"],
      has_code: ["false"],
      has_links: ["false"],
      depth: ["0"],
    });
  });

  test("scalars and lists of scalars become values, as text, folded and without doubles", () => {
    const frontmatter = {
      category: "  API \n design ",
      authors: ["Ann", " Ann ", "Bob", null, ["nested"], { name: "Eve" }],
      draft: true,
      order: 3,
      ratio: 0.5,
      big: 10n,
      day: new Date("2026-03-01T00:00:00Z"),
      time: new Date("2026-03-01T10:00:00Z"),
    };
    expect(derive({ frontmatter })).toMatchObject({
      category: ["API design"],
      authors: ["Ann", "Bob"],
      draft: ["true"],
      order: ["3"],
      ratio: ["0.5"],
      big: ["10"],
      day: ["2026-03-01"],
      time: ["2026-03-01T10:00:00.000Z"],
    });
  });

  test("texts, mappings, empty values and things that are not numbers are no facets", () => {
    const frontmatter = {
      title: "T",
      description: "D",
      summary: "S",
      empty: " ",
      none: null,
      nan: Number.NaN,
      infinite: Number.POSITIVE_INFINITY,
      list: [],
      map: { a: 1 },
      date: new Date(Number.NaN),
      long: "x".repeat(101),
      "": "x",
      ["k".repeat(101)]: "x",
    };
    expect(derive({ frontmatter })).toEqual(derive({}));
  });

  test("a hundred characters are a value, counted by code points; of a list, fifty values are kept", () => {
    const long = "\u{1F600}".repeat(100);
    const many = Array.from({ length: 60 }, (_, index) => `v${index}`);
    const facets = derive({ frontmatter: { long, many: ["v0", ...many] } });
    expect(facets["long"]).toEqual([long]);
    expect(facets["many"]).toEqual(many.slice(0, 50));
  });

  test("a key called __proto__ changes nothing", () => {
    const facets = derive({ frontmatter: JSON.parse('{"__proto__": "x", "constructor": "y"}') });
    expect(Object.getPrototypeOf(facets)).toBe(Object.prototype);
    expect(Object.keys(facets)).not.toContain("__proto__");
    expect(facets["constructor"]).toEqual(["y"]);
  });

  test("tags come from tags and keywords, as lists or with commas", () => {
    expect(derive({ frontmatter: { tags: "a, b,,a", keywords: ["c", "a"] } })["tags"]).toEqual(["a", "b", "c"]);
    expect(derive({ frontmatter: { tags: ["a, b"] } })["tags"]).toEqual(["a, b"]);
    expect(derive({ frontmatter: { tags: { a: 1 } } })).not.toHaveProperty("tags");
  });

  test("type comes from frontmatter before the path", () => {
    expect(derive({ path: "guides/a.md" })["type"]).toEqual(["guide"]);
    expect(derive({ path: "guides/a.md", frontmatter: { type: " FAQ " } })["type"]).toEqual(["faq"]);
    expect(derive({ path: "guides/a.md", frontmatter: { type: ["x", "y"] } })["type"]).toEqual(["guide"]);
    expect(derive({ path: "guides/a.md", frontmatter: { type: "x".repeat(200) } })["type"]).toEqual(["guide"]);
  });

  test("language comes from frontmatter before the path, and may be one of programming", () => {
    expect(derive({ path: "fr/a.md" })["language"]).toEqual(["fr"]);
    expect(derive({ path: "fr/a.md", frontmatter: { lang: "de_AT" } })["language"]).toEqual(["de-at"]);
    expect(derive({ path: "fr/a.md", frontmatter: { language: "Python" } })["language"]).toEqual(["Python"]);
    expect(derive({ path: "a.md" })).not.toHaveProperty("language");
  });

  test("content shows in has_code, code_language, has_links and depth", () => {
    const sections = [
      section({ parent: -1 }),
      section({ parent: 0, codeLanguages: ["ts", "bash"] }),
      section({ parent: 1, codeLanguages: ["ts"], links: [{ href: "#a", text: "a", line: 1 }] }),
      section({ parent: 0 }),
    ];
    expect(derive({ sections })).toMatchObject({
      has_code: ["true"],
      code_language: ["ts", "bash"],
      has_links: ["true"],
      depth: ["2"],
    });
    const plainCode = [section({ parent: -1, blocks: [{ kind: "code", text: "x", line: 1 }] })];
    expect(derive({ sections: plainCode })).toMatchObject({ has_code: ["true"] });
    expect(derive({ sections: plainCode })).not.toHaveProperty("code_language");
  });

  test("frontmatter cannot pretend what is derived from content, nor the collection", () => {
    const frontmatter = { collection: "x", has_code: "maybe", code_language: "cobol", depth: 9, content_type: "code" };
    expect(derive({ frontmatter })).toEqual(derive({}));
  });

  test("what the collection injects wins over everything but its own name", () => {
    const facets = derive({
      path: "guides/a.md",
      frontmatter: { product: "page's", type: "faq" },
      facets: { product: "x", type: ["manual", "pdf"] },
      version: "2.0",
    });
    expect(facets).toMatchObject({ product: ["x"], type: ["manual", "pdf"], version: ["2.0"], collection: ["docs"] });
  });

  test("a page's own version stands where the collection has none", () => {
    expect(derive({ frontmatter: { version: 3 } })["version"]).toEqual(["3"]);
    expect(derive({ frontmatter: { version: 3 }, version: "2" })["version"]).toEqual(["2"]);
  });

  test("any frontmatter gives non-empty lists of short, distinct, folded texts", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything({ withDate: true, withBigInt: true })), (frontmatter) => {
        for (const [key, values] of Object.entries(derive({ frontmatter }))) {
          expect(key).not.toBe("");
          expect(values.length).toBeGreaterThan(0);
          expect(values.length).toBeLessThanOrEqual(50);
          expect(new Set(values).size).toBe(values.length);
          for (const value of values) {
            expect(value).toBe(value.trim().replace(/\s+/g, " "));
            expect([...value].length).toBeLessThanOrEqual(100);
            expect(value).not.toBe("");
          }
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("chooseFacetKeys", () => {
  test("twenty values are few, whatever the number of documents", () => {
    expect(choose(count(20, 20)).keys).toEqual(["key"]);
    expect(choose(count(21, 21)).leftOut).toEqual([{ key: "key", values: 21, documents: 21, reason: "cardinality" }]);
  });

  test("up to a hundred values need more than twice as many documents with the key", () => {
    expect(choose(count(21, 42)).keys).toEqual([]);
    expect(choose(count(21, 43)).keys).toEqual(["key"]);
    expect(choose(count(100, 201)).keys).toEqual(["key"]);
    expect(choose(count(101, 5000)).keys).toEqual([]);
  });

  test("documents without the key do not count", () => {
    expect(choose([...count(21, 42), ...Array.from({ length: 100 }, () => ({}))]).keys).toEqual([]);
  });

  test("derived keys are facets with any number of values", () => {
    const documents = Array.from({ length: 300 }, (_, index) => ({
      tags: [`t${index}`],
      code_language: [`l${index}`],
    }));
    expect(choose(documents).keys).toEqual(["code_language", "tags"]);
  });

  test("tags may be many, but not keywords of single pages", () => {
    const tagged = (count: number) => Array.from({ length: count }, (_, index) => ({ tags: [`t${index}`] }));
    expect(choose(tagged(1_000)).keys).toEqual(["tags"]);
    expect(choose(tagged(1_001)).leftOut).toEqual([
      { key: "tags", values: 1_001, documents: 1_001, reason: "cardinality" },
    ]);
    expect(choose(tagged(1_001), { include: ["tags"], exclude: [] }).keys).toEqual(["tags"]);
  });

  test("the configuration forces keys in and out, derived ones too, and invents none", () => {
    const documents = Array.from({ length: 30 }, (_, index) => ({ slug: [`s${index}`], kind: ["a"], tags: ["t"] }));
    expect(choose(documents, { include: ["slug", "absent"], exclude: ["kind", "tags"] })).toEqual({
      keys: ["slug"],
      leftOut: [
        { key: "kind", values: 1, documents: 30, reason: "configuration" },
        { key: "tags", values: 1, documents: 30, reason: "configuration" },
      ],
    });
  });

  test("keys come in order of their UTF-8 bytes", () => {
    const document = { "\u{1F600}": ["x"], "\uFB01": ["x"], b: ["x"], B: ["x"] };
    expect(choose([document]).keys).toEqual(["B", "b", "\uFB01", "\u{1F600}"]);
  });

  test("every key is in exactly one list, as the plain rule says, in any order of documents", () => {
    const key = fc.constantFrom("a", "b", "tags", "constructor");
    const value = fc.integer({ min: 0, max: 130 }).map(String);
    const document = fc.dictionary(key, fc.array(value, { minLength: 1, maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(document, { maxLength: 150 }), fc.subarray(["a", "b"]), (documents, include) => {
        const forced = { include, exclude: [] };
        const { keys, leftOut } = choose(documents, forced);
        for (const name of ["a", "b", "tags", "constructor"]) {
          const holders = documents.filter((facets) => Object.hasOwn(facets, name));
          const values = new Set(holders.flatMap((facets) => facets[name] ?? [])).size;
          const isUsable = values <= 20 || (values <= 100 && values < holders.length / 2);
          const isKey = holders.length > 0 && (isUsable || include.includes(name) || DERIVED_FACET_KEYS.has(name));
          expect(keys.includes(name)).toBe(isKey);
          expect(leftOut.some((entry) => entry.key === name)).toBe(holders.length > 0 && !isKey);
        }
        expect(choose([...documents].reverse(), forced)).toEqual({ keys, leftOut });
      }),
    );
  });
});

describe("listShardKeys", () => {
  test("names what other documents could make usable: keys of up to a hundred values", () => {
    const keysOf = (documents: Record<string, string[]>[]) => [
      ...listShardKeys(
        documents.map((facets) => ({ facets })),
        NOT_FORCED,
      ),
    ];
    expect(keysOf(count(100, 100))).toEqual(["key"]);
    expect(keysOf(count(101, 5000))).toEqual([]);
  });

  test("a key that a shard does not hold for its documents is none of the corpus", () => {
    const without = { documents: count(3, 3).map((facets) => ({ facets })), keys: new Set<string>() };
    expect(chooseFacetKeys([shardOf(without.documents), without], NOT_FORCED)).toEqual({
      keys: [],
      leftOut: [{ key: "key", values: 3, documents: 6, reason: "base" }],
    });
  });
});

function derive({
  path = "a.md",
  frontmatter = {},
  sections = [section({ parent: -1 })],
  facets = {},
  version = "",
}: {
  path?: string;
  frontmatter?: Record<string, unknown>;
  sections?: ParsedSection[];
  facets?: Record<string, string | string[]>;
  version?: string;
}): Record<string, string[]> {
  const collection = { name: "docs", kind: "docs", version, facets } as const;
  return deriveFacets({ collection, path, parsed: { frontmatter, sections } });
}

function section(parts: Partial<ParsedSection>): ParsedSection {
  return {
    level: 1,
    title: "Section",
    parent: 0,
    slugPath: "",
    anchor: "",
    startLine: 1,
    endLine: 1,
    blocks: [],
    codeLanguages: [],
    links: [],
    summary: "",
    wordCount: 0,
    ...parts,
  };
}

test("keys that pages of sites filter by are facets up to a number, those of most pages first", () => {
  const keys = Array.from({ length: 300 }, (_, at) => `key-${at}`);
  const rare = Object.fromEntries(keys.map((key) => [key, ["x"]]));
  const site = { filters: rare };
  const { keys: kept, leftOut } = chooseFacetKeys(
    [
      shardOf([
        { facets: rare, site },
        { facets: { "key-299": ["y"] }, site: { filters: { "key-299": ["y"] } } },
      ]),
    ],
    NOT_FORCED,
  );
  expect(kept).toHaveLength(200);
  expect(kept).toContain("key-299");
  expect(leftOut).toHaveLength(100);
  expect(leftOut[0]).toMatchObject({ values: 1, documents: 1, reason: "cardinality" });
});

function choose(documents: Record<string, string[]>[], forced: { include: string[]; exclude: string[] } = NOT_FORCED) {
  return chooseFacetKeys(
    [
      shardOf(
        documents.map((facets) => ({ facets })),
        forced,
      ),
    ],
    forced,
  );
}

function shardOf(
  documents: ShardFacets["documents"],
  forced: Parameters<typeof listShardKeys>[1] = NOT_FORCED,
): ShardFacets {
  return { documents, keys: listShardKeys(documents, forced) };
}

/** Documents whose `key` has `values` distinct values in all. */
function count(values: number, documents: number): Record<string, string[]>[] {
  return Array.from({ length: documents }, (_, index) => ({ key: [`v${index % values}`] }));
}
