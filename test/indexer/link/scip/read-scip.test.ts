/** SCIP indexes: what is read of them, and what is refused. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readScip } from "../../../../indexer/link/scip/place-scip.ts";
import { InputError } from "../../../../src/core/errors.ts";
import { projectRoot } from "../../../support/environment.ts";
import { encodeMessage, encodeScip } from "../../../support/scip-index.ts";

const METADATA = encodeMessage([3, "file:///repo"]);
const number = fc.nat(2 ** 31 - 1);
const text = fc.string({ unit: "grapheme", maxLength: 12 });

const anyIndex: fc.Arbitrary<ReturnType<typeof readScip>> = fc.record({
  projectRoot: text,
  documents: fc.array(
    fc.record({
      path: text,
      text,
      encoding: fc.nat(9),
      occurrences: fc.array(
        fc.record({
          range: fc.array(number, { maxLength: 4 }),
          symbol: text,
          roles: number,
        }),
        { maxLength: 4 },
      ),
      implementations: fc.array(fc.record({ symbol: text, of: fc.array(text, { minLength: 1, maxLength: 3 }) }), {
        maxLength: 3,
      }),
    }),
    { maxLength: 3 },
  ),
});

/** The index, or the message of the one error that may be thrown. */
function tryRead(bytes: Uint8Array): ReturnType<typeof readScip> | string {
  try {
    return readScip(bytes, "index.scip");
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as InputError).message;
  }
}

describe("readScip", () => {
  it("reads what was written", () => {
    fc.assert(
      fc.property(anyIndex, (index) => {
        expect(readScip(encodeScip(index), "index.scip")).toEqual(index);
      }),
    );
  });

  it("reads what an indexer wrote", async () => {
    const file = join(projectRoot, "test", "fixtures", "scip", "shelf", "index.scip");
    const { projectRoot: root, documents } = readScip(await readFile(file), "index.scip");
    expect(root).toBe("file:///tmp/shelf");
    expect(documents.map(({ path, encoding, occurrences }) => [path, encoding, occurrences.length])).toEqual([
      ["src/store.ts", 0, 21],
      ["src/main.ts", 0, 33],
    ]);
    expect(documents[0]?.implementations).toEqual([
      {
        symbol: "scip-typescript npm shelf 1.0.0 src/`store.ts`/MemoryShelf#",
        of: ["scip-typescript npm shelf 1.0.0 src/`store.ts`/Shelf#"],
      },
      {
        symbol: "scip-typescript npm shelf 1.0.0 src/`store.ts`/MemoryShelf#put().",
        of: ["scip-typescript npm shelf 1.0.0 src/`store.ts`/Shelf#put()."],
      },
    ]);
  });

  it("takes numbers of a range one by one, too, and passes over fields that it does not know", () => {
    const occurrence = encodeMessage([1, 3], [1, 4], [2, "s"], [1, 5], [99, "new"], [98, 7]);
    const fixed = Uint8Array.of(0x79, 1, 2, 3, 4, 5, 6, 7, 8, 0x7d, 1, 2, 3, 4);
    const document = Uint8Array.from([...encodeMessage([1, "a.ts"], [2, occurrence]), ...fixed]);
    const { documents } = readScip(encodeMessage([1, METADATA], [2, document]), "index.scip");
    expect(documents[0]?.occurrences).toEqual([{ range: [3, 4, 5], symbol: "s", roles: 0 }]);
  });

  it.each([
    ["nothing at all", Uint8Array.of(), "it has no metadata"],
    ["a text", new TextEncoder().encode('{"runs": []}'), "is no SCIP index"],
    ["no metadata", encodeMessage([2, encodeMessage([1, "a.ts"])]), "it has no metadata"],
    ["a length beyond the end", Uint8Array.of(0x12, 0xff, 0xff, 0xff, 0x7f), "needs"],
    ["a number without an end", new Uint8Array(30).fill(0xff), "varint of more than five bytes"],
    ["a group", Uint8Array.of(0x0b), "field 1 has wire type 3"],
    ["field 0", Uint8Array.of(0x00, 0x00), "no field has the number 0"],
    ["a number for a document", encodeMessage([1, METADATA], [2, 5]), "a number stands where bytes belong"],
    ["bytes for a number", encodeMessage([1, METADATA], [2, encodeMessage([6, "x"])]), "bytes stand where a number"],
    ["a text that is no UTF-8", encodeMessage([1, encodeMessage([3, Uint8Array.of(0xff)])]), "invalid UTF-8"],
  ])("refuses %s in words", (_, bytes, reason) => {
    expect(tryRead(bytes)).toMatch(/^"index\.scip" is no SCIP index: /);
    expect(tryRead(bytes)).toContain(reason);
  });

  it("reads any bytes to an index or refuses them as input, nothing else", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void tryRead(bytes)));
  });

  it("survives any byte of an index that is another", () => {
    fc.assert(
      fc.property(anyIndex, fc.nat(), fc.integer({ min: 1, max: 255 }), (index, at, change) => {
        const bytes = encodeScip(index);
        const place = at % bytes.length;
        bytes[place] = (bytes[place] as number) ^ change;
        tryRead(bytes);
      }),
    );
  });

  it("reads of a truncated index whole documents, never a part of one", () => {
    fc.assert(
      fc.property(anyIndex, fc.nat(), (index, at) => {
        const bytes = encodeScip(index);
        const read = tryRead(bytes.subarray(0, at % bytes.length));
        if (typeof read !== "string") expect(read.documents).toEqual(index.documents.slice(0, read.documents.length));
      }),
    );
  });
});
