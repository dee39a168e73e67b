/** Entries of the table `reach`: of each source file what leads to it, every dependent once. Pure. */
import { keyOfNumber } from "../../src/core/bytes/key.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import type { EdgeRecord, FileRecord } from "../../src/core/format/code-records.ts";
import {
  type Dependent,
  encodeReach,
  type FileReach,
  joinMasks,
  maskOf,
  type ReachTarget,
} from "../../src/core/format/reach-list.ts";
import { compareNames } from "../../src/core/text/compare-names.ts";

/** What reach is made of. */
export interface ReachInput {
  readonly files: readonly FileRecord[];
  readonly edges: readonly (readonly EdgeRecord[])[];
}

/** An edge as its target sees it. */
interface Arrival extends Dependent {
  readonly to: number;
  readonly isGuess: boolean;
}

/** One entry a file, in the order of numbers. */
export function* reachEntries({ files, edges }: ReachInput): Generator<TableEntry> {
  const arrivals: Arrival[][] = files.map(() => []);
  for (const [file, list] of edges.entries()) {
    for (const { kind, tier, typeOnly, from, to } of list) {
      // What a symbol does with itself leads nowhere; what lies in another group is not of these files.
      if (!("file" in to) || (to.file === file && to.symbol === from)) continue;
      const mask = maskOf([kind], typeOnly);
      arrivals[to.file]?.push({ file, symbol: from, mask, to: to.symbol, isGuess: tier === "name" });
    }
  }
  for (const [number, file] of files.entries()) {
    const reach: FileReach = {
      containers: file.symbols.map(({ parent }) => parent),
      tests: file.symbols.map(({ flags }) => flags.includes("test")),
      externals: externalsOf(edges[number] ?? []),
      targets: toTargets(arrivals[number] ?? []),
    };
    yield { key: keyOfNumber(number), value: encodeReach(number, reach) };
  }
}

function externalsOf(edges: readonly EdgeRecord[]): string[] {
  const names = edges.flatMap(({ to }) => ("external" in to ? [to.external] : []));
  return [...new Set(names)].sort(compareNames);
}

function toTargets(arrivals: Arrival[]): ReachTarget[] {
  // Guesses behind the others of the same dependent: what one leads to for certain is no guess.
  arrivals.sort(
    (a, b) => a.to - b.to || a.file - b.file || a.symbol - b.symbol || Number(a.isGuess) - Number(b.isGuess),
  );
  const targets: { symbol: number; guesses: number; dependents: Dependent[] }[] = [];
  let last: Arrival | undefined;
  for (const arrival of arrivals) {
    const { to, file, symbol, mask, isGuess } = arrival;
    const isKnown = last?.to === to && last.file === file && last.symbol === symbol;
    last = arrival;
    if (targets.at(-1)?.symbol !== to) targets.push({ symbol: to, guesses: 0, dependents: [] });
    const target = targets.at(-1) as (typeof targets)[number];
    if (isGuess) target.guesses += Number(!isKnown);
    else if (isKnown) {
      const before = target.dependents.pop() as Dependent;
      target.dependents.push({ file, symbol, mask: joinMasks(before.mask, mask) });
    } else target.dependents.push({ file, symbol, mask });
  }
  return targets;
}
