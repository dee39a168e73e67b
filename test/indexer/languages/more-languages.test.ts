/** Tests of symbols, imports and uses in the languages without a test file of their own. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listOutline } from "../../../indexer/parse/code/sections.ts";
import { chainOf, importsOf, outlineOf, parseSource, usesOf } from "./parsed.ts";

describe("Rust", () => {
  it("declares items, and members of a type in all its impl blocks", async () => {
    const text = [
      "mod tests;",
      "#[derive(Debug)]",
      "pub struct Store<'a> { pub items: Vec<Item>, n: usize }",
      "enum Kind { A, B(u8), C { x: Foo } }",
      "trait Bar: Base { type Item; const N: u8; fn req(&self) -> u8; }",
      "impl Store<'_> { pub async fn new() -> Self { fn nested() {} Store } fn get(&self) {} }",
      "impl fmt::Display for Store<'_> { fn fmt(&self) {} }",
      "impl Foreign for Vec<u8> { fn m(&self) {} }",
      "macro_rules! mac { () => {} }",
      "static X: u8 = 1; type R = u8; union U { a: u32 }",
    ].join("\n");
    const file = await parseSource("rust", text);
    expect(outlineOf(file)).toEqual([
      "module tests",
      "struct Store",
      "field Store.items",
      "field Store.n",
      "enum Kind",
      "enumMember Kind.A",
      "enumMember Kind.B",
      "enumMember Kind.C",
      "trait Bar",
      "typeAlias Bar.Item",
      "constant Bar.N",
      "method Bar.req [abstract]",
      "method Store.new [static async]",
      "function Store.new.nested [inner]",
      "method Store.get",
      "method Store.fmt",
      "method <Vec>.m",
      "macro mac",
      "variable X",
      "typeAlias R",
      "union U",
      "field U.a",
    ]);
    expect(file.symbols[1]).toMatchObject({ bases: ["fmt::Display"], start: { line: 2, column: 1 } });
  });

  it("imports by paths, lists, names and stars", async () => {
    const text =
      "use std::{io, fmt::{self, Write as W}};\nuse crate::a::*;\npub use self::x::Y;\nuse super::b as _;\nextern crate alloc as al;\n";
    expect(importsOf(await parseSource("rust", text))).toEqual([
      "std io",
      "std fmt",
      "std::fmt Write as W",
      "crate::a *",
      "pass self::x Y",
      "super b as nothing",
      "alloc * as al",
    ]);
  });

  it("uses self, Self, typed values and paths, and no local names", async () => {
    const text =
      "struct S { n: u8 }\nimpl S { fn f(&self, a: &Foo) -> Self { let s = S { n: 1 }; s.g(); self.n; Self::h(); a.b.c(1)?.d(); if let Some(q) = a.o() { q; } x::y(); s } }\n";
    const uses = usesOf(await parseSource("rust", text)).filter((use) => use.endsWith(" in f"));
    expect(uses).toEqual([
      "type free Foo in f",
      "instantiates symbol S in f",
      "writes value(symbol S).n in f",
      "calls value(symbol S).g in f",
      "reads self S.n in f",
      "calls symbol S.h in f",
      "reads value(free Foo).b in f",
      "calls value(free Foo).b.c in f",
      "calls result(value(free Foo).b.c).d in f",
      "calls value(free Foo).o in f",
      "reads free x in f",
      "calls free x.y in f",
    ]);
  });
});

describe("C#", () => {
  it("declares types and members", async () => {
    const text =
      "using System; using X = A.B;\nnamespace N { public abstract class S : Base, IFoo { const int Max = 1; int a, b; public S() {} public async Task<Item> Open(int a) => null; public Item P { get; set; } public static S operator +(S a, S b) => a; enum C { Red } } record R(int X); interface I { void M(); } }";
    const file = await parseSource("csharp", text);
    expect(importsOf(file)).toEqual(["System *", "A B as X"]);
    expect(file.namespace).toBe("N");
    expect(outlineOf(file)).toEqual([
      "namespace N",
      "class N.S [abstract]",
      "constant N.S.Max",
      "field N.S.a",
      "field N.S.b",
      "constructor N.S.S",
      "method N.S.Open [async]",
      "property N.S.P",
      "operator N.S.operator+ [static]",
      "enum N.S.C",
      "enumMember N.S.C.Red",
      "record N.R",
      "property N.R.X",
      "interface N.I",
      "method N.I.M",
    ]);
  });

  it("uses this, base, fields and typed locals", async () => {
    const text =
      "class S : Base, IFoo { Item item; void M(Bar b) { this.item = null; var x = new Store<T>(1); x.Open(); base.M(b); item.Run(); b.Go(); Helper(); } }";
    expect(usesOf(await parseSource("csharp", text))).toEqual([
      "extends free Base in S",
      "implements free IFoo in S",
      "type free Item in item",
      "type free Bar in M",
      "writes self S.item in M",
      "instantiates free Store in M",
      "type free T in M",
      "calls value(free Store).Open in M",
      "calls super S.M in M",
      "reads symbol item in M",
      "calls symbol item.Run in M",
      "calls value(free Bar).Go in M",
      "calls self S.Helper in M",
    ]);
  });
});

describe("Ruby", () => {
  it("declares modules, classes, methods, accessors, aliases and constants", async () => {
    const text =
      "module A::B\n  class S < Base\n    attr_accessor :items, :n\n    MAX = 1\n    def initialize(a); end\n    def self.make; end\n    class << self\n      def k; end\n    end\n    alias go open?\n    alias_method :run, :open?\n    private\n    def priv; end\n  end\n  P = Struct.new(:x)\nend\ndef top; x = 1; end\n";
    expect(outlineOf(await parseSource("ruby", text))).toEqual([
      "module B",
      "class B.S",
      "property B.S.items",
      "property B.S.n",
      "constant B.S.MAX",
      "constructor B.S.initialize",
      "method B.S.make [static]",
      "method B.S.k [static]",
      "method B.S.go",
      "method B.S.run",
      "method B.S.priv [private]",
      "class B.P",
      "function top",
    ]);
  });

  it("requires files, includes modules and calls what was made", async () => {
    const text =
      "require 'json'\nrequire_relative 'a/b'\nclass S < Base::X\n  include Enumerable\n  def m(a)\n    s = Store.new(a)\n    s.open\n    self.n\n    helper(a)\n  end\nend\n";
    const file = await parseSource("ruby", text);
    expect(importsOf(file)).toEqual(["json *", "./a/b *"]);
    expect(usesOf(file)).toEqual([
      "reads free Base in S",
      "extends free Base.X in S",
      "implements free Enumerable in S",
      "instantiates free Store in m",
      "calls value(free Store).open in m",
      "calls self S.n in m",
      "calls self S.helper in m",
    ]);
  });
});

describe("PHP", () => {
  it("declares types, members, promoted properties, functions and constants", async () => {
    const text =
      "<?php\nnamespace App\\M;\nconst TOP = 1;\ndefine('DEF', 2);\nabstract class S extends Base implements I { use T; const MAX = 1; private ?Item $item = null; public function __construct(private Foo $foo, int $x) {} abstract protected static function make(): self; }\ninterface I {}\ntrait T { public $p; }\nenum E { case A; }\nfunction top() {}\n";
    const file = await parseSource("php", text);
    expect(file.namespace).toBe("App\\M");
    expect(outlineOf(file)).toEqual([
      "namespace App\\M",
      "constant TOP",
      "constant DEF",
      "class S [abstract]",
      "constant S.MAX",
      "property S.item [private]",
      "constructor S.__construct",
      "property S.foo [private]",
      "method S.make [static abstract protected]",
      "interface I",
      "trait T",
      "property T.p",
      "enum E",
      "enumMember E.A",
      "function top",
    ]);
  });

  it("imports by use and require, and uses $this, parent and typed variables", async () => {
    const text =
      "<?php\nuse App\\B;\nuse App\\C as D, X\\Y;\nuse function App\\f;\nuse Foo\\{Bar, Baz as Q};\nrequire_once 'a.php';\nclass S extends Base { function m(B $b) { parent::m(); $this->foo->bar(); self::make(); $b->go(); $d = new D(1); $d->run(); f(); B::K; } }\n";
    const file = await parseSource("php", text);
    expect(importsOf(file)).toEqual(["App B", "App C as D", "X Y", "App f", "Foo Bar", "Foo Baz as Q", "a.php *"]);
    expect(usesOf(file)).toEqual([
      "extends free Base in S",
      "type import B in m",
      "calls super S.m in m",
      "reads self S.foo in m",
      "calls self S.foo.bar in m",
      "calls self S.make in m",
      "calls value(import B).go in m",
      "instantiates import D in m",
      "calls value(import D).run in m",
      "calls import f in m",
      "reads import B in m",
      "reads import B.K in m",
    ]);
  });
});

describe("PHP and Ruby", () => {
  it("make objects of the class around and of its base", async () => {
    const text =
      "<?php class A extends B { function n() { new self(); new static; new parent(1); $x = new class extends C { function k() { $this->go(); } }; } }";
    const uses = usesOf(await parseSource("php", text)).filter((use) => !use.startsWith("extends"));
    expect(uses).toEqual([
      "instantiates symbol A in n",
      "instantiates symbol A in n",
      "instantiates free B in n",
      "calls value(free C).go in k",
    ]);
  });

  it("keep methods of a class and of its objects apart", async () => {
    const text =
      "class A\n  def self.make; end\n  def make; end\n  def m; make; self.make; end\n  def self.k; make; self.make; other; end\n  def other; end\n  class << self\n    def s; end\n    attr_accessor :c\n  end\n  def self.t; s; c; end\n  test { make }\nend\n";
    const file = await parseSource("ruby", text);
    const lines = file.uses.map(({ target, at }) => {
      const { root } = target;
      return `${at.line} ${chainOf(file, target)}${root.kind === "symbol" ? ` ${file.symbols[root.symbol]?.at.line}` : ""}`;
    });
    expect(lines).toEqual([
      "4 symbol make 3",
      "4 self A.make",
      "5 symbol make 2",
      "5 symbol A.make 1",
      "5 free other",
      "11 symbol s 8",
      "11 symbol c 9",
      "12 free test",
      "12 symbol make 3",
    ]);
  });
});

describe("Kotlin", () => {
  it("keeps the name of an extension function after a body of one line, which its grammar takes for an error", async () => {
    const text = readFileSync(join(import.meta.dirname, "../../fixtures/languages/sample.kt"), "utf8");
    const outline = async (source: string) => outlineOf(await parseSource("kotlin", source));
    const broken = text.replace(/object Deep \{\s+val at = 2\s+\}/, "object Deep { val at = 2 }");
    expect(broken).not.toBe(text);
    expect(await outline(broken)).toEqual(await outline(text));
  });

  it("declares classes, companions, extensions and properties, and uses them", async () => {
    const text =
      "package a.b\nimport x.y.Z\nimport x.W as V\nimport x.*\nclass S<T : Bar>(val items: List<Item>, n: Int) : Base(n), IFoo {\n  private val x: Foo = Foo(1)\n  override fun open(a: Item): Foo {\n    val s = S(1)\n    s.open(a)\n    this.x.bar()\n    super.open(a)\n    return x\n  }\n  companion object {\n    const val MAX = 1\n  }\n}\ndata class D(val a: Int)\nfun String.ext(x: Int): Foo = f(x)\ntypealias A = List<Foo>\n";
    const file = await parseSource("kotlin", text);
    expect(importsOf(file)).toEqual(["x.y Z", "x W as V", "x *"]);
    expect(outlineOf(file)).toEqual([
      "class S",
      "property S.items",
      "property S.x [private]",
      "method S.open",
      "constant S.MAX [static]",
      "record D",
      "property D.a",
      "function <String>.ext",
      "typeAlias A",
    ]);
    expect(usesOf(file).filter((use) => use.endsWith(" in open"))).toEqual([
      "type free Item in open",
      "type free Foo in open",
      "instantiates symbol S in open",
      "calls value(symbol S).open in open",
      "reads self S.x in open",
      "calls self S.x.bar in open",
      "calls super S.open in open",
      "reads symbol x in open",
    ]);
  });
});

describe("Swift", () => {
  it("reads a file in one way, whatever was read before it", async () => {
    const selector = "import Foundation\n\nclass A {\n  let a = #selector(x)\n}\n";
    for (const text of ["let a = 1\n", selector, 'let b = #"raw"#\n', selector, selector]) {
      expect([text, (await parseSource("swift", text)).errors]).toEqual([text, 0]);
    }
  });

  it("declares types, members and extensions, and uses them", async () => {
    const text =
      "import Foundation\npublic final class S<T>: Base, P {\n  private let items: [Item] = [], n = 1\n  public init(a: Int, _ b: Foo) { self.n = a; super.init(); b.go() }\n  func open(x: Item) -> Foo { let s = S(a: 1); s.open(); return x.run() }\n  enum E { case a, b }\n}\nprotocol P { func m(); var p: Int { get } }\nextension S { func ext() {} }\nextension Foreign { func ext2() {} }\nlet g: Foo = make()\n";
    const file = await parseSource("swift", text);
    expect(importsOf(file)).toEqual(["Foundation *"]);
    expect(outlineOf(file)).toEqual([
      "class S",
      "property S.items [private]",
      "property S.n [private]",
      "constructor S.init",
      "method S.open",
      "enum S.E",
      "enumMember S.E.a",
      "enumMember S.E.b",
      "interface P",
      "method P.m",
      "property P.p",
      "method S.ext",
      "method <Foreign>.ext2",
      "constant g",
    ]);
    expect(usesOf(file).filter((use) => / in (?:init|open)$/.test(use))).toEqual([
      "type free Foo in init",
      "writes self S.n in init",
      "calls super S.init in init",
      "calls value(free Foo).go in init",
      "type free Item in open",
      "type free Foo in open",
      "instantiates symbol S in open",
      "calls value(symbol S).open in open",
      "calls value(free Item).run in open",
    ]);
  });
});

describe("Scala", () => {
  it("declares classes, traits, objects and values, and uses them", async () => {
    const text =
      "package a.b\nimport x.y.Z\nimport x.{W => V, U, _}\nabstract class S[T](val items: List[Item], n: Int) extends Base[T](n) with P {\n  private val x: Foo = new Foo(1)\n  def this(a: Int) = this(a, 2)\n  def open(a: Item): Foo = { val s = new S(1); s.open(a); this.x.bar(); super.open(a); a.run(); x }\n}\ntrait P { def m(): Unit }\ncase class D(a: Int)\nobject O { val Max = 1 }\n";
    const file = await parseSource("scala", text);
    expect(importsOf(file)).toEqual(["x.y Z", "x W as V", "x U", "x *"]);
    expect(outlineOf(file)).toEqual([
      "class S [abstract]",
      "field S.items",
      "field S.x [private]",
      "constructor S.this",
      "method S.open",
      "trait P",
      "method P.m",
      "record D",
      "field D.a",
      "class O",
      "constant O.Max [static]",
    ]);
    expect(usesOf(file).filter((use) => use.endsWith(" in open"))).toEqual([
      "type free Item in open",
      "type free Foo in open",
      "instantiates symbol S in open",
      "calls value(symbol S).open in open",
      "reads self S.x in open",
      "calls self S.x.bar in open",
      "calls super S.open in open",
      "calls value(free Item).run in open",
      "reads symbol x in open",
    ]);
  });
});

describe("Bash", () => {
  it("declares functions and variables, sources files and calls functions", async () => {
    const text =
      '#!/bin/bash\n# Doc.\n\n. ./lib.sh\nsource "x/y.sh"\nreadonly MAX=1\nNAME=a\nfoo() { local a=1; bar "$a"; NAME=2; echo x; }\nfunction baz { foo; }\n';
    const file = await parseSource("bash", text);
    expect(file.doc).toBe("Doc.");
    expect(importsOf(file)).toEqual(["./lib.sh *", "x/y.sh *"]);
    expect(outlineOf(file)).toEqual(["constant MAX", "variable NAME", "function foo", "function baz"]);
    expect(usesOf(file)).toEqual(["calls free bar in foo", "writes symbol NAME in foo", "calls symbol foo in baz"]);
  });
});

describe("what stands inside of a value", () => {
  it.each([
    ["csharp", "class A { Action r = () => { void In() {} }; }", ["field A.r", "function A.r.In [inner]"]],
    ["kotlin", "class A {\n val r = object : R {\n fun run() {}\n }\n}", ["property A.r", "method A.r.run [inner]"]],
    ["scala", "class A { val r = new R { def run() = 1 } }", ["field A.r", "function A.r.run [inner]"]],
    ["swift", "class A { let r = { func q() {} } }", ["property A.r", "function A.r.q [inner]"]],
    [
      "php",
      "<?php class A { function m() { return new class { function run() {} }; } }",
      ["method A.m", "method A.m.run [inner]"],
    ],
  ] as const)("is inner and no member of the class in %s", async (language, text, members) => {
    const file = await parseSource(language, text);
    expect(outlineOf(file).slice(1)).toEqual(members);
    const rules = { ignoreKinds: [], stopKinds: ["function", "method", "constructor"] } as const;
    expect(listOutline(file.symbols, rules)).toEqual([true, true, false]);
  });

  it("is in no outline where it stands at the top of a file", async () => {
    const file = await parseSource("php", "<?php $a = new class { function run() {} };");
    expect(listOutline(file.symbols, { ignoreKinds: [], stopKinds: [] })).toEqual([false]);
  });
});
