/**
 * Entries of the table `names`: every symbol under its name and those that it is exported under, its name from each
 * further part on, and its name behind that of its container. Pure.
 */
import type { ByteKey } from "../../src/core/bytes/key.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import type { EdgeRecord, FileRecord } from "../../src/core/format/code-records.ts";
import { isExported } from "../../src/core/format/is-exported.ts";
import {
  comparePlaces,
  encodeNameList,
  foldSymbolName,
  keyOfName,
  type NamedPlace,
  PIECE_SYMBOLS,
  qualifiedName,
  TAIL_SYMBOLS,
  tailsOf,
} from "../../src/core/format/name-list.ts";
import { containerName } from "../../src/core/format/symbol-id.ts";
import { foldCase } from "../../src/core/text/fold-case.ts";
import { sortEntries } from "./sort-entries.ts";

/** Entries of the names of some files, which stand in the order of their numbers, and of those that exports give them. */
export function nameEntries(files: readonly FileRecord[], edges: readonly (readonly EdgeRecord[])[]): TableEntry[] {
  const whole: NamedPlace[] = [];
  const qualified: NamedPlace[] = [];
  const tails: (NamedPlace & { readonly key: ByteKey })[] = [];
  for (const [file, { language, symbols }] of files.entries()) {
    for (const [symbol, record] of symbols.entries()) {
      const { name, kind, rank, parent } = record;
      const exported = isExported(language, symbols, record);
      const place: NamedPlace = { file, symbol, kind, exported, rank, name };
      whole.push(place);
      const container = containerName(record, symbols[parent]);
      if (container !== "") qualified.push({ ...place, name: qualifiedName(container, name) });
      for (const { key, tail } of tailsOf(name)) tails.push({ ...place, name: tail, key });
    }
  }
  for (const { file, symbol, name } of exportedNames(edges)) {
    const { language, symbols } = files[file] as FileRecord;
    const record = symbols[symbol] as FileRecord["symbols"][number];
    if (record.name === name) continue;
    const { kind, rank } = record;
    whole.push({ file, symbol, kind, exported: isExported(language, symbols, record), rank, name });
  }
  return sortEntries([
    ...[...Map.groupBy(whole, ({ name }) => foldSymbolName(name))].flatMap(([name, list]) =>
      listEntries("whole", name, list),
    ),
    ...[...Map.groupBy(qualified, ({ name }) => foldCase(name))].flatMap(([name, list]) =>
      listEntries("qualified", name, list),
    ),
    ...[...Map.groupBy(tails, ({ key }) => key)].map(([key, list]) => tailEntry(key, list)),
  ]);
}

/** Names that exports and re-exports give to symbols, each once. */
function exportedNames(edges: readonly (readonly EdgeRecord[])[]): Iterable<{
  readonly file: number;
  readonly symbol: number;
  readonly name: string;
}> {
  const found = new Map<string, { readonly file: number; readonly symbol: number; readonly name: string }>();
  for (const { kind, to, otherName } of edges.flat()) {
    if (otherName === undefined || kind === "imports" || otherName.name === "default") continue;
    if (!("file" in to) || to.symbol < 0) continue;
    found.set(`${to.file} ${to.symbol} ${otherName.name}`, { ...to, name: otherName.name });
  }
  return found.values();
}

function listEntries(region: "whole" | "qualified", folded: string, places: NamedPlace[]): TableEntry[] {
  places.sort(comparePlaces);
  const entries: TableEntry[] = [];
  for (let from = 0; from < places.length; from += PIECE_SYMBOLS) {
    const value = encodeNameList(folded, places.length, places.slice(from, from + PIECE_SYMBOLS));
    entries.push({ key: keyOfName(region, folded, from / PIECE_SYMBOLS), value });
  }
  return entries;
}

/** The best symbols of a tail: all of them stand under the whole name. */
function tailEntry(key: ByteKey, places: NamedPlace[]): TableEntry {
  places.sort(comparePlaces);
  const folded = foldCase(places[0]?.name ?? "");
  return { key, value: encodeNameList(folded, places.length, places.slice(0, TAIL_SYMBOLS)) };
}
