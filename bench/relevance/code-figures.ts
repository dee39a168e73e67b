/**
 * Precision and recall of symbols and calls in a folder of TypeScript, against TypeScript's checker.
 */
import { join } from "node:path";
import { linkScripts } from "../code/link-scripts.ts";
import { askChecker } from "../code/link-truth.ts";
import { scoreUses } from "../code/score-uses.ts";
import { compareTypeScript } from "../code/typescript.ts";
import type { Measured } from "./floors.ts";

/** Measures a folder, given by its absolute path. */
export function measureCode(folder: string): Measured {
  const { paths, linked } = linkScripts(folder);
  const { counts } = compareTypeScript(
    folder,
    paths.map((path) => join(folder, path)),
  );
  const calls = scoreUses(linked, paths, askChecker(folder, paths), "calls");
  return {
    figures: {
      symbols: { precision: counts.found / counts.symbols, recall: counts.found / counts.trueSymbols },
      calls: { precision: calls.rightOfGiven / calls.given, recall: calls.rightOfTruth / calls.truth },
    },
    size: `${counts.trueSymbols} symbols, ${calls.truth} calls`,
  };
}
