/**
 * Source files as documents: which symbols become sections, which lines they take, and what their text is.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CollectionConfig } from "../../../../indexer/config/config.ts";
import type { CodeFile, CodeSymbol } from "../../../../indexer/languages/base/code-file.ts";
import { toDocument } from "../../../../indexer/parse/code/parse-code.ts";

const RULES: CollectionConfig["outline"] = { ignoreKinds: [], stopKinds: ["function", "method", "constructor"] };

function symbol(part: Partial<CodeSymbol> & { readonly lines: readonly [number, number] }): CodeSymbol {
  const { lines, ...rest } = part;
  const start = { line: lines[0], column: 1 };
  return {
    kind: "function",
    name: "f",
    parent: -1,
    at: start,
    start,
    end: { line: lines[1], column: 2 },
    leadLine: lines[0],
    signature: "function f()",
    doc: "",
    flags: [],
    exportedAs: [],
    typeText: "",
    bases: [],
    ...rest,
  };
}

function file(symbols: readonly CodeSymbol[], doc = ""): CodeFile {
  return {
    language: "typescript",
    namespace: "",
    doc,
    symbols,
    imports: [],
    uses: [],
    errors: 0,
    diagnostics: [],
  };
}

const STORE = [
  'import { a } from "./a.ts";', // 1
  "", // 2
  "/** Keeps values. */", // 3
  "export class Store {", // 4
  "  size = 0;", // 5
  "  // Opens it.", // 6
  "  open() {", // 7
  "    return 1;", // 8
  "  }", // 9
  "}", // 10
  "", // 11
  "const one = 1, two = 2;", // 12
  "", // 13
].join("\n");

const STORE_FILE = file([
  symbol({ kind: "class", name: "Store", lines: [4, 10], leadLine: 3, doc: "Keeps values." }),
  symbol({ kind: "property", name: "size", parent: 0, lines: [5, 5], signature: "size = 0" }),
  symbol({ kind: "method", name: "open", parent: 0, lines: [7, 9], leadLine: 6, signature: "open()" }),
  symbol({ kind: "function", name: "inside", parent: 2, lines: [8, 8] }),
  symbol({ kind: "constant", name: "one", lines: [12, 12] }),
  symbol({ kind: "constant", name: "two", lines: [12, 12] }),
]);

describe("sections of a source file", () => {
  const { parsed, sectionOf } = toDocument("src/store.ts", STORE, STORE_FILE, RULES);

  test("the root is named like the file and holds what stands before the first symbol", () => {
    expect(parsed.sections[0]).toMatchObject({ level: 0, title: "store.ts", startLine: 1, endLine: 2 });
    expect(parsed.title).toBe("store.ts");
  });

  test("symbols are sections from the first line of their comment to the next section", () => {
    const rows = parsed.sections.map(({ title, parent, slugPath, startLine, endLine, level }) => [
      title,
      parent,
      slugPath,
      startLine,
      endLine,
      level,
    ]);
    expect(rows.slice(1)).toEqual([
      ["Store", 0, "Store", 3, 4, 1],
      ["size", 1, "Store.size", 5, 5, 2],
      ["open", 1, "Store.open", 6, 11, 2],
      ["one", 0, "one", 12, 12, 1],
    ]);
  });

  test("a symbol that begins on the line of another, or inside a function, belongs to that one's section", () => {
    expect(sectionOf).toEqual([1, 2, 3, 3, 4, 4]);
  });

  test("comments are prose without their marks, declarations are code", () => {
    expect(parsed.sections[1]?.blocks).toEqual([
      { kind: "prose", text: "Keeps values.", line: 3 },
      { kind: "code", text: "export class Store {", line: 4 },
    ]);
    expect(parsed.sections[3]?.blocks[0]).toEqual({ kind: "prose", text: "Opens it.", line: 6 });
  });

  test("the summary is the comment's first sentence, else the signature", () => {
    expect(parsed.sections[1]?.summary).toBe("Keeps values.");
    expect(parsed.sections[2]?.summary).toBe("size = 0");
  });

  test("kinds that are ignored are no sections, and kinds that are not stopped at are entered", () => {
    const rules: CollectionConfig["outline"] = { ignoreKinds: ["property"], stopKinds: [] };
    const { parsed: other } = toDocument("src/store.ts", STORE, STORE_FILE, rules);
    expect(other.sections.map(({ title }) => title)).toEqual(["store.ts", "Store", "open", "inside", "one"]);
  });
});

test("sections partition the lines of the file, whatever the symbols", () => {
  const anySymbol = fc.record({
    line: fc.integer({ min: 1, max: 30 }),
    length: fc.nat(5),
    lead: fc.nat(3),
    up: fc.nat(3),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.array(anySymbol, { maxLength: 12 }), (lineCount, parts) => {
      const text = Array.from({ length: lineCount }, (_, at) => `line ${at + 1}`).join("\n");
      // A container comes first in the list, and may be written below its members.
      const symbols = parts
        .map(({ line, length, lead, up }, at) =>
          symbol({ kind: "class", parent: at - 1 - up, lines: [line, line + length], leadLine: line - lead }),
        )
        .map((one) => ({ ...one, parent: Math.max(-1, one.parent) }));
      const { parsed, sectionOf } = toDocument("a.ts", text, file(symbols), RULES);
      let next = 1;
      for (const [ordinal, { startLine, endLine, parent }] of parsed.sections.entries()) {
        expect(startLine).toBe(next);
        expect(endLine).toBeGreaterThanOrEqual(ordinal === 0 ? 0 : startLine);
        expect(parent).toBeLessThan(ordinal);
        next = endLine + 1;
      }
      expect(next).toBe(lineCount + 1);
      for (const section of sectionOf) expect(section).toBeLessThan(parsed.sections.length);
      const paths = parsed.sections.map(({ slugPath }) => slugPath);
      expect(new Set(paths).size).toBe(paths.length);
    }),
  );
});
