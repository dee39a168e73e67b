/** Facts of packages beside tables of symbols. */
import { arePackagesAtHand, type PlacedPackage, readPackages, readsOfPackages } from "../core/code/packages.ts";
import type { IndexReader, TableRead } from "../core/index/index-reader.ts";
import type { ShownSymbol } from "../surface/render/found-symbols.ts";
import type { Format } from "../surface/render/render.ts";
import type { PackageFacts } from "../surface/render/symbols.ts";
import { nameOfPackage } from "./find-package.ts";

/** Facts for an answer, and what has to be read for them beside something else. */
export interface FactsBeside {
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
