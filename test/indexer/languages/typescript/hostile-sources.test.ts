/** Tests of sources that are broken, huge or made to do harm, and properties that hold for any text. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CodeFile, CodeSymbol } from "../../../../indexer/languages/base/code-file.ts";
import { MAX_SYMBOLS, MAX_USES } from "../../../../indexer/languages/typescript/file-state.ts";
import type { CodePosition } from "../../../../src/core/format/code-model.ts";
import { runs } from "../../../support/runs.ts";
import { outlineOf, parse } from "./parsed.ts";

const PIECES = [
  ..."class interface enum function const let var export default import type namespace declare async abstract".split(
    " ",
  ),
  ..."static get set private return new await extends implements for of in if else try catch this super".split(" "),
  ..."a b Store open { } { } ( ) [ ] < > = => : ; , . ? ! @ # * ... | & 'x' ` 1 /** // */ \n \r\n".split(" "),
  " ",
  "\n",
  "\n",
  "\ufeff",
  "\u2028",
  "\ud800",
  ["`y$", "{"].join(""),
  "exports.a=",
  "module.exports=",
  "require('x')",
  "A.prototype.b=",
  "class A{",
  "b(){",
  "}",
  "function f(",
  "){",
  "const x={",
  "import {a} from 'a';",
  "export {",
  "enum E{",
];
const anyCode = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join(" "));
const anyPath = fc.constantFrom("a.ts", "a.tsx", "a.js", "a.jsx", "a.d.ts", "a.cjs");

/** TypeScript's parser gives up on some broken texts (`@ namespace await`); `parseCode` keeps those as plain text. */
function parseUnlessRefused(text: string, path: string): CodeFile {
  try {
    return parse(text, path);
  } catch (error) {
    fc.pre(!(error instanceof Error && error.message.startsWith("Debug Failure")));
    throw error;
  }
}

describe("any text", () => {
  it("gives symbols and uses that lie in the file, members behind and inside what they are members of", () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 8, arbitrary: anyCode }, fc.string({ unit: "binary" })), anyPath, (text, path) => {
        checkRanges(parseUnlessRefused(text, path), text);
      }),
      { numRuns: runs(400) },
    );
  });

  it("gives the same twice", () => {
    fc.assert(
      fc.property(anyCode, anyPath, (text, path) => {
        expect(parseUnlessRefused(text, path)).toEqual(parse(text, path));
      }),
    );
  });
});

describe("broken code", () => {
  it("gives what could be parsed, with its errors counted and the first one told", () => {
    const file = parse("function a() {\n  return (;\n}\nclass B { c() {} }\n");
    expect(outlineOf(file)).toEqual(["function a", "class B", "method B.c"]);
    expect(file.errors).toBe(1);
    expect(file.diagnostics).toMatchObject([{ severity: "warning", code: "syntax-error", path: "a.ts", line: 2 }]);
  });

  it("places names that are missing inside of their declarations", () => {
    const text = "const x={ .";
    checkRanges(parse(text), text);
  });

  it("gives no error where there is none", () => {
    expect(parse("let a: string;")).toMatchObject({ errors: 0, diagnostics: [] });
  });

  it.each([["("], ["["], ["{a:"], ["()=>{"], ["!"], ["a?b:"], ["x=>"]])(
    "is told where %j is nested 10,000 deep",
    (piece) => {
      expect(() => parse(`const a = ${piece.repeat(10_000)}`)).toThrow("it is nested deeper than can be parsed");
    },
  );

  it.each(["export ", "static\n", "async/* a */"])("is told where %j stands 10,000 times in a row", (modifier) => {
    expect(() => parse(modifier.repeat(10_000))).toThrow("it has more than 500 modifiers in a row");
    expect(parse("export const a = 1;\n".repeat(1_000)).symbols).toHaveLength(1_000);
  });

  it("is told where functions are nested deeper than the stack", () => {
    const text = `${"function f(){".repeat(50_000)}${"}".repeat(50_000)}`;
    expect(() => parse(text)).toThrow("it is nested deeper than can be parsed");
  });
});

describe("generated code", () => {
  it("with operators in a chain of 20,000 is walked", () => {
    const file = parse(`const a = 1; const b = ${"a + ".repeat(20_000)}a;`);
    expect(file.uses).toHaveLength(20_001);
  });

  it("has no more symbols and uses than the limits, and says so", () => {
    const symbols = parse("let a;".repeat(MAX_SYMBOLS + 1));
    expect(symbols.symbols).toHaveLength(MAX_SYMBOLS);
    expect(symbols.diagnostics).toMatchObject([{ code: "too-many-symbols" }]);
    const uses = parse("a;".repeat(MAX_USES + 1));
    expect(uses.uses).toHaveLength(MAX_USES);
    expect(uses.diagnostics).toMatchObject([{ code: "too-many-symbols" }]);
  });
});

function checkRanges(file: CodeFile, text: string): void {
  const lines = text.split("\n");
  const isInFile = ({ line, column }: CodePosition): boolean =>
    line >= 1 && line <= lines.length && column >= 1 && column <= (lines[line - 1] as string).length + 1;
  for (const [index, symbol] of file.symbols.entries()) {
    const { start, at, end, parent, leadLine } = symbol;
    expect([start, at, end].every(isInFile)).toBe(true);
    expect(compare(start, at) <= 0 && compare(at, end) <= 0).toBe(true);
    expect(leadLine).toBeLessThanOrEqual(start.line);
    expect(parent).toBeLessThan(index);
    const container = file.symbols[parent];
    if (container !== undefined) expect(isInside(symbol, container) || isBehind(symbol, container)).toBe(true);
  }
  for (const { at, from } of [...file.uses, ...file.imports]) {
    expect(isInFile(at)).toBe(true);
    expect(from).toBeLessThan(Math.max(file.symbols.length, 0));
  }
}

function isInside(symbol: CodeSymbol, container: CodeSymbol): boolean {
  return compare(container.start, symbol.start) <= 0 && compare(symbol.end, container.end) <= 0;
}

/** Members that are assigned (`A.prototype.b = …`) stand behind what they are members of. */
function isBehind(symbol: CodeSymbol, container: CodeSymbol): boolean {
  return /^[\w$#]+(?:\.|$)/.test(symbol.signature) && compare(container.end, symbol.start) <= 0;
}

function compare(a: CodePosition, b: CodePosition): number {
  return a.line - b.line || a.column - b.column;
}
