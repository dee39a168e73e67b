import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rankNodes } from "../../../../indexer/link/code/page-rank.ts";
import type { EdgeRecord, EdgeTier } from "../../../../src/core/format/code-model.ts";

const at = { line: 1, column: 1 };
const edge = (from: number, file: number, symbol: number, tier: EdgeTier = "scope"): EdgeRecord => ({
  kind: "calls",
  tier,
  typeOnly: false,
  from,
  at,
  to: { file, symbol },
});

/** The same by the definition: a full matrix, and the share of what leads nowhere spread over all. */
function rankPlainly(edges: readonly (readonly EdgeRecord[])[], counts: readonly number[]): number[] {
  const nodes: string[] = [];
  for (const [file, count] of counts.entries())
    for (let symbol = 0; symbol < count; symbol++) nodes.push(`${file} ${symbol}`);
  for (const file of counts.keys()) nodes.push(`${file} -1`);
  const links = nodes.map((node) => {
    const [file, symbol] = node.split(" ").map(Number) as [number, number];
    const targets = (edges[file] ?? []).filter((it) => it.from === symbol && it.tier !== "name");
    const names = targets.map(({ to }) => ("file" in to ? `${to.file} ${to.symbol}` : ""));
    return new Set(names.filter((name) => name !== node));
  });
  let ranks = nodes.map(() => 1);
  let least = 1;
  for (let round = 0; round < 30; round++) {
    const before = ranks;
    const dangling = before.reduce((sum, rank, node) => sum + (links[node]?.size === 0 ? rank : 0), 0);
    least = 0.15 + (0.85 * dangling) / nodes.length;
    ranks = nodes.map((name) => {
      let sum = 0;
      for (const [other, targets] of links.entries()) if (targets.has(name)) sum += (before[other] ?? 0) / targets.size;
      return least + 0.85 * sum;
    });
  }
  const symbols = nodes.length - counts.length;
  return nodes.map((name, node) => {
    const file = name.split(" ")[0];
    const own = nodes
      .slice(0, symbols)
      .map((other, it) => (other.split(" ")[0] === file ? (ranks[it] ?? 0) - least : 0));
    const rank = (ranks[node] ?? 0) + (node >= symbols ? own.reduce((sum, value) => sum + value, 0) : 0);
    return Math.min(255, Math.max(0, Math.round(16 * Math.log2(rank / least))));
  });
}

function firstOf(counts: readonly number[]): Int32Array {
  const first = new Int32Array(counts.length + 1);
  for (const [file, count] of counts.entries()) first[file + 1] = (first[file] ?? 0) + count;
  return first;
}

describe("rankNodes", () => {
  it("puts what more leads to before the rest, and counts guesses and repeated places not", () => {
    const edges = [[edge(0, 1, 0), edge(1, 1, 0), edge(1, 1, 0), edge(0, 1, 1, "name"), edge(0, 1, 2)], []];
    const { symbols, files } = rankNodes(edges, firstOf([2, 3]));
    expect(symbols[0]).toBe(0);
    expect(symbols[3]).toBe(0);
    expect(symbols[2]).toBeGreaterThan(symbols[4] as number);
    expect(symbols[4]).toBeGreaterThan(0);
    expect(files[1]).toBeGreaterThan(symbols[2] as number);
  });

  it("gives no numbers to nothing", () => {
    expect(rankNodes([], firstOf([]))).toEqual({ symbols: new Uint8Array(), files: new Uint8Array() });
  });

  it("equals the definition over any edges", () => {
    const counts = fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 4 });
    const places = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat(), fc.boolean()), { maxLength: 25 });
    fc.assert(
      fc.property(counts, places, (sizes, drawn) => {
        const edges: EdgeRecord[][] = sizes.map(() => []);
        for (const [of, from, file, symbol, isGuess] of drawn) {
          const source = of % sizes.length;
          const target = file % sizes.length;
          const start = (from % ((sizes[source] ?? 0) + 1)) - 1;
          const end = (symbol % ((sizes[target] ?? 0) + 1)) - 1;
          edges[source]?.push(edge(start, target, end, isGuess ? "name" : "receiver"));
        }
        const { symbols, files } = rankNodes(edges, firstOf(sizes));
        expect([...symbols, ...files]).toEqual(rankPlainly(edges, sizes));
      }),
    );
  });
});
