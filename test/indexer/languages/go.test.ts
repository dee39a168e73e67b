/** Tests of what Go's syntax declares, imports and uses. */
import { describe, expect, it } from "vitest";
import { importsOf, outlineOf, parseSource, usesOf } from "./parsed.ts";

const parse = (text: string) => parseSource("go", `package p\n${text}`);

describe("symbols of Go", () => {
  it("are types with fields and methods, in front of or behind which the type stands", async () => {
    const text =
      "func (s *Store[T]) Open() {}\ntype Store[T any] struct {\n\tBase\n\t*pkg.Emb\n\ta, B int\n}\ntype I interface { M(); Other }\ntype A = int\n";
    const file = await parse(text);
    expect(file.namespace).toBe("p");
    expect(outlineOf(file)).toEqual([
      "struct Store",
      "method Store.Open",
      "field Store.Base",
      "field Store.Emb",
      "field Store.a",
      "field Store.B",
      "interface I",
      "method I.M",
      "typeAlias A",
    ]);
    expect(file.symbols.map(({ bases }) => bases)[0]).toEqual(["Base", "pkg.Emb"]);
    expect(file.symbols.find(({ name }) => name === "I")?.bases).toEqual(["Other"]);
  });

  it("name the type of a method that another file declares", async () => {
    expect(outlineOf(await parse("func (s *Store) Open() {}\n"))).toEqual(["method <Store>.Open"]);
  });

  it("are constants and variables at the top, not those of functions", async () => {
    const text =
      "const (\n\tX = iota\n\tY\n)\nvar v, w = 1, 2\nvar _ I = x\nfunc f() { const z = 1; var u int; t := 2 }\n";
    expect(outlineOf(await parse(text))).toEqual([
      "constant X",
      "constant Y",
      "variable v",
      "variable w",
      "function f",
    ]);
  });

  it("are exported in upper case, and tests by name and parameter", async () => {
    const file = await parse("func TestA(t *testing.T) {}\nfunc b() {}\n");
    expect(file.symbols.map(({ flags }) => flags)).toEqual([["exported", "test"], []]);
  });

  it("take a comment and a keyword that stand around one of them", async () => {
    const [symbol] = (await parse("// A is.\n//\n// More.\ntype A struct{}\n")).symbols;
    expect(symbol).toMatchObject({
      leadLine: 2,
      start: { line: 5, column: 1 },
      doc: "A is.",
      signature: "type A struct",
    });
  });
});

describe("imports of Go", () => {
  it("bind the last part of the path, an alias, everything or nothing", async () => {
    const text = 'import (\n\t"fmt"\n\tm "a/b"\n\t. "c"\n\t_ "d"\n\t"gopkg.in/yaml.v3"\n\t"x.org/go-y/v2"\n)\n';
    expect(importsOf(await parse(text))).toEqual([
      "fmt * as fmt",
      "a/b * as m",
      "c *",
      "d * as nothing",
      "gopkg.in/yaml.v3 * as yaml",
      "x.org/go-y/v2 * as y",
    ]);
  });
});

describe("uses in Go", () => {
  it("follow receivers, typed parameters and what was made, and leave local names out", async () => {
    const text = [
      'import "fmt"',
      "type Store struct { items Items }",
      "func (s *Store) Open(a Item) error {",
      "\ts.items.Add(a)",
      "\ta.Run()",
      "\tx := &Store{items: nil}",
      "\tx.Open(a)",
      "\ty, err := New()",
      "\ty.Go()",
      "\tfmt.Println(err)",
      "\tfor i, k := range x.items { _, _ = i, k }",
      "\thelper(Other)",
      "\treturn err",
      "}",
    ].join("\n");
    expect(usesOf(await parse(text)).filter((use) => use.endsWith("Open"))).toEqual([
      "type symbol Store in Open",
      "type free Item in Open",
      "reads value(symbol Store).items in Open",
      "calls value(symbol Store).items.Add in Open",
      "calls value(free Item).Run in Open",
      "instantiates symbol Store in Open",
      "writes value(symbol Store).items in Open",
      "calls value(symbol Store).Open in Open",
      "calls free New in Open",
      "calls result(free New).Go in Open",
      "reads import fmt in Open",
      "calls import fmt.Println in Open",
      "reads value(symbol Store).items in Open",
      "calls free helper in Open",
      "reads free Other in Open",
    ]);
  });

  it("know a value by the case of a type switch", async () => {
    const text = "func f(v any) {\n\tswitch t := v.(type) {\n\tcase *Store:\n\t\tt.Open()\n\t}\n\tv.(*Item).Run()\n}\n";
    expect(usesOf(await parse(text))).toEqual([
      "type free Store in f",
      "calls value(free Store).Open in f",
      "type free Item in f",
      "calls value(free Item).Run in f",
    ]);
  });

  it("say what a type embeds", async () => {
    expect(usesOf(await parse("type A struct { Base; *pkg.Emb; c C }\n"))).toEqual([
      "extends free Base in Base",
      "reads free pkg in Emb",
      "extends free pkg.Emb in Emb",
      "type free C in c",
    ]);
  });
});

describe("exported symbols", () => {
  it("are an initial capital", async () => {
    const { symbols } = await parseSource(
      "go",
      "package p\ntype Store struct { Items int; count int }\nfunc Open() {}\nfunc close() {}\n",
    );
    const exported = symbols.filter(({ flags }) => flags.includes("exported"));
    expect(exported.map(({ name }) => name)).toEqual(["Store", "Items", "Open"]);
  });
});
