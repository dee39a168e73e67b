/**
 * Precision and recall of linked uses against TypeScript's checker.
 */
import type { LinkedCode } from "../../indexer/link/code/link-files.ts";
import type { LinkTruth } from "./link-truth.ts";

/** Counts behind a precision and a recall. */
export interface Score {
  readonly truth: number;
  readonly given: number;
  readonly rightOfTruth: number;
  readonly rightOfGiven: number;
}

/** Uses that the index gets wrong, as lines for people. */
export interface UseMisses {
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
}

/** Which uses are scored: plain names, calls, or all names behind a dot. */
export type ScoredUses = "names" | "calls" | "members";

/** Scores uses that lead to a symbol of the index. Places unknown to the checker are not judged. */
export function scoreUses(
  linked: LinkedCode,
  paths: readonly string[],
  truth: LinkTruth,
  what: ScoredUses,
): Score & UseMisses {
  const symbolAt = new Map<string, string>();
  for (const [file, { symbols }] of linked.files.entries()) {
    for (const [symbol, { at }] of symbols.entries()) {
      symbolAt.set(`${paths[file]}:${at.line}:${at.column}`, `${file} ${symbol}`);
    }
  }
  const found = new Map<string, string>();
  for (const [file, edges] of linked.edges.entries()) {
    for (const { kind, tier, at, to } of edges) {
      if (kind === "imports" || kind === "reexports" || kind === "overrides" || kind === "declares" || tier === "name")
        continue;
      if (!("file" in to) || to.symbol < 0) continue;
      if (what === "names" && tier !== "scope" && tier !== "precise") continue;
      if (what === "calls" && kind !== "calls" && kind !== "instantiates") continue;
      found.set(`${paths[file]}:${at.line}:${at.column}`, `${to.file} ${to.symbol}`);
    }
  }
  const score = { truth: 0, given: 0, rightOfTruth: 0, rightOfGiven: 0 };
  const missed: string[] = [];
  const wrong: string[] = [];
  for (const { place, name, declarations, isCall, isPlain } of truth.uses) {
    if (what === "names" ? !isPlain : what === "members" ? isPlain : !isCall) continue;
    const symbols = declarations.map((declaration) => symbolAt.get(declaration)).filter((it) => it !== undefined);
    const edge = found.get(place);
    const isRight = edge !== undefined && symbols.some((symbol) => isSame(linked, symbol, edge));
    if (symbols.length > 0) {
      score.truth++;
      if (isRight) score.rightOfTruth++;
      else missed.push(`${place} ${name} -> ${declarations[0]}`);
    }
    if (edge !== undefined) {
      score.given++;
      if (isRight) score.rightOfGiven++;
      else wrong.push(`${place} ${name} -> ${describe(linked, edge)}, checker ${declarations[0] ?? "outside"}`);
    }
  }
  return { ...score, missed, wrong };
}

/** Methods and properties with at least one true use, and of how many of them every use is found. */
export interface Completeness {
  readonly used: number;
  readonly complete: number;
  readonly none: number;
}

/** Counts lists of uses of methods, properties and accessors that are complete. */
export function countCompleteLists(linked: LinkedCode, paths: readonly string[], truth: LinkTruth): Completeness {
  const symbolAt = new Map<string, string>();
  for (const [file, { symbols }] of linked.files.entries()) {
    for (const { at, kind, path } of symbols) {
      if (kind !== "method" && kind !== "property") continue;
      symbolAt.set(`${paths[file]}:${at.line}:${at.column}`, `${file} ${path.replace(/~\d+$/, "")}`);
    }
  }
  const missed = new Set(scoreUses(linked, paths, truth, "members").missed.map((line) => line.split(" ")[0]));
  const lists = new Map<string, { uses: number; found: number }>();
  for (const { place, declarations, isPlain } of truth.uses) {
    const symbol = declarations.map((declaration) => symbolAt.get(declaration)).find((it) => it !== undefined);
    if (symbol === undefined || isPlain) continue;
    const list = lists.get(symbol) ?? { uses: 0, found: 0 };
    lists.set(symbol, list);
    list.uses++;
    if (!missed.has(place)) list.found++;
  }
  const all = [...lists.values()];
  return {
    used: all.length,
    complete: all.filter(({ uses, found }) => uses === found).length,
    none: all.filter(({ found }) => found === 0).length,
  };
}

/** Declarations that merge or overload one another are one. */
function isSame(linked: LinkedCode, a: string, b: string): boolean {
  if (a === b) return true;
  const [fileA, symbolA] = a.split(" ").map(Number) as [number, number];
  const [fileB, symbolB] = b.split(" ").map(Number) as [number, number];
  const pathOf = (file: number, symbol: number) => linked.files[file]?.symbols[symbol]?.path.replace(/~\d+$/, "");
  return fileA === fileB && pathOf(fileA, symbolA) === pathOf(fileB, symbolB);
}

function describe(linked: LinkedCode, edge: string): string {
  const [file, symbol] = edge.split(" ").map(Number) as [number, number];
  return `${linked.files[file]?.id}#${linked.files[file]?.symbols[symbol]?.path}`;
}
