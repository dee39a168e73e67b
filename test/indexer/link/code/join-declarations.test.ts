/** Tests of declarations that stand apart and are one symbol, from sources as they are parsed. */
import { describe, expect, it } from "vitest";
import { edgesOf, linkSources, placedEdgesOf } from "../../../support/code-files.ts";

const HEADER = "#ifndef A_H\n/* Adds. */\nint addup(int x, int y);\nextern int limit;\n#endif\n";

describe("prototypes of C", () => {
  it("refer to the definition, and so do all uses", async () => {
    const linked = await linkSources({
      "c/a.h": HEADER,
      "c/a.c": '#include "a.h"\nint limit = 3;\nint addup(int x, int y) { return x + y; }\n',
      "c/b.c": '#include "a.h"\nint twice(int x) { limit = 1; return addup(x, x); }\n',
    });
    expect(placedEdgesOf(linked, "c/a.h")).toEqual([
      "3:5 declares scope c/a.c#addup",
      "4:12 declares scope c/a.c#limit",
    ]);
    expect(edgesOf(linked, "c/b.c")).toEqual([
      "imports scope c/a.h",
      "writes scope c/a.c#limit",
      "calls scope c/a.c#addup",
    ]);
    expect(linked.files[0]?.symbols.find(({ name }) => name === "addup")?.doc).toBe("Adds.");
  });

  it("have no macro for a definition", async () => {
    const linked = await linkSources({ "a.h": "#define open_it MY_open_it\nint open_it(int x);\n" });
    expect(edgesOf(linked, "a.h")).toEqual([]);
  });

  it("lead to the definition of their own file where others have the name, too", async () => {
    const source =
      "static int help(int x);\nint run(int x) { return help(x); }\nstatic int help(int x) { return x; }\n";
    const linked = await linkSources({ "a.c": source, "b.c": source.replace("run", "walk") });
    expect(edgesOf(linked, "a.c")).toEqual(["declares scope a.c#help~2", "calls scope a.c#help~2"]);
    expect(edgesOf(linked, "b.c")).toEqual(["declares scope b.c#help~2", "calls scope b.c#help~2"]);
  });

  it("lead to the definition whose file includes them, and join those of several platforms", async () => {
    const linked = await linkSources({
      "one/io.h": "int open_it(int a);\n",
      "one/io.c": '#include "io.h"\nint open_it(int a) { return a; }\n',
      "two/io.h": "int open_it(int a);\n",
      "two/unix.c": '#include "io.h"\nint open_it(int a) { return 1; }\n',
      "two/win.c": '#include "io.h"\nint open_it(int a) { return 2; }\n',
      "two/main.c": '#include "io.h"\nint main() { return open_it(1); }\n',
    });
    expect(edgesOf(linked, "one/io.h")).toEqual(["declares scope one/io.c#open_it"]);
    expect(edgesOf(linked, "two/io.h")).toEqual([]);
    expect(edgesOf(linked, "two/unix.c")).toEqual(["imports scope two/io.h", "declares scope two/io.h#open_it"]);
    expect(edgesOf(linked, "two/win.c")).toEqual(["imports scope two/io.h", "declares scope two/io.h#open_it"]);
    expect(edgesOf(linked, "two/main.c")).toEqual(["imports scope two/io.h", "calls scope two/io.h#open_it"]);
  });
});

describe("definitions of C++ outside of their class", () => {
  const header =
    "#pragma once\nnamespace ns {\nclass Foo {\n public:\n  int bar(int x);\n  int bar(double);\n  static Foo make();\n private:\n  int v_;\n  void hide();\n  static int count;\n};\nint freefn(int x);\n}\n";

  it("are members of it by their qualified names and see its members", async () => {
    const linked = await linkSources({
      "foo.h": header,
      "foo.cc":
        '#include "foo.h"\nnamespace ns {\nint Foo::bar(double y) { return v_; }\nint Foo::bar(int x) { v_ = x; hide(); return bar(1.0); }\nFoo Foo::make() { return Foo(); }\nvoid Foo::hide() {}\nint Foo::count = 0;\n}\nint ns::freefn(int x) { return x; }\n',
      "use.cc":
        '#include "foo.h"\nint main() { ns::Foo f; f.bar(1); auto g = ns::Foo::make(); g.bar(2); return ns::freefn(1); }\n',
    });
    const [source] = linked.files;
    expect(source?.symbols.map(({ kind, path, flags }) => `${kind} ${path} ${flags.join(" ")}`)).toEqual([
      "namespace ns exported",
      "method ns.Foo.bar exported",
      "method ns.Foo.bar~2 exported",
      "method ns.Foo.make exported static",
      "method ns.Foo.hide private",
      "field ns.Foo.count static private",
      "function ns.freefn exported",
    ]);
    expect(edgesOf(linked, "foo.h").filter((edge) => edge.startsWith("declares"))).toEqual([
      "declares scope foo.cc#ns.Foo.bar~2",
      "declares scope foo.cc#ns.Foo.bar",
      "declares scope foo.cc#ns.Foo.make",
      "declares scope foo.cc#ns.Foo.hide",
      "declares scope foo.cc#ns.Foo.count",
      "declares scope foo.cc#ns.freefn",
    ]);
    expect(placedEdgesOf(linked, "foo.cc").filter((edge) => edge.startsWith("4:"))).toEqual([
      "4:5 reads scope foo.h#ns.Foo",
      "4:23 writes scope foo.h#ns.Foo.v_",
      "4:31 calls scope foo.cc#ns.Foo.hide",
      "4:46 calls scope foo.cc#ns.Foo.bar~2",
    ]);
    expect(edgesOf(linked, "use.cc").filter((edge) => edge.startsWith("calls"))).toEqual([
      "calls receiver foo.cc#ns.Foo.bar~2",
      "calls receiver foo.cc#ns.Foo.make",
      "calls receiver foo.cc#ns.Foo.bar~2",
      "calls receiver foo.cc#ns.freefn",
    ]);
  });

  it("are found where a using directive leaves the namespace out", async () => {
    const linked = await linkSources({
      "foo.h": header,
      "foo.cc": '#include "foo.h"\nusing namespace ns;\nvoid Foo::hide() { v_ = 1; }\n',
    });
    expect(edgesOf(linked, "foo.h")).toContain("declares scope foo.cc#Foo.hide");
    expect(edgesOf(linked, "foo.cc")).toContain("writes scope foo.h#ns.Foo.v_");
  });
});

describe("parts of a type in C#", () => {
  it("are one type, whose members all parts see by plain names", async () => {
    const linked = await linkSources({
      "a.cs": "namespace N {\n  public partial class P { int size; public void One() { Two(); } }\n}\n",
      "b.cs":
        "namespace N {\n  public partial class P { public void Two() { One(); this.One(); size = 1; new P(); } }\n  class P<T> { void Two() { One(); } }\n}\n",
    });
    expect(edgesOf(linked, "a.cs")).toEqual(["calls scope b.cs#N.P.Two"]);
    expect(edgesOf(linked, "b.cs")).toEqual([
      "declares scope a.cs#N.P",
      "calls scope a.cs#N.P.One",
      "calls receiver a.cs#N.P.One",
      "writes scope a.cs#N.P.size",
      "instantiates scope a.cs#N.P",
    ]);
  });
});
