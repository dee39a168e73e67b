/** SCIP indexes written for tests. */

import type { readScip, ScipDocument } from "../../indexer/link/scip/place-scip.ts";
import { ByteWriter, encodeUtf8 } from "../../src/core/bytes/writer.ts";

/** A field of a protobuf message: its number, and a number, a text or the bytes of a message. */
export type WrittenField = readonly [field: number, value: number | string | Uint8Array];

/** Bytes of a protobuf message. */
export function encodeMessage(...fields: readonly WrittenField[]): Uint8Array {
  const writer = new ByteWriter(64);
  for (const [field, value] of fields) {
    if (typeof value === "number") {
      writer.writeVarint(field * 8);
      writer.writeVarint(value);
      continue;
    }
    const bytes = typeof value === "string" ? encodeUtf8(value) : value;
    writer.writeVarint(field * 8 + 2);
    writer.writeVarint(bytes.length);
    writer.writeBytes(bytes);
  }
  return writer.finish();
}

/** Bytes of an index. */
export function encodeScip({ projectRoot, documents }: ReturnType<typeof readScip>): Uint8Array {
  const metadata = encodeMessage([2, encodeMessage([1, "test-indexer"])], [3, projectRoot], [4, 1]);
  return encodeMessage([1, metadata], ...documents.map((document): WrittenField => [2, encodeDocument(document)]));
}

function encodeDocument({ path, text, encoding, occurrences, implementations }: ScipDocument): Uint8Array {
  return encodeMessage(
    [1, path],
    ...occurrences.map(
      ({ range, symbol, roles }): WrittenField => [
        2,
        encodeMessage([1, encodeNumbers(range)], [2, symbol], [3, roles]),
      ],
    ),
    ...implementations.map(({ symbol, of }): WrittenField => {
      const relations = of.map((base): WrittenField => [4, encodeMessage([1, base], [3, 1])]);
      // A relationship of another kind is none of those that are read.
      return [3, encodeMessage([1, symbol], ...relations, [4, encodeMessage([1, "other"], [2, 1])])];
    }),
    [4, "typescript"],
    [5, text],
    [6, encoding],
  );
}

function encodeNumbers(numbers: readonly number[]): Uint8Array {
  const writer = new ByteWriter(16);
  for (const number of numbers) writer.writeVarint(number);
  return writer.finish();
}

/** A document in UTF-16 units with nothing in it but what is given. */
export function scipDocument(path: string, more: Partial<ScipDocument> = {}): ScipDocument {
  return { path, text: "", encoding: 2, occurrences: [], implementations: [], ...more };
}

/** A definition on one line; lines and columns 0-based. */
export function defines(symbol: string, ...range: readonly number[]): ScipDocument["occurrences"][number] {
  return { range, symbol, roles: 1 };
}

/** A place that names a symbol. */
export function names(symbol: string, ...range: readonly number[]): ScipDocument["occurrences"][number] {
  return { range, symbol, roles: 0 };
}
