/**
 * Places in a row, as close as can be to where each would like to be, in a given order and without overlap. Pure.
 *
 * The least sum of squares under an order is isotonic regression, found by pooling neighbours that stand in each other's way:
 * M. Ayer et al., "An empirical distribution function for sampling with incomplete information" (1955).
 */

/** Something in a row. */
export interface Spread {
  /** Where its middle would like to be. */
  readonly wanted: number;
  /** How much it takes, half of it on each side of its middle. */
  readonly length: number;
  /** How much it counts that it gets what it wants. */
  readonly weight: number;
}

interface Pool {
  /** Weighted mean of what its members want, each less what stands before it in the row. */
  mean: number;
  weight: number;
  count: number;
}

/** Middles in the order given, with at least `gap` between neighbours. Time grows with their number. */
export function spreadOut(items: readonly Spread[], gap: number): number[] {
  const before: number[] = [];
  let offset = 0;
  for (const [at, { length }] of items.entries()) {
    if (at > 0) offset += ((items[at - 1] as Spread).length + length) / 2 + gap;
    before.push(offset);
  }
  const pools: Pool[] = [];
  for (const [at, { wanted, weight }] of items.entries()) {
    let pool: Pool = { mean: wanted - (before[at] as number), weight, count: 1 };
    for (let last = pools.at(-1); last !== undefined && last.mean > pool.mean; last = pools.at(-1)) {
      pools.pop();
      const both = last.weight + pool.weight;
      const mean = (last.mean * last.weight + pool.mean * pool.weight) / both;
      pool = { mean, weight: both, count: last.count + pool.count };
    }
    pools.push(pool);
  }
  return pools
    .flatMap(({ mean, count }) => new Array<number>(count).fill(mean))
    .map((own, at) => own + (before[at] as number));
}
