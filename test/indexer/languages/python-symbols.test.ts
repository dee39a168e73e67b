/** Tests of what Python declares. */
import { describe, expect, it } from "vitest";
import { chainOf, outlineOf, parseSource } from "./parsed.ts";

const parse = (text: string) => parseSource("python", text);

describe("symbols of Python", () => {
  it("are functions, classes, methods, constructors and properties", async () => {
    const text = [
      "def top(): pass",
      "class Store(Base):",
      "    def __init__(self): pass",
      "    def open(self): pass",
      "    @property",
      "    def size(self): return 1",
      "    @size.setter",
      "    def size(self, value): pass",
      "    @staticmethod",
      "    async def make(): pass",
      "    def _hidden(self): pass",
    ].join("\n");
    expect(outlineOf(await parse(text))).toEqual([
      "function top",
      "class Store",
      "constructor Store.__init__",
      "method Store.open",
      "property Store.size",
      "property Store.size",
      "method Store.make [static async]",
      "method Store._hidden [private]",
    ]);
  });

  it("are variables, constants and fields of modules and classes, each once", async () => {
    const text = "MAX = 1\nname: str = ''\na, (b, *c) = x\nname = 2\nclass A:\n    x: int\n    LIMIT = 3\n";
    expect(outlineOf(await parse(text))).toEqual([
      "constant MAX",
      "variable name",
      "variable a",
      "variable b",
      "variable c",
      "class A",
      "field A.x",
      "constant A.LIMIT",
    ]);
  });

  it("are what the constructor sets on the object, unless the class has it", async () => {
    const text =
      "class A:\n    x: int\n    def __init__(self):\n        self.x = 1\n        self.y: Foo = f()\n        other.z = 2\n    def m(self):\n        self.w = 1\n";
    expect(outlineOf(await parse(text))).toEqual([
      "class A",
      "field A.x",
      "constructor A.__init__",
      "field A.y",
      "method A.m",
    ]);
  });

  it("keep every overload and mark nested functions as inner", async () => {
    const text =
      "@overload\ndef f(a: int): ...\n@overload\ndef f(a: str): ...\ndef f(a):\n    def g(): pass\n    x = 1\n    return g\n";
    expect(outlineOf(await parse(text))).toEqual(["function f", "function f", "function f", "function f.g [inner]"]);
  });

  it("are found inside if, try and with, at the same level", async () => {
    const text = "if x:\n    def f(): pass\nelse:\n    Y = 1\ntry:\n    import a\nexcept E:\n    z = None\n";
    expect(outlineOf(await parse(text))).toEqual(["function f", "constant Y", "variable z"]);
  });

  it("are enums with their members where a base says so", async () => {
    expect(outlineOf(await parse("class C(enum.IntEnum):\n    RED = 1\n    _x = 2\n"))).toEqual([
      "enum C",
      "enumMember C.RED",
      "field C._x [private]",
    ]);
  });

  it("are exported by __all__ where there is one, else by their names", async () => {
    const exported = async (text: string) =>
      (await parse(text)).symbols.filter((symbol) => symbol.flags.includes("exported")).map((symbol) => symbol.name);
    expect(await exported("def a(): pass\ndef _b(): pass\n")).toEqual(["a"]);
    expect(await exported("__all__ = ['_b'] + ['c']\ndef a(): pass\ndef _b(): pass\n")).toEqual(["_b"]);
  });

  it("have the lines of decorators and comments, a signature, a docstring and a type", async () => {
    const text =
      '# Opens\n# things.\n@cached\nasync def open(a: int,\n               b=1) -> List[Store]:\n    """Open it.\n\n    More.\n    """\n    return a\n    # the end\n';
    const [symbol] = (await parse(text)).symbols;
    expect(symbol).toMatchObject({
      leadLine: 1,
      start: { line: 3, column: 1 },
      at: { line: 4, column: 11 },
      end: { line: 10, column: 13 },
      signature: "async def open(a: int, b=1) -> List[Store]",
      doc: "Open it.",
      typeText: "List[Store]",
    });
  });

  it("have columns in UTF-16 units", async () => {
    const { symbols, uses } = await parse("x = '😀'; y = f('é😀', z)\n");
    expect(symbols.map(({ at }) => at.column)).toEqual([1, 11]);
    expect(uses.map(({ at }) => at.column)).toEqual([15, 24]);
  });

  it("know attributes by what the constructor gives them", async () => {
    const file = await parse("class A:\n    def __init__(self, b: B):\n        self.b = b\n        self.c = C()\n");
    const types = file.symbols
      .filter(({ kind }) => kind === "field")
      .map(({ type }) => (type === undefined ? "" : chainOf(file, type)));
    expect(types).toEqual(["free B", "free C"]);
  });
});
