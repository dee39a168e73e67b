/** Any values of the code tables. */
import fc from "fast-check";
import {
  EDGE_FORMS,
  EDGE_KINDS,
  EDGE_TIERS,
  type EdgeRecord,
  type FileRecord,
  SYMBOL_FLAGS,
  SYMBOL_KINDS,
  type SymbolRecord,
} from "../../src/core/format/code-model.ts";
import type { Bounded, decodeImported, ModuleEntry, PackageEntry } from "../../src/core/format/package-entry.ts";
import { type FileReach, maskOf, NATURES } from "../../src/core/format/reach-list.ts";

/** Texts of code: names, signs, letters beyond the BMP. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("", "open", "Store", "a.b", "日本", "𝒳y", "x~2"),
  fc.string({ maxLength: 8 }),
);
const anyPlace = fc.record({ line: fc.integer({ min: 1, max: 100_000 }), column: fc.integer({ min: 1, max: 500 }) });
const anyByte = fc.nat({ max: 255 });

const anySymbol: fc.Arbitrary<SymbolRecord> = fc.record({
  kind: fc.constantFrom(...SYMBOL_KINDS),
  name: anyText,
  path: anyText.filter((path) => path !== ""),
  parent: fc.constant(-1),
  at: anyPlace,
  start: anyPlace,
  end: anyPlace,
  signature: anyText,
  doc: anyText,
  flags: fc.subarray([...SYMBOL_FLAGS]),
  type: anyText,
  bases: fc.array(anyText, { maxLength: 3 }),
  rank: anyByte,
  section: fc.nat({ max: 300 }),
});

/** Files whose symbols stand behind their containers; some have the paths that follow from their names. */
export const anyFile: fc.Arbitrary<FileRecord> = fc
  .record({
    id: anyText,
    language: anyText,
    module: anyText,
    package: anyText,
    hash: fc
      .array(fc.constantFrom(..."0123456789abcdef"), { minLength: 16, maxLength: 16 })
      .map((digits) => digits.join("")),
    rank: anyByte,
    errors: fc.nat({ max: 9 }),
    symbols: fc.array(fc.tuple(anySymbol, fc.nat({ max: 20 }), fc.boolean()), { maxLength: 6 }),
  })
  .map(({ symbols, ...file }) => {
    const placed: SymbolRecord[] = [];
    for (const [at, [symbol, draw, follows]] of symbols.entries()) {
      const parent = (draw % (at + 1)) - 1;
      const path = placed[parent] === undefined ? symbol.name : `${placed[parent].path}.${symbol.name}`;
      placed.push({ ...symbol, parent, path: follows && path !== "" ? path : symbol.path });
    }
    return { ...file, symbols: placed };
  });

const anyEdgeHead = {
  kind: fc.constantFrom(...EDGE_KINDS),
  tier: fc.constantFrom(...EDGE_TIERS),
  typeOnly: fc.boolean(),
  from: fc.integer({ min: -1, max: 300 }),
  at: anyPlace,
  form: fc.constantFrom(...EDGE_FORMS),
};
const EDGE_HEAD_KEYS = ["kind", "tier", "typeOnly", "from", "at"] as const;

/** Edges of a file. */
export const anyEdges: fc.Arbitrary<EdgeRecord[]> = fc.array(
  fc.record(
    {
      ...anyEdgeHead,
      to: fc.oneof(
        fc.record({ file: fc.nat({ max: 500 }), symbol: fc.integer({ min: -1, max: 40 }) }),
        fc.record({ external: anyText }),
        fc.record({ id: anyText }),
      ),
      otherName: fc.record({ name: anyText, at: anyPlace }),
    },
    { requiredKeys: [...EDGE_HEAD_KEYS, "to"] },
  ),
  { maxLength: 8 },
);

/** A place that leads somewhere. */
export const anyUse = fc.record(
  { ...anyEdgeHead, file: fc.nat({ max: 5 }) },
  { requiredKeys: [...EDGE_HEAD_KEYS, "file"] },
);

/** Which file and symbol, each pair once, ascending. */
const anyDependents = fc
  .uniqueArray(
    fc.record({
      file: fc.nat({ max: 300 }),
      symbol: fc.integer({ min: -1, max: 200 }),
      mask: fc
        .tuple(fc.subarray([...EDGE_KINDS], { minLength: 1 }), fc.boolean())
        .map(([kinds, isTypeOnly]) => maskOf(kinds, isTypeOnly)),
    }),
    { selector: ({ file, symbol }) => `${file}/${symbol}`, maxLength: 8 },
  )
  .map((list) => list.sort((a, b) => a.file - b.file || a.symbol - b.symbol));

/** What leads to a file. */
export const anyReach: fc.Arbitrary<FileReach> = fc
  .record({
    symbols: fc.array(fc.tuple(fc.nat({ max: 300 }), fc.constantFrom(...NATURES)), { maxLength: 8 }),
    externals: fc.array(anyText, { maxLength: 3 }),
    targets: fc.array(fc.record({ guesses: fc.nat({ max: 200 }), dependents: anyDependents }), { maxLength: 9 }),
    skipped: fc.array(fc.nat({ max: 2 }), { minLength: 9, maxLength: 9 }),
  })
  .map(({ symbols, externals, targets, skipped }) => {
    let symbol = -2;
    const placed = targets.map((target, at) => {
      symbol += 1 + (skipped[at] ?? 0);
      return { symbol, ...target };
    });
    return {
      containers: symbols.map(([draw], at) => (draw % (at + 1)) - 1),
      natures: symbols.map(([, nature]) => nature),
      externals,
      targets: placed.filter((target) => target.symbol < symbols.length),
    };
  });

const anyName = anyText.filter((text) => text !== "");

function anyBounded<T>(member: fc.Arbitrary<T>): fc.Arbitrary<Bounded<T>> {
  return fc
    .tuple(fc.array(member, { maxLength: 4 }), fc.nat({ max: 300 }))
    .map(([list, left]) => ({ total: list.length + left, list }));
}

/** Facts of a package. */
export const anyPackage: fc.Arbitrary<PackageEntry> = fc.record({
  module: anyName,
  name: anyText,
  files: fc.nat({ max: 3000 }),
  aside: fc.nat({ max: 3000 }),
  symbols: fc.nat(),
  imports: anyBounded(fc.record({ module: anyName, name: anyText, weight: fc.nat(), aside: fc.nat() })),
  importedBy: anyBounded(fc.record({ module: anyName, name: anyText, weight: fc.nat(), aside: fc.nat() })),
  external: anyBounded(fc.record({ name: anyText, weight: fc.nat(), aside: fc.nat() })),
  modules: anyBounded(anyText),
  exports: anyBounded(anyText),
});

/** What a module exports. */
export const anyExports: fc.Arbitrary<ModuleEntry> = fc.record({
  outside: fc.array(anyText, { maxLength: 3 }),
  names: fc.array(
    fc.record({
      form: fc.constantFrom("value", "type", "module", "outside", "unknown"),
      name: anyText,
      target: anyText,
      path: anyText,
    }),
    { maxLength: 6 },
  ),
});

/** Files that are imported by a name. */
export const anyImported: fc.Arbitrary<ReturnType<typeof decodeImported>> = fc.record({
  total: fc.nat({ max: 3000 }),
  files: fc.array(anyText, { maxLength: 4 }),
});
