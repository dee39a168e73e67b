/** Tests of what TypeScript and JavaScript files import and pass on. */
import { describe, expect, it } from "vitest";
import { importsOf, outlineOf, parse, usesOf } from "./parsed.ts";

describe("imports", () => {
  it.each([
    ["import './a';", ["imports - as - from ./a"]],
    ["import {} from './a';", ["imports - as - from ./a"]],
    [
      "import a, { b, c as d, default as e } from './a';",
      [
        "imports default as a from ./a",
        "imports b as b from ./a",
        "imports c as d from ./a",
        "imports default as e from ./a",
      ],
    ],
    ["import * as ns from 'ns';", ["imports * as ns from ns"]],
    [
      "import type { A } from './a'; import { type B, c } from './b';",
      ["imports A as A from ./a (type-only)", "imports B as B from ./b (type-only)", "imports c as c from ./b"],
    ],
    [
      "import a = require('./a'); export import b = require('./b');",
      ["imports * as a from ./a", "imports * as b from ./b", "reexports * as b from ./b"],
    ],
    ["const a = await import('./a'); import('./b').then(c);", ["imports * as a from ./a", "imports * as - from ./b"]],
    [
      "const { a, b: c } = require('./a'); const d = require('./d').e; require('./f');",
      ["imports a as a from ./a", "imports b as c from ./a", "imports e as d from ./d", "imports * as - from ./f"],
    ],
    ["type A = import('./a').B;", ["imports * as - from ./a (type-only)"]],
    ["function f(require) { require('./a'); } import(name);", []],
  ])("are found in %j", (source, imports) => {
    expect(importsOf(parse(source))).toEqual(imports);
  });

  it.each([
    ["export * from './a'; export * as ns from './b';", ["reexports * as * from ./a", "reexports * as ns from ./b"]],
    [
      "export { a, b as c, default } from './a'; export type { D } from './d';",
      [
        "reexports a as a from ./a",
        "reexports b as c from ./a",
        "reexports default as default from ./a",
        "reexports D as D from ./d (type-only)",
      ],
    ],
    [
      "import { a } from './a'; export { a as b }; export default a;",
      ["imports a as a from ./a", "reexports a as b from ./a", "reexports a as default from ./a"],
    ],
    [
      "module.exports = require('./a'); exports.b = require('./b').c;",
      ["reexports * as * from ./a", "reexports c as b from ./b"],
    ],
    ["const a = require('a'); exports.b = a.c;", ["imports * as a from a", "reexports c as b from a"]],
  ])("and what is passed on of %j", (source, imports) => {
    const file = parse(source);
    expect(importsOf(file)).toEqual(imports);
    expect(outlineOf(file)).toEqual([]);
  });

  it("belong to the symbol that they stand in, and lead the uses of what they load", () => {
    const file = parse(
      "async function load() { const { a } = await import('./a'); a.b(); (await import('./c')).d(); }",
    );
    expect(file.imports.map(({ from }) => from)).toEqual([0, 0]);
    expect(usesOf(file)).toEqual(["reads import a", "calls import a.b", "calls import ./c.d"]);
  });

  it("are no uses where they are bound, but what a list exports of the file is read there", () => {
    expect(usesOf(parse("import { a } from './a'; export { a }; function b() {} export { b };"))).toEqual([
      "reads symbol b",
    ]);
  });

  it("reads what a namespace exports of the module around it", () => {
    expect(usesOf(parse("declare class A {} declare namespace B { export { A }; }"))).toEqual(["reads symbol A"]);
  });
});

describe("places of imports", () => {
  it.each([
    ["import { a as b } from './a';", "1:10 1:15"],
    ["import a from './a';", "1:8 renamed"],
    ["import { default as b } from './a';", "1:10 1:21"],
    ["import { a as a } from './a';", "1:10 1:15"],
    ["export { a as b } from './a';", "1:10 1:15"],
    ["const { a: b } = require('./a');", "1:9 1:12"],
    ["const b = require('./a').c;", "1:26 1:7"],
    ["exports.b = require('./a').c;", "1:28 1:9"],
  ])("are those of both names in %j", (source, places) => {
    const [{ at, localAt, renamed } = { at: { line: 0, column: 0 } }] = parse(source).imports;
    const local = localAt === undefined ? [] : [`${localAt.line}:${localAt.column}`];
    expect([`${at.line}:${at.column}`, ...local, ...(renamed ? ["renamed"] : [])].join(" ")).toBe(places);
  });

  it("are those of the exported name, too, where it is written apart", () => {
    const exported = (source: string) =>
      parse(source, "a.js").uses.flatMap(({ exportedName }) =>
        exportedName === undefined ? [] : [`${exportedName.name} ${exportedName.at.column}`],
      );
    expect(exported("function a() {} export { a as b };")).toEqual(["b 31"]);
    expect(exported("function a() {} exports.a = a;")).toEqual(["a 25"]);
    expect(exported("function a() {} module.exports = { a, c: a };")).toEqual(["c 39"]);
    expect(exported("function a() {} module.exports = a;")).toEqual([]);
  });

  it("say what a name is called in the file that passes it on", () => {
    const [, passed] = parse("import { a as b } from './a'; export { b };").imports;
    expect(passed).toMatchObject({ kind: "reexports", imported: "a", local: "b", renamed: true });
  });
});
