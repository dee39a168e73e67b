/** Tests of what C and C++ declare. */
import { describe, expect, it } from "vitest";
import { outlineOf, parseSource, usesOf } from "./parsed.ts";

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
