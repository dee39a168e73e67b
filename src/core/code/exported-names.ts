/**
 * Under which names a symbol is exported, and from which files: where it is declared under others than its own, and where
 * it is passed on. Pure apart from the reader's I/O.
 */
import type { CodePosition, EdgeRecord } from "../format/code-records.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { findFiles } from "./file-list.ts";
import { incomingEdges } from "./incoming-edges.ts";
import { loadPlacesWithEdges, nameOf } from "./load-files.ts";
import type { LoadedSymbol } from "./model.ts";

/** A name under which a file gives a symbol. */
export interface ExportedName {
  readonly name: string;
  /** Document id of the file. */
  readonly file: string;
  readonly at: CodePosition;
}

/**
 * Names other than the one that the symbol has in its own file, and all of those that pass it on: by name, or with all
 * that its file exports. Three waves.
 *
 * @param limit Places that are looked at of each kind.
 */
export async function exportedNames(reader: IndexReader, symbol: LoadedSymbol, limit: number): Promise<ExportedName[]> {
  const { record, inFile } = symbol;
  const page = { offset: 0, limit };
  const mayPassAll = record.parent < 0 && record.flags.includes("exported") && !record.flags.includes("defaultExport");
  const [named, whole, [own]] = await Promise.all([
    incomingEdges(reader, [{ id: symbol.id }], { kinds: ["reexports"] }, page),
    incomingEdges(reader, mayPassAll ? [{ id: inFile.id }] : [], { kinds: ["reexports"] }, page),
    findFiles(reader, [inFile.id]),
  ]);
  const passing = [...named.edges, ...whole.edges].map(({ file }) => file);
  const places = new Map([own, ...passing].flatMap((at) => (at ? [[nameOf(at), at]] : [])));
  const files = await loadPlacesWithEdges(reader, [...places.values()]);
  const leadsTo = ({ to }: EdgeRecord, id: string, index: number): boolean =>
    "file" in to ? to.file === symbol.file && to.symbol === index : "id" in to && to.id === id;
  return files
    .flatMap(({ record: file, edges }): ExportedName[] => {
      const found = edges.flatMap((edge): ExportedName[] => {
        const { kind, at, otherName } = edge;
        const isExport = kind === "reexports" || (otherName !== undefined && kind !== "imports");
        if (!isExport || !leadsTo(edge, symbol.id, symbol.symbol)) return [];
        return [{ name: otherName?.name ?? record.name, file: file.id, at: otherName?.at ?? at }];
      });
      if (file.id === inFile.id) return found.filter(({ name }) => name !== record.name);
      // An edge to the file alone passes all on; one of a list of names has one to a symbol at its place.
      const all = edges.find(
        (edge) => mayPassAll && edge.kind === "reexports" && leadsTo(edge, inFile.id, -1) && isAlone(edge, edges),
      );
      if (all === undefined) return found;
      // `export * as util`
      const prefix = all.otherName === undefined ? "" : `${all.otherName.name}.`;
      return [...found, { name: `${prefix}${record.name}`, file: file.id, at: all.at }];
    })
    .slice(0, limit);
}

function isAlone(edge: EdgeRecord, edges: readonly EdgeRecord[]): boolean {
  const { line, column } = edge.at;
  return !edges.some((other) => other !== edge && other.at.line === line && other.at.column === column);
}
