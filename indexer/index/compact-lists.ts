/**
 * Lists with millions of numbers and texts, kept as small as the index that they become.
 */
import { ByteReader } from "../../src/core/bytes/reader.ts";
import { ByteWriter } from "../../src/core/bytes/writer.ts";
import { copyText } from "../../src/core/text/analyze.ts";

type Numbers = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** The numbers with twice the room, or as often doubled as `least` places take; the same list where it has room. */
export function growNumbers<T extends Numbers>(numbers: T, least: number): T {
  if (numbers.length >= least) return numbers;
  let length = numbers.length;
  while (length < least) length *= 2;
  const grown = new (numbers.constructor as new (length: number) => T)(length);
  grown.set(numbers);
  return grown;
}

/** Numbers from 0 on, in the order in which terms are first met. */
export class TermNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];
  #documents = new Uint32Array(1024);

  /** Terms known so far. */
  get size(): number {
    return this.#names.length;
  }

  /** Numbers of a document's terms, in their order; the document is counted for each. */
  count(terms: readonly string[]): Uint32Array {
    const numbers = new Uint32Array(terms.length);
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] as string;
      let number = this.#numbers.get(term);
      if (number === undefined) {
        number = this.#names.length;
        const name = copyText(term);
        this.#numbers.set(name, number);
        this.#names.push(name);
        this.#documents = growNumbers(this.#documents, number + 1);
      }
      this.#documents[number] = (this.#documents[number] as number) + 1;
      numbers[at] = number;
    }
    return numbers;
  }

  /** The term with a number. */
  name(number: number): string {
    return this.#names[number] as string;
  }

  /** Documents that hold the term with a number. */
  documents(number: number): number {
    return this.#documents[number] as number;
  }
}

/** A log begins with so much room; no more goes into it when it holds `MOST_BYTES`. */
const FIRST_BYTES = 1 << 16;
const MOST_BYTES = 1 << 22;

const NOTHING = new Uint8Array();

/**
 * Lists of documents by number, from 0 on, each document with some bytes.
 *
 * What is added goes to a log, and from there to its list when the first one is read: a buffer for each of hundreds of thousands of
 * lists would take several times as much.
 */
export class DocumentLists {
  readonly #logs: ByteWriter[] = [];
  #counts = new Uint32Array(1024);
  /** One more than the last number of each list. */
  #nexts = new Uint32Array(1024);
  /** Bytes of each list. */
  #lengths = new Uint32Array(1024);
  #joined: { readonly bytes: Uint8Array; readonly ends: Float64Array } | undefined;

  /** Documents of a list. */
  count(list: number): number {
    return this.#counts[list] ?? 0;
  }

  /** Bytes of a list, without its count. */
  size(list: number): number {
    return this.#lengths[list] ?? 0;
  }

  /** Add a document to a list, and some bytes behind it. @throws {RangeError} when documents do not ascend. */
  add(list: number, document: number, bytes: Uint8Array = NOTHING, start = 0, end = bytes.length): void {
    this.#counts = growNumbers(this.#counts, list + 1);
    this.#nexts = growNumbers(this.#nexts, list + 1);
    this.#lengths = growNumbers(this.#lengths, list + 1);
    const gap = document - (this.#nexts[list] as number);
    if (gap < 0) throw new RangeError(`document ${document} does not come behind those of its list`);
    const length = varintLength(gap) + end - start;
    const log = this.#openLog();
    log.writeVarint(list);
    log.writeVarint(length);
    log.writeVarint(gap);
    for (let at = start; at < end; at++) log.writeByte(bytes[at] as number);
    this.#nexts[list] = document + 1;
    this.#counts[list] = (this.#counts[list] as number) + 1;
    this.#lengths[list] = (this.#lengths[list] as number) + length;
  }

  /** The bytes of a list, without its count. Nothing is added after the first was read. */
  read(list: number): Uint8Array {
    this.#joined ??= this.#join();
    const { bytes, ends } = this.#joined;
    return bytes.subarray(ends[list - 1] ?? 0, ends[list]);
  }

  /** The count of a list, then its bytes. */
  finish(list: number): Uint8Array {
    const bytes = this.read(list);
    const writer = new ByteWriter(bytes.length + 4);
    writer.writeVarint(this.count(list));
    writer.writeBytes(bytes);
    return writer.finish();
  }

  #openLog(): ByteWriter {
    const last = this.#logs.at(-1);
    if (last !== undefined && last.length < MOST_BYTES) return last;
    const log = new ByteWriter(last === undefined ? FIRST_BYTES : MOST_BYTES + FIRST_BYTES);
    this.#logs.push(log);
    return log;
  }

  #join(): { readonly bytes: Uint8Array; readonly ends: Float64Array } {
    // Where each list goes on; when all is there, where it ends.
    const ends = new Float64Array(this.#lengths.length);
    let total = 0;
    for (const [list, length] of this.#lengths.entries()) {
      ends[list] = total;
      total += length;
    }
    const bytes = new Uint8Array(total);
    for (let log = this.#logs.shift(); log !== undefined; log = this.#logs.shift()) {
      const reader = new ByteReader(log.view(), "lists");
      while (reader.remaining > 0) {
        const list = reader.readVarint();
        let at = ends[list] as number;
        for (let left = reader.readVarint(); left > 0; left--) bytes[at++] = reader.readByte();
        ends[list] = at;
      }
    }
    return { bytes, ends };
  }
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 128)) length++;
  return length;
}
