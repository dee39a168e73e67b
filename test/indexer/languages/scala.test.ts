/** Tests of parsing Scala. */
import { describe, expect, it } from "vitest";
import { importsOf, outlineOf, parseSource, usesOf } from "./parsed.ts";

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

describe("exported symbols", () => {
  it("are all that is neither private nor protected", async () => {
    const { symbols } = await parseSource(
      "scala",
      "class A { def shown = 1; private def own = 1; protected def inherited = 1 }\nprivate class B",
    );
    const exported = symbols.filter(({ flags }) => flags.includes("exported"));
    expect(exported.map(({ name }) => name)).toEqual(["A", "shown"]);
  });
});
