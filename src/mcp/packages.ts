/** Packages: by the name that an argument gives, and their facts beside tables of symbols. */

import { arePackagesAtHand, type PlacedPackage, readPackages, readsOfPackages } from "../core/code/packages.ts";
import { InputError } from "../core/errors.ts";
import type { PackageKey } from "../core/format/package-entry.ts";
import type { IndexReader, TableRead } from "../core/index/index-reader.ts";
import { nearestNames, quoteName } from "../core/text/nearest.ts";
import { foldCase } from "../core/text/normalize.ts";
import type { ShownSymbol } from "../surface/render/found-symbols.ts";
import type { Format } from "../surface/render/render.ts";
import type { PackageFacts } from "../surface/render/symbols.ts";

const MAX_NEAREST = 5;
const MAX_NAMED = 10;

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
