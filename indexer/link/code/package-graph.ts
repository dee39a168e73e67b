/** Packages with what they import from one another and what they give to others. Pure. */
import type { EdgeRecord, FileRecord } from "../../../src/core/format/code-model.ts";
import { compareNames } from "../../../src/core/text/names.ts";

/** One package of a module. */
export interface PackageRecord {
  readonly module: string;
  readonly name: string;
  readonly files: number;
  readonly symbols: number;
  /** Packages that its files import, the heaviest first. */
  readonly imports: readonly PackageLink[];
  /** Packages whose files import it, the heaviest first. */
  readonly importedBy: readonly PackageLink[];
  /** What it imports from outside of the corpus: `npm:react`, the heaviest first. */
  readonly external: readonly { readonly name: string; readonly weight: number }[];
  /** Exported symbols at the top of its files, without those of tests; by rank, then by place. */
  readonly exports: readonly { readonly file: number; readonly symbol: number }[];
}

/** Another package, and how many imports of a file by a file lead there. */
export interface PackageLink {
  readonly module: string;
  readonly name: string;
  readonly weight: number;
}

interface Draft {
  readonly module: string;
  readonly name: string;
  readonly imports: Map<Draft, number>;
  readonly importedBy: Map<Draft, number>;
  readonly external: Map<string, number>;
  readonly exports: { file: number; symbol: number; rank: number }[];
  files: number;
  symbols: number;
}

/** Packages in the order of their module's and their own name. */
export function graphPackages(
  files: readonly FileRecord[],
  edges: readonly (readonly EdgeRecord[])[],
): PackageRecord[] {
  const drafts = new Map<string, Draft>();
  const ofFile = files.map((file) => draftOf(drafts, file));
  for (const [number, file] of files.entries()) {
    const draft = ofFile[number] as Draft;
    draft.files++;
    draft.symbols += file.symbols.length;
    for (const [symbol, { flags, parent, rank }] of file.symbols.entries()) {
      if (parent >= 0 || !flags.includes("exported") || flags.includes("test")) continue;
      draft.exports.push({ file: number, symbol, rank });
    }
    for (const { kind, to } of edges[number] ?? []) {
      if (kind !== "imports" && kind !== "reexports") continue;
      if ("external" in to) count(draft.external, to.external);
      else if ("file" in to && to.symbol < 0) {
        const other = ofFile[to.file] as Draft;
        if (other === draft) continue;
        count(draft.imports, other);
        count(other.importedBy, draft);
      }
    }
  }
  return [...drafts.values()]
    .sort((a, b) => compareNames(a.module, b.module) || compareNames(a.name, b.name))
    .map((draft) => ({
      module: draft.module,
      name: draft.name,
      files: draft.files,
      symbols: draft.symbols,
      imports: toLinks(draft.imports),
      importedBy: toLinks(draft.importedBy),
      external: [...draft.external]
        .map(([name, weight]) => ({ name, weight }))
        .sort((a, b) => b.weight - a.weight || compareNames(a.name, b.name)),
      exports: draft.exports
        .sort((a, b) => b.rank - a.rank || a.file - b.file || a.symbol - b.symbol)
        .map(({ file, symbol }) => ({ file, symbol })),
    }));
}

function draftOf(drafts: Map<string, Draft>, { module, package: name }: FileRecord): Draft {
  const key = `${module}\n${name}`;
  const known = drafts.get(key);
  if (known !== undefined) return known;
  const draft: Draft = {
    module,
    name,
    imports: new Map(),
    importedBy: new Map(),
    external: new Map(),
    exports: [],
    files: 0,
    symbols: 0,
  };
  drafts.set(key, draft);
  return draft;
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function toLinks(counts: ReadonlyMap<Draft, number>): PackageLink[] {
  return [...counts]
    .map(([{ module, name }, weight]) => ({ module, name, weight }))
    .sort((a, b) => b.weight - a.weight || compareNames(a.module, b.module) || compareNames(a.name, b.name));
}
