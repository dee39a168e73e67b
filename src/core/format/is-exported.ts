/** Which symbols can be reached from outside of their file. Pure. */
import { factsOf } from "../text/code-languages.ts";
import type { SymbolRecord } from "./code-records.ts";
import type { SymbolKind } from "./symbol-kinds.ts";

/** What is exported out of one by one in such languages all the same, and what nothing can be reached in. */
const CLOSED_CONTAINERS: ReadonlySet<SymbolKind> = new Set([
  "namespace",
  "module",
  "function",
  "method",
  "constructor",
]);

type Named = Pick<SymbolRecord, "kind" | "name" | "flags" | "parent">;

/**
 * Whether a symbol can be reached from outside: exported itself, or a member of something exported that is neither private
 * nor protected, in languages where members are not marked one by one.
 */
export function isExported(language: string, symbols: readonly Named[], { name, flags, parent }: Named): boolean {
  if (flags.includes("exported")) return true;
  const container = symbols[parent];
  if (container === undefined || CLOSED_CONTAINERS.has(container.kind) || factsOf(language).hasOpenMembers !== true)
    return false;
  const isClosed = flags.some((flag) => flag === "private" || flag === "protected" || flag === "inner");
  return !isClosed && !name.startsWith("#") && isExported(language, symbols, container);
}
