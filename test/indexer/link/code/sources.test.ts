/** Tests of edges out of sources as they are parsed, by language. */
import { describe, expect, it } from "vitest";
import { linkSources, placedEdgesOf } from "../../../support/code-files.ts";

describe("Python", () => {
  it("follows what a function gives at the top of a module, in a class and in a function alike", async () => {
    const source = [
      "class Y:",
      "    def go(self): pass",
      "def make() -> Y:",
      "    return Y()",
      "def untyped():",
      "    return 1",
      "y = make()",
      "y.go()",
      "class D:",
      "    y = make()",
      "    def run(self):",
      "        self.y.go()",
      "def f():",
      "    q = make()",
      "    q.go()",
      "u = untyped()",
      "u.go()",
    ].join("\n");
    const edges = placedEdgesOf(await linkSources({ "a.py": source }), "a.py");
    expect(edges.filter((edge) => edge.endsWith("#Y.go"))).toEqual([
      "8:3 calls receiver a.py#Y.go",
      "12:16 calls receiver a.py#Y.go",
      "15:7 calls receiver a.py#Y.go",
      "17:3 calls name a.py#Y.go",
    ]);
  });
});

describe("Ruby", () => {
  it("leads a plain name to the side of the class that it is used on, through bases and further parts", async () => {
    const linked = await linkSources({
      "base.rb": "class Base\n  def self.build; end\n  def shared; end\nend\n",
      "more.rb": "class A\n  def extra; end\n  def self.cls; end\nend\n",
      "a.rb":
        "class A < Base\n  def self.make; end\n  def m\n    make\n    shared\n    build\n    extra\n    cls\n  end\n  def self.k\n    make\n    build\n    cls\n    extra\n  end\nend\n",
    });
    expect(placedEdgesOf(linked, "a.rb")).toEqual([
      "1:11 extends scope base.rb#Base",
      "5:5 reads scope base.rb#Base.shared",
      "7:5 reads scope more.rb#A.extra",
      "11:5 reads scope a.rb#A.make",
      "12:5 reads scope base.rb#Base.build",
      "13:5 reads scope more.rb#A.cls",
    ]);
  });
});

describe("types with members in other files", () => {
  it("have them in Rust, Go, Swift and Kotlin", async () => {
    const linked = await linkSources({
      "src/lib.rs": "mod more;\npub struct S;\nfn f(s: S) { s.far(); }\n",
      "src/more.rs": "use crate::S;\nimpl S { pub fn far(&self) { self.near(); } fn near(&self) {} }\n",
      "go/a.go": "package p\ntype T struct{}\nfunc f(t T) { t.Far() }\n",
      "go/b.go": "package p\nfunc (t T) Far() { t.Near() }\nfunc (t T) Near() {}\n",
      "Sources/M/a.swift": "class W { func f() { far() } }\n",
      "Sources/M/b.swift": "extension W { func far() { near() } }\n",
      "Sources/M/c.swift": "extension W { func near() { self.far() } }\n",
      "kt/a.kt": "package k\nclass V { fun own() {} }\nfun f(v: V) { v.far() }\n",
      "kt/b.kt": "package k\nfun V.far() { own() }\n",
    });
    const calls = (path: string) => placedEdgesOf(linked, path).filter((edge) => / calls /.test(edge));
    expect(calls("src/lib.rs")).toEqual(["3:16 calls receiver src/more.rs#S.far"]);
    expect(calls("src/more.rs")).toEqual(["2:35 calls receiver src/more.rs#S.near"]);
    expect(calls("go/a.go")).toEqual(["3:17 calls receiver go/b.go#T.Far"]);
    expect(calls("go/b.go")).toEqual(["2:22 calls receiver go/b.go#T.Near"]);
    expect(calls("Sources/M/a.swift")).toEqual(["1:22 calls scope Sources/M/b.swift#W.far"]);
    expect(calls("Sources/M/b.swift")).toEqual(["1:28 calls scope Sources/M/c.swift#W.near"]);
    expect(calls("Sources/M/c.swift")).toEqual(["1:34 calls receiver Sources/M/b.swift#W.far"]);
    expect(calls("kt/a.kt")).toEqual(["3:17 calls receiver kt/b.kt#V.far"]);
    expect(calls("kt/b.kt")).toEqual(["2:15 calls scope kt/a.kt#V.own"]);
  });
});

/** The edges of one file at a line. */
async function edgesAt(texts: Record<string, string>, path: string, line: number): Promise<string[]> {
  const edges = placedEdgesOf(await linkSources(texts), path);
  return edges.filter((edge) => edge.startsWith(`${line}:`)).map((edge) => edge.slice(edge.indexOf(" ") + 1));
}

describe("names of types", () => {
  it("never mean a field or a property of that name", async () => {
    const go = "package a\ntype Params []int\ntype Context struct {\n\tParams Params\n}\n";
    expect(await edgesAt({ "a.go": go }, "a.go", 4)).toEqual(["type scope a.go#Params"]);
    const java = "class A {\n  static final Kind Kind = Kind.of();\n  Kind other;\n}\n";
    const kind = "class Kind { static Kind of() { return null; } }\n";
    const inJava = await edgesAt({ "A.java": java, "Kind.java": kind }, "A.java", 3);
    expect(inJava).toEqual(["type scope Kind.java#Kind"]);
    const csharp =
      "enum Color { Red }\nclass A {\n  public Color Color { get; set; }\n  public Color Other() { return Color; }\n}\n";
    expect(await edgesAt({ "a.cs": csharp }, "a.cs", 3)).toEqual(["type scope a.cs#Color"]);
    expect(await edgesAt({ "a.cs": csharp }, "a.cs", 4)).toEqual(["type scope a.cs#Color", "reads scope a.cs#A.Color"]);
  });

  it("of bases are looked for around a class, not among its members", async () => {
    const java =
      "class Diff implements Builder<Diff> {\n  static class Builder {}\n  Builder make() { return null; }\n}\n";
    const texts = { "Diff.java": java, "Builder.java": "interface Builder<T> {}\n" };
    expect(await edgesAt(texts, "Diff.java", 1)).toEqual([
      "implements scope Builder.java#Builder",
      "type scope Diff.java#Diff",
    ]);
    expect(await edgesAt(texts, "Diff.java", 3)).toEqual(["type scope Diff.java#Diff.Builder"]);
  });
});

describe("Go", () => {
  it("finds members of what a struct embeds", async () => {
    const texts = {
      "a.go":
        "package g\ntype Engine struct {\n\tGroup\n\tn int\n}\nfunc New() *Engine { return nil }\nfunc f() {\n\trouter := New()\n\trouter.GET(router.size)\n}\n",
      "b.go":
        "package g\ntype Group struct { size int }\ntype Routes interface { GET(n int) }\nfunc (g *Group) GET(n int) {}\n",
    };
    expect(await edgesAt(texts, "a.go", 9)).toEqual([
      "calls receiver b.go#Group.GET",
      "reads receiver b.go#Group.size",
    ]);
  });
});

describe("Rust", () => {
  it("begins paths with modules and types, never with a variable or a variant", async () => {
    const texts = {
      "src/lib.rs":
        "mod ast;\nuse crate::ast::{self, Ast};\nfn run(ast: &Ast) {\n    ast::Class::Open;\n    ast.go();\n}\n",
      "src/ast.rs":
        "pub enum Class { Open }\npub struct Literal;\npub enum Ast { Class(Class), Literal(Literal) }\nimpl Ast { pub fn go(&self) {} }\n",
    };
    expect(await edgesAt(texts, "src/lib.rs", 4)).toEqual([
      "reads scope src/ast.rs",
      "reads receiver src/ast.rs#Class",
      "reads receiver src/ast.rs#Class.Open",
    ]);
    expect(await edgesAt(texts, "src/lib.rs", 5)).toEqual(["calls receiver src/ast.rs#Ast.go"]);
    expect(await edgesAt(texts, "src/ast.rs", 3)).toEqual([
      "type scope src/ast.rs#Class",
      "type scope src/ast.rs#Literal",
    ]);
  });
});

describe("Java", () => {
  it("finds constants of an enum by the switched value, and fields beside methods of their name", async () => {
    const text = [
      "enum Token { NAME, END }",
      "class Reader {",
      "  int size;",
      "  Token peek() { return null; }",
      "  class Keys {",
      "    int size() { return size; }",
      "  }",
      "  void read() {",
      "    switch (peek()) {",
      "      case NAME: break;",
      "    }",
      "  }",
      "}",
    ].join("\n");
    expect(await edgesAt({ "a.java": text }, "a.java", 6)).toEqual(["reads scope a.java#Reader.size"]);
    expect(await edgesAt({ "a.java": text }, "a.java", 10)).toEqual(["reads receiver a.java#Token.NAME"]);
  });
});

describe("the body of a class in Python", () => {
  it("sees names around it until it declares them itself", async () => {
    const text = [
      "class Coder: pass",
      "def auth(name): pass",
      "class A:",
      "    kind = auth('kind')",
      "    def encode(self) -> Coder: pass",
      "    auth = staticmethod(auth)",
      "    Coder = None",
      "    other = auth('other')",
    ].join("\n");
    expect(await edgesAt({ "a.py": text }, "a.py", 4)).toEqual(["calls scope a.py#auth"]);
    expect(await edgesAt({ "a.py": text }, "a.py", 5)).toEqual(["type scope a.py#Coder"]);
    expect(await edgesAt({ "a.py": text }, "a.py", 6)).toEqual(["reads scope a.py#auth"]);
    expect(await edgesAt({ "a.py": text }, "a.py", 8)).toEqual(["calls scope a.py#A.auth"]);
  });
});

describe("C", () => {
  it("finds constants of enums that a header declares, and members named in an initializer", async () => {
    const texts = {
      "a.h":
        "typedef enum { NONE = 0, BROKEN } Fault;\nstruct Point { int row; };\ntypedef struct { struct Point at; int size; } Item;\n",
      "a.c":
        '#include "a.h"\nFault run(void) {\n  Item item = { .size = 1, .at = { .row = 2 } };\n  use((Item) { .size = 3 });\n  return BROKEN;\n}\n',
    };
    expect(await edgesAt(texts, "a.c", 3)).toEqual([
      "type scope a.h#Item",
      "writes receiver a.h#Item.size",
      "writes receiver a.h#Item.at",
      "writes receiver a.h#Point.row",
    ]);
    expect(await edgesAt(texts, "a.c", 4)).toEqual(["type scope a.h#Item", "writes receiver a.h#Item.size"]);
    expect(await edgesAt(texts, "a.c", 5)).toEqual(["reads scope a.h#Fault.BROKEN"]);
  });
});

describe("an opaque type of C", () => {
  it("has the members of the one struct of its name", async () => {
    const texts = {
      "api.h": "typedef struct Store Store;\nStore *open_store(void);\n",
      "store.h": '#include "api.h"\nstruct Store { int size; };\n',
      "a.c":
        '#include "store.h"\ntypedef struct { const Store *store; } Self;\nint run(Self *self) { return self->store->size; }\n',
    };
    expect(await edgesAt(texts, "a.c", 3)).toEqual([
      "type scope a.c#Self",
      "reads receiver a.c#Self.store",
      "reads receiver store.h#Store.size",
    ]);
    expect(await edgesAt(texts, "a.c", 2)).toEqual(["type scope store.h#Store"]);
  });
});

describe("C++", () => {
  it("finds constants of enums in namespaces and classes, and a class by its name in front of a member", async () => {
    const texts = {
      "a.h":
        "namespace re {\nenum Op { kAny, kEnd };\nenum class Mode { Fast };\nclass Prog {\n public:\n  enum Anchor { kStart };\n  Prog();\n  void Run();\n};\n}\n",
      "a.cc":
        '#include "a.h"\nnamespace re {\nProg::Prog() {}\nvoid Prog::Run() { use(kAny, Fast); }\nvoid run() { use(Prog::kStart); }\n}\n',
    };
    expect(await edgesAt(texts, "a.cc", 4)).toEqual(["reads scope a.h#re.Prog", "reads scope a.h#re.Op.kAny"]);
    expect(await edgesAt(texts, "a.cc", 5)).toEqual([
      "reads scope a.h#re.Prog",
      "reads receiver a.h#re.Prog.Anchor.kStart",
    ]);
  });
});

describe("C#", () => {
  it("tells types of one name apart by how many types they take", async () => {
    const texts = {
      "Policy.cs": "namespace P;\npublic partial class Policy { public static int Max; }\n",
      "PolicyT.cs":
        "namespace P;\npublic partial class Policy<T> {\n  Policy<T> next;\n  Policy plain;\n  void Run<K>() { Run<int>(); }\n}\n",
      "Use.cs":
        "using P;\nnamespace Q;\nclass Use {\n  Policy<int> one;\n  Policy two = Policy.Max;\n  Missing<int> three;\n  object four = typeof(Policy<>);\n}\n",
    };
    expect(await edgesAt(texts, "PolicyT.cs", 3)).toEqual(["type scope PolicyT.cs#Policy"]);
    expect(await edgesAt(texts, "PolicyT.cs", 4)).toEqual(["type scope Policy.cs#Policy"]);
    expect(await edgesAt(texts, "PolicyT.cs", 5)).toEqual(["calls scope PolicyT.cs#Policy.Run"]);
    expect(await edgesAt(texts, "Use.cs", 4)).toEqual(["type scope PolicyT.cs#Policy"]);
    expect(await edgesAt(texts, "Use.cs", 5)).toEqual([
      "type scope Policy.cs#Policy",
      "reads scope Policy.cs#Policy",
      "reads receiver Policy.cs#Policy.Max",
    ]);
    expect(await edgesAt(texts, "Use.cs", 6)).toEqual([]);
    expect(await edgesAt(texts, "Use.cs", 7)).toEqual(["type scope PolicyT.cs#Policy"]);
  });
});

describe("paths of PHP", () => {
  it("lead through an imported namespace, from the root and from the namespace of the file", async () => {
    const texts = {
      "src/Psr7/Utils.php":
        "<?php\nnamespace Guzzle\\Psr7;\nfinal class Utils {\n  public static function make() {}\n}\n",
      "src/Client.php":
        "<?php\nnamespace Guzzle;\nuse Guzzle\\Psr7 as P;\nfunction run() {\n  P\\Utils::make();\n  \\Guzzle\\Psr7\\Utils::make();\n  Psr7\\Utils::make();\n  new \\Guzzle\\Psr7\\Utils();\n}\n",
    };
    const whole = ["reads scope src/Psr7/Utils.php#Utils", "calls receiver src/Psr7/Utils.php#Utils.make"];
    expect(await edgesAt(texts, "src/Client.php", 5)).toEqual(["reads receiver src/Psr7/Utils.php#Utils", whole[1]]);
    expect(await edgesAt(texts, "src/Client.php", 6)).toEqual(whole);
    expect(await edgesAt(texts, "src/Client.php", 7)).toEqual(whole);
    expect(await edgesAt(texts, "src/Client.php", 8)).toEqual(["instantiates scope src/Psr7/Utils.php#Utils"]);
  });
});

describe("a constant of Ruby behind `::`", () => {
  it("stands at the top", async () => {
    const text = "class Marshal; end\nmodule Cookie\n  class Marshal\n    def load; ::Marshal.new; end\n  end\nend\n";
    expect(await edgesAt({ "a.rb": text }, "a.rb", 4)).toEqual(["instantiates scope a.rb#Marshal"]);
  });
});
