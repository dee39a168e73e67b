/** Members that are found by what is written of types, over TypeScript and JavaScript as they are parsed. */
import { describe, expect, it } from "vitest";
import { parseTypeScript } from "../../../../indexer/languages/typescript/parse.ts";
import { codeFile, edgesOf, link } from "../../../support/code-files.ts";

const LIB = `
export class Ctx { json(): Ctx { return this } me() { return this } text!: string; inner!: Inner; static make(): Ctx { return new Ctx() } }
export class Inner { deep() {} }
export class Other { json() {} only() {} }
export class Sub extends Ctx { own() {} }
export type Handler = (c: Ctx) => void;
export type Guard = (c: Ctx, next: () => void) => void;
export type Any = Handler | Guard;
export interface Called { (c: Ctx): void; kind: string }
export interface Options { onErr?: Handler; list: Ctx[]; nested: { ctx: Ctx }; count: number }
export interface Box<T> { value: T; map<U>(run: (value: T) => U): Box<U>; all(): T[] }
export declare function box<T>(value: T): Box<T>;
export declare function use(...h: Handler[]): void;
export declare function on(h: Any): void;
export declare function call(h: Called): void;
export declare function configure(options: Options): Options;
export declare function makeAsync(): Promise<Ctx>;
export declare function state<T>(first?: T): [T, (next: T) => void];
export declare function create<T extends Ctx>(kind: new () => T): T;
export function useBoth() { const inner = new Inner(); return { ctx: new Ctx(), inner, open: () => inner }; }
export async function load() { return new Ctx(); }
export const api = { ctx: new Ctx(), run(): Ctx { return this.ctx } } as const;
export namespace Names { export const ctx = new Ctx(); export interface Held { ctx: Ctx } }
`;

/** Where members in a source that uses the library lead. */
function membersOf(source: string, path = "use.ts", others: Readonly<Record<string, string>> = {}): string[] {
  const names =
    "Ctx, Inner, Other, Sub, Names, box, use, on, call, configure, makeAsync, state, create, useBoth, load, api";
  const types = path.endsWith(".ts") ? ", type Handler, type Any, type Called, type Options, type Box" : "";
  const files = { "lib.ts": LIB, ...others, [path]: `import { ${names}${types} } from "./lib";\n${source}` };
  const parsed = Object.entries(files)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([at, text]) => ({ ...codeFile(at), code: parseTypeScript({ path: at, text }) }));
  return edgesOf(link(parsed), path)
    .filter((edge) => /^(?:calls|reads|writes) receiver /.test(edge))
    .map((edge) => edge.replace(/^(\w+) receiver lib\.ts#/, "$1 "));
}

it("leads from a member of a union to each of its types, and on from what each gives", () => {
  expect(membersOf("function f(x: Ctx | Other) { x.json().inner }")).toEqual([
    "calls Ctx.json",
    "calls Other.json",
    "reads Ctx.inner",
  ]);
});

describe("members of values", () => {
  it.each([
    ["a handler by an alias", "declare function h(x: Handler): void; h((c) => c.json())", "calls Ctx.json"],
    ["a handler by a union of aliases", "on((c) => c.json())", "calls Ctx.json"],
    ["a handler by an interface that can be called", "call((c) => c.json())", "calls Ctx.json"],
    ["a handler among the rest", "use((a) => a, (c) => c.json())", "calls Ctx.json"],
    ["a handler in an object", "configure({ onErr: (c) => c.json() } as Options)", "calls Ctx.json"],
    ["a method in an object", "declare const o: { f(h: Handler): void }; o.f((c) => c.json())", "calls Ctx.json"],
    ["a handler in a record", "const all: Record<string, Handler> = { a: (c) => c.json() }", "calls Ctx.json"],
    ["a handler in a list", "const all: Handler[] = [(c) => c.json()]", "calls Ctx.json"],
    ["a constant that is a handler", "const h: Handler = (c) => c.json()", "calls Ctx.json"],
    ["a property that is a handler", "class A { h: Handler = (c) => c.json() }", "calls Ctx.json"],
    ["a handler that is returned", "function f(): Handler { return (c) => c.json() }", "calls Ctx.json"],
    ["a handler of a type that is written out", "((h: (c: Ctx) => void) => 1)((c) => c.json())", "calls Ctx.json"],
    ["a pattern of a list", "function f(a: Ctx[]) { const [c] = a; c.json() }", "calls Ctx.json"],
    [
      "a pattern of an object",
      "function f(o: Options) { const { nested: { ctx } } = o; ctx.json() }",
      "calls Ctx.json",
    ],
    ["a pattern of a parameter", "function f({ list: [c] }: Options) { c.json() }", "calls Ctx.json"],
    ["a default in a pattern", "function f({ c = new Ctx() }) { c.json() }", "calls Ctx.json"],
    ["an element of a list that is written out", "[new Ctx()][0].json()", "calls Ctx.json"],
    ["an element of a list", "function f(a: Ctx[], i: number) { a[i].json() }", "calls Ctx.json"],
    ["what a promise is followed by", "makeAsync().then((c) => c.json())", "calls Ctx.json"],
    [
      "what follows what a promise is followed by",
      "makeAsync().then((c) => c.inner).then((i) => i.deep())",
      "calls Inner.deep",
    ],
    ["what a promise gives", "async function f() { (await makeAsync()).json() }", "calls Ctx.json"],
    ["an asynchronous function that says nothing", "async function f() { (await load()).json() }", "calls Ctx.json"],
    [
      "several promises",
      "async function f() { const [a, b] = await Promise.all([load(), useBoth().inner]); b.deep() }",
      "calls Inner.deep",
    ],
    ["a map's value", "const m = new Map<string, Ctx>(); m.get('a')?.json()", "calls Ctx.json"],
    ["a map's entries", "function f(m: Map<string, Ctx>) { for (const [, c] of m) c.json() }", "calls Ctx.json"],
    [
      "values of an object",
      "function f(o: Record<string, Ctx>) { Object.values(o).map((c) => c.json()) }",
      "calls Ctx.json",
    ],
    [
      "entries of an object",
      "function f(o: { [k: string]: Ctx }) { for (const [, c] of Object.entries(o)) c.json() }",
      "calls Ctx.json",
    ],
    ["a class that a condition says", "function f(x: unknown) { x instanceof Ctx && x.json() }", "calls Ctx.json"],
    [
      "an overload of a method",
      "declare class A { f(h: string): void; f(h: Handler): void } new A().f((c) => c.json())",
      "calls Ctx.json",
    ],
    ["elements of a list in a loop", "function f(a: readonly Ctx[]) { for (const c of a) c.json() }", "calls Ctx.json"],
    [
      "elements that methods of lists give",
      "function f(a: Ctx[]) { a.filter(Boolean).map((c) => c.inner).find((i) => i.deep()) }",
      "calls Inner.deep",
    ],
    ["what reducing gives", "function f(a: string[]) { a.reduce((c, x) => c.json(), new Ctx()) }", "calls Ctx.json"],
    ["what a function returns", "useBoth().inner.deep()", "calls Inner.deep"],
    [
      "what a function in what a function returns returns",
      "const { open } = useBoth(); open().deep()",
      "calls Inner.deep",
    ],
    ["an intersection", "function f(x: Other & Ctx) { x.text }", "reads Ctx.text"],
    ["a union", "function f(x: string | Ctx | null) { x.text }", "reads Ctx.text"],
    ["a constraint", "function f<T extends Ctx>(x: T) { x.json() }", "calls Ctx.json"],
    ["the types that wrap others", "function f(x: Readonly<Partial<Ctx>>) { x.text }", "reads Ctx.text"],
    ["a type that picks", "function f(x: Omit<Ctx, 'inner'>) { x.text }", "reads Ctx.text"],
    [
      "types that pick",
      "function f(x: Pick<Ctx, 'inner' | 'text'> & Pick<Inner, 'deep'>) { x.inner.deep() }",
      "calls Inner.deep",
    ],
    [
      "a mapped type of some keys",
      "type Some<T, K extends keyof T> = { [P in K]: T[P] }; function f(x: Some<Ctx, 'inner'>) { x.inner.deep() }",
      "calls Inner.deep",
    ],
    [
      "what a function is said to return",
      "function f(x: ReturnType<typeof useBoth>) { x.inner.deep() }",
      "calls Inner.deep",
    ],
    [
      "what a promise is said to give",
      "function f(x: Awaited<ReturnType<typeof load>>) { x.json() }",
      "calls Ctx.json",
    ],
    ["a parameter of a function's type", "function f(x: Parameters<Handler>[0]) { x.json() }", "calls Ctx.json"],
    ["what a class makes", "function f(x: InstanceType<typeof Ctx>) { x.json() }", "calls Ctx.json"],
    ["a member of a type", "function f(x: Options['nested']['ctx']) { x.json() }", "calls Ctx.json"],
    ["an element of a type", "function f(x: Options['list'][number]) { x.json() }", "calls Ctx.json"],
    [
      "a type that is inferred",
      "type First<T> = T extends (infer U)[] ? U : never; function f(x: First<Ctx[]>) { x.json() }",
      "calls Ctx.json",
    ],
    [
      "a mapped type",
      "type All<T> = { [K in keyof T]: Box<T[K]> }; function f(x: All<Options>) { x.list.all() }",
      "calls Box.all",
    ],
    [
      "a member of a mapped type",
      "type All<T> = { [K in keyof T]: Box<T[K]> }; function f(x: All<{ a: Ctx }>) { x.a.value.json() }",
      "calls Ctx.json",
    ],
    ["inherited members", "new Sub().json()", "calls Ctx.json"],
    ["what a method that gives its object gives", "new Sub().me().own()", "calls Sub.own"],
    ["members of the class", "Ctx.make().json()", "calls Ctx.json"],
    [
      "a module that is loaded",
      "async function f() { (await import('./lib')).useBoth().inner.deep() }",
      "calls Inner.deep",
    ],
    ["type arguments", "const [c] = state<Ctx>(); c.json()", "calls Ctx.json"],
    ["type arguments that a value says", "box(new Ctx()).value.json()", "calls Ctx.json"],
    ["type arguments that a function says", "box(new Ctx()).map((c) => c.inner).value.deep()", "calls Inner.deep"],
    ["type arguments that a class says", "create(Sub).own()", "calls Sub.own"],
    [
      "type arguments of a base",
      "class A<T> { item!: T } class B extends A<Ctx> {} new B().item.json()",
      "calls Ctx.json",
    ],
    [
      "type arguments of a class",
      "class A<T> { constructor(readonly item: T) {} } new A(new Ctx()).item.json()",
      "calls Ctx.json",
    ],
    [
      "a default of a type argument",
      "interface A<T = Ctx> { item: T } declare const a: A; a.item.json()",
      "calls Ctx.json",
    ],
    ["an object that does not change", "api.ctx.json()", "calls Ctx.json"],
    ["a namespace", "Names.ctx.json()", "calls Ctx.json"],
    ["a type of a namespace", "function f(x: Names.Held) { x.ctx.json() }", "calls Ctx.json"],
    ["one or the other", "function f(a: boolean) { const x = a ? new Ctx() : undefined; x.json() }", "calls Ctx.json"],
    [
      "what is spread",
      "function f(o: Options) { const p = { ...o, count: 1 }; p.nested.ctx.json() }",
      "calls Ctx.json",
    ],
    ["a type that is imported where it stands", "function f(x: import('./lib').Ctx) { x.json() }", "calls Ctx.json"],
  ])("are those of %s", (_, source, wanted) => {
    expect(membersOf(source).at(-1)).toBe(wanted);
  });

  it.each([
    ["members that are left out", "function f(x: Omit<Other, 'json' | 'a'> & Pick<Ctx, 'inner'>) { x.json() }"],
    ["what an object has beside its declared type", "const x: { a: number } = { a: 1, json() {} } as any; x.json()"],
    ["a member that no part has", "function f(x: Ctx | Inner) { x.only }"],
    ["what made an object", "new Ctx().constructor"],
    [
      "a member of a member that is written where a spread has one",
      "function f(o: { c: Ctx }) { ({ ...o, c: 1 }).c.json() }",
    ],
    ["type parameters that nothing says", "declare function any<T>(): T; any().json()"],
    ["types that stand for themselves", "type A = A | A[]; function f(x: A) { x.json() }"],
    [
      "types that grow without end",
      "type A<T> = T extends string ? A<T[]> : A<{ a: T }>; function f(x: A<Ctx>) { x.json() }",
    ],
  ])("are none of %s", (_, source) => {
    expect(membersOf(source).at(-1) ?? "").not.toMatch(/json|only|constructor/);
  });
});

describe("declarations for all files", () => {
  const ambient = {
    "env.d.ts": "declare const here: import('./lib').Ctx; declare function make(): import('./lib').Ctx;",
    "module.d.ts": "import { Ctx } from './lib'; declare global { const there: Ctx; interface Window { ctx: Ctx } }",
    "virtual.d.ts":
      "declare module 'virtual:pages' { export const page: import('./lib').Ctx; const all: import('./lib').Inner; export default all }",
  };

  it.each([
    ["a constant of a script", "here.json()", "calls Ctx.json"],
    ["a function of a script", "make().json()", "calls Ctx.json"],
    ["a global that a module declares", "there.json()", "calls Ctx.json"],
    ["a type that a module adds to", "function f(w: Window) { w.ctx.json() }", "calls Ctx.json"],
    ["a name of a declared module", "import { page } from 'virtual:pages'; page.json()", "calls Ctx.json"],
    ["a declared module as a whole", "import * as pages from 'virtual:pages'; pages.page.json()", "calls Ctx.json"],
    ["the default of a declared module", "import all from 'virtual:pages'; all.deep()", "calls Inner.deep"],
  ])("have the members of %s", (_, source, wanted) => {
    expect(membersOf(source, "use.ts", ambient).at(-1)).toBe(wanted);
  });
});

describe("types that comments of JavaScript say", () => {
  it.each([
    ["a parameter", "/** @param {Ctx} c */\nfunction f(c) { c.json() }", "calls Ctx.json"],
    ["a parameter that may be missing", "/** @param {?Ctx} [c] */\nfunction f(c) { c.json() }", "calls Ctx.json"],
    ["a parameter of a function that is a value", "/** @param {Ctx} c */\nconst f = (c) => c.json()", "calls Ctx.json"],
    ["a list", "/** @param {Array<Ctx>} c */\nfunction f(c) { c.map((one) => one.json()) }", "calls Ctx.json"],
    ["a result", "/** @returns {Promise<Ctx>} */\nfunction f() {}\nf().then((c) => c.json())", "calls Ctx.json"],
    ["a variable", "function f(all) {\n/** @type {Ctx} */\nconst c = all[0]; c.json() }", "calls Ctx.json"],
    ["a constant", "/** @type {Map<string, Ctx>} */\nconst all = new Map(); all.get('a').json()", "calls Ctx.json"],
    ["a handler", "/** @type {import('./lib').Handler} */\nconst h = (c) => c.json()", "calls Ctx.json"],
    ["an import", "/** @param {import('./lib').Box<Ctx>} c */\nfunction f(c) { c.value.json() }", "calls Ctx.json"],
    [
      "a definition",
      "/** @typedef {import('./lib').Ctx} C */\n/** @param {C} c */\nfunction f(c) { c.json() }",
      "calls Ctx.json",
    ],
    [
      "properties of a definition",
      "/** @typedef {Object} C\n * @property {Ctx} ctx */\n/** @param {C} c */\nfunction f(c) { c.ctx.json() }",
      "calls Ctx.json",
    ],
    ["a property", "class A {\n/** @type {Ctx} */\nctx; f() { this.ctx.json() } }", "calls Ctx.json"],
  ])("are those of %s", (_, source, wanted) => {
    expect(membersOf(source, "use.js").at(-1)).toBe(wanted);
  });

  it("are no imports of the program", () => {
    const file = parseTypeScript({ path: "a.js", text: "/** @type {import('./lib').Ctx} */\nlet a;" });
    const parsed = [
      { ...codeFile("a.js"), code: file },
      { ...codeFile("lib.ts"), code: parseTypeScript({ path: "lib.ts", text: LIB }) },
    ];
    expect(edgesOf(link(parsed), "a.js")).toEqual(["type receiver lib.ts#Ctx"]);
  });
});
