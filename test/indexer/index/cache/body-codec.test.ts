import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBody, encodeBody } from "../../../../indexer/index/cache/packed-document.ts";
import type { DocumentBody } from "../../../../indexer/index/prepared-document.ts";
import { preparePages } from "../../../support/prepare-pages.ts";
import { runs } from "../../../support/runs.ts";
import { anyPages } from "../../../support/small-corpora.ts";

function bodiesOf(pages: Parameters<typeof preparePages>[0]): DocumentBody[] {
  return preparePages(pages).map(({ inverted, unitCodes, grams, blocks }) => ({ inverted, unitCodes, grams, blocks }));
}

/** Plain lists: `Buffer` and views of one buffer compare as what they hold. */
function plain(body: DocumentBody): unknown {
  return JSON.parse(
    JSON.stringify(body, (_, value: unknown) =>
      ArrayBuffer.isView(value) ? Array.from(value as Uint8Array) : (value as object),
    ),
  );
}

describe("bodies of documents", () => {
  it("come back as they were", () => {
    fc.assert(
      fc.property(anyPages, (pages) => {
        for (const body of bodiesOf(pages)) {
          const { inverted, unitCodes, grams, blocks } = decodeBody(encodeBody(body));
          expect(inverted).toEqual(body.inverted);
          expect(grams).toEqual(body.grams);
          expect([Array.from(unitCodes), blocks.map((block) => Array.from(block))]).toEqual([
            Array.from(body.unitCodes),
            body.blocks.map((block) => Array.from(block)),
          ]);
        }
      }),
      { numRuns: runs(30) },
    );
  });

  it("come back from bytes that lie anywhere in a buffer", () => {
    const [body] = bodiesOf({ "a.md": "# Größe\n\nRoute handler 日本語 `getUserName`.\n" }) as [DocumentBody];
    const bytes = encodeBody(body);
    for (const offset of [1, 2, 3]) {
      const shifted = new Uint8Array(bytes.length + offset);
      shifted.set(bytes, offset);
      expect(plain(decodeBody(shifted.subarray(offset)))).toEqual(plain(body));
    }
  });

  it("of an empty page come back too", () => {
    const [body] = bodiesOf({ "a.md": "" }) as [DocumentBody];
    expect(plain(decodeBody(encodeBody(body)))).toEqual(plain(body));
  });

  it("are refused when they are cut short", () => {
    const [body] = bodiesOf({ "a.md": "# One\n\nTwo three.\n" }) as [DocumentBody];
    const bytes = encodeBody(body);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeBody(bytes.slice(0, length))).toThrow(RangeError);
    }
  });
});
