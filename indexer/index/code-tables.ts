/**
 * Entries of the code tables of one access group: files, names, symbols, edges, uses, mentions, reach, packages. Pure.
 */
import { keyOf, keyOfNumber } from "../../src/core/bytes/key.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import type { EdgeRecord, EdgeTarget, FileRecord } from "../../src/core/format/code-records.ts";
import { encodeEdges } from "../../src/core/format/edge-list.ts";
import { encodeFileEntry } from "../../src/core/format/file-entry.ts";
import { encodeFileRecord } from "../../src/core/format/file-record.ts";
import {
  encodeNamedSymbols,
  encodeNamingSections,
  keyOfNamed,
  keyOfPage,
  MAX_SYMBOL_MENTIONS,
} from "../../src/core/format/mention-list.ts";
import type { CodeTableName } from "../../src/core/format/table-names.ts";
import { encodeUses, keyOfUses, type UseRecord } from "../../src/core/format/use-list.ts";
import { idOf } from "../../src/core/graph/load-files.ts";
import { compareNames } from "../../src/core/text/compare-names.ts";
import { splitNodeId } from "../../src/core/tree/node-id.ts";
import type { GroupCode } from "../link/code/group-code.ts";
import { nameEntries } from "./name-entries.ts";
import { packageEntries } from "./package-entries.ts";
import { reachEntries } from "./reach-entries.ts";
import { sortEntries } from "./sort-entries.ts";

/** The tables with their entries, each made when its turn comes, in the order in which they are written. */
export function codeTables(code: GroupCode): [CodeTableName, () => Iterable<TableEntry>][] {
  return [
    ["files", () => fileEntries(code)],
    ["names", () => nameEntries(code.files, code.edges)],
    ["symbols", () => symbolEntries(code)],
    ["edges", () => edgeEntries(code)],
    ["uses", () => useEntries(code)],
    ["mentions", () => mentionEntries(code)],
    ["reach", () => reachEntries(code)],
    ["packages", () => packageEntries(code)],
  ];
}

/** Id of a symbol, or of the file where its index is -1. */
export function idOfSymbol(files: readonly FileRecord[], file: number, symbol: number): string {
  return idOf(files[file] as FileRecord, symbol);
}

function fileEntries({ files }: GroupCode): TableEntry[] {
  return files.map((file, number) => ({ key: keyOf(file.id), value: encodeFileEntry({ ...file, number }) }));
}

function* symbolEntries({ files }: GroupCode): Generator<TableEntry> {
  for (const [number, file] of files.entries()) yield { key: keyOfNumber(number), value: encodeFileRecord(file) };
}

/** Entries of the table `edges`. */
export function edgeEntries({ edges }: Pick<GroupCode, "edges">): TableEntry[] {
  return edges.flatMap((list, number) =>
    list.length === 0 ? [] : [{ key: keyOfNumber(number), value: encodeEdges(number, list) }],
  );
}

function useEntries({ files, edges }: GroupCode): TableEntry[] {
  const places = collectPlaces(files, edges);
  // Guesses come last, then what more of the code leads to comes first; places of a file stay in their order.
  const rankOf = ({ file }: UseRecord): number => files[file]?.rank ?? 0;
  const isGuess = ({ tier }: UseRecord): number => Number(tier === "name");
  const compare = (a: UseRecord, b: UseRecord): number =>
    isGuess(a) - isGuess(b) || rankOf(b) - rankOf(a) || a.file - b.file;
  return sortEntries(
    [...places.values()].flatMap(({ target, fileAndEdge }) => {
      const uses: UseRecord[] = [];
      for (let at = 0; at < fileAndEdge.length; at += 2) {
        const file = fileAndEdge[at] as number;
        const list = edges[file] as readonly EdgeRecord[];
        const { kind, tier, typeOnly, from, form, at: place } = list[fileAndEdge[at + 1] as number] as EdgeRecord;
        uses.push({ file, kind, tier, typeOnly, from, at: place, ...(form !== undefined && { form }) });
      }
      return encodeUses(uses.sort(compare)).map((value, piece) => ({ key: keyOfUses(target, piece), value }));
    }),
  );
}

/** What leads to one target. */
interface TargetPlaces {
  readonly target: Parameters<typeof keyOfUses>[0];
  /** Number of the file and index of the edge, in turns: there are as many of them as edges. */
  readonly fileAndEdge: number[];
}

function collectPlaces(files: GroupCode["files"], edges: GroupCode["edges"]): Map<string, TargetPlaces> {
  const places = new Map<string, TargetPlaces>();
  // Linking shares targets, so that most keys need not be made again.
  const known = new Map<EdgeTarget, TargetPlaces>();
  const placesOf = (to: EdgeTarget): TargetPlaces => {
    const target = "file" in to ? { id: idOfSymbol(files, to.file, to.symbol) } : to;
    const key = keyOfUses(target);
    const found = places.get(key) ?? { target, fileAndEdge: [] };
    places.set(key, found);
    known.set(to, found);
    return found;
  };
  for (const [file, list] of edges.entries()) {
    for (const [edge, { to }] of list.entries()) (known.get(to) ?? placesOf(to)).fileAndEdge.push(file, edge);
  }
  return places;
}

function mentionEntries({ mentions }: GroupCode): TableEntry[] {
  // Those of a line stay as they come: a member before its containers.
  const ordered = [...mentions].sort(
    (a, b) => compareNames(splitNodeId(a.nodeId).documentId, splitNodeId(b.nodeId).documentId) || a.line - b.line,
  );
  const pages = Map.groupBy(ordered, ({ nodeId }) => splitNodeId(nodeId).documentId);
  const symbols = Map.groupBy(ordered, ({ symbolId }) => symbolId);
  return sortEntries([
    ...[...pages].map(([id, list]) => ({ key: keyOfPage(id), value: encodeNamedSymbols(id, list) })),
    ...[...symbols].map(([id, list]) => ({
      key: keyOfNamed(id),
      value: encodeNamingSections({ total: list.length, sections: list.slice(0, MAX_SYMBOL_MENTIONS) }),
    })),
  ]);
}
