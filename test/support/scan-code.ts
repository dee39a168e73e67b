/**
 * The obvious way to answer what the readers of code answer: go through all records.
 */

import type { GroupCode } from "../../indexer/link/code/link-code.ts";
import type { FindRequest } from "../../src/core/code/find-symbols.ts";
import { idOf } from "../../src/core/code/load-files.ts";
import {
  compareMatches,
  isWritten,
  matchName,
  matchQualified,
  type NameMatch,
  readNameQuery,
} from "../../src/core/code/name-query.ts";
import type { FileRecord } from "../../src/core/format/code-model.ts";
import { type EdgeRecord, isExported, isPublic } from "../../src/core/format/code-model.ts";
import { comparePlaces, type NamedPlace, qualifiedName } from "../../src/core/format/name-list.ts";

/** Ids of all symbols that a request means, best first. */
export function scanForSymbols({ files }: GroupCode, request: Omit<FindRequest, "offset" | "limit">): string[] {
  const query = readNameQuery(request.query);
  if (query === undefined) return [];
  const found: { place: NamedPlace; match: NameMatch; id: string }[] = [];
  for (const [file, record] of files.entries()) {
    const { language, module, package: packageName, id: documentId } = record;
    if (!(request.languages?.includes(language) ?? true)) continue;
    if (!(request.modules?.includes(module) ?? true) || !(request.packages?.includes(packageName) ?? true)) continue;
    if (!(request.isWanted?.(documentId) ?? true)) continue;
    for (const [symbol, own] of record.symbols.entries()) {
      const { name, kind, rank, parent } = own;
      const container = record.symbols[parent]?.name;
      const qualified = container === undefined ? undefined : qualifiedName(container, name);
      const isQualified = query.kind === "qualified" || (query.kind === "pattern" && query.pattern.isQualified);
      const asWritten = query.kind === "qualified" && isWritten(query, name);
      const wanted = isQualified && !asWritten ? qualified : name;
      if (wanted === undefined) continue;
      const match = query.kind === "qualified" ? matchQualified(query, wanted) : matchName(query, wanted);
      if (match === undefined) continue;
      if (request.exactOnly === true && !["exact", "folded", "qualified"].includes(match.tier)) continue;
      const exported = isExported(language, record.symbols, own);
      if (!(request.kinds?.includes(kind) ?? true) || exported !== (request.exported ?? exported)) continue;
      found.push({
        place: { file, symbol, kind, exported, isPublic: isPublic(language, record.symbols, own), rank, name },
        match,
        id: idOf(files[file] as FileRecord, symbol),
      });
    }
  }
  return found.sort((a, b) => compareMatches(a.match, b.match) || comparePlaces(a.place, b.place)).map(({ id }) => id);
}

/** A place that leads to something, as texts. */
export type ScannedUse = Pick<EdgeRecord, "kind" | "tier" | "typeOnly" | "at"> & { readonly from: string };

/** All places that lead to a symbol or file by its id, or to something external by its name. */
export function scanForUses({ files, edges }: GroupCode, target: string): ScannedUse[] {
  const uses: (ScannedUse & { readonly file: number })[] = [];
  for (const [file, list] of edges.entries()) {
    for (const { to, from, ...place } of list) {
      const name = "file" in to ? idOf(files[to.file] as FileRecord, to.symbol) : "id" in to ? to.id : to.external;
      if (name === target) uses.push({ ...place, from: idOf(files[file] as FileRecord, from), file });
    }
  }
  const rankOf = ({ file }: { readonly file: number }): number => files[file]?.rank ?? 0;
  return uses
    .sort((a, b) => Number(a.tier === "name") - Number(b.tier === "name") || rankOf(b) - rankOf(a) || a.file - b.file)
    .map(({ file: _, ...use }) => use);
}
