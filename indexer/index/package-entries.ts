/** Entries of the table `packages`: facts and exports of each package, in bounded lists. Pure. */
import type { TableEntry } from "../../src/core/format/chunk.ts";
import type { FileRecord, SymbolRecord } from "../../src/core/format/code-records.ts";
import {
  type Bounded,
  encodeExports,
  encodePackage,
  keyOfExports,
  keyOfPackage,
  MAX_EXPORT_NAMES,
  MAX_EXPORT_SIGNATURE,
  MAX_EXPORTS,
  MAX_NEIGHBOURS,
} from "../../src/core/format/package-entry.ts";
import { cutText } from "../../src/core/text/cut-text.ts";
import type { PackageRecord } from "../link/code/packages.ts";
import { sortEntries } from "./sort-entries.ts";

/** What the entries are made of. */
export interface PackagesInput {
  readonly files: readonly FileRecord[];
  readonly packages: readonly PackageRecord[];
}

/** Two entries a package; one where it exports nothing. */
export function packageEntries({ files, packages }: PackagesInput): TableEntry[] {
  const entries = packages.flatMap((own): TableEntry[] => {
    const exported = own.exports.map(({ file, symbol }) => {
      const inFile = files[file] as FileRecord;
      return { inFile, record: inFile.symbols[symbol] as SymbolRecord };
    });
    const facts = encodePackage({
      ...own,
      imports: bound(own.imports, MAX_NEIGHBOURS),
      importedBy: bound(own.importedBy, MAX_NEIGHBOURS),
      external: bound(own.external, MAX_NEIGHBOURS),
      exports: bound([...new Set(exported.map(({ record }) => record.name))], MAX_EXPORT_NAMES),
    });
    const entry = { key: keyOfPackage(own), value: facts };
    if (exported.length === 0) return [entry];
    const { total, list } = bound(exported, MAX_EXPORTS);
    const exports = encodeExports({
      total,
      list: list.map(({ inFile, record: { path, kind, at, signature } }) => ({
        file: inFile.id,
        path,
        kind,
        at,
        signature: cutText(signature, MAX_EXPORT_SIGNATURE),
      })),
    });
    return [entry, { key: keyOfExports(own), value: exports }];
  });
  return sortEntries(entries);
}

function bound<T>(list: readonly T[], most: number): Bounded<T> {
  return { total: list.length, list: list.slice(0, most) };
}
