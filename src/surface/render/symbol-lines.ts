/**
 * Symbols as lines of text: position first, then kind and name, the signature on a line of its own. Pure.
 */
import {
  type CodePosition,
  containerName,
  SYMBOL_KIND_NAMES,
  type SymbolKind,
  type SymbolRecord,
} from "../../core/format/code-model.ts";
import { previewSignature } from "./code-node.ts";
import { formatCount } from "./counts.ts";

/** `@12:1`. */
export function formatPosition({ line, column }: CodePosition): string {
  return `@${line}:${column}`;
}

/**
 * `@16:5 Property - server`, with a container `@16:5 Property - server [McpServer, Class]`; of a member of a type that
 * another file declares the type's name alone.
 */
export function formatSymbol(symbol: SymbolRecord, container?: SymbolRecord): string {
  const { at, kind, name } = symbol;
  return `${formatPosition(at)} ${SYMBOL_KIND_NAMES[kind].label} - ${name}${formatContainer(symbol, container)}`;
}

function formatContainer(symbol: SymbolRecord, around: SymbolRecord | undefined): string {
  const isShown = around !== undefined || symbol.parent < 0;
  const name = isShown ? containerName(symbol, around) : "";
  if (name === "") return "";
  const kind = name === around?.name ? `, ${SYMBOL_KIND_NAMES[around.kind].label}` : "";
  return ` [${name}${kind}]`;
}

/** A signature between backticks, longer backticks where it holds some; `""` without one. */
export function quoteSignature(signature: string): string {
  const preview = previewSignature(signature);
  if (preview === "") return "";
  const longest = (preview.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${preview}${fence}` : `${fence} ${preview} ${fence}`;
}

/** The lines of a symbol: itself, and its signature two spaces further in where there is one to show. */
export function symbolLines(
  symbol: SymbolRecord,
  indent: string,
  withSignature: boolean,
  container?: SymbolRecord,
): string[] {
  const lines = [`${indent}${formatSymbol(symbol, container)}`];
  const signature = withSignature ? quoteSignature(symbol.signature) : "";
  if (signature !== "") lines.push(`${indent}  ${signature}`);
  return lines;
}

/** `27 methods, 21 properties, 2 classes`: how many of each kind, most first, equal counts in the order of kinds. */
export function formatBreakdown(symbols: readonly SymbolRecord[]): string {
  const counts = new Map<SymbolKind, number>();
  for (const { kind } of symbols) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => formatCount(count, kind, SYMBOL_KIND_NAMES[kind].plural))
    .join(", ");
}
