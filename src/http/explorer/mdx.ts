/**
 * Modules in MDX: the imports and exports of a file, which it runs and does not show.
 *
 * Pure: lines in, a number out.
 */

/** Nothing else than a module of JavaScript has such a line. */
const IMPORT = /^import\s+(?:[\w$*{][^'"]*\sfrom\s*)?(['"])[^'"]+\1\s*(?:;\s*)?$/;
const MODULE = /^(?:import|export)\s/;

/**
 * How many lines from one on are a module; 0 where none begins there. One begins behind an empty line, in no list or quote.
 *
 * @param isMdx Whether the file says that it is MDX: what begins like an import or export is one then, up to the next empty
 *   line. Elsewhere only whole imports are.
 */
export function countModuleLines(lines: readonly string[], at: number, isMdx: boolean): number {
  if ((lines[at - 1] ?? "").trim() !== "") return 0;
  const isAll = isMdx && MODULE.test(lines[at] ?? "");
  let end = at;
  while ((lines[end] ?? "").trim() !== "" && (isAll || IMPORT.test(lines[end] as string))) end++;
  return end - at;
}
