/** Tests of parsing Kotlin. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf, outlineOf, parseSource, usesOf } from "./parsed.ts";

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

describe("exported symbols", () => {
  it("are all that is neither private nor protected", async () => {
    const { symbols } = await parseSource(
      "kotlin",
      "class A { val shown = 1; private val own = 1; protected fun inherited() {}; public fun go() {} }\nprivate class B",
    );
    const exported = symbols.filter(({ flags }) => flags.includes("exported"));
    expect(exported.map(({ name }) => name)).toEqual(["A", "shown", "go"]);
  });
});
