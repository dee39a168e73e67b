/** Linked code of an access group. What links it stands in `link-files.ts`, with all languages: it is loaded where there is code. */
import type { EdgeRecord, FileRecord } from "../../../src/core/format/code-model.ts";
import type { NamedSymbol } from "../../../src/core/format/edge-tables.ts";
import type { AssetImport } from "./link-edges.ts";
import type { PackageRecord, PublicApi } from "./packages.ts";

/** Source files of one access group, with what leads from one to another. */
export interface GroupCode {
  /** In the order of their numbers: by the UTF-8 bytes of their ids. */
  readonly files: readonly FileRecord[];
  /** Of each file, in the order of the source. */
  readonly edges: readonly (readonly EdgeRecord[])[];
  /** Out of pages of this group, to symbols of any. */
  readonly mentions: readonly NamedSymbol[];
  /** Styles, data and pictures that source files import, each as often, in the order of the files; none where absent. */
  readonly assets?: readonly AssetImport[];
  /** Numbers of the files that manifests say are where packages and programs begin, ascending; none where absent. */
  readonly entryFiles?: readonly number[];
  /** In the order of their module's and their own name. */
  readonly packages: readonly PackageRecord[];
  /** None where absent. */
  readonly api?: PublicApi;
}

/** Code of a group without source files: its tables are empty. */
export const NO_CODE: GroupCode = { files: [], edges: [], mentions: [], packages: [] };

/** Whether there is nothing to write. */
export function isEmptyCode({ files, mentions }: GroupCode): boolean {
  return files.length === 0 && mentions.length === 0;
}
