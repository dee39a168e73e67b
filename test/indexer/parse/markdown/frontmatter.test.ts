/**
 * Tests of frontmatter: where it ends, what it holds, and what is said about broken YAML.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFrontmatter } from "../../../../indexer/parse/markdown/parse.ts";

function parse(source: string) {
  return parseFrontmatter(source, "a.md");
}

describe("the borders of frontmatter", () => {
  it("says where the body begins", () => {
    const source = "---\ntitle: A\n---\n# B\n";
    const frontmatter = parse(source);
    expect(frontmatter).toMatchObject({ values: { title: "A" }, bodyStartLine: 4, diagnostics: [] });
    expect(source.slice(frontmatter.bodyOffset)).toBe("# B\n");
  });

  it("accepts three dots as the closing fence and spaces after fences", () => {
    expect(parse("---  \na: 1\n... \ntext")).toMatchObject({ values: { a: 1 }, bodyStartLine: 4 });
  });

  it("accepts empty frontmatter", () => {
    expect(parse("---\n---\ntext")).toEqual({ values: {}, bodyStartLine: 3, bodyOffset: 8, diagnostics: [] });
  });

  it("accepts a file that ends with the closing fence", () => {
    expect(parse("---\na: 1\n---")).toMatchObject({ values: { a: 1 }, bodyStartLine: 4, bodyOffset: 12 });
  });

  it("takes an opening fence that is never closed for a thematic break", () => {
    expect(parse("---\na: 1\n")).toEqual({ values: {}, bodyStartLine: 1, bodyOffset: 0, diagnostics: [] });
    expect(parse("---")).toMatchObject({ bodyOffset: 0 });
  });

  it("needs the fence on the first line and nothing else on it", () => {
    expect(parse("\n---\na: 1\n---\n").bodyOffset).toBe(0);
    expect(parse("----\na: 1\n----\n").bodyOffset).toBe(0);
    expect(parse("--- a\nb: 1\n---\n").bodyOffset).toBe(0);
  });
});

describe("the values of frontmatter", () => {
  it("reads full YAML", () => {
    const source = "---\nlist: [a, 1, true]\nblock: |\n  two\n  lines\nmap:\n  deep: {x: null}\n# comment\n---\n";
    expect(parse(source).values).toEqual({
      list: ["a", 1, true],
      block: "two\nlines\n",
      map: { deep: { x: null } },
    });
  });

  it("keeps dates as text", () => {
    expect(parse("---\ndate: 2024-01-02\ntime: 2024-01-02T03:04:05Z\n---\n").values).toEqual({
      date: "2024-01-02",
      time: "2024-01-02T03:04:05Z",
    });
  });

  it("resolves anchors and merge keys", () => {
    expect(parse("---\na: &x {k: 1}\nb: *x\nc:\n  <<: *x\n  l: 2\n---\n").values).toEqual({
      a: { k: 1 },
      b: { k: 1 },
      c: { k: 1, l: 2 },
    });
  });

  it("survives JSON: a number without a JSON form becomes null, a strange key an ordinary one", () => {
    const { values } = parse("---\na: .nan\nb: .inf\n__proto__: c\n1: d\n---\n");
    expect(JSON.parse(JSON.stringify(values))).toEqual(JSON.parse('{"a":null,"b":null,"__proto__":"c","1":"d"}'));
  });
});

describe("broken frontmatter", () => {
  it("writes half characters, which only escapes can hold, as U+FFFD: keys of the index are UTF-8", () => {
    expect(parse('---\n"k\\uD800": ["\\uD801", "\\uD83D\\uDE00"]\n---\n').values).toEqual({
      "k\uFFFD": ["\uFFFD", "\u{1F600}"],
    });
  });

  it("reports invalid YAML at its line of the file", () => {
    const frontmatter = parse("---\ntitle: A\nlist: [a, b\nother: c\n---\ntext");
    expect(frontmatter.values).toEqual({});
    expect(frontmatter.bodyStartLine).toBe(6);
    expect(frontmatter.diagnostics).toMatchObject([{ severity: "error", code: "invalid-yaml", path: "a.md" }]);
    expect([3, 4]).toContain(frontmatter.diagnostics[0]?.line);
  });

  it("reports a key that is given twice, at the second", () => {
    expect(parse("---\na: 1\nb: 2\na: 3\n---\n").diagnostics).toMatchObject([{ code: "invalid-yaml", line: 4 }]);
  });

  it("warns about frontmatter that is not a mapping", () => {
    for (const yaml of ["just text", "- a\n- b"]) {
      expect(parse(`---\n${yaml}\n---\n`)).toMatchObject({
        values: {},
        diagnostics: [{ severity: "warning", code: "frontmatter-not-a-mapping", line: 1 }],
      });
    }
  });

  it("refuses to multiply aliases", () => {
    const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
    for (let level = 1; level < 12; level++) {
      const aliases = Array(9)
        .fill(`*a${level - 1}`)
        .join(", ");
      lines.push(`a${level}: &a${level} [${aliases}]`);
    }
    expect(parse(`---\n${lines.join("\n")}\n---\n`)).toMatchObject({
      values: {},
      diagnostics: [{ code: "invalid-yaml" }],
    });
  });

  it.each([
    ["deep flow lists", "a: ".concat("[".repeat(30_000), "]".repeat(30_000))],
    ["deep block lists", "- ".repeat(30_000)],
    ["more nesting than JSON readers like", `a: ${"[".repeat(100)}${"]".repeat(100)}`],
    ["a block larger than any real one", "a: b\n".repeat(100_000)],
    ["a quote that never ends", `a: "${"\\".repeat(10_001)}`],
  ])("reports %s", (_what, yaml) => {
    expect(parse(`---\n${yaml}\n---\n`)).toMatchObject({ values: {}, diagnostics: [{ code: "invalid-yaml" }] });
  });

  it("never throws, and gives plain data, for any text between the fences", () => {
    const line = fc.constantFrom(
      "a: b",
      "- c",
      "? d",
      "e: |",
      "  f",
      "&x",
      "*x",
      "<<: *x",
      "!t g",
      "[",
      "{",
      '"',
      "h: [i",
      "\t",
      "#",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(line).map((lines) => lines.join("\n")),
        ),
        (yaml) => {
          const { values } = parse(`---\n${yaml}\n---\n`);
          expect(JSON.parse(JSON.stringify(values))).toEqual(values);
        },
      ),
    );
  });
});
