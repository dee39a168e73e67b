import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inflateRaw } from "../../indexer/base/codec.ts";
import { FormatError } from "../../src/core/errors.ts";
import { inflateStream } from "../../src/web/static-index.ts";
import { runs } from "../support/runs.ts";

describe("inflateStream", () => {
  it("gives the bytes that were deflated, up to exactly the bound", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), async (bytes) => {
        const deflated = deflateRawSync(bytes);
        expect(await inflateStream(deflated, bytes.length)).toEqual(bytes);
        if (bytes.length === 0) return;
        await expect(inflateStream(deflated, bytes.length - 1)).rejects.toMatchObject({
          detail: { code: "out-of-range" },
        });
      }),
      { numRuns: runs(100) },
    );
  });

  it("reads a bomb no further than the bound", async () => {
    const bomb = deflateRawSync(new Uint8Array(50_000_000));
    await expect(inflateStream(bomb, 1000)).rejects.toMatchObject({ detail: { code: "out-of-range", limit: 1000 } });
  });

  it("takes any bytes for an error or for what the indexer's inflate takes them for", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const inflated = await Promise.resolve(inflateStream(bytes, 10_000)).catch((error: unknown) => error);
        if (!(inflated instanceof FormatError))
          expect(inflated).toEqual(Uint8Array.from(await inflateRaw(bytes, 10_000)));
      }),
      { numRuns: runs(300) },
    );
  });

  it("refuses every truncation", async () => {
    const deflated = deflateRawSync(Buffer.from("the same words again and again, the same words again"));
    for (let length = 0; length < deflated.length; length++) {
      await expect(inflateStream(deflated.subarray(0, length), 1000)).rejects.toBeInstanceOf(FormatError);
    }
  });
});
