import { describe, expect, it } from "vitest";
import { FormatError } from "../../../src/core/errors.ts";
import { inflateRaw } from "../../../src/worker/storage/inflate.ts";

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function refusal(run: () => unknown): Promise<FormatError> {
  try {
    await run();
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
  throw new Error("the bytes were accepted");
}

describe("inflateRaw", () => {
  it("gives back what was deflated", async () => {
    const bytes = new Uint8Array(new TextEncoder().encode("again and again and again"));
    expect(await inflateRaw(await deflate(bytes), bytes.length)).toEqual(bytes);
  });

  it("stops at the bound instead of filling the memory", async () => {
    const bomb = await deflate(new Uint8Array(10_000_000));
    expect((await refusal(() => inflateRaw(bomb, 1000))).detail.code).toBe("out-of-range");
  });

  it("refuses what is not deflated data, and a part of it", async () => {
    const whole = await deflate(crypto.getRandomValues(new Uint8Array(200)));
    expect((await refusal(() => inflateRaw(whole.subarray(0, 100), 1000))).detail.code).toBe("inflate");
    expect((await refusal(() => inflateRaw(Uint8Array.of(255, 255, 255), 1000))).detail.code).toBe("inflate");
  });
});
