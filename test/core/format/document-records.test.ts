import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeDocument,
  decodeLinks,
  decodeSections,
  encodeDocument,
  encodeLinks,
  encodeSections,
} from "../../../src/core/format/document-records.ts";
import { slugify } from "../../../src/core/text/names.ts";
import { anyBytesNear, decodeOrRefuse, refusalOf } from "../../support/format-cases.ts";

type StoredSection = Parameters<typeof encodeSections>[0][number];

const anyText = fc.string({ unit: "grapheme", maxLength: 20 });
const anyCount = fc.nat(70_000);

const anyDocument = fc.record({
  number: anyCount,
  words: anyCount,
  sections: anyCount,
  lines: anyCount,
  skip: anyCount,
  hash: fc.stringMatching(/^[0-9a-f]{16}$/),
  title: anyText,
  description: anyText,
  facets: fc.array(fc.record({ key: anyText, values: fc.array(anyText, { maxLength: 3 }) }), { maxLength: 3 }),
  meta: fc
    .dictionary(anyText, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3, noNullPrototype: true })
    .map((meta) => JSON.parse(JSON.stringify(meta)) as Record<string, unknown>),
});

const anyLinks = fc.record({
  out: fc.array(
    fc.record({
      section: anyCount,
      kind: fc.constantFrom("internal" as const, "external" as const, "broken" as const),
      target: anyText,
      href: anyText,
      text: anyText,
    }),
    { maxLength: 5 },
  ),
  in: fc.array(fc.record({ from: anyText, section: anyCount }), { maxLength: 5 }),
});

/** Sections below the root; slugs and anchors mostly follow from titles. */
const anySections = fc
  .array(
    fc.record({
      level: fc.nat(6),
      title: anyText,
      above: fc.nat(3),
      slug: fc.option(anyText, { nil: undefined }),
      anchor: fc.option(anyText, { nil: undefined }),
      startLine: anyCount,
      endLine: anyCount,
      words: anyCount,
      summary: anyText,
      languages: fc.array(anyText, { maxLength: 3 }),
      links: anyCount,
      units: anyCount,
    }),
    { maxLength: 6 },
  )
  .map((rows) =>
    rows.map(({ above, slug, anchor, ...row }, ordinal): StoredSection => {
      const own = slug ?? slugify(row.title);
      return {
        ...row,
        parent: Math.max(Math.min(0, ordinal - 1), ordinal - 1 - above),
        slug: own,
        anchor: anchor ?? own,
      };
    }),
  );

describe("records of documents", () => {
  it("come back as they were written", () => {
    fc.assert(fc.property(anyDocument, (value) => void expect(decodeDocument(encodeDocument(value))).toEqual(value)));
    fc.assert(fc.property(anyLinks, (value) => void expect(decodeLinks(encodeLinks(value))).toEqual(value)));
    fc.assert(fc.property(anySections, (value) => void expect(decodeSections(encodeSections(value))).toEqual(value)));
  });

  it("are decoded or refused whatever the bytes are", async () => {
    const encoded = fc.oneof(
      anyDocument.map(encodeDocument),
      anyLinks.map(encodeLinks),
      anySections.map(encodeSections),
    );
    await fc.assert(
      fc.asyncProperty(anyBytesNear(encoded), async (bytes) => {
        for (const decode of [decodeDocument, decodeLinks, decodeSections]) await decodeOrRefuse(() => decode(bytes));
      }),
    );
  });

  it("refuse frontmatter that is no JSON object, and sections in none that comes before them", async () => {
    const value = {
      number: 0,
      words: 0,
      sections: 0,
      lines: 0,
      skip: 0,
      hash: "0123456789abcdef",
      title: "",
      description: "",
    };
    const bytes = encodeDocument({ ...value, facets: [], meta: { a: 1 } });
    bytes.set([0x5b, 0x31, 0x5d, 0x20, 0x20, 0x20, 0x20], bytes.length - 7);
    expect((await refusalOf(() => decodeDocument(bytes))).detail.code).toBe("malformed");
    const section = { level: 1, title: "", slug: "", anchor: "", startLine: 1, endLine: 1, words: 0, summary: "" };
    const rows = [-1, -1].map((parent) => ({ ...section, parent, languages: [], links: 0, units: 1 }));
    expect((await refusalOf(() => decodeSections(encodeSections(rows)))).detail.code).toBe("malformed");
  });
});
