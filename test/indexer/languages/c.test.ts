/** Tests of what C and C++ include and use. */
import { describe, expect, it } from "vitest";
import { importsOf, parseSource, usesOf } from "./parsed.ts";

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
