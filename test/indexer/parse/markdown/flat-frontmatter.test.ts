import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { readFlatFrontmatter } from "../../../../indexer/parse/markdown/page-text.ts";
import { runs } from "../../../support/runs.ts";

const anyKey = fc.oneof(
  fc.constantFrom(
    "title",
    "ms.date",
    "online version",
    "a-b",
    "_x",
    "1",
    "true",
    "Null",
    "__proto__",
    "constructor",
    "<<",
    "y",
    "- a",
  ),
  fc.string({ unit: fc.constantFrom(..."aB1_.- :#\"'"), maxLength: 6 }),
);
const anyScalar = fc.oneof(
  fc.constantFrom(
    ..."true|false|True|null|~|yes|1|0|01|-1|1.5|1e5|0x1f|0o7|.5|.inf|2022-01-02|1/2/2022|1.2.3|1-2|1:30:00|12:30|/a/b|C#|C #|a: b|a:b|a:|a :b".split(
      "|",
    ),
    ..."&a|*a|!a|@a|%a|`a|>|\\||[|[]|[a, b]|[a,b]|[\"a, b\", 'c']|[a: b]|[a, [b]]|[,]|[a,]|{a: b}|it's|\"a\"|'a'|\"a\" b|\"a\\n\"|'a''b'|\"\"|''|- a|? a|--- a|a ---|...".split(
      "|",
    ),
    "a\u00a0",
    "é",
    "a\ufeff",
    "a\tb",
  ),
  fc.string({ unit: fc.constantFrom(..."aT1/.-:#,[]{}\"'\\ &*!?|>%@`~é\u00a0\t"), maxLength: 8 }),
);
const anyLine = fc.oneof(
  fc
    .tuple(anyKey, fc.constantFrom(": ", ":", ":  ", " : ", ":\t"), anyScalar, fc.constantFrom("", " ", "\t"))
    .map((parts) => parts.join("")),
  fc
    .tuple(fc.constantFrom("", " ", "  ", "    ", "\t"), fc.constantFrom("- ", "-  ", "-", "- - "), anyScalar)
    .map((parts) => parts.join("")),
  anyKey.map((key) => `${key}:`),
  fc.constantFrom("", " ", "# note", "  more", "key:", "...", "---"),
);

describe("readFlatFrontmatter", () => {
  it.each([
    ["title: A page\ntags: [a, b c]\nsort: 10\n", { title: "A page", tags: ["a", "b c"], sort: 10 }],
    ['keys:\n- a\n- "b: c"\nempty:\ndraft: true', { keys: ["a", "b: c"], empty: null, draft: true }],
    ["aliases:\n  - /a/b/\n  - c\nms.date: 1/2/2022", { aliases: ["/a/b/", "c"], "ms.date": "1/2/2022" }],
    ["online version: https://example.com/a#b\n", { "online version": "https://example.com/a#b" }],
    ["", undefined],
    ["a: b: c", undefined],
    ["a: b # c", undefined],
    ["a: 1.5", undefined],
    ["a: b\na: c", undefined],
    ["a: &b c", undefined],
    ["a:\n  b: c", undefined],
    ["a: b\n  c", undefined],
  ])("reads what is plain: %j", (yaml, values) => {
    expect(readFlatFrontmatter(yaml)).toEqual(values);
  });

  it("reads what the parser reads, or nothing", () => {
    let read = 0;
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 5 }), fc.constantFrom("", "\n"), (lines, end) => {
        const yaml = lines.join("\n") + end;
        const values = readFlatFrontmatter(yaml);
        if (values === undefined) return;
        read++;
        const document = parseDocument(yaml, { merge: true, logLevel: "silent" });
        expect(document.errors, yaml).toEqual([]);
        const parsed: unknown = document.toJS();
        expect(Object.entries(values), yaml).toEqual(Object.entries(parsed as object));
      }),
      { numRuns: runs(50_000) },
    );
    expect(read).toBeGreaterThan(10);
  });
});
