/** Ids of symbols, which are as ids of sections are. Pure. */
import type { FileRecord, SymbolRecord } from "./code-records.ts";

/** Id of a symbol of a file: `collection:path#Container.name`. */
export function makeSymbolId(file: Pick<FileRecord, "id">, symbol: Pick<SymbolRecord, "path">): string {
  return `${file.id}#${symbol.path}`;
}
