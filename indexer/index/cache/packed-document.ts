/**
 * A prepared document in parts, most of them as bytes: what threads hand over and the parse cache keeps.
 *
 * The card is what a build needs of every document at any time, the body what it needs when the document's turn comes. Of the
 * card, too, long lists stay bytes: as objects, sections and links of a million sections would not fit into the heap. Bodies
 * keep lists of texts as one text and lists of numbers as they lie in memory, in the byte order of this machine.
 */
import { deserialize, serialize } from "node:v8";
import { hashKey } from "../../../src/core/bytes/checksum.ts";
import { KEY_SEPARATOR, keyOf } from "../../../src/core/bytes/key.ts";
import { ByteReader } from "../../../src/core/bytes/reader.ts";
import { ByteWriter, concatBytes, encodeJson, encodeUtf8 } from "../../../src/core/bytes/writer.ts";
import { readNumbers, readTexts, writeNumbers, writeTexts } from "../../../src/core/format/columns.ts";
import type { ConceptCandidate, SectionUse } from "../../topics/find-candidates.ts";
import { listSpelledWords } from "../invert.ts";
import type { DocumentBody, DocumentCard, PreparedDocument } from "../prepared-document.ts";
import { encodeCode } from "./code-codec.ts";

/** A card as it is kept. */
export interface PackedCard {
  readonly head: Omit<DocumentCard, "sections" | "links">;
  /** JSON. */
  readonly sections: Uint8Array;
  readonly links: Uint8Array;
}

/** Hashes of a document's pairs, in their order, and of its words as they are written. */
export interface DocumentHashes {
  readonly pairs: Uint32Array;
  readonly words: Uint32Array;
}

/** A document taken apart, its large part as bytes. */
export interface PackedDocument extends DocumentHashes {
  readonly card: PackedCard;
  /** As `encodeBody` wrote it. */
  readonly body: Uint8Array;
  /** As `encodeCode` wrote it; empty where the document is no source file. */
  readonly code: Uint8Array;
  /** As `encodeCandidates` wrote it. */
  readonly candidates: Uint8Array;
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** The card that was packed; its long lists are made anew each time they are asked for, so ask once. */
export function openCard(
  { head, sections, links }: PackedCard,
  { number, collection }: Pick<DocumentCard, "number" | "collection"> = head,
): DocumentCard {
  return {
    ...head,
    number,
    collection,
    get sections() {
      return JSON.parse(utf8.decode(sections)) as DocumentCard["sections"];
    },
    get links() {
      return JSON.parse(utf8.decode(links)) as DocumentCard["links"];
    },
  };
}

/** Hash of a term or of a word as written, 32 bits. */
export function hashWord(word: string): number {
  return hashKey(keyOf(word));
}

/** Hash of a pair out of the hashes of its terms, 32 bits. */
export function hashPair(first: number, second: number): number {
  return (Math.imul(first, 0x9e3779b1) ^ Math.imul(second ^ (second >>> 15), 0x85ebca6b)) >>> 0;
}

/** Hashes of a document's pairs, in their order. */
function hashPairs({ terms, pairs }: DocumentBody["inverted"]): Uint32Array {
  const hashes = Uint32Array.from(terms, hashWord);
  const result = new Uint32Array(pairs.length / 3);
  for (let at = 0; at < result.length; at++) {
    result[at] = hashPair(hashes[pairs[at * 3] as number] as number, hashes[pairs[at * 3 + 1] as number] as number);
  }
  return result;
}

/** Take a document apart. */
export function packDocument({ card, body, code, candidates }: PreparedDocument): PackedDocument {
  const { sections, links, ...head } = card;
  return {
    card: {
      // A copy: texts that are cut out of a page's keep all of it in memory.
      head: deserialize(serialize(head)) as PackedCard["head"],
      sections: encodeJson(sections),
      links: encodeJson(links),
    },
    body: encodeBody(body),
    code: code === undefined ? new Uint8Array() : encodeCode(code),
    candidates: encodeCandidates(candidates),
    pairs: hashPairs(body.inverted),
    words: Uint32Array.from(listSpelledWords(body.inverted), hashWord),
  };
}

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

const WHAT = "cached concepts";

/** Bytes of a page's candidates. */
export function encodeCandidates(candidates: readonly ConceptCandidate[]): Uint8Array {
  const writer = new ByteWriter(64 + candidates.length * 40);
  writer.writeVarint(candidates.length);
  const column = (read: (candidate: ConceptCandidate) => number): void => writeNumbers(writer, candidates.map(read));
  writeTexts(
    writer,
    candidates.map(({ key }) => key),
  );
  writeTexts(
    writer,
    candidates.map(({ text }) => text),
  );
  column(({ flags }) => flags);
  column(({ count }) => count);
  column(({ home }) => home);
  const uses = candidates.map((candidate) => encodeUses(candidate.uses));
  writeNumbers(
    writer,
    uses.map(({ length }) => length),
  );
  for (const bytes of uses) writer.writeBytes(bytes);
  return writer.finish();
}

/** The candidates that `encodeCandidates` wrote; none of no bytes. @throws {FormatError} on bytes that are none. */
export function decodeCandidates(bytes: Uint8Array): ConceptCandidate[] {
  if (bytes.length === 0) return [];
  const reader = new ByteReader(bytes, WHAT);
  const count = reader.readVarint();
  const keys = readTexts(reader, count);
  const texts = readTexts(reader, count);
  const flags = readNumbers(reader, count, "flags");
  const counts = readNumbers(reader, count, "count");
  const homes = readNumbers(reader, count, "section");
  const lengths = readNumbers(reader, count, "length of uses");
  return keys.map((key, at) => {
    const uses = reader.readBytes(lengths[at] as number);
    return {
      key,
      text: texts[at] as string,
      flags: flags[at] as number,
      count: counts[at] as number,
      home: homes[at] as number,
      // Of most candidates nobody asks where they stand.
      get uses() {
        return decodeUses(uses);
      },
    };
  });
}

function encodeUses(uses: readonly SectionUse[]): Uint8Array {
  const writer = new ByteWriter(uses.length * 3);
  for (const { section, count } of uses) {
    writer.writeVarint(section);
    writer.writeVarint(count);
  }
  return writer.finish();
}

function decodeUses(bytes: Uint8Array): SectionUse[] {
  const reader = new ByteReader(bytes, WHAT);
  const uses: SectionUse[] = [];
  while (reader.remaining > 0) uses.push({ section: reader.readVarint(), count: reader.readVarint() });
  return uses;
}
