/**
 * Tests of parsing Python: symbols, imports, local names, uses.
 */
import { describe, expect, it } from "vitest";
import { chainOf, importsOf, outlineOf, parseSource, usesOf } from "./parsed.ts";

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

describe("imports of Python", () => {
  it("name module, what is taken of it, and what it is called here", async () => {
    const text =
      "from __future__ import annotations\nimport os.path, sys as s\nfrom ..a.b import c as d, e\nfrom . import *\nfrom .x import (\n    y,\n)\n";
    expect(importsOf(await parse(text))).toEqual([
      "__future__ annotations",
      "os.path * as os",
      "sys * as s",
      "..a.b c as d",
      "..a.b e",
      ". *",
      ".x y",
    ]);
  });

  it("are for types alone under TYPE_CHECKING, and belong to the function they stand in", async () => {
    const text =
      "if TYPE_CHECKING:\n    from a import B\nelse:\n    from c import D\ndef f():\n    import e\n    e.run()\n";
    const file = await parse(text);
    expect(importsOf(file)).toEqual(["a B for types", "c D", "e * as e"]);
    expect(file.imports.map(({ from }) => from)).toEqual([-1, -1, 0]);
    expect(usesOf(file)).toContain("calls import e.run in f");
  });

  it("of dotted modules lead to the module with the longest name", async () => {
    const text = "import a\nimport a.b\na.f()\na.b.g()\n";
    const file = await parse(text);
    const calls = file.uses.filter(({ kind }) => kind === "calls").map(({ target }) => [target.root, target.members]);
    expect(calls).toEqual([
      [{ kind: "import", import: 0 }, ["f"]],
      [{ kind: "import", import: 1 }, ["g"]],
    ]);
  });
});

describe("local names of Python", () => {
  it("leave local names and parameters out, also those of loops, comprehensions and patterns", async () => {
    const text =
      "def f(a, *b, c=1, **d):\n    e = a\n    for g, h in b: print(g)\n    [k for k in d if k]\n    with c as m: m\n    try: pass\n    except E as n: n\n    if (o := e): o\n    lambda p: p + e\n    match a:\n        case q: q\n        case [r]: r\n";
    expect(usesOf(await parse(text))).toEqual(["calls free print in f", "reads free E in f"]);
  });

  it("reach the module's names through global", async () => {
    const file = await parse("count = 0\ndef f():\n    global count\n    count = 1\n");
    expect(usesOf(file)).toEqual(["writes symbol count in f"]);
  });
});

describe("uses in Python", () => {
  it("are what del takes away, which changes with its name", async () => {
    expect(usesOf(await parse("first = 1\nsecond = 2\ndel first\ndel second, first\n"))).toEqual([
      "reads symbol first in file",
      "reads symbol second in file",
      "reads symbol first in file",
    ]);
  });

  it("follow self, super and the type of a parameter or of what was made", async () => {
    const text = [
      "from m import Item",
      "class Store(Base):",
      "    def open(self, item: Item):",
      "        self.items.add(item)",
      "        super().open()",
      "        item.run()",
      "        x = Store()",
      "        x.close()",
      "        y = self.items",
      "        y.add()",
      "        item.next().run()",
    ].join("\n");
    expect(usesOf(await parse(text))).toEqual([
      "extends free Base in Store",
      "type import Item in open",
      "reads self Store.items in open",
      "calls self Store.items.add in open",
      "calls super Store.open in open",
      "calls value(import Item).run in open",
      "instantiates symbol Store in open",
      "calls value(symbol Store).close in open",
      "reads self Store.items in open",
      "calls self Store.items.add in open",
      "calls value(import Item).next in open",
      "calls result(value(import Item).next).run in open",
    ]);
  });

  it("tell calls, writes, decorators, bases and types apart", async () => {
    const text = "@app.route('/')\ndef f(a: List['Item']) -> Foo: x.y = 1\nclass A(B[T], metaclass=M): pass\n";
    expect(usesOf(await parse(text))).toEqual([
      "reads free app in f",
      "decorates free app.route in f",
      "type free List in f",
      "type free Foo in f",
      "reads free x in f",
      "writes free x.y in f",
      "extends free B in A",
      "type free T in A",
      "reads free M in A",
    ]);
  });

  it("do not see the names of a class from its methods", async () => {
    const file = await parse("class A:\n    x = 1\n    y = x\n    def m(self): return x\n");
    expect(usesOf(file)).toEqual(["reads symbol x in y", "reads free x in m"]);
  });
});

describe("exported symbols", () => {
  it("are no leading underscore, or listed in __all__", async () => {
    const { symbols } = await parseSource(
      "python",
      "class A:\n    def go(self): ...\n    def _own(self): ...\ndef _hidden(): ...\ndef shown(): ...\n",
    );
    const exported = symbols.filter(({ flags }) => flags.includes("exported"));
    expect(exported.map(({ name }) => name)).toEqual(["A", "go", "shown"]);
  });
});
