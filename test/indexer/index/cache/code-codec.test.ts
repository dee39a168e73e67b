import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PreparedCode } from "../../../../indexer/index/prepared-document.ts";
import { decodeCodeUses, decodeOutline, encodeCode } from "../../../../indexer/index/prepared-document.ts";
import type {
  CodeFile,
  CodeSymbol,
  CodeUse,
  Reference,
  ReferenceRoot,
} from "../../../../indexer/languages/base/code-file.ts";
import { parseTypeScript } from "../../../../indexer/languages/typescript/parse.ts";
import { EDGE_KINDS, SYMBOL_FLAGS, SYMBOL_KINDS } from "../../../../src/core/format/code-model.ts";
import { anyText } from "../../../support/any-code.ts";

const anyPlace = fc.record({ line: fc.integer({ min: 1, max: 100_000 }), column: fc.integer({ min: 1, max: 500 }) });
const anyNumber = fc.nat({ max: 300 });
const anyTexts = fc.array(anyText, { maxLength: 3 });

const { reference: anyReference } = fc.letrec<{ reference: Reference; root: Reference["root"] }>((tie) => ({
  root: fc.oneof(
    { depthSize: "small" },
    fc.record({ kind: fc.constantFrom("symbol", "self", "super"), symbol: anyNumber }),
    fc.record({ kind: fc.constant("import"), import: anyNumber }),
    fc.record(
      { kind: fc.constant("free"), name: anyText, within: tie("reference") },
      { requiredKeys: ["kind", "name"] },
    ),
    fc.record({ kind: fc.constant("unknown") }),
    fc.record({ kind: fc.constant("value"), type: tie("reference") }),
    fc.record({ kind: fc.constantFrom("element", "typeof"), of: tie("reference") }),
    fc.record({ kind: fc.constant("given"), of: tie("reference"), parameter: anyNumber }),
    fc.record(
      {
        kind: fc.constantFrom("result", "argument"),
        of: tie("reference"),
        argument: anyNumber,
        arguments: fc.array(tie("reference"), { maxLength: 2 }),
        isMade: fc.constant(true as const),
      },
      { requiredKeys: ["kind", "of"] },
    ),
    fc.record({ kind: fc.constant("either"), of: fc.array(tie("reference"), { maxLength: 2 }) }),
  ) as fc.Arbitrary<Reference["root"]>,
  reference: fc.record({ root: tie("root"), members: anyTexts }),
}));

const anySymbol: fc.Arbitrary<CodeSymbol> = fc
  .record({
    kind: fc.constantFrom(...SYMBOL_KINDS),
    name: anyText,
    parent: fc.integer({ min: -1, max: 20 }),
    at: anyPlace,
    start: anyPlace,
    end: anyPlace,
    leadLine: fc.integer({ min: 1, max: 100_000 }),
    signature: anyText,
    doc: anyText,
    flags: fc.subarray([...SYMBOL_FLAGS]),
    exportedAs: anyTexts,
    typeText: anyText,
    bases: anyTexts,
  })
  .chain((symbol) =>
    fc
      .record(
        {
          memberOf: anyText,
          type: anyReference,
          takes: fc.record({ parameters: fc.array(anyReference, { maxLength: 3 }), result: anyReference }),
          typeParameters: fc.array(fc.record({ kind: fc.constant("parameter" as const), parameter: anyNumber }), {
            maxLength: 3,
          }),
          signatures: fc.record({ index: anyReference }),
          isPrototype: fc.constant(true as const),
        },
        { requiredKeys: [] },
      )
      .map((more): CodeSymbol => ({ ...symbol, ...more })),
  );

const anyUse: fc.Arbitrary<CodeUse> = fc.record(
  {
    kind: fc.constantFrom(...EDGE_KINDS) as fc.Arbitrary<CodeUse["kind"]>,
    from: fc.integer({ min: -1, max: 300 }),
    at: anyPlace,
    target: anyReference,
    typeOnly: fc.boolean(),
    short: fc.constantFrom("key", "value"),
    exportedName: fc.record({ name: anyText, at: anyPlace }),
  },
  { requiredKeys: ["kind", "from", "at", "target", "typeOnly"] },
);

const anyCode: fc.Arbitrary<PreparedCode> = fc
  .record({
    language: anyText,
    namespace: anyText,
    doc: anyText,
    symbols: fc.array(anySymbol, { maxLength: 5 }),
    imports: fc.array(
      fc.record(
        {
          kind: fc.constantFrom("imports", "reexports"),
          specifier: anyText,
          imported: anyText,
          local: anyText,
          typeOnly: fc.boolean(),
          from: fc.integer({ min: -1, max: 300 }),
          at: anyPlace,
          localAt: anyPlace,
          renamed: fc.constant(true as const),
        },
        { requiredKeys: ["kind", "specifier", "imported", "local", "typeOnly", "from", "at"] },
      ),
      { maxLength: 4 },
    ),
    uses: fc.array(anyUse, { maxLength: 6 }),
    errors: anyNumber,
    diagnostics: fc.constantFrom(
      [],
      [{ severity: "info", code: "a", message: "größer", path: "a.ts", line: 3 } as const],
    ),
  })
  .chain((file) => fc.array(anyNumber, { maxLength: 5 }).map((sectionOf) => ({ file, sectionOf })));

/** What comes back. */
function decode(bytes: Uint8Array): PreparedCode {
  const { file, sectionOf } = decodeOutline(bytes);
  return { file: { ...file, uses: decodeCodeUses(bytes) }, sectionOf };
}

/** A use of `f().f().f()…`, each call a reference built on the one before. */
function useOfChain(length: number): CodeUse {
  let target: Reference = { root: { kind: "free", name: "f" }, members: [] };
  for (let at = 0; at < length; at++) target = { root: { kind: "result", of: target }, members: ["f"] };
  return { kind: "calls", from: -1, at: { line: 1, column: 1 }, target, typeOnly: false };
}

const EMPTY: CodeFile = {
  language: "go",
  namespace: "",
  doc: "",
  symbols: [],
  imports: [],
  uses: [],
  errors: 0,
  diagnostics: [],
};

const ITEM: Reference = { root: { kind: "free", name: "Item" }, members: [] };
const LIST: Reference = { root: { kind: "import", import: 2 }, members: ["items", "list"] };

/** One of each kind: a kind that is added without its bytes is missing here. */
const ROOTS: { readonly [K in ReferenceRoot["kind"]]: Extract<ReferenceRoot, { kind: K }> } = {
  symbol: { kind: "symbol", symbol: 3 },
  import: { kind: "import", import: 1 },
  self: { kind: "self", symbol: 0 },
  super: { kind: "super", symbol: 7 },
  value: { kind: "value", type: ITEM },
  result: { kind: "result", of: LIST, arguments: [ITEM], isMade: true },
  argument: { kind: "argument", of: LIST, argument: 1, arguments: [ITEM], isMade: true },
  given: { kind: "given", of: LIST, parameter: 1 },
  element: { kind: "element", of: LIST, at: 2 },
  either: { kind: "either", of: [LIST, ITEM] },
  typeof: { kind: "typeof", of: LIST },
  function: { kind: "function", parameters: [LIST], isRest: true, result: ITEM, isMade: true },
  object: { kind: "object", members: { item: ITEM }, spread: [LIST], index: ITEM },
  tuple: { kind: "tuple", items: [LIST, ITEM] },
  parameter: { kind: "parameter", parameter: 4, constraint: LIST, preset: ITEM },
  condition: { kind: "condition", check: LIST, extended: ITEM, inferred: [4], yes: ITEM, no: LIST },
  mapped: { kind: "mapped", of: LIST, key: 4, type: ITEM },
  access: { kind: "access", of: LIST, key: ITEM },
  literal: { kind: "literal", text: "open" },
  free: { kind: "free", name: "window", within: LIST },
  unknown: { kind: "unknown" },
};

/** A symbol that has all that one may have. */
const FULL: Required<CodeSymbol> = {
  kind: "method",
  name: "each",
  parent: -1,
  memberOf: "Store",
  at: { line: 4, column: 9 },
  start: { line: 4, column: 3 },
  end: { line: 6, column: 4 },
  leadLine: 2,
  signature: "each(run: (item: Item) => void): Item[]",
  doc: "Runs over all.",
  flags: ["exported"],
  exportedAs: ["each"],
  typeText: "Item[]",
  type: LIST,
  typeParameters: [{ kind: "parameter", parameter: 0, constraint: ITEM, preset: ITEM }],
  takes: { parameters: [ITEM], isRest: true },
  signatures: { calls: [{ parameters: [], result: ITEM }], makes: [{ parameters: [] }], index: ITEM },
  isPrototype: true,
  bases: ["Base"],
};

describe("source files as bytes", () => {
  it("come back as they were", () => {
    fc.assert(
      fc.property(anyCode, (code) => {
        expect(decode(encodeCode(code))).toEqual(code);
      }),
    );
  });

  it("come back with every kind of root and everything that a symbol may have", () => {
    const uses = Object.values(ROOTS).map((root, at): CodeUse => {
      return {
        kind: "calls",
        from: -1,
        at: { line: 1, column: at + 1 },
        target: { root, members: [] },
        typeOnly: false,
      };
    });
    const code = { file: { ...EMPTY, symbols: [FULL], uses }, sectionOf: [0] };
    expect(decode(encodeCode(code))).toStrictEqual(code);
  });

  it("come back out of what the parser makes", () => {
    const text = Array.from(
      { length: 200 },
      (_, n) => `export class Store${n} extends Base { open() { return this.items.push(Base.make(${n})); } }`,
    ).join("\n");
    const file = parseTypeScript({ path: "a.ts", text });
    const code = { file, sectionOf: file.symbols.map((_, at) => at) };
    const bytes = encodeCode(code);
    const back = decode(bytes);
    const sorted = (list: PreparedCode) =>
      list.file.symbols.map(({ flags, ...symbol }) => ({ ...symbol, flags: [...flags].sort() }));
    expect(back.file.uses).toEqual(file.uses);
    expect(back.file.imports).toEqual(file.imports);
    expect(sorted(back)).toEqual(sorted(code));
    expect(file.uses.length).toBeGreaterThan(400);
  });

  it("come back with what functions are given, elements of lists and aliases, as the parser finds them", () => {
    const text = `
      type Maybe<T> = T | undefined;
      class Item { open(): void {} children: Item[] = []; }
      class Store { items: Item[] = []; each(run: (item: Item) => void): void {} first(): Maybe<Item> { return this.items[0]; } }
      const store = new Store();
      store.each((item) => item.open());
      for (const item of store.items) item.open();
      store.first()!.open();
      store.items.map((item) => item.children[0].open());`;
    const file = parseTypeScript({ path: "a.ts", text });
    const code = { file, sectionOf: [] };
    const written = JSON.stringify(file);
    for (const sign of ['"kind":"element"', '"kind":"given"', '"kind":"parameter"', '"takes":', '"arguments":']) {
      expect(written).toContain(sign);
    }
    expect(decode(encodeCode(code))).toEqual(code);
  });

  it("come back without chains that are longer than a stack", () => {
    const uses = [useOfChain(50_000), useOfChain(150)];
    const bytes = encodeCode({
      file: { ...EMPTY, symbols: [{ ...FULL, type: useOfChain(1000).target }], uses },
      sectionOf: [],
    });
    expect(decodeCodeUses(bytes)).toEqual(uses.slice(1));
    const { type: _, ...rest } = FULL;
    expect(decodeOutline(bytes).file.symbols).toEqual([rest]);
  });

  it("write a reference once that many others are built on", () => {
    let target = ITEM;
    for (let at = 0; at < 100; at++) {
      target = { root: { kind: "either", of: [target, target] }, members: [] };
    }
    const use: CodeUse = { kind: "type", from: -1, at: { line: 1, column: 1 }, target, typeOnly: true };
    const bytes = encodeCode({ file: { ...EMPTY, uses: [use] }, sectionOf: [] });
    expect(bytes.length).toBeLessThan(20_000);
    const [back] = decodeCodeUses(bytes);
    expect(back?.target.root).toMatchObject({ kind: "either" });
  });
});
