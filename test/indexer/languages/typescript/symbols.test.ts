/** Tests of the symbols of TypeScript and JavaScript files. */
import { describe, expect, it } from "vitest";
import { describeReference, outlineOf, parse, symbolOf } from "./parsed.ts";

describe("symbols of declarations", () => {
  it.each([
    ["function open() {}", ["function open"]],
    [
      "function open(a: string): void; function open(a: number): void; function open(a: any) {}",
      ["function open", "function open", "function open"],
    ],
    ["const open = () => 1, close = async function shut() {};", ["function open", "function close"]],
    ["const Store = class Inner { open() {} };", ["class Store", "method Store.open"]],
    ["const a = 1; let b; var c = 2;", ["constant a", "variable b", "variable c"]],
    ["export const { a, b: [c, ...d], e: { f } = g } = h();", ["constant a", "constant c", "constant d", "constant f"]],
    ["enum Color { Red = 1, 'dark green' }", ["enum Color", "enumMember Color.Red", "enumMember Color.dark green"]],
    [
      "interface A { b: string; c(): void; [key: string]: unknown; (): void; new (): A }",
      ["interface A", "property A.b", "method A.c", "property A.[]", "method A.()", "method A.new()"],
    ],
    ["type A = { (b: B): void; (c: C): D };", ["typeAlias A", "method A.()", "method A.()"]],
    ["type A = { b: string; c(): void } & B;", ["typeAlias A", "property A.b", "method A.c"]],
    [
      "namespace A.B { export const c = 1; namespace D {} }",
      ["namespace A", "namespace A.B", "constant A.B.c", "namespace A.B.D"],
    ],
    ["declare module 'foo' { function bar(): void; }", ["module foo", "function foo.bar"]],
    [
      "declare global { interface Window { a: string } }",
      ["namespace global", "interface global.Window", "property global.Window.a"],
    ],
    ["interface A {} class A {} namespace A {}", ["interface A", "class A", "namespace A"]],
    ["export default function () {}", ["function default"]],
    ["export default class { a = 1 }", ["class default", "property default.a"]],
    ["export default { name: 'x', data() {} };", ["constant default", "property default.name", "method default.data"]],
  ])("are found in %j", (source, outline) => {
    expect(outlineOf(parse(source))).toEqual(outline);
  });

  it("have every kind of member of a class", () => {
    const file = parse(`
      abstract class Store<T> {
        static #count = 0;
        declare items: T[];
        constructor(private readonly db: Db, protected name?: string, plain = 1) {}
        get size() { return 1; }
        set size(value) {}
        protected abstract async *walk(): void;
        [Symbol.iterator]() {}
        "quoted name"() {}
        handler = () => {};
        static { function helper() {} }
        [key: string]: unknown;
      }`);
    expect(outlineOf(file)).toEqual([
      "class Store",
      "property Store.#count",
      "property Store.items",
      "constructor Store.constructor",
      "property Store.db",
      "property Store.name",
      "property Store.size",
      "property Store.size",
      "method Store.walk",
      "method Store.[Symbol.iterator]",
      "method Store.quoted name",
      "property Store.handler",
      "function Store.helper",
      "property Store.[]",
    ]);
    expect(symbolOf(file, "Store").flags).toEqual(["abstract"]);
    expect(symbolOf(file, "Store.#count").flags).toEqual(["static", "private"]);
    expect(symbolOf(file, "Store.db").flags).toEqual(["private"]);
    expect(symbolOf(file, "Store.walk").flags).toEqual(["protected", "abstract", "async"]);
    expect(symbolOf(file, "Store.helper").flags).toEqual(["inner"]);
  });

  it("have the members of object literals at every depth, also frozen and asserted ones", () => {
    const source = "export const api = { a() {}, get b() { return 1; }, c: { d: () => 1, e: 2 }, f, ...g } as const;";
    expect(outlineOf(parse(source))).toEqual([
      "constant api",
      "method api.a",
      "property api.b",
      "property api.c",
      "method api.c.d",
      "property api.c.e",
      "property api.f",
    ]);
    expect(outlineOf(parse("const a = Object.freeze({ b: 1 });"))).toEqual(["constant a", "property a.b"]);
  });

  it("leave out locals, parameters and what stands in nameless objects, but not functions and types in functions", () => {
    const file = parse(`
      function outer(parameter) {
        const local = { member: 1 };
        type Local = { a: 1 };
        function named() {}
        const arrow = () => { const deep = function () {}; };
        return class Made { run() {} };
      }
      use({ nameless: 1, method() {} }, function callback() {});
      { let block = 1; var hoisted = 2; }
      for (const each of []) {}
      try {} catch (error) {}`);
    expect(outlineOf(file)).toEqual([
      "function outer",
      "typeAlias outer.Local",
      "property outer.Local.a",
      "function outer.named",
      "function outer.arrow",
      "function outer.arrow.deep",
      "class outer.Made",
      "method outer.Made.run",
      "function callback",
      "variable hoisted",
    ]);
    expect(file.symbols.filter(({ flags }) => flags.includes("inner"))).toHaveLength(7);
  });
});

describe("symbols of CommonJS", () => {
  it.each([
    ["exports.a = 1; module.exports.b = function () {}; exports.c = void 0;", ["constant a", "function b"]],
    [
      "module.exports = { a, b() {}, c: 1, d: require('./d') }; function a() {}",
      ["method b", "property c", "function a"],
    ],
    ["module.exports = function open() {};", ["function open"]],
    [
      "const lib = { util: {}, full: { b: 1 } }; lib.util.open = function () {}; lib.util.sub = {}; lib.util.sub.a = 1; lib.full.c = 2; lib.gone.d = 3;",
      [
        "constant lib",
        "property lib.util",
        "property lib.full",
        "property lib.full.b",
        "method lib.util.open",
        "property lib.util.sub",
        "property lib.util.sub.a",
      ],
    ],
    ["module.exports = create(1);", ["constant default"]],
    ["const fs = require('fs'), { a } = require('./a'), b = require('./b').c;", []],
    [
      "function A() {} A.prototype.run = function () {}; A.make = () => new A();",
      ["function A", "method A.run", "method A.make"],
    ],
    ["class A {} A.prototype = { run() {} }; A.size = 1; A.size = 2;", ["class A", "method A.run", "property A.size"]],
    ["var app = exports = module.exports = {}; app.use = function use() {};", ["variable app", "method app.use"]],
    ["const settings = { a: 1 }; settings.b = 2;", ["constant settings", "property settings.a"]],
  ])("are found in %j", (source, outline) => {
    expect(outlineOf(parse(source, "a.js"))).toEqual(outline);
  });

  it("have the names under which they are exported", () => {
    const file = parse("function a() {} function b() {} exports.c = a; module.exports = b; exports.d = 1;", "a.cjs");
    expect(file.symbols.map(({ name, exportedAs }) => [name, exportedAs])).toEqual([
      ["a", ["c"]],
      ["b", ["export="]],
      ["d", ["d"]],
    ]);
  });
});

describe("exports", () => {
  it("tell names and flags, also of lists below the declaration", () => {
    const file = parse(`
      export const a = 1;
      function b() {}
      export { b, b as c };
      class D {}
      export default D;
      export default function e() {}
      const hidden = 1;
      namespace N { export const inside = 1; const own = 2; }`);
    const exported = file.symbols.map(({ name, flags, exportedAs }) => [name, flags.join(" "), exportedAs.join(" ")]);
    expect(exported).toEqual([
      ["a", "exported", "a"],
      ["b", "exported", "b c"],
      ["D", "exported defaultExport", "default"],
      ["e", "exported defaultExport", "default"],
      ["hidden", "", ""],
      ["N", "", ""],
      ["inside", "exported", ""],
      ["own", "", ""],
    ]);
  });

  it("are all of a declaration file, unless a list says what is", () => {
    expect(symbolOf(parse("import './b'; declare const a: 1;", "a.d.ts"), "a").exportedAs).toEqual(["a"]);
    expect(symbolOf(parse("declare const a: 1; declare const b: 2; export { b };", "a.d.ts"), "a").exportedAs).toEqual(
      [],
    );
    expect(symbolOf(parse("declare const a: 1; export = a;", "a.d.ts"), "a").exportedAs).toEqual(["export="]);
  });
});

describe("what is said of a symbol", () => {
  it("is its place with decorators, without its comment", () => {
    const { symbols } = parse("\n// why\n@dec()\nexport class A {\n  b = 1;\n}\n");
    expect(symbols[0]).toMatchObject({
      at: { line: 4, column: 14 },
      start: { line: 3, column: 1 },
      end: { line: 6, column: 2 },
      leadLine: 2,
    });
    expect(symbols[1]).toMatchObject({ start: { line: 5, column: 3 }, end: { line: 5, column: 9 }, leadLine: 5 });
  });

  it("counts lines by line feeds and columns in UTF-16 units, with and without a byte order mark", () => {
    expect(parse("const s = '😀\u2028'; function f() {}\r\nlet x;").symbols.map(({ at }) => at)).toEqual([
      { line: 1, column: 7 },
      { line: 1, column: 27 },
      { line: 2, column: 5 },
    ]);
    expect(parse("\ufefflet x;").symbols[0]?.at).toEqual({ line: 1, column: 6 });
  });

  it.each([
    [
      "export async function open(\n  path: string, // where\n  /* how */ mode = 'r',\n): Promise<File> {\n  return 1;\n}",
      "export async function open( path: string, mode = 'r', ): Promise<File>",
    ],
    ["class A<T> extends B<T> implements C {\n a = 1 }", "class A<T> extends B<T> implements C"],
    [
      "const open = async (a: string): Promise<void> => { await a; }",
      "const open = async (a: string): Promise<void> =>",
    ],
    ["export const api: Api = { a: 1 };", "export const api: Api"],
    ["const a = 1, limit = 2;", "const a = 1"],
    ["type A =\n  | 'b'\n  | 'c';", "type A = | 'b' | 'c'"],
    ["const url = 'http://a//b'; // c", "const url = 'http://a//b'"],
  ])("is the signature of %j", (source, signature) => {
    expect(parse(source).symbols[0]?.signature).toBe(signature);
  });

  it.each([
    ["export const { alpha, beta: gamma } = make();", "gamma", "export const { beta: gamma } = make()"],
    ["export const { alpha, delta = 3 }: Shape = make();", "delta", "export const { delta = 3 }: Shape = make()"],
    ["const { alpha, ...rest } = { alpha: 1 };", "rest", "const { ...rest }"],
    ["let [one, , two = 2] = list;", "two", "let [, , two = 2] = list"],
    ["let { x: { y, z: [w] } } = deep;", "w", "let { x: { z: [w] } } = deep"],
    ["export const a = 1, b: string = 'x';", "b", "export const b: string = 'x'"],
    ["export declare let a: number, b: string;", "b", "export declare let b: string"],
  ])("in %j is the signature of %s alone", (source, name, signature) => {
    const { symbols } = parse(source);
    expect(symbols.find((symbol) => symbol.name === name)?.signature).toBe(signature);
  });

  it("is a signature of at most 400 characters", () => {
    expect(parse(`type A = ${"'abc' | ".repeat(200)} 'd';`).symbols[0]?.signature).toHaveLength(400);
  });

  it("is the first paragraph of its doc comment, and whether it is deprecated", () => {
    const { symbols } = parse(`
      /**
       * Opens a {@link Store | store}
       * again.
       *
       * More.
       * @deprecated use close
       */
      function a() {}
      /** Short. */
      const b = 1;
      // No doc comment.
      const c = 1;
      /** @internal */
      const d = 1;`);
    expect(symbols.map(({ doc, flags }) => [doc, flags])).toEqual([
      ["Opens a store again.", ["deprecated"]],
      ["Short.", []],
      ["", []],
      ["", []],
    ]);
  });

  it.each([
    ["/** What the file is. */\n\nimport './a';", "What the file is."],
    ["/** What the file is. */\nimport './a';", "What the file is."],
    ["#!/usr/bin/env node\n/**\n * @fileoverview What it is.\n */\nfunction a() {}", "What it is."],
    ["/** @license MIT */\n\n/** What it is. */\n\nlet a;", "What it is."],
    ["/** Of the function. */\nfunction a() {}", ""],
  ])("begins with what describes the file: %j", (source, doc) => {
    expect(parse(source).doc).toBe(doc);
  });

  it("is its declared type, and the type as a reference where something is known of it", () => {
    const file = parse(`
      import { Db } from "./db.ts";
      class Store<T> {
        a: Store<string> | undefined;
        b: string[];
        c = new Db();
        async d(): Promise<Store<T>> {}
        e(): this {}
        f: T;
      }
      const g = make();
      function make(): Db.Inner {}`);
    const types = file.symbols.map(({ name, typeText, type }) => [
      name,
      typeText,
      type && describeReference(file, type),
    ]);
    expect(types).toEqual([
      ["Store", "", undefined],
      ["a", "Store<string> | undefined", "symbol Store"],
      ["b", "string[]", "free Array<?>"],
      ["c", "", "made(import Db)"],
      ["d", "Promise<Store<T>>", "free Promise<symbol Store<parameter 0>>"],
      ["e", "this", "self Store"],
      ["f", "T", "parameter 0"],
      ["g", "", "result(symbol make)"],
      ["make", "Db.Inner", "import Db.Inner"],
    ]);
  });

  it("names its bases as written, without type arguments", () => {
    const { symbols } = parse("class A extends mix(B)<C> implements d.E<F>, G {} interface H extends I<J> {}");
    expect(symbols.map(({ bases }) => bases)).toEqual([["mix(B)", "d.E", "G"], ["I"]]);
  });
});

it("stand at their own names where a module exports them as a whole", () => {
  const [store, open] = parse("module.exports = class Store { open() {} };", "a.js").symbols;
  expect(store).toMatchObject({ name: "Store", at: { line: 1, column: 24 }, start: { line: 1, column: 1 } });
  expect(open).toMatchObject({ name: "open", at: { line: 1, column: 32 } });
  expect(parse("module.exports = () => 1;", "a.js").symbols[0]).toMatchObject({ name: "default", at: { column: 1 } });
});
