/**
 * One package: its neighbours and what it exports. Over the budget signatures go first, then the end of the exports. Pure.
 */

import { splitDocumentId } from "../../core/docs/node-id.ts";
import { SYMBOL_KIND_NAMES } from "../../core/format/code-model.ts";
import type { Bounded, ExternalNeighbour, PackageEntry, PackageExport } from "../../core/format/package-entry.ts";
import type { AnswerForm, JsonObject } from "./answer.ts";
import { cutList, formatCount } from "./numbers.ts";
import { formatPosition, previewSignature, quoteSignature } from "./symbols.ts";

/** A package with names for its neighbours. */
interface ShownPackage extends Omit<PackageEntry, "imports" | "importedBy" | "exports"> {
  readonly imports: Bounded<ExternalNeighbour>;
  readonly importedBy: Bounded<ExternalNeighbour>;
  readonly exports: Bounded<PackageExport>;
}

/** Neighbours of a line. */
const MAX_NAMED = 30;

/** `Package store of workshop: 2 files, 23 symbols, 7 exports`. */
export function summarizePackage({ module, name, files, symbols, exports }: ShownPackage): string {
  const counts = [formatCount(files, "file"), formatCount(symbols, "symbol"), formatCount(exports.total, "export")];
  return `Package ${name} of ${module}: ${counts.join(", ")}`;
}

/** Forms from signatures of exports to counts. */
export function packageForms(shown: ShownPackage): [AnswerForm, ...AnswerForm[]] {
  const { list } = shown.exports;
  const form = (withSignature: boolean, detail: string): AnswerForm => ({
    detail,
    count: list.length,
    blocks: (count) => [neighboursBlock(shown), ...exportBlocks(list.slice(0, count), withSignature)],
    json: (count) => toJson(shown, list.slice(0, count), withSignature),
    toon: (count) => toToon(shown, list.slice(0, count), withSignature),
    more: "find_symbol with the path of its folder lists the others.",
  });
  return [form(true, "signatures"), form(false, "names")];
}

function neighboursBlock({ imports, importedBy, external }: ShownPackage): string {
  return [
    `depends on ${formatNeighbours(imports)}`,
    `depended on by ${formatNeighbours(importedBy)}`,
    `external ${formatNeighbours(external)}`,
  ].join("\n");
}

/** `util (3 imports), main (1 import), +2`. */
function formatNeighbours({ total, list }: Bounded<ExternalNeighbour>): string {
  const names = list.map(({ name, weight }) => `${name} (${formatCount(weight, "import")})`);
  return total === 0 ? "nothing" : cutList(names, MAX_NAMED, total).join(", ");
}

/** One block a file, files in the order of their best export. */
function exportBlocks(exports: readonly PackageExport[], withSignature: boolean): string[] {
  return filesOf(exports).map(([file, own]) =>
    [
      `${splitDocumentId(file).path} exports`,
      ...own.flatMap(({ kind, path, at, signature }) => {
        const preview = withSignature ? quoteSignature(signature) : "";
        return [
          `  ${formatPosition(at)} ${SYMBOL_KIND_NAMES[kind].label} - ${path}`,
          ...(preview === "" ? [] : [`    ${preview}`]),
        ];
      }),
    ].join("\n"),
  );
}

function filesOf(exports: readonly PackageExport[]): [file: string, exports: PackageExport[]][] {
  const files = new Map<string, PackageExport[]>();
  for (const one of exports) files.set(one.file, [...(files.get(one.file) ?? []), one]);
  return [...files];
}

function toJson(shown: ShownPackage, exports: readonly PackageExport[], withSignature: boolean): JsonObject {
  const { module, name, files, symbols, imports, importedBy, external } = shown;
  return {
    name,
    module,
    files,
    symbols,
    imports: [...imports.list, ...external.list].map((one) => one.name),
    dependsOn: imports.list,
    dependsOnTotal: imports.total,
    dependedOnBy: importedBy.list,
    dependedOnByTotal: importedBy.total,
    external: external.list,
    externalTotal: external.total,
    exportTotal: shown.exports.total,
    exports: exports.map(({ file, path, kind, at, signature }) => ({
      id: `${file}#${path}`,
      kind,
      name: path,
      filePath: splitDocumentId(file).path,
      line: at.line,
      column: at.column,
      ...(withSignature && { signature: previewSignature(signature) }),
    })),
  };
}

function toToon(shown: ShownPackage, exports: readonly PackageExport[], withSignature: boolean): JsonObject {
  const { module, name, files, symbols, imports, importedBy, external } = shown;
  const names = ({ list, total }: Bounded<ExternalNeighbour>): string[] =>
    cutList(
      list.map((one) => one.name),
      MAX_NAMED,
      total,
    );
  const rows = exports.map(({ file, path, kind, at, signature }) => ({
    kind,
    symbol: path,
    file: splitDocumentId(file).path,
    line: at.line,
    ...(withSignature && { signature: previewSignature(signature) }),
  }));
  return {
    module,
    package: name,
    depends: names(imports),
    imports: names({ total: imports.total + external.total, list: [...imports.list, ...external.list] }),
    dependedOnBy: names(importedBy),
    external: names(external),
    files,
    symbols,
    exportCount: shown.exports.total,
    exports: rows,
  };
}
