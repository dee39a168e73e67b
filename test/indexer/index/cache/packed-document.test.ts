import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PreparedDocument } from "../../../../indexer/index/prepared-document.ts";
import {
  decodeBody,
  decodeCandidates,
  decodeWords,
  openCard,
  packDocument,
} from "../../../../indexer/index/prepared-document.ts";
import type { Pages } from "../../../support/build-index.ts";
import { preparePages } from "../../../support/prepare-pages.ts";
import { runs } from "../../../support/runs.ts";
import { anyPages } from "../../../support/small-corpora.ts";

function documentsOf(pages: Pages): PreparedDocument[] {
  return preparePages(pages).map(({ inverted, unitCodes, grams, blocks, candidates, ordered, ...card }) => ({
    card,
    body: { inverted, unitCodes, grams, blocks },
    candidates,
    words: ordered,
  }));
}

/** Plain lists: `Buffer` and views of one buffer compare as what they hold. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) => (ArrayBuffer.isView(part) ? Array.from(part as Uint8Array) : part)),
  );
}

function expectSame(document: PreparedDocument, offset = 0): void {
  const packed = packDocument(document);
  // A part may begin anywhere in a buffer.
  const body = new Uint8Array(packed.body.length + offset);
  body.set(packed.body, offset);
  expect(plain(decodeBody(body.subarray(offset)))).toEqual(plain(document.body));
  expect(plain(openCard(packed.card, document.card))).toEqual(plain(document.card));
  expect(plain(decodeCandidates(packed.candidates))).toEqual(plain(document.candidates));
  expect(plain(decodeWords(packed.words))).toEqual(plain(document.words));
}

describe("packed documents", () => {
  it("come back as they were", () => {
    fc.assert(
      fc.property(anyPages, (pages) => {
        for (const document of documentsOf(pages)) expectSame(document);
      }),
      { numRuns: runs(30) },
    );
  });

  it("come back with concepts, from bytes that lie anywhere in a buffer", () => {
    const text = "# Größe\n\nRoute handler 日本語 `getUserName`.\n\n## Route handlers\n\nA **route handler** is one.\n";
    const [document] = documentsOf({ "a.md": text }) as [PreparedDocument];
    expect(document.candidates).not.toEqual([]);
    for (const offset of [0, 1, 2, 3]) expectSame(document, offset);
  });

  it("take the place that they have in a build", () => {
    const [document] = documentsOf({ "a.md": "" }) as [PreparedDocument];
    expectSame(document);
    expect(openCard(packDocument(document).card, { number: 7, collection: 2 })).toMatchObject({
      number: 7,
      collection: 2,
    });
  });
});
