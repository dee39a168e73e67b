/** Tests of types that macros are called with in C and C++. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numberTypeArguments } from "../../../indexer/languages/c/rules.ts";
import { outlineOf, parseSource } from "./parsed.ts";

describe("types that macros are called with", () => {
  it("are numbers of the same length", () => {
    expect(numberTypeArguments('FLAG(int, size, 8, "a, (int)");\n')).toBe('FLAG(000, size, 8, "a, (int)");\n');
    expect(numberTypeArguments("  CHECK(unsigned\n  long, f(a, int_));\n")).toBe(
      "  CHECK(00000000\n000000, f(a, int_));\n",
    );
    expect(numberTypeArguments("DECLARE(const char *, Store *, a::B&, n);\n")).toBe(
      "DECLARE(000000000000, 0000000, 00000, n);\n",
    );
  });

  it("stay in heads of functions, declarations, expressions and other calls", () => {
    for (const text of [
      "TYPED(Store, int) {\n}\n",
      "TYPED(Store, int)\n{\n}\n",
      "int\nREAD(int, char);\n",
      "int READ(int, char);\n",
      "ASSERT(sizeof(int) == 4, a * b);\n",
      "ASSERT(integer, a);\n",
      "read(int, a);\n",
      "#define BOTH(a) \\\n  FLAG(int, a); \\\n  FLAG(char, a)\n",
      "FLAG(int, a",
    ]) {
      expect(numberTypeArguments(text)).toBe(text);
    }
  });

  it("do not cost what follows", async () => {
    const text =
      'FLAG(int, size, 8, "size");\nFLAG(int, count, 2,\n     "count");\nnamespace a {\nstruct B { int c; };\n}\n';
    const file = await parseSource("cpp", text);
    expect(outlineOf(file)).toEqual(["namespace a", "struct a.B", "field a.B.c"]);
    expect(file.errors).toBe(0);
  });

  it("leave length and lines of any text as they are", () => {
    const pieces = fc.constantFrom(
      "FLAG(",
      "int",
      "char *",
      ",",
      ")",
      ";",
      "\n",
      "{",
      "(",
      '"',
      "\\",
      "a",
      " ",
      "//",
      "#",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const text = parts.join("");
        const numbered = numberTypeArguments(text);
        expect(numbered.length).toBe(text.length);
        for (let at = 0; at < text.length; at++) expect([text[at], "0"]).toContain(numbered[at]);
        expect(numbered.split("\n").length).toBe(text.split("\n").length);
      }),
    );
  });
});
