/**
 * Tests of parsing C and C++: declarations, uses, macros around declarations, types that macros are called with.
 */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { C_RULES } from "../../../indexer/languages/c/rules.ts";
import { importsOf, outlineOf, parseSource, usesOf } from "./parsed.ts";

describe("C", () => {
  it("declares functions, prototypes, types with members, macros and globals", async () => {
    const text = [
      "#define MAX 10",
      "#define ADD(a, b) ((a) + (b))",
      "struct point { int x, *y; int (*cb)(int); union { int u; }; };",
      "typedef struct node { struct node *next; } node_t, *node_p;",
      "typedef enum { P, Q } pq;",
      "extern int g1; static const int k = 1;",
      "int *proto(struct point *p);",
      "void (*fp)(int) = 0;",
      "static int run(int a) { int b = a; return b; }",
    ].join("\n");
    expect(outlineOf(await parseSource("c", text))).toEqual([
      "macro MAX",
      "macro ADD",
      "struct point",
      "field point.x",
      "field point.y",
      "field point.cb",
      "field point.u",
      "typeAlias node_t",
      "typeAlias node_p",
      "struct node",
      "field node.next",
      "enum pq",
      "enumMember pq.P",
      "enumMember pq.Q",
      "variable g1",
      "constant k [static]",
      "function proto",
      "variable fp",
      "function run [static]",
    ]);
  });

  it("declares macros between the members of an enum", async () => {
    const text = "enum a {\n  A = 0,\n#define A  A\n  B = 1,\n#define C B\n};\nint f(void) { return A + C; }\n";
    const file = await parseSource("c", text);
    expect(outlineOf(file)).toEqual(["enum a", "enumMember a.A", "macro A", "enumMember a.B", "macro C", "function f"]);
    expect(file.symbols[2]).toMatchObject({
      at: { line: 3, column: 9 },
      start: { line: 3, column: 1 },
      end: { line: 3, column: 13 },
      signature: "#define A",
      parent: -1,
    });
    expect(usesOf(file)).toEqual(["reads symbol A in f", "reads symbol C in f"]);
    expect(file.uses[0]?.target.root).toEqual({ kind: "symbol", symbol: 1 });
  });
});

describe("C++", () => {
  it("declares classes with members and definitions outside of them", async () => {
    const text = [
      "namespace a { namespace b {",
      "template <typename T> class Store : public Base<T>, Other {",
      " public:",
      "  Store(int a);",
      "  virtual int open(const Item& it) const = 0;",
      "  bool operator==(const Store& o) const;",
      " private:",
      "  std::unique_ptr<Item> p_;",
      "  enum class E { A };",
      "};",
      "template <class T> Store<T>::Store(int a) {}",
      "} }",
      "void Foreign::run() {}",
      "using V = int; constexpr int K = 2;",
    ].join("\n");
    expect(outlineOf(await parseSource("cpp", text))).toEqual([
      "namespace a",
      "namespace a.b",
      "class a.b.Store",
      "constructor a.b.Store.Store",
      "method a.b.Store.open [abstract]",
      "operator a.b.Store.operator==",
      "field a.b.Store.p_ [private]",
      "enum a.b.Store.E [private]",
      "enumMember a.b.Store.E.A",
      "constructor a.b.Store.Store",
      "method <Foreign>.run",
      "typeAlias V",
      "constant K",
    ]);
  });
});

describe("C", () => {
  it("uses members through the declared types of variables", async () => {
    const text =
      '#include <stdio.h>\n#include "a/b.h"\nint f(struct point *p, node_t n) { p->x = 1; n.next->y(); int i = MAX; helper(i); return 0; }\n';
    const file = await parseSource("c", text);
    expect(importsOf(file)).toEqual(["stdio.h *", "a/b.h *"]);
    expect(usesOf(file)).toEqual([
      "type free point in f",
      "type free node_t in f",
      "writes value(free point).x in f",
      "reads value(free node_t).next in f",
      "calls value(free node_t).next.y in f",
      "reads free MAX in f",
      "calls free helper in f",
    ]);
  });

  it("reads a header with words of C++ as C++", async () => {
    expect((await parseSource("c", "namespace a { class B {}; }\n", "b.h")).language).toBe("cpp");
    expect((await parseSource("c", "struct B { int a; };\n", "b.h")).language).toBe("c");
  });
});

describe("C++", () => {
  it("uses this, members by plain names, qualified names and what new makes", async () => {
    const text =
      "class A { int x_; void m(); };\nvoid A::m() { this->x_ = 1; x_ = 2; auto s = new Store(1); s->open(); a::b::c(); std::vector<Item> v; v.size(); }\n";
    expect(usesOf(await parseSource("cpp", text)).filter((use) => use.endsWith(" in m"))).toEqual([
      "reads symbol A in m",
      "writes self A.x_ in m",
      "writes symbol x_ in m",
      "instantiates free Store in m",
      "calls value(free Store).open in m",
      "reads free a in m",
      "reads free a.b in m",
      "calls free a.b.c in m",
      "reads free std in m",
      "type free std.vector in m",
      "type free Item in m",
      "calls value(free std.vector).size in m",
    ]);
  });
});

const blankMacros = (text: string): string => C_RULES.prepare?.(text) ?? text;

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

describe("types that macros are called with", () => {
  it("are numbers of the same length", () => {
    expect(blankMacros('FLAG(int, size, 8, "a, (int)");\n')).toBe('FLAG(000, size, 8, "a, (int)");\n');
    expect(blankMacros("  CHECK(unsigned\n  long, f(a, int_));\n")).toBe("  CHECK(00000000\n000000, f(a, int_));\n");
    expect(blankMacros("DECLARE(const char *, Store *, a::B&, n);\n")).toBe(
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
      expect(blankMacros(text)).toBe(text);
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
        const numbered = blankMacros(text);
        expect(numbered.length).toBe(text.length);
        for (let at = 0; at < text.length; at++) expect([text[at], "0", " "]).toContain(numbered[at]);
        expect(numbered.split("\n").length).toBe(text.split("\n").length);
      }),
    );
  });
});
