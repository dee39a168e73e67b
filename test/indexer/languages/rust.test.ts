/** Tests of parsing Rust. */
import { describe, expect, it } from "vitest";
import { importsOf, outlineOf, parseSource, usesOf } from "./parsed.ts";

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

describe("exported symbols", () => {
  it("are pub alone, or of a trait or enum", async () => {
    const { symbols } = await parseSource(
      "rust",
      "pub struct A { pub shown: u8, own: u8 }\nstruct B;\npub(crate) fn near() {}\npub fn go() {}\ntrait T { fn need(); }\nenum E { One }",
    );
    const exported = symbols.filter(({ flags }) => flags.includes("exported"));
    expect(exported.map(({ name }) => name)).toEqual(["A", "shown", "go", "need", "One"]);
  });
});
