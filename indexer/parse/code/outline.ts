/**
 * Which symbols make up the outline of a source file. Pure.
 *
 * Kinds can be left out (`ignoreKinds`) and not be entered (`stopKinds`); what stands inside a function that is not
 * entered is indexed all the same, and found by its name.
 */
import type { SymbolKind } from "../../../src/core/format/code-model.ts";
import type { OutlineRules } from "../../config/config.ts";
import type { CodeSymbol } from "./code-file.ts";

/** Kinds that are functions: what stands inside others and is inner, stands in a value. */
const FUNCTIONS: ReadonlySet<SymbolKind> = new Set<SymbolKind>(["function", "method", "constructor", "operator"]);

/** For each symbol whether the outline shows it. Inner symbols are reached through functions alone. */
export function listOutline(symbols: readonly CodeSymbol[], rules: OutlineRules): boolean[] {
  const ignored = new Set(rules.ignoreKinds);
  const stops = new Set(rules.stopKinds);
  const entered: boolean[] = [];
  return symbols.map(({ kind, parent, flags }, index) => {
    const around = symbols[parent];
    const isInFunction = around !== undefined && (FUNCTIONS.has(around.kind) || around.flags.includes("inner"));
    const isHidden = flags.includes("inner") && !isInFunction;
    const reached = !isHidden && (parent < 0 || entered[parent] === true);
    entered[index] = reached && !stops.has(kind);
    return reached && !ignored.has(kind);
  });
}
