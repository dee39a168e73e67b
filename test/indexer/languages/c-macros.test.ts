/** Tests of macros around declarations of C and C++. */
import { describe, expect, it } from "vitest";
import { blankMacros } from "../../../indexer/languages/c/rules.ts";

describe("macros around declarations", () => {
  it("are blanked, and nothing else is", () => {
    expect(blankMacros("LIB_API int f(void);\n")).toBe("        int f(void);\n");
    expect(blankMacros("LIB_API\nstruct a *f(void);\n")).toBe("       \nstruct a *f(void);\n");
    expect(blankMacros("LIBAPI(void *) f(int);\n")).toBe("       void *  f(int);\n");
    expect(blankMacros("class LIB_API Foo : Bar {\n")).toBe("class         Foo : Bar {\n");
    expect(blankMacros("LIB_NAMESPACE_BEGIN\n")).toBe("                   \n");
    expect(blankMacros("int f() const LOCKED(mu_);\n")).toBe(`int f() const${" ".repeat(12)};\n`);
    expect(blankMacros("static Foo CALL open(int);\n")).toBe("static Foo      open(int);\n");
    expect(blankMacros("const Foo * CALL\nopen(void)\n")).toBe("const Foo *     \nopen(void)\n");
    expect(blankMacros("void CALL LIKE(1, 2)\nfail(int);\n")).toBe(`void${" ".repeat(16)}\nfail(int);\n`);
    expect(blankMacros("static int CALL\nPREFIX(scan)(int a)\n")).toBe("static int     \nPREFIX(scan)(int a)\n");
    expect(blankMacros("typedef int (CALL *run)(int);\n")).toBe("typedef int (     *run)(int);\n");
    for (const text of ["  if (a) CHECK(b);\n", "struct A B = {1};\n", "enum { ONLY };\n", "x = f(a) + MAX;\n"]) {
      expect(blankMacros(text)).toBe(text);
    }
    for (const text of [
      "FILE *f;\n",
      "DWORD x;\n",
      "  ASSERT(x);\n",
      "MAX = 1;\n",
      "BOOL f(void);\n",
      "  return CALL(a);\n",
      "const BOOL f(1);\n",
      "f(FILE *a);\n",
    ])
      expect(blankMacros(text)).toBe(text);
  });
});
