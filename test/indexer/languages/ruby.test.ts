/** Tests of parsing Ruby. */
import { describe, expect, it } from "vitest";
import { chainOf, importsOf, outlineOf, parseSource, usesOf } from "./parsed.ts";

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
