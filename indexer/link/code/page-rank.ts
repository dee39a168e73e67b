/**
 * How much of the code leads to a symbol or file: PageRank over the edges that are known, as numbers from 0 to 255.
 *
 * Nodes are all symbols and files; a place leads from the symbol it lies in, or from its file. Several places from one
 * to the other count once, edges of the tier `name` not at all. L. Page, S. Brin, R. Motwani, T. Winograd, "The PageRank
 * Citation Ranking" (1999), damping 0.85; what leads nowhere spreads evenly. A file has besides its own what its
 * symbols have above the least.
 *
 * The number of a node is `round(16 · log2(rank / least))`, at most 255, where `least` is the rank of a node that nothing
 * leads to: 0 for those, 16 more for each doubling. It needs no look at how many nodes there are.
 */
import type { NodeLinks } from "../../../src/core/code/components.ts";
import type { EdgeRecord } from "../../../src/core/format/code-model.ts";

const DAMPING = 0.85;
const ROUNDS = 30;
const STEPS_PER_DOUBLING = 16;

/**
 * Rank all nodes. `first` holds the number of the first symbol of each file and behind the last that of all symbols. Edges from and to
 * files that are left out do not count.
 */
export function rankNodes(
  edges: readonly (readonly EdgeRecord[])[],
  first: Int32Array,
  isLeftOut: (file: number) => boolean = () => false,
) {
  const fileCount = edges.length;
  const symbolCount = first[fileCount] as number;
  const count = symbolCount + fileCount;
  const isAside = edges.map((_, file) => isLeftOut(file));
  // Where there is nothing else, that is what there is to order.
  if (!isAside.includes(false)) isAside.fill(false);
  const { rank, least } = spreadRank(collectLinks(edges, first, count, isAside));
  for (let file = 0; file < fileCount; file++) {
    let sum = rank[symbolCount + file] as number;
    for (let symbol = first[file] as number; symbol < (first[file + 1] as number); symbol++) {
      sum += (rank[symbol] as number) - least;
    }
    rank[symbolCount + file] = sum;
  }
  const coded = codeRanks({ rank, least });
  return { symbols: coded.subarray(0, symbolCount), files: coded.subarray(symbolCount) };
}

/** Numbers of all files, and of all symbols by their numbers through all files. */
export type Ranks = Readonly<ReturnType<typeof rankNodes>>;

/** Ranks as they come out of the rounds; `least` is that of a node that nothing leads to. */
interface SpreadRank {
  readonly rank: Float64Array;
  readonly least: number;
}

/** The sum of all is the number of nodes. */
function spreadRank({ starts, targets }: NodeLinks): SpreadRank {
  const count = starts.length - 1;
  const rank = new Float64Array(count).fill(1);
  const next = new Float64Array(count);
  let least = 1;
  for (let round = 0; round < ROUNDS; round++) {
    let dangling = 0;
    next.fill(0);
    for (let node = 0; node < count; node++) {
      const start = starts[node] as number;
      const end = starts[node + 1] as number;
      const own = rank[node] as number;
      if (start === end) dangling += own;
      const share = own / (end - start);
      for (let at = start; at < end; at++) {
        const target = targets[at] as number;
        next[target] = (next[target] as number) + share;
      }
    }
    least = 1 - DAMPING + (DAMPING * dangling) / count;
    for (let node = 0; node < count; node++) rank[node] = least + DAMPING * (next[node] as number);
  }
  return { rank, least };
}

/** Ranks of the nodes of any graph as numbers from 0 to 255, see the header. */
export function rankGraph(links: NodeLinks): Uint8Array {
  return codeRanks(spreadRank(links));
}

function codeRanks({ rank, least }: SpreadRank): Uint8Array {
  return Uint8Array.from(rank, (value) =>
    Math.min(255, Math.max(0, Math.round(STEPS_PER_DOUBLING * Math.log2(value / least)))),
  );
}

/** Targets of each node, each once and ascending, one list behind the other. */
function collectLinks(
  edges: readonly (readonly EdgeRecord[])[],
  first: Int32Array,
  count: number,
  isAside: readonly boolean[],
): NodeLinks {
  const symbolCount = first[edges.length] as number;
  const found: (Set<number> | undefined)[] = new Array(count);
  for (const [file, ofFile] of edges.entries()) {
    if (isAside[file] === true) continue;
    for (const { from, to, tier } of ofFile) {
      if (tier === "name" || !("file" in to) || isAside[to.file] === true) continue;
      const source = from < 0 ? symbolCount + file : (first[file] as number) + from;
      const target = to.symbol < 0 ? symbolCount + to.file : (first[to.file] as number) + to.symbol;
      if (source === target) continue;
      found[source] ??= new Set();
      found[source].add(target);
    }
  }
  const starts = new Int32Array(count + 1);
  const targets: number[] = [];
  for (let node = 0; node < count; node++) {
    for (const target of [...(found[node] ?? [])].sort((a, b) => a - b)) targets.push(target);
    starts[node + 1] = targets.length;
  }
  return { starts, targets: Int32Array.from(targets) };
}
