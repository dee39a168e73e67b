/** Tests of parsing C#. */
import { describe, expect, it } from "vitest";
import { importsOf, outlineOf, parseSource, usesOf } from "./parsed.ts";

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
      "instantiates free Store`1 in M",
      "type free T in M",
      "calls value(free Store`1).Open in M",
      "calls super S.M in M",
      "reads symbol item in M",
      "calls symbol item.Run in M",
      "calls value(free Bar).Go in M",
      "calls self S.Helper in M",
    ]);
  });
});

describe("exported symbols", () => {
  it("are public, or a member of an interface; nothing without a modifier", async () => {
    const { symbols } = await parseSource(
      "csharp",
      "public class A { public int Open; protected int Inherited; internal int Friend; int Own; private int Hidden; }\nclass B { public void Go() {} }\ninterface I { void Do(); }\ninternal class C {}",
    );
    const exported = symbols.filter(({ flags }) => flags.includes("exported"));
    expect(exported.map(({ name }) => name)).toEqual(["A", "Open", "Go", "Do"]);
  });
});
