/** Tests of parsing Swift. */
import { describe, expect, it } from "vitest";
import { importsOf, outlineOf, parseSource, usesOf } from "./parsed.ts";

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

describe("exported symbols", () => {
  it("are public or open, or of a protocol", async () => {
    const { symbols } = await parseSource(
      "swift",
      "public class A { public var shown = 1; open func reach() {}; internal var near = 1; var plain = 1; private var own = 1; fileprivate var file = 1 }\nclass B {}\nprotocol P { func need() }",
    );
    const exported = symbols.filter(({ flags }) => flags.includes("exported"));
    expect(exported.map(({ name }) => name)).toEqual(["A", "shown", "reach", "need"]);
  });
});
