/** Facts of packages beside tables of symbols. */
import { arePackagesAtHand, type PlacedPackage, readPackages, readsOfPackages } from "../core/graph/packages.ts";
import type { IndexReader, TableRead } from "../core/index/index-reader.ts";
import type { PackageFacts } from "../render/code-tables.ts";
import type { Format } from "../render/render.ts";
import { nameOfPackage } from "./find-package.ts";

/** Facts for an answer, and what has to be read for them beside something else. */
export interface FactsBeside {
  readonly beside: readonly TableRead[];
  /** The facts of all packages; empty where the answer shows none, or they are too large to go along. */
  readonly read: () => Promise<readonly PackageFacts[]>;
}

/** Facts in the one format that shows them. `read` costs no wave once `beside` was read. */
export function factsBeside(reader: IndexReader, format: Format): FactsBeside {
  if (format !== "toon" || !arePackagesAtHand(reader)) return { beside: [], read: async () => [] };
  return {
    beside: readsOfPackages(reader),
    read: async () => {
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
