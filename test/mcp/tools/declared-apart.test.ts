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

describe("parts of a class of C#", () => {
  it("are renamed together", async () => {
    for (const symbol of ["P", "code:src/cs/b.cs#N.P"]) {
      expect((await ask("rename", { symbol, new_name: "Q" })).text).toContain("2 certain edits in 2 files");
    }
    expect((await askJson("call_hierarchy", { symbol: "P.Two" })).children).toMatchObject([{ name: "One" }]);
  });
});
