/** Tests of what Java's syntax declares, imports and uses. */
import { describe, expect, it } from "vitest";
import { chainOf, importsOf, outlineOf, parseSource, usesOf } from "./parsed.ts";

const parse = (text: string) => parseSource("java", text);

describe("symbols of Java", () => {
  it("are types of all sorts with their members", async () => {
    const text = [
      "package com.acme;",
      "public abstract class Foo<T> extends Base<T> implements I, J.K {",
      "  private static final int MAX = 1;",
      "  protected int a, b[];",
      "  public Foo(int a) {}",
      "  static abstract void get();",
      "  enum Color { RED, GREEN; Color() {} }",
      "  record P(int x) { P {} }",
      "  interface Q { int C = 1; void e(); }",
      "  @interface Ann { String value(); }",
      "}",
    ].join("\n");
    const file = await parse(text);
    expect(file.namespace).toBe("com.acme");
    expect(file.symbols[0]?.bases).toEqual(["Base", "I", "J.K"]);
    expect(outlineOf(file)).toEqual([
      "class Foo [abstract]",
      "constant Foo.MAX [static private]",
      "field Foo.a [protected]",
      "field Foo.b [protected]",
      "constructor Foo.Foo",
      "method Foo.get [static abstract]",
      "enum Foo.Color",
      "enumMember Foo.Color.RED",
      "enumMember Foo.Color.GREEN",
      "constructor Foo.Color.Color",
      "record Foo.P",
      "field Foo.P.x",
      "constructor Foo.P.P",
      "interface Foo.Q",
      "constant Foo.Q.C",
      "method Foo.Q.e",
      "interface Foo.Ann",
      "method Foo.Ann.value",
    ]);
  });

  it("of anonymous and local classes are inner", async () => {
    const text =
      "class A { Runnable r = new Runnable() { public void run() {} }; void m() { class L {} } enum C { RED { void k() {} }; void k() {} } void run() {} }";
    expect(outlineOf(await parse(text))).toEqual([
      "class A",
      "field A.r",
      "method A.r.run [inner]",
      "method A.m",
      "class A.m.L [inner]",
      "enum A.C",
      "enumMember A.C.RED",
      "method A.C.RED.k [inner]",
      "method A.C.k",
      "method A.run",
    ]);
  });

  it("are exported if public or a member of an interface, and not if protected, package-private or private", async () => {
    const text = [
      "public class A {",
      "  public int open;",
      "  protected int inherited;",
      "  int ofPackage;",
      "  private int own;",
      "  void run() {}",
      "  interface Q { int C = 1; void e(); }",
      "}",
      "class OfPackage { public void go() {} }",
    ].join("\n");
    const { symbols } = await parse(text);
    const exported = symbols.filter(({ flags }) => flags.includes("exported")).map(({ name }) => name);
    expect(exported).toEqual(["A", "open", "C", "e", "go"]);
  });

  it("have signatures without annotations and docs without tags", async () => {
    const text =
      "class A {\n  /**\n   * Opens {@link Foo} <p>it.\n   * @param a x\n   */\n  @Deprecated @Ann(1)\n  public List<Foo> open(int a)\n      throws E { return null; }\n}\n";
    const symbol = (await parse(text)).symbols[1];
    expect(symbol).toMatchObject({
      leadLine: 2,
      start: { line: 6, column: 3 },
      at: { line: 7, column: 20 },
      doc: "Opens Foo it.",
      signature: "public List<Foo> open(int a) throws E",
      flags: ["exported", "deprecated"],
      typeText: "List<Foo>",
    });
  });
});

describe("imports of Java", () => {
  it("name the package and the class; static ones the class and the member", async () => {
    const text = "import java.util.List;\nimport static java.util.Map.of;\nimport com.x.*;\nimport static a.B.*;\n";
    expect(importsOf(await parse(text))).toEqual(["java.util List", "java.util.Map of", "com.x *", "a.B *"]);
  });
});

describe("uses in Java", () => {
  it("follow this, super, fields, typed and inferred locals, and leave local names out", async () => {
    const text = [
      "class A extends Base {",
      "  Store store;",
      "  void store() {}",
      "  void m(Item item) {",
      "    this.store.open(item);",
      "    super.m(item);",
      "    store.close();",
      "    store();",
      "    inherited();",
      "    var s = new Store(1);",
      "    s.open();",
      "    for (Item i : s.all()) i.run();",
      "    Function f = x -> x.go();",
      "    if (item instanceof Foo foo) foo.bar();",
      "    ((Bar) item).baz();",
      "  }",
      "}",
    ].join("\n");
    const file = await parse(text);
    expect(usesOf(file).filter((use) => use.endsWith(" in m"))).toEqual([
      "type free Item in m",
      "reads self A.store in m",
      "calls self A.store.open in m",
      "calls super A.m in m",
      "reads symbol store in m",
      "calls symbol store.close in m",
      "calls symbol store in m",
      "calls self A.inherited in m",
      "instantiates free Store in m",
      "calls value(free Store).open in m",
      "type free Item in m",
      "calls value(free Store).all in m",
      "calls value(free Item).run in m",
      "type free Function in m",
      "calls unknown.go in m",
      "type free Foo in m",
      "calls value(free Foo).bar in m",
      "type free Bar in m",
      "calls value(free Bar).baz in m",
    ]);
    const called = file.uses.filter(({ kind, target }) => kind === "calls" && chainOf(file, target) === "symbol store");
    expect(called.map(({ target }) => target.root.kind === "symbol" && file.symbols[target.root.symbol]?.kind)).toEqual(
      ["method"],
    );
  });

  it("tell what is made, extended, implemented, thrown, written and annotated", async () => {
    const text =
      "@Ann(x = 1) class A<T extends Foo> extends B<T> implements C, d.E { int f; void m() throws Bad { f = 1; new B<Foo>(); } }";
    expect(usesOf(await parse(text))).toEqual([
      "decorates free Ann in A",
      "type free Foo in A",
      "extends free B in A",
      "implements free C in A",
      "type free d in A",
      "implements free d.E in A",
      "type free Bad in m",
      "writes symbol f in m",
      "instantiates free B in m",
      "type free Foo in m",
    ]);
  });
});
