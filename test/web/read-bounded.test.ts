import { describe, expect, it } from "vitest";
import { readBounded } from "../../src/core/bytes/reader.ts";

function streamOf(pieces: readonly number[], ended: string[] = []): ReadableStreamDefaultReader<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const size = pieces[at++];
      if (size === undefined) controller.close();
      else controller.enqueue(new Uint8Array(size).fill(at));
    },
    cancel() {
      ended.push("cancelled");
    },
  }).getReader();
}

describe("readBounded", () => {
  it("joins all pieces in order", async () => {
    expect(await readBounded(streamOf([2, 0, 1]), 3)).toEqual(Uint8Array.of(1, 1, 3));
    expect(await readBounded(streamOf([]), 0)).toEqual(new Uint8Array(0));
  });

  it("gives nothing and ends the stream where it goes on beyond the bound", async () => {
    const ended: string[] = [];
    expect(await readBounded(streamOf([2, 2, 2], ended), 3)).toBeUndefined();
    expect(ended).toEqual(["cancelled"]);
  });

  it("passes on what goes wrong with the stream", async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull() {
        throw new Error("cut");
      },
    });
    await expect(readBounded(broken.getReader(), 10)).rejects.toThrow("cut");
  });
});
