/** Tests of the uses of names in TypeScript and JavaScript files. */
import { describe, expect, it } from "vitest";
import { describeReference, parse, usesOf } from "./parsed.ts";

/** What the last use of a source leads to. */
function lastUse(source: string, path?: string): string | undefined {
  return usesOf(parse(source, path)).at(-1);
}

describe("uses", () => {
  it.each([
    ["a(); new b(); c`x`; d;", ["calls free a", "instantiates free b", "calls free c", "reads free d"]],
    [
      "a = b; a.c += 1; a++; delete a.d; [a, { e: a, f }] = b;",
      [
        "writes free a",
        "reads free b",
        "reads free a",
        "writes free a.c",
        "writes free a",
        "reads free a",
        "writes free a.d",
        "writes free a",
        "writes free a",
        "writes free f",
        "reads free b",
      ],
    ],
    [
      "@a @b.c() class D extends e.F<g> implements H {}",
      [
        "decorates free a",
        "reads free b",
        "decorates free b.c",
        "reads free e",
        "extends free e.F<free g>",
        "type free g (type-only)",
        "implements free H (type-only)",
      ],
    ],
    ["interface A extends B.C {} ", ["type free B (type-only)", "extends free B.C (type-only)"]],
    [
      "let a: B<C.D>; let e: typeof f.g;",
      [
        "type free B (type-only)",
        "type free C (type-only)",
        "type free C.D (type-only)",
        "type free f (type-only)",
        "type free f.g (type-only)",
      ],
    ],
    [
      "const a = { b, c: d, [e]: f }; label: for (;;) { break label; }",
      ["reads free b", "reads free d", "reads free e", "reads free f"],
    ],
    ["x as const; y satisfies Z; undefined;", ["reads free x", "reads free y", "type free Z (type-only)"]],
    [
      `a ? b : c; d || e; f, g; -h; \`$\{i}\`; j?.k!.l; m['n'];`,
      [
        "reads free a",
        "reads free b",
        "reads free c",
        "reads free d",
        "reads free e",
        "reads free f",
        "reads free g",
        "reads free h",
        "reads free i",
        "reads free j",
        "reads free j.k",
        "reads free j.k.l",
        "reads free m",
      ],
    ],
  ])("have a kind and a target in %j", (source, uses) => {
    expect(usesOf(parse(source))).toEqual(uses);
  });

  it("are found in JSX: components, not elements of HTML", () => {
    expect(usesOf(parse("const a = <Ns.Box on={b} {...c}><div id='x'>{d}</div><Row /></Ns.Box>;", "a.tsx"))).toEqual([
      "reads free Ns",
      "calls free Ns.Box",
      "writes argument(free Ns.Box 0).on",
      "reads free b",
      "reads free c",
      "reads free d",
      "calls free Row",
      "reads free Ns",
      "reads free Ns.Box",
    ]);
  });

  it("belong to the innermost symbol around them", () => {
    const file = parse("a; class B { c = d; e() { f(() => { function g() { h; } }); } } const i = { j: k };");
    const from = file.uses.map((use) => file.symbols[use.from]?.name ?? "-");
    expect(from).toEqual(["-", "c", "e", "g", "j"]);
  });
});

describe("names", () => {
  it.each([
    ["of the file, also above the declaration", "open(); function open() {}", "calls symbol open"],
    ["of imports", "import { a as b } from './a'; b;", "reads import b"],
    ["in types and in values apart", "const A = 1; type A = string; let a: A;", "type symbol A (type-only)"],
    ["in values and in types apart", "type A = string; const A = 1; A;", "reads symbol A"],
    [
      "of namespaces from others of the same name",
      "namespace A.B { export const c = 1; } namespace A.B { c; }",
      "reads symbol A.B.c",
    ],
    ["of members of an enum in the enum", "enum A { B = 1, C = B }", "reads symbol A.B"],
    ["of a function that only it knows", "const a = function b() { b(); };", "calls symbol a"],
    ["of hoisted functions in a function", "function a() { b(); function b() {} }", "calls symbol a.b"],
    [
      "that nothing declares",
      "import * as Record from './r'; let a: Record<string, 1>;",
      "type free Record (type-only)",
    ],
    [
      "of merged declarations",
      "interface A {} namespace A { export interface B {} } let a: A.B;",
      "type symbol A.B (type-only)",
    ],
    ["of types inside functions", "function f() { interface B {} let a: B; }", "type symbol f.B (type-only)"],
    ["outside of a block that hides them", "const a = 1; { const a = 2; a; } a;", "reads symbol a"],
    [
      "of a parameter's decorator outside of the function",
      "const a = 1; class B { constructor(@c(a) a) {} }",
      "reads symbol a",
    ],
    ["of a property that a parameter declares", "class A { constructor(private b) { b; } }", "reads symbol A.b"],
    ["of what a list of variables exports", "import { a } from './a'; const b = { a };", "reads import a"],
  ])("are those %s", (_, source, use) => {
    expect(lastUse(source)).toBe(use);
  });

  it.each([
    "function f(a, { b, c: [d] }, ...e) { a; b; d; e; }",
    "{ let a = 1; a; const { b } = {}; b; }",
    "function f() { var a; if (1) { var b; } b; a; for (var c of []) c; arguments; }",
    "try {} catch (a) { a; } try {} catch ({ b }) { b; }",
    "for (const a in {}) a; for (let i = 0; i < 1; i++) {}",
    "switch (1) { case 1: let a; a; }",
    "type F<A, B extends A> = A extends (infer C)[] ? C : { [D in B]: D };",
    "interface A<T> { b(c: T): asserts c is T; d: <U>(e: U) => typeof e }",
    "class A<T> { b: T; c<U>(d: U) {} }",
    "function f() { class G {} } function g(this: string, x = () => x) {}",
  ])("of locals are left out of %j", (source) => {
    expect(usesOf(parse(source))).toEqual([]);
  });
});

describe("members", () => {
  it.each([
    ["this", "class A { b; c() { this.b.d(); } }", "calls self A.b.d"],
    ["this in an arrow function", "class A { b() { return () => this.#c; } }", "reads self A.#c"],
    ["no this in another function", "class A { b() { function c() { this.d; } } }", "reads ?.d"],
    ["this of an object", "const a = { b() { this.c(); } };", "calls self a.c"],
    ["a declared this", "function a(this: Store) { this.open(); }", "calls value(free Store).open"],
    ["super", "class A extends B { c() { super.c(); } }", "calls super A.c"],
    ["super as a call", "class A extends B { constructor() { super(); } }", "calls super A.constructor"],
    ["an annotated parameter", "function f(a: Store | null) { a?.open(); }", "calls value(free Store).open"],
    [
      "a promise of a type",
      "async function f(a: Promise<Store>) { (await a).open(); }",
      "calls value(free Awaited<free Promise<free Store>>).open",
    ],
    ["what was made", "function f() { const a = new Store(); a.open(); }", "calls made(free Store).open"],
    [
      "what a call gives",
      "async function f() { const a = await make(); a.open(); }",
      "calls value(free Awaited<result(free make)>).open",
    ],
    ["results of results", "make().then().finish();", "calls result(result(free make).then).finish"],
    ["an assertion", "(a as Store)!.open();", "calls value(free Store).open"],
    ["a variable that is another name", "function f() { const a = b.c; a.d(); }", "calls free b.c.d"],
    ["a pattern", "function f() { const { a: { b } } = c; b.d(); }", "calls free c.a.b.d"],
    ["a pattern of a parameter with a type", "function f({ a }: Props) { a.b(); }", "calls value(free Props).a.b"],
    [
      "a type that is written out",
      "function f({ a }: { a: Store }) { a.open(); }",
      "calls value({a: value(free Store)}).a.open",
    ],
    ["a constraint", "function f<T extends Store>(a: T) { a.open(); }", "calls value(parameter 0: free Store).open"],
    [
      "elements of a list",
      "function f(a: readonly Store[]) { for (const b of a) b.open(); }",
      "calls element(value(free Array<free Store>)).open",
    ],
    [
      "elements of a list of the class",
      "class A { b: Set<Store>; c() { for (const d of this.b) d.open(); } }",
      "calls element(self A.b).open",
    ],
    ["the type of a value", "function f(a: typeof b) { a.c(); }", "calls value(typeof(free b)).c"],
    ["nothing that is known", "function f(a) { a.b.c(); }", "calls ?.b.c"],
    ["a variable that is defined by itself", "function f() { const a = a.b; a.c; }", "reads ?.b.c"],
    ["a constant of the module", "const a = new Store(); a.open();", "calls symbol a.open"],
    ["a namespace that is imported", "import * as ns from 'ns'; ns.a.b();", "calls import ns.a.b"],
  ])("are those of %s", (_, source, use) => {
    expect(lastUse(source)).toBe(use);
  });

  it("of long chains are given up", () => {
    const file = parse(`a${".b()".repeat(200)};c${".d".repeat(200)};`);
    expect(file.uses).toHaveLength(402);
    expect(Math.max(...file.uses.map((use) => JSON.stringify(use).length))).toBeLessThan(4000);
  });
});

describe("parameters of functions that are arguments", () => {
  const last = (call: string): string | undefined =>
    lastUse(`import { Store, each } from "./a";\nconst items: Store[] = [];\n${call}`);

  it.each([
    ["items.map((item) => item.open())", "calls given(argument(symbol items.map 0) 0).open"],
    ["each((store) => store.open())", "calls given(argument(import each 0) 0).open"],
    ["new Store(1, function (this: Store, a, b) { b.open(); })", "calls given(argument(import Store 1) 1).open"],
    ["each((store: Store) => store.open())", "calls value(import Store).open"],
    ["each({ on: (store) => store.open() })", "calls given(argument(import each 0).on 0).open"],
    ["each([(store) => store.open()])", "calls given(element(argument(import each 0) 0) 0).open"],
    ["const run: Run = (store) => store.open();", "calls given(value(free Run) 0).open"],
    ["function f(): Run { return (store) => store.open(); }", "calls given(value(free Run) 0).open"],
    ["const run: Run = () => (store) => store.open();", "calls given(result(value(free Run)) 0).open"],
    ["for (const one of Store.all()) one.open();", "calls element(result(import Store.all)).open"],
  ])("of %s are what they are called with", (call, expected) => {
    expect(last(call)).toBe(expected);
  });

  it("are said by who declares a function among its parameters", () => {
    const file = parse(
      "class A { constructor(run?: ((this: A, a: number, b: A[]) => void) | null) {} }\ninterface B { on<T>(name: string, ...run: ((b: T) => b is B)[]): B[] }",
    );
    const [, made, , on] = file.symbols.map(({ takes }) => takes);
    expect(made?.parameters.map((parameter) => describeReference(file, parameter))).toEqual([
      "(?, free Array<symbol A>) => ?",
    ]);
    expect(on?.parameters.map((parameter) => describeReference(file, parameter))).toEqual([
      "?",
      "free Array<(parameter 0) => ?>",
    ]);
    expect(on).toMatchObject({ isRest: true, typeParameters: [{ kind: "parameter", parameter: 0 }] });
  });
});

describe("variables whose class a condition says", () => {
  it.each([
    ["if (a instanceof Store) a.open();", "calls made(import Store).open"],
    ["if (b && (a instanceof Store) && b) { a.open(); }", "calls made(import Store).open"],
    ["a instanceof Store && b && a.open();", "calls made(import Store).open"],
    ["a instanceof Store ? a.open() : 1;", "calls made(import Store).open"],
    ["if (a instanceof lib.Store) a.open();", "calls made(import lib.Store).open"],
    ["if (a instanceof Store) {} else a.open();", "calls ?.open"],
    ["if (a instanceof Store || b) a.open();", "calls ?.open"],
    ["a instanceof Store || a.open();", "calls ?.open"],
    ["if (!(a instanceof Store)) a.open();", "calls ?.open"],
    ["if (a instanceof b) a.open();", "calls ?.open"],
    ["if (a instanceof Store) {} a.open();", "calls ?.open"],
  ])("%s", (body, expected) => {
    expect(lastUse(`import { Store } from "./a"; import * as lib from "./b";\nfunction f(a, b) { ${body} }`)).toBe(
      expected,
    );
  });
});

describe("a function that is called where it stands", () => {
  it.each([
    ["const s = /* pure */ (() => make().items)(); s.open();", "calls symbol s.open"],
    ["(() => new Store())().open();", "calls made(free Store).open"],
    ["(function () { return store; })().open();", "calls free store.open"],
    ["((): Store => make())().open();", "calls value(free Store).open"],
    ["(() => { if (a) return b; return c; })().open();", "calls (typeof(free b) | typeof(free c)).open"],
  ])("gives what its body says in %s", (source, expected) => {
    expect(lastUse(source)).toBe(expected);
  });
});

describe("short forms", () => {
  const shortOf = (source: string, path = "a.tsx"): string[] =>
    parse(source, path).uses.flatMap(({ short, at }) => (short === undefined ? [] : [`${short} ${at.column}`]));

  it("say which side of them a use is", () => {
    expect(shortOf("const a = 1; f({ a, b: a });")).toEqual(["key 18", "value 18"]);
    expect(shortOf("interface S { a: 1 } const a = 1; const s: S = { a };")).toEqual(["key 50", "value 50"]);
    expect(shortOf("import { s } from './s'; const { a, b: c } = s;")).toEqual(["key 34"]);
    expect(shortOf("let a; ({ a } = f());")).toEqual(["value 11"]);
  });

  it("are no attributes, children or lists", () => {
    expect(shortOf("const a = 1; const b = <p a={a}>{a}</p>; f([a]);")).toEqual([]);
  });

  it("are declarations, too, of members and of variables", () => {
    const { symbols } = parse("const a = { b }; export const { c, d: e, ...f } = g; const [h] = i;");
    expect(symbols.filter(({ flags }) => flags.includes("shorthand")).map(({ name }) => name)).toEqual(["b", "c"]);
  });
});
