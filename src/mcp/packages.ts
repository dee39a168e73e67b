/** Packages: by the name that an argument gives, the edges between them, and their facts beside tables of symbols. */

import { arePackagesAtHand, type PlacedPackage, readPackages, readsOfPackages } from "../core/code/packages.ts";
import type { ReachDirection } from "../core/code/reach.ts";
import { InputError } from "../core/errors.ts";
import type { PackageKey } from "../core/format/package-entry.ts";
import type { IndexReader, TableRead } from "../core/index/index-reader.ts";
import { nearestNames, quoteName } from "../core/text/nearest.ts";
import { foldCase } from "../core/text/normalize.ts";
import type { ShownEdge, ShownEnd } from "../surface/render/dependencies.ts";
import type { ShownSymbol } from "../surface/render/found-symbols.ts";
import type { Format } from "../surface/render/render.ts";
import type { PackageFacts } from "../surface/render/symbols.ts";

const MAX_NEAREST = 5;
const MAX_NAMED = 10;
/** Edges of an answer. */
const MAX_EDGES = 1_000;

/** A call that names something, for examples in errors. */
export type ExampleOf = (name: string) => string;

/** A package as callers name it: with its module where another has one of that name. */
export function nameOfPackage(packages: readonly PackageKey[], { module, name }: PackageKey): string {
  const isOnly = packages.every((other) => other.name !== name || other.module === module);
  return isOnly ? name : `${module}/${name}`;
}

/** The package that a text names. @throws {InputError} for none and for several. */
export function findPackage(packages: readonly PlacedPackage[], text: string, exampleOf: ExampleOf): PlacedPackage {
  const found = matchPackage(packages, text, exampleOf) ?? matchFolded(packages, text);
  if (found !== undefined) return found;
  const names = packages.map((entry) => nameOfPackage(packages, entry));
  const nearest = nearestNames(text, names, MAX_NEAREST);
  const offered = nearest.length > 0 ? nearest : names.slice(0, MAX_NAMED);
  throw new InputError(`There is no package ${quoteName(text)}.`, offered, exampleOf(offered[0] ?? text));
}

/**
 * The package that is named as it is written: `store`, `workshop/store`, or its module where that has no other package.
 *
 * @returns undefined for none. @throws {InputError} for several.
 */
export function matchPackage(
  packages: readonly PlacedPackage[],
  text: string,
  exampleOf: ExampleOf,
): PlacedPackage | undefined {
  const byName = packages.filter(({ module, name }) => text === name || text === `${module}/${name}`);
  const byModule = packages.filter(({ module }) => module === text);
  const found = byName.length === 0 && byModule.length === 1 ? byModule : byName;
  if (found.length < 2) return found[0];
  const names = found.map(({ module, name }) => `${module}/${name}`);
  throw new InputError(
    `${quoteName(text)} names ${found.length} packages; give the module, too.`,
    names.slice(0, MAX_NAMED),
    exampleOf(names[0] ?? text),
  );
}

/** The one package that is named so in another case; undefined for none and for several. */
export function matchFolded(packages: readonly PlacedPackage[], text: string): PlacedPackage | undefined {
  const found = packages.filter(({ name }) => foldCase(name) === foldCase(text));
  return found.length === 1 ? found[0] : undefined;
}

/** Edges for an answer, with what has to be said of them. */
interface PackageEdges {
  readonly target: { readonly kind: "package"; readonly id: string } | undefined;
  readonly edges: readonly ShownEdge[];
  readonly total: number;
  readonly notes: readonly string[];
}

/** All edges between packages, the heaviest first. */
export function allPackageEdges(packages: readonly PlacedPackage[]): PackageEdges {
  const edges = packages.flatMap((entry) => edgesOf(packages, entry, "out", 1, false));
  edges.sort((a, b) => (b.weight ?? 0) - (a.weight ?? 0));
  const total = packages.reduce((sum, { imports }) => sum + imports.total, 0);
  return {
    target: undefined,
    edges: edges.slice(0, MAX_EDGES),
    total,
    notes: [
      `${packages.length} packages: ${packages
        .slice(0, 40)
        .map((entry) => nameOfPackage(packages, entry))
        .join(", ")}${packages.length > 40 ? ` +${packages.length - 40}` : ""}.`,
      ...describeCut(edges.length, total),
    ],
  };
}

/** Edges around one package, level by level. */
export function packageLevels(
  packages: readonly PlacedPackage[],
  start: PlacedPackage,
  directions: readonly ReachDirection[],
  depth: number,
): PackageEdges {
  const edges: ShownEdge[] = [];
  let left = 0;
  for (const direction of directions) {
    let frontier = [start];
    const seen = new Set([keyOf(start)]);
    for (let level = 1; level <= depth; level++) {
      const next: PlacedPackage[] = [];
      for (const entry of frontier) {
        edges.push(...edgesOf(packages, entry, direction, level, true));
        const { total, list } = direction === "out" ? entry.imports : entry.importedBy;
        left += total - list.length;
        for (const key of list.map(keyOf)) {
          if (seen.has(key)) continue;
          seen.add(key);
          next.push(...packages.filter((one) => keyOf(one) === key));
        }
      }
      frontier = next;
    }
  }
  const total = edges.length + left;
  return {
    target: { kind: "package", id: nameOfPackage(packages, start) },
    edges: edges.slice(0, MAX_EDGES),
    total,
    notes: describeCut(edges.length, total),
  };
}

function edgesOf(
  packages: readonly PlacedPackage[],
  entry: PlacedPackage,
  direction: ReachDirection,
  level: number,
  withExternal: boolean,
): ShownEdge[] {
  const own = toEnd(packages, entry);
  const edge = (other: ShownEnd, weight: number): ShownEdge => ({
    direction,
    level,
    ...(direction === "out" ? { from: own, to: other } : { from: other, to: own }),
    kinds: [],
    typeOnly: false,
    weight,
  });
  const { list } = direction === "out" ? entry.imports : entry.importedBy;
  const external = withExternal && direction === "out" ? entry.external.list : [];
  return [
    ...list.map((other) => edge(toEnd(packages, other), other.weight)),
    ...external.map(({ name, weight }) => edge({ kind: "external", id: name, label: name }, weight)),
  ];
}

function toEnd(packages: readonly PlacedPackage[], key: PackageKey): ShownEnd {
  const name = nameOfPackage(packages, key);
  return { kind: "package", id: name, label: name };
}

function keyOf({ module, name }: PackageKey): string {
  return JSON.stringify([module, name]);
}

function describeCut(listed: number, total: number): string[] {
  const shown = Math.min(listed, MAX_EDGES);
  return shown < total ? [`There are ${total} edges; the heaviest ${shown} are listed.`] : [];
}

/** Facts for an answer, and what has to be read for them beside something else. */
interface FactsBeside {
  readonly beside: readonly TableRead[];
  /**
   * Facts for the tables of some symbols: of all packages, or none where they are of one package that nobody asked for, as
   * they would be longer than the tables; where the answer shows none; where they are too large to go along.
   */
  readonly read: (symbols: readonly ShownSymbol[]) => Promise<readonly PackageFacts[]>;
}

/**
 * Facts in the one format that shows them. `read` costs no wave once `beside` was read.
 *
 * @param isAskedFor Whether the caller named packages.
 */
export function factsBeside(reader: IndexReader, format: Format, isAskedFor: boolean): FactsBeside {
  if (format !== "toon" || !arePackagesAtHand(reader)) return { beside: [], read: async () => [] };
  return {
    beside: readsOfPackages(reader),
    read: async (symbols) => {
      const [first] = symbols;
      const isOne = symbols.every(
        ({ inFile }) => inFile.package === first?.inFile.package && inFile.module === first.inFile.module,
      );
      if (isOne && !isAskedFor) return [];
      const packages = await readPackages(reader);
      return packages.map((entry) => toFacts(packages, entry));
    },
  };
}

function toFacts(packages: readonly PlacedPackage[], entry: PlacedPackage): PackageFacts {
  const { module, name, imports, external, exports, files, symbols } = entry;
  return {
    module,
    package: name,
    depends: imports.list.flatMap((other) => (other.module === module ? [other.name] : [])),
    imports: [
      ...imports.list.map((other) => nameOfPackage(packages, other)),
      ...external.list.map((other) => other.name),
    ],
    exports: exports.list,
    exportCount: exports.total,
    files,
    symbols,
  };
}
