/** Tests of parsing PHP. */
import { describe, expect, it } from "vitest";
import { importsOf, outlineOf, parseSource, usesOf } from "./parsed.ts";

describe("PHP", () => {
  it("declares types, members, promoted properties, functions and constants", async () => {
    const text =
      "<?php\nnamespace App\\M;\nconst TOP = 1;\ndefine('DEF', 2);\nabstract class S extends Base implements I { use T; const MAX = 1; private ?Item $item = null; public function __construct(private Foo $foo, int $x) {} abstract protected static function make(): self; }\ninterface I {}\ntrait T { public $p; }\nenum E { case A; }\nfunction top() {}\n";
    const file = await parseSource("php", text);
    expect(file.namespace).toBe("App\\M");
    expect(outlineOf(file)).toEqual([
      "namespace App\\M",
      "constant TOP",
      "constant DEF",
      "class S [abstract]",
      "constant S.MAX",
      "property S.item [private]",
      "constructor S.__construct",
      "property S.foo [private]",
      "method S.make [static abstract protected]",
      "interface I",
      "trait T",
      "property T.p",
      "enum E",
      "enumMember E.A",
      "function top",
    ]);
  });

  it("imports by use and require, and uses $this, parent and typed variables", async () => {
    const text =
      "<?php\nuse App\\B;\nuse App\\C as D, X\\Y;\nuse function App\\f;\nuse Foo\\{Bar, Baz as Q};\nrequire_once 'a.php';\nclass S extends Base { function m(B $b) { parent::m(); $this->foo->bar(); self::make(); $b->go(); $d = new D(1); $d->run(); f(); B::K; } }\n";
    const file = await parseSource("php", text);
    expect(importsOf(file)).toEqual(["App B", "App C as D", "X Y", "App f", "Foo Bar", "Foo Baz as Q", "a.php *"]);
    expect(usesOf(file)).toEqual([
      "extends free Base in S",
      "type import B in m",
      "calls super S.m in m",
      "reads self S.foo in m",
      "calls self S.foo.bar in m",
      "calls self S.make in m",
      "calls value(import B).go in m",
      "instantiates import D in m",
      "calls value(import D).run in m",
      "calls import f in m",
      "reads import B in m",
      "reads import B.K in m",
    ]);
  });

  it("make objects of the class around and of its base", async () => {
    const text =
      "<?php class A extends B { function n() { new self(); new static; new parent(1); $x = new class extends C { function k() { $this->go(); } }; } }";
    const uses = usesOf(await parseSource("php", text)).filter((use) => !use.startsWith("extends"));
    expect(uses).toEqual([
      "instantiates symbol A in n",
      "instantiates symbol A in n",
      "instantiates free B in n",
      "calls value(free C).go in k",
    ]);
  });
});

describe("exported symbols", () => {
  it("are all that is neither private nor protected", async () => {
    const { symbols } = await parseSource(
      "php",
      "<?php class A { public $shown; private $own; protected $inherited; function go() {} private function hide() {} }",
    );
    const exported = symbols.filter(({ flags }) => flags.includes("exported"));
    expect(exported.map(({ name }) => name)).toEqual(["A", "shown", "go"]);
  });
});
