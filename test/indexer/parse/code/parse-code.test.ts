/** Tests of sources that would make ids or types of symbols grow without bound, in languages of both parsers. */
import { beforeAll, describe, expect, it } from "vitest";
import type { CodeFile } from "../../../../indexer/languages/base/code-file.ts";
import { MAX_SYMBOL_DEPTH, symbolPaths } from "../../../../indexer/languages/base/code-file.ts";
import { type CodeParsers, loadParsers, parseCode } from "../../../../indexer/parse/code/parse-code.ts";

let parsers: CodeParsers;

beforeAll(async () => {
  parsers = await loadParsers(["a.ts", "a.cpp", "a.c", "a.py", "a.go"]);
});

function parse(path: string, text: string): CodeFile {
  const parsed = parseCode({ path, text }, parsers, { ignoreKinds: [], stopKinds: [] });
  if (parsed === undefined) throw new Error(`${path} is no source file`);
  return parsed.file;
}

describe("symbols that stand in one another", () => {
  it.each([
    ["a.cpp", 5_000],
    ["a.ts", 300],
  ])("of %s are bounded in depth where %d are nested, and their paths stay short", (path, count) => {
    const open = Array.from({ length: count }, (_, at) => `namespace n${at} {`).join("");
    const { symbols } = parse(path, open + "}".repeat(count));
    expect(symbols.map(({ name }) => name)).toEqual(Array.from({ length: count }, (_, at) => `n${at}`));
    const depths: number[] = [];
    for (const { parent } of symbols) depths.push(parent < 0 ? 1 : (depths[parent] as number) + 1);
    expect(Math.max(...depths)).toBe(MAX_SYMBOL_DEPTH);
    expect(Math.max(...symbolPaths(symbols).map((text) => text.split(".").length))).toBe(MAX_SYMBOL_DEPTH);
  });

  it("are bounded and have no cycle where types are declared in their own methods or those of one another", () => {
    const own = parse("a.go", "package p\nfunc (s Store) Open() { type Store struct{} }\n").symbols;
    expect(own.map(({ name, parent, memberOf }) => [name, parent, memberOf])).toEqual([
      ["Open", -1, "Store"],
      ["Store", 0, undefined],
    ]);
    const chain = Array.from({ length: 4_000 }, (_, at) => `func (x T${at + 1}) M${at}() { type T${at} struct{} }`);
    const { symbols } = parse("a.go", `package p\n${chain.join("\n")}\n`);
    expect(symbols).toHaveLength(8_000);
    expect(Math.max(...symbolPaths(symbols).map((text) => text.split(".").length))).toBe(MAX_SYMBOL_DEPTH + 1);
  });

  it("say of a type that is declared in its place only how it begins", () => {
    const { symbols } = parse("a.c", `${"struct s { int x; ".repeat(2_000)}}${" a;}".repeat(1_999)};\n`);
    expect(symbols.length).toBeGreaterThan(2_000);
    expect(Math.max(...symbols.map(({ typeText }) => typeText.length))).toBeLessThanOrEqual(400);
  });
});

describe("names", () => {
  it("have no line breaks", () => {
    const { symbols } = parse("a.ts", 'export const box = { "\\n": 1, "a\\r\\u2028b": 2, c: 3 };');
    expect(symbols.map(({ name }) => name)).toEqual(["box", "\\n", "a\\r\u2028b", "c"]);
  });

  it.each([
    ["a.ts", `export const box = { "${"k".repeat(10_000)}": 1, "${"k".repeat(10_001)}": 2, small: 3 };`],
    ["a.py", `class Box:\n  ${"k".repeat(10_000)} = 1\n  ${"k".repeat(10_001)} = 2\n  small = 3\n`],
  ])("of %s that are too long to be asked for are cut", (path, text) => {
    const { symbols } = parse(path, text);
    const [, first, second, small] = symbolPaths(symbols);
    expect(symbols[1]?.name).toBe("k".repeat(200));
    expect(second).toBe(`${first}~2`);
    expect(small).toMatch(/\.small$/);
  });
});

describe("a byte order mark", () => {
  it.each([
    ["a.ts", "export function open() {}\n"],
    ["a.py", "def open(): pass\n"],
    ["a.c", "int open() { return 0; }\n"],
    ["a.go", "package a; func open() {}\n"],
  ])("is no column of the first line: %s", (path, text) => {
    const { symbols, uses, imports } = parse(path, text);
    const marked = parse(path, `\ufeff${text}`);
    expect(symbols.some(({ name, at }) => name === "open" && at.column > 1)).toBe(true);
    expect(marked).toMatchObject({ symbols, uses, imports });
  });
});

describe("a file that its parser gives up on", () => {
  it("is left to the build, which keeps it as plain text", () => {
    const rules = { ignoreKinds: [], stopKinds: [] };
    expect(() => parseCode({ path: "a.ts", text: "@ namespace await" }, parsers, rules)).toThrow(Error);
  });
});
