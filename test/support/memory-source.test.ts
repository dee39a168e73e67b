import { describe, expect, it } from "vitest";
import { describeRangeSource } from "../core/index/range-source-contract.ts";
import { countReads, createMemorySource } from "./memory-source.ts";

function inMemory(wrap: (source: ReturnType<typeof createMemorySource>) => ReturnType<typeof createMemorySource>) {
  return async () => {
    const files = new Map<string, Uint8Array>();
    return {
      source: wrap(createMemorySource(files)),
      put: async (file: string, bytes: Uint8Array) => {
        files.set(file, bytes);
      },
      remove: async (file: string) => {
        files.delete(file);
      },
    };
  };
}

describeRangeSource(
  "the range source over memory",
  inMemory((source) => source),
);
describeRangeSource("the counting range source", inMemory(countReads));

describe("countReads", () => {
  const source = createMemorySource(new Map([["a.pack", new Uint8Array(100)]]));

  it("counts reads, rounds and how many reads are under way at once", async () => {
    const counting = countReads(source);
    await counting.readRange("a.pack", 0, 1);
    await Promise.all([1, 2, 3].map((offset) => counting.readRange("a.pack", offset, 1)));
    expect(counting.reads).toEqual([0, 1, 2, 3].map((offset) => ({ file: "a.pack", offset, length: 1 })));
    expect(counting.rounds).toBe(2);
    expect(counting.mostAtOnce).toBe(3);
    await counting.readPointer();
    expect(counting.pointerReads).toBe(1);
    counting.reset();
    expect([counting.reads.length, counting.rounds, counting.mostAtOnce, counting.pointerReads]).toEqual([0, 0, 0, 0]);
  });

  it("counts a read that fails, and goes on counting", async () => {
    const counting = countReads(source);
    await expect(counting.readRange("b.pack", 0, 1)).rejects.toThrow("gone");
    await counting.readRange("a.pack", 0, 1);
    expect(counting.rounds).toBe(2);
    expect(counting.mostAtOnce).toBe(1);
  });
});
