/** Tests of what holds for all languages: broken, deep and large sources, any text, memory. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_SYMBOLS } from "../../../../indexer/languages/base/rules.ts";
import { TREE_DIALECTS } from "../../../../indexer/languages/languages.ts";
import { loadedGrammar, loadGrammar } from "../../../../indexer/parse/code/grammars.ts";
import { parseWithTreeSitter } from "../../../../indexer/parse/code/parse-tree.ts";
import { CODE_LANGUAGES, type CodeLanguage } from "../../../../src/core/text/code-languages.ts";
import { runs } from "../../../support/runs.ts";
import { parseSource, usesOf } from "../../languages/parsed.ts";

const TREE_SITTER_LANGUAGES = CODE_LANGUAGES.filter((language) => TREE_DIALECTS.has(language));

/** A function that calls another, in each language. */
const SAMPLES: Readonly<Partial<Record<CodeLanguage, string>>> = {
  python: "def run():\n    go()\n",
  go: "package p\nfunc run() { goOn() }\n",
  rust: "fn run() { go(); }\n",
  java: "class A { void run() { go(); } }\n",
  c: "void run(void) { go(); }\n",
  cpp: "void run() { go(); }\n",
  csharp: "class A { void run() { go(); } }\n",
  ruby: "def run\n  go(1)\nend\n",
  php: "<?php\nfunction run() { go(); }\n",
  kotlin: "fun run() { go() }\n",
  swift: "func run() { go() }\n",
  scala: "object A { def run() = { go() } }\n",
  bash: "run() { go; }\n",
};

const DEEP: Readonly<Record<string, (depth: number) => string>> = {
  python: (depth) => `x = ${"(".repeat(depth)}1${")".repeat(depth)}\n`,
  java: (depth) => `class A { int x = ${"(".repeat(depth)}1${")".repeat(depth)}; }`,
  c: (depth) => `void f(void) { ${"{".repeat(depth)}${"}".repeat(depth)} }`,
  go: (depth) => `package p\nvar x = a${".b()".repeat(depth)}\n`,
  rust: (depth) => `${"mod a { ".repeat(depth)}${"}".repeat(depth)}`,
};

describe("every grammar", () => {
  it.each(TREE_SITTER_LANGUAGES)("of %s loads and finds a function and its call", async (language) => {
    const file = await parseSource(language, SAMPLES[language] ?? "");
    expect(file.errors).toBe(0);
    expect(file.symbols.map(({ name }) => name)).toContain("run");
    expect(usesOf(file).some((use) => /^calls .*\bgo(?:On)? in run$/.test(use))).toBe(true);
  });

  it("has to be loaded before it is used", async () => {
    expect(TREE_DIALECTS.has("typescript")).toBe(false);
    expect(TREE_DIALECTS.has("toString")).toBe(false);
    await loadGrammar("go");
    expect(loadedGrammar("go").names.types).toContain("source_file");
    expect(() => loadedGrammar("cobol" as CodeLanguage)).toThrow("before it is loaded");
  });
});

describe("bad input", () => {
  it("keeps what parses around an error and counts it", async () => {
    const file = await parseSource("java", "class A { void a() {} void b( { } void c() {} }", "A.java");
    expect(file.errors).toBeGreaterThan(0);
    expect(file.symbols.map(({ name }) => name)).toEqual(expect.arrayContaining(["A", "a", "c"]));
    expect(file.diagnostics).toEqual([
      expect.objectContaining({ severity: "info", code: "syntax-error", path: "A.java" }),
    ]);
  });

  it.each(Object.keys(DEEP))("of deep nesting overflows no stack in %s", async (language) => {
    const file = await parseSource(language as CodeLanguage, (DEEP[language] as (depth: number) => string)(20_000));
    expect(file.language).toBe(language);
  });

  it("of very many symbols is cut, with a diagnostic", async () => {
    const text = Array.from({ length: MAX_SYMBOLS + 10 }, (_, index) => `v${index} = 1\n`).join("");
    const file = await parseSource("python", text);
    expect(file.symbols).toHaveLength(MAX_SYMBOLS);
    expect(file.diagnostics.map(({ code }) => code)).toEqual(["too-many-symbols"]);
  });

  it("of any text gives symbols and uses that lie in it, members behind their containers", async () => {
    await Promise.all(TREE_SITTER_LANGUAGES.map((language) => loadGrammar(language)));
    const pieces = [
      ...Object.values(SAMPLES),
      "class ",
      "{",
      "}",
      "(",
      ")",
      "\n",
      "é😀",
      '"',
      "'",
      "/*",
      "#",
      "def ",
      "fn ",
      " = ",
      ".",
      "::",
      "<",
      "\ud800",
    ];
    const anyText = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.constantFrom(...TREE_SITTER_LANGUAGES), anyText, (language, text) => {
        const file = parseWithTreeSitter({ path: "a.h", text, language });
        const lines = text.split("\n");
        const holds = ({ line, column }: { line: number; column: number }): boolean =>
          line >= 1 && column >= 1 && line <= lines.length && column <= (lines[line - 1] as string).length + 1;
        file.symbols.forEach((symbol, index) => {
          expect(symbol.parent).toBeLessThan(index);
          expect([symbol.at, symbol.start, symbol.end].every(holds)).toBe(true);
          expect(symbol.leadLine).toBeLessThanOrEqual(symbol.start.line);
        });
        for (const use of [...file.uses, ...file.imports]) {
          expect(holds(use.at)).toBe(true);
          expect(use.from).toBeLessThan(file.symbols.length);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

describe("memory", () => {
  it("of WebAssembly does not grow with the number of files", async () => {
    const text = (SAMPLES.python ?? "").repeat(400);
    await loadGrammar("python");
    const { parser } = loadedGrammar("python");
    const sizeAfter = (files: number): number => {
      for (let file = 0; file < files; file++) parseWithTreeSitter({ path: "a.py", text, language: "python" });
      // A tree that is made now lies where the memory is free.
      const tree = parser.parse(text);
      const address = tree?.rootNode.id ?? 0;
      tree?.delete();
      return address;
    };
    const before = sizeAfter(20);
    const after = sizeAfter(300);
    // A tree that is kept of each file would be half a megabyte; where the memory is free differs by less.
    expect(Math.abs(after - before)).toBeLessThan(64 * 2 ** 20);
  });
});

describe("what a symbol says", () => {
  it("has a signature of one line and at most 400 characters", async () => {
    const [symbol] = (await parseSource("python", `def f(${"parameter,\n  ".repeat(80)}): pass\n`)).symbols;
    expect(symbol?.signature).toHaveLength(400);
    expect(symbol?.signature).not.toContain("\n");
  });

  it.each([
    ["python", "LIMITS = [\n  1,\n  2,\n]\n", "LIMITS = [ 1, 2, ]"],
    ["python", `LIMITS = [\n${"  1,\n".repeat(40)}]\n`, "LIMITS"],
    [
      "rust",
      "const DEPTH: u8 = if cfg!(wasm) {\n  49\n} else { 255 };\n",
      "const DEPTH: u8 = if cfg!(wasm) { 49 } else { 255 }",
    ],
    ["c", "#define MAX 25\n", "#define MAX 25"],
    ["c", `#define RUN(a) ${"a; ".repeat(40)}\n`, "#define RUN(a)"],
  ] as const)(
    "has the value of what is declared in %s, where that is short: %j",
    async (language, source, signature) => {
      expect((await parseSource(language, source)).symbols[0]?.signature).toBe(signature.replace(/;$/, ""));
    },
  );

  it("takes comments directly above, and none that ends a line of code", async () => {
    const file = await parseSource(
      "go",
      "package p\n\n// Not it.\n\n// A is.\n// Yes.\nfunc A() {} // trailing\nfunc B() {}\n",
    );
    expect(file.symbols.map(({ doc, leadLine }) => [doc, leadLine])).toEqual([
      ["A is. Yes.", 5],
      ["", 8],
    ]);
  });

  it("knows the comment of a file from its licence and from those of symbols", async () => {
    const docOf = async (text: string) => (await parseSource("rust", text)).doc;
    expect(await docOf("// Copyright me\n\n//! The crate.\n\nfn a() {}\n")).toBe("The crate.");
    expect(await docOf("/// Of a.\nfn a() {}\n")).toBe("");
  });
});
