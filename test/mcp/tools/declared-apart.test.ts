/** Symbols whose declarations stand in several files: prototypes, members of C++ outside of their class, parts of a type. */
import { describe, expect, it } from "vitest";
import { serveFiles } from "./serve-files.ts";

const { ask, askJson } = await serveFiles({
  "src/c/add.h": "/* Adds. */\nint addup(int x, int y);\n",
  "src/c/add.c": '#include "add.h"\nint addup(int x, int y) { return x + y; }\n',
  "src/c/use.c": '#include "add.h"\nint twice(int x) { return addup(x, x); }\n',
  "src/cpp/foo.h":
    "namespace ns {\nclass Foo { public: int bar(int x); private: int v_; };\nclass Baz { public: int bar(int x); };\n}\n",
  "src/cpp/foo.cc":
    '#include "foo.h"\nnamespace ns {\nint Foo::bar(int x) { v_ = x; return v_; }\nint Baz::bar(int x) { return x; }\n}\n',
  "src/cpp/use.cc": '#include "foo.h"\nint main() { ns::Foo f; return f.bar(1); }\n',
  "src/draw/shape.h": "class Shape { public: virtual void draw(); };\n",
  "src/draw/shape.cc": '#include "shape.h"\nvoid Shape::draw() {}\n',
  "src/draw/circle.h": '#include "shape.h"\nclass Circle : public Shape { public: void draw() override; };\n',
  "src/draw/circle.cc": '#include "circle.h"\nvoid Circle::draw() { Shape::draw(); }\nvoid Other::draw() {}\n',
  "src/draw/use.cc": '#include "circle.h"\nvoid paint(Circle c, Shape s) { c.draw(); s.draw(); }\n',
  "src/cs/a.cs": "namespace N {\n  public partial class P { public void One() { Two(); } }\n}\n",
  "src/cs/b.cs": "namespace N {\n  public partial class P { public void Two() { One(); } }\n}\n",
});

describe("a prototype and its definition", () => {
  it.each(["addup", "code:src/c/add.h#addup", "code:src/c/add.c#addup"])("are one symbol as %s", async (symbol) => {
    const { total, references } = await askJson("references", { symbol });
    expect(total).toBe(2);
    expect(references).toMatchObject([
      { file: "code:src/c/add.h", line: 2, kind: "declares" },
      { file: "code:src/c/use.c", line: 2, kind: "calls", in: "code:src/c/use.c#twice" },
    ]);
    expect((await askJson("call_hierarchy", { symbol })).children).toMatchObject([{ name: "twice", calls: 1 }]);
    expect(await askJson("inspect", { symbol })).toMatchObject({ id: "code:src/c/add.c#addup", callerCount: 1 });
    const { text } = await ask("rename", { symbol, new_name: "sum" });
    expect(text).toContain("3 certain edits in 3 files");
  });
});

describe("a member of C++ outside of its class", () => {
  it("is named with its class and told apart from one beside it", async () => {
    const { text } = await ask("find_symbol", { query: "bar", path: "src/cpp/foo.cc" });
    expect(text).toContain("@3:10 Method - bar [Foo]");
    expect(text).toContain("@4:10 Method - bar [Baz]");
    for (const symbol of ["Foo.bar", "ns.Foo.bar", "code:src/cpp/foo.h#ns.Foo.bar"]) {
      expect((await askJson("call_hierarchy", { symbol })).children).toMatchObject([{ name: "main", calls: 1 }]);
    }
    expect((await askJson("references", { symbol: "Baz.bar" })).references).toMatchObject([{ kind: "declares" }]);
    expect((await askJson("references", { symbol: "Foo.v_" })).total).toBe(2);
  });
});

describe("a virtual member of C++", () => {
  it.each(["Shape.draw", "code:src/draw/circle.cc#Circle.draw", "code:src/draw/circle.h#Circle.draw"])(
    "is renamed with what overrides it, from %s",
    async (symbol) => {
      const { text } = await ask("rename", { symbol, new_name: "paintIt" });
      for (const places of ["shape.h", "shape.cc", "circle.h"]) {
        expect(text).toMatch(new RegExp(`${places.replace(".", "\\.")} \\w+ \\(1 certain\\)`));
      }
      expect(text).toContain("@2:14 @2:30");
      expect(text).toContain("@2:35 @2:45");
      expect(text).not.toContain("@3:13");
    },
  );
});

describe("parts of a class of C#", () => {
  it("are renamed together", async () => {
    for (const symbol of ["P", "code:src/cs/b.cs#N.P"]) {
      expect((await ask("rename", { symbol, new_name: "Q" })).text).toContain("2 certain edits in 2 files");
    }
    expect((await askJson("call_hierarchy", { symbol: "P.Two" })).children).toMatchObject([{ name: "One" }]);
  });
});
