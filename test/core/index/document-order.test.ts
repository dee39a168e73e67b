import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ShardRoot } from "../../../src/core/format/root.ts";
import type { VisibleShard } from "../../../src/core/index/index-reader.ts";
import { documentOrder } from "../../../src/core/index/shards.ts";

/** Only what the order asks of a shard. */
function shard(index: number, delta?: ShardRoot["delta"]): VisibleShard {
  return { index, root: { ...(delta !== undefined && { delta }) } as unknown as ShardRoot };
}

function sorted(shards: readonly VisibleShard[], documents: readonly (readonly [number, number])[]) {
  const compare = documentOrder(shards);
  return [...documents].sort(([shardA, a], [shardB, b]) => compare(shardA, a, shardB, b));
}

describe("documentOrder", () => {
  it("is that of shards and numbers where nothing was built on a base", () => {
    const shards = [shard(0), shard(1)];
    const documents = [
      [1, 0],
      [0, 7],
      [0, 2],
      [1, 3],
    ] as const;
    expect(sorted(shards, documents)).toEqual([
      [0, 2],
      [0, 7],
      [1, 0],
      [1, 3],
    ]);
  });

  it("puts what was added between the documents of its base, and before those of the next group", () => {
    const shards = [shard(0), shard(1), shard(2, { base: 0, positions: [0, 2, 2, 5] })];
    const documents = [0, 1, 2, 3, 4].map((number) => [0, number] as const);
    const added = [0, 1, 2, 3].map((number) => [2, number] as const);
    expect(sorted(shards, [[1, 0], ...added, ...documents])).toEqual([
      [2, 0],
      [0, 0],
      [0, 1],
      [2, 1],
      [2, 2],
      [0, 2],
      [0, 3],
      [0, 4],
      [2, 3],
      [1, 0],
    ]);
  });

  it("finds bases by their index in the root, where a reader does not see all shards", () => {
    const shards = [shard(1), shard(3, { base: 1, positions: [1] })];
    const documents = [
      [0, 0],
      [0, 1],
      [1, 0],
    ] as const;
    expect(sorted(shards, documents)).toEqual([
      [0, 0],
      [1, 0],
      [0, 1],
    ]);
  });

  it("is that of one list of all documents, whichever of them are the delta's", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 30 }), (isAdded) => {
        const places: (readonly [number, number])[] = [];
        const positions: number[] = [];
        let ofBase = 0;
        for (const added of isAdded) {
          places.push(added ? [1, positions.length] : [0, ofBase]);
          if (added) positions.push(ofBase);
          else ofBase++;
        }
        const shards = [shard(0), shard(1, { base: 0, positions })];
        expect(sorted(shards, [...places].reverse())).toEqual(places);
      }),
    );
  });
});
