/** Ids of symbols, which are as ids of sections are. Pure. */
import type { FileRecord, SymbolRecord } from "./code-records.ts";

/** Id of a symbol of a file: `collection:path#Container.name`. */
export function makeSymbolId(file: Pick<FileRecord, "id">, symbol: Pick<SymbolRecord, "path">): string {
  return `${file.id}#${symbol.path}`;
}

/**
 * Path of what a symbol is a member of: `ns.Store` of `ns.Store.open~2`, `""` at the top. Names that its file declares
 * and others alike: a method may stand in another file than its type.
 */
export function containerPath({ path, name }: Pick<SymbolRecord, "path" | "name">): string {
  const bare = barePath({ path, name });
  return bare.slice(0, Math.max(0, bare.length - name.length - 1));
}

/** Name of what a symbol is a member of, by what stands around it in its file; `""` at the top. */
export function containerName(
  symbol: Pick<SymbolRecord, "path" | "name">,
  around: Pick<SymbolRecord, "path" | "name"> | undefined,
): string {
  const whole = containerPath(symbol);
  if (around !== undefined && whole === barePath(around)) return around.name;
  return whole.slice(whole.lastIndexOf(".") + 1);
}

/** A path without the number that tells it from others: `Store` for `Store~2`. Members never carry those of containers. */
export function withoutOrdinal(path: string): string {
  return path.replace(/~\d+$/, "");
}

/** The same of a symbol, whose name may end as such a number does. */
function barePath({ path, name }: Pick<SymbolRecord, "path" | "name">): string {
  return path.endsWith(name) ? path : withoutOrdinal(path);
}
