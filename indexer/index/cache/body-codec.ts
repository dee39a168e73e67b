/**
 * The large part of a prepared document as bytes: what threads hand over and the parse cache keeps.
 *
 * Lists of texts as one text, lists of numbers as they lie in memory: several times as fast to read as a general format.
 * A file of this machine only: byte order is its own. Encoder and decoder stay in this one file. Pure.
 */
import { KEY_SEPARATOR } from "../../../src/core/bytes/key.ts";
import { concatBytes, encodeUtf8 } from "../../../src/core/bytes/writer.ts";
import type { DocumentBody } from "./cached-document.ts";

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bytes of a body. */
export function encodeBody({ inverted, unitCodes, grams, blocks }: DocumentBody): Uint8Array {
  const { terms, unitBytes, ends, flags, pairs, words, lengths } = inverted;
  const texts = [terms, words, grams.others].map((list) => encodeUtf8(list.join(KEY_SEPARATOR)));
  const numbers = [ends, pairs, grams.ascii].map(
    (list) => new Uint8Array(list.buffer, list.byteOffset, list.byteLength),
  );
  const parts = [...texts, ...numbers, unitBytes, flags, unitCodes, ...blocks];
  const head = Uint32Array.from([
    ...[terms.length, words.length, grams.others.length],
    ...[lengths.body, lengths.title, lengths.path, lengths.description],
    parts.length,
    ...parts.map((part) => part.length),
  ]);
  return concatBytes([Uint32Array.of(head.length), head].map(bytesOf).concat(parts));
}

/** The body that `encodeBody` wrote. @throws {RangeError} on bytes that are none. */
export function decodeBody(bytes: Uint8Array): DocumentBody {
  let at = 0;
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new RangeError("a cached document ends too early");
    at += length;
    return bytes.subarray(at - length, at);
  };
  const [headLength = 0] = numbersOf(take(4));
  const head = numbersOf(take(headLength * 4));
  const [terms = 0, words = 0, others = 0, body = 0, title = 0, path = 0, description = 0, count = 0] = head;
  const parts = Array.from({ length: count }, (_, part) => take(head[8 + part] ?? 0));
  const [termTexts, wordTexts, otherTexts, ends, pairs, ascii, unitBytes, flags, unitCodes, ...blocks] = parts;
  if (unitCodes === undefined) throw new RangeError("a cached document lacks parts");
  return {
    inverted: {
      terms: textsOf(termTexts as Uint8Array, terms),
      words: textsOf(wordTexts as Uint8Array, words),
      ends: numbersOf(ends as Uint8Array),
      pairs: numbersOf(pairs as Uint8Array),
      unitBytes: unitBytes as Uint8Array,
      flags: flags as Uint8Array,
      lengths: { body, title, path, description },
    },
    grams: { ascii: numbersOf(ascii as Uint8Array), others: textsOf(otherTexts as Uint8Array, others) },
    unitCodes,
    blocks,
  };
}

function bytesOf(list: Uint32Array): Uint8Array {
  return new Uint8Array(list.buffer, list.byteOffset, list.byteLength);
}

/** A copy, since numbers must lie at multiples of four. */
function numbersOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(new Uint8Array(bytes).buffer);
}

function textsOf(bytes: Uint8Array, count: number): string[] {
  return count === 0 ? [] : utf8.decode(bytes).split(KEY_SEPARATOR);
}
