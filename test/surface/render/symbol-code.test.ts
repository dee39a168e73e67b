import { describe, expect, it } from "vitest";
import { codeOf } from "../../../src/surface/render/code-outline.ts";

const WHOLE = { language: "typescript", maxLines: 20, startLine: 1, endLine: Number.POSITIVE_INFINITY };

/** The code of what stands between two marks in a text. */
function codeBetween(text: string, options: Partial<typeof WHOLE> = {}): string[] {
  const placeOf = (offset: number): { line: number; column: number } => {
    const before = text.slice(0, offset).replaceAll("«", "").split("\n");
    return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
  };
  const range = { start: placeOf(text.indexOf("«")), end: placeOf(text.indexOf("»")) };
  return codeOf(range, text.replace(/[«»]/g, "").split("\n"), { ...WHOLE, ...options });
}

describe("the code of a symbol", () => {
  it("has no indentation that all of its lines share", () => {
    expect(codeBetween("class A {\n    «a() {\n      b();\n\n    }»\n}")).toEqual(["a() {", "  b();", "", "}"]);
    expect(codeBetween("\t«a() {\n\t\tb();\n\t}»")).toEqual(["a() {", "\tb();", "}"]);
  });

  it("keeps lines as they stand where one of them begins further to the left", () => {
    expect(codeBetween("  «a = `\nx\n  `;»")).toEqual(["  a = `", "x", "  `;"]);
  });

  it("keeps a comment and a semicolon behind it, and leaves out what shares its lines", () => {
    expect(codeBetween("  «a = 1»; // why")).toEqual(["a = 1; // why"]);
    expect(codeBetween("enum E { «A», B }")).toEqual(["A"]);
    expect(codeBetween('enum E { A, «B = "b"» }')).toEqual(['B = "b"']);
    expect(codeBetween("class A { «b() {}» } // why")).toEqual(["b() {}"]);
    expect(codeBetween("  f(«readonly a: number», b) {")).toEqual(["readonly a: number"]);
  });

  it("ends in a comment of its language where it is long", () => {
    const long = "  «def a():\n    b\n    c\n    d»";
    expect(codeBetween(long, { maxLines: 2, language: "python" })).toEqual(["def a():", "  b", "  # ... 2 more lines"]);
    expect(codeBetween(long, { maxLines: 3 })).toEqual(["def a():", "  b", "  c", "  // ... 1 more line"]);
    expect(codeBetween(long, { maxLines: 4 })).toHaveLength(4);
  });

  it("is of the lines asked for, and nothing where they were not read", () => {
    const text = "«a {\n  b\n  c\n}»";
    expect(codeBetween(text, { startLine: 2, endLine: 3 })).toEqual(["b", "c"]);
    const range = { start: { line: 5, column: 1 }, end: { line: 9, column: 2 } };
    expect(codeOf(range, ["a", "b", "c", "d", "e"], WHOLE)).toEqual([]);
  });
});
