/**
 * Lists with millions of numbers and texts, kept as small as the index that they become.
 */
import { ByteWriter } from "../../src/core/bytes/writer.ts";

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

/** The same text in memory of its own; it must be well-formed. */
export function copyText(text: string): string {
  return Buffer.from(text).toString();
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
    return Uint32Array.from(terms, (term) => {
      let number = this.#numbers.get(term);
      if (number === undefined) {
        number = this.#names.length;
        const name = copyText(term);
        this.#numbers.set(name, number);
        this.#names.push(name);
        this.#documents = growNumbers(this.#documents, number + 1);
      }
      this.#documents[number] = (this.#documents[number] as number) + 1;
      return number;
    });
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

const SLAB_BYTES = 1 << 22;

/** What a slab begins with: lists of a small corpus need no more. */
const FIRST_BYTES = 1 << 16;

/** A block begins with the place of the next one. */
const LINK_BYTES = 4;

const LEAST_BLOCK = 16;

const MOST_BLOCK = 1024;

/** Places are numbers of 32 bits. */
const MOST_BYTES = 2 ** 32 - 1;

const LEAST_LISTS = 1024;

const NOTHING = new Uint8Array();

/** Lists by number, from 0 on. */
export class DocumentLists {
  readonly #bytes = new ByteLists();
  #counts = new Uint32Array(1024);
  /** One more than the last number of each list. */
  #nexts = new Uint32Array(1024);

  /** Documents of a list. */
  count(list: number): number {
    return this.#counts[list] ?? 0;
  }

  /** Add a document to a list, and some bytes behind it. @throws {RangeError} when documents do not ascend. */
  add(list: number, document: number, bytes: Uint8Array = NOTHING, start = 0, end = bytes.length): void {
    this.#counts = growNumbers(this.#counts, list + 1);
    this.#nexts = growNumbers(this.#nexts, list + 1);
    const gap = document - (this.#nexts[list] as number);
    if (gap < 0) throw new RangeError(`document ${document} does not come behind those of its list`);
    this.#bytes.writeVarint(list, gap);
    this.#bytes.writeBytes(list, bytes, start, end);
    this.#nexts[list] = document + 1;
    this.#counts[list] = (this.#counts[list] as number) + 1;
  }

  /** The bytes of a list, without its count. */
  read(list: number): Uint8Array {
    return this.#bytes.read(list);
  }

  /** The count of a list, then its bytes. */
  finish(list: number): Uint8Array {
    const bytes = this.read(list);
    const writer = new ByteWriter(bytes.length + 4);
    writer.writeVarint(this.count(list));
    writer.writeBytes(bytes);
    return writer.finish();
  }
}

/**
 * Lists of bytes by number, from 0 on, that grow a little at a time. A list is there as soon as something is written to it.
 *
 * All lists share slabs of memory. A list is a chain of blocks, each twice as large as the one before up to a limit, so that a
 * list of three bytes takes sixteen and a long one wastes at most a block. An object and a buffer for each of hundreds of
 * thousands of lists would take several times as much.
 */
class ByteLists {
  readonly #slabs: Uint8Array<ArrayBuffer>[] = [];
  /** Bytes taken of the last slab. */
  #taken = SLAB_BYTES;
  /** Place of each list's first block, and one more; 0 = none. */
  #heads = new Uint32Array(LEAST_LISTS);
  /** Where the next byte goes, and where the block ends. */
  #nexts = new Uint32Array(LEAST_LISTS);
  #ends = new Uint32Array(LEAST_LISTS);
  #lengths = new Uint32Array(LEAST_LISTS);

  /** Bytes of a list. */
  length(list: number): number {
    return this.#lengths[list] ?? 0;
  }

  writeByte(list: number, byte: number): void {
    this.#reserve(list);
    const at = this.#nexts[list] as number;
    (this.#slabs[Math.floor(at / SLAB_BYTES)] as Uint8Array)[at % SLAB_BYTES] = byte;
    this.#nexts[list] = at + 1;
    this.#lengths[list] = (this.#lengths[list] as number) + 1;
  }

  /** A number ≥ 0 below 2^35, seven bits a byte, lowest first. */
  writeVarint(list: number, value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.writeByte(list, (rest % 128) | 0x80);
      rest = Math.floor(rest / 128);
    }
    this.writeByte(list, rest);
  }

  writeBytes(list: number, bytes: Uint8Array, start: number, end: number): void {
    for (let from = start; from < end; ) {
      this.#reserve(list);
      const at = this.#nexts[list] as number;
      const count = Math.min(end - from, (this.#ends[list] as number) - at);
      const slab = this.#slabs[Math.floor(at / SLAB_BYTES)] as Uint8Array;
      // Byte by byte: mostly there are two or three, and a view of them would take longer.
      for (let index = 0; index < count; index++) slab[(at % SLAB_BYTES) + index] = bytes[from + index] as number;
      this.#nexts[list] = at + count;
      this.#lengths[list] = (this.#lengths[list] as number) + count;
      from += count;
    }
  }

  /** A copy of a list's bytes. */
  read(list: number): Uint8Array {
    const bytes = new Uint8Array(this.length(list));
    let block = (this.#heads[list] ?? 0) - 1;
    let size = LEAST_BLOCK;
    for (let done = 0; done < bytes.length; ) {
      const slab = this.#slabs[Math.floor(block / SLAB_BYTES)] as Uint8Array;
      const at = block % SLAB_BYTES;
      const count = Math.min(bytes.length - done, size - LINK_BYTES);
      bytes.set(slab.subarray(at + LINK_BYTES, at + LINK_BYTES + count), done);
      done += count;
      block = readLink(slab, at) - 1;
      size = Math.min(MOST_BLOCK, size * 2);
    }
    return bytes;
  }

  /** Make room for a byte at least. */
  #reserve(list: number): void {
    if (list >= this.#heads.length) this.#growTo(list + 1);
    if ((this.#heads[list] as number) > 0 && (this.#nexts[list] as number) < (this.#ends[list] as number)) return;
    const size = this.#nextSize(list);
    const block = this.#takeBlock(size);
    if ((this.#heads[list] as number) === 0) this.#heads[list] = block + 1;
    else {
      const before = (this.#ends[list] as number) - this.#lastSize(list);
      writeLink(this.#slabs[Math.floor(before / SLAB_BYTES)] as Uint8Array, before % SLAB_BYTES, block + 1);
    }
    this.#nexts[list] = block + LINK_BYTES;
    this.#ends[list] = block + size;
  }

  /** Size of the block that a full list gets: it follows from its length. */
  #nextSize(list: number): number {
    const length = this.#lengths[list] as number;
    let size = LEAST_BLOCK;
    for (let room = size - LINK_BYTES; room <= length; room += size - LINK_BYTES) {
      if (size === MOST_BLOCK) break;
      size *= 2;
    }
    return size;
  }

  /** Size of the last block of a full list. */
  #lastSize(list: number): number {
    const length = this.#lengths[list] as number;
    let size = LEAST_BLOCK;
    for (let room = size - LINK_BYTES; room < length && size < MOST_BLOCK; room += size - LINK_BYTES) size *= 2;
    return size;
  }

  #takeBlock(size: number): number {
    if (this.#taken + size > SLAB_BYTES) {
      if ((this.#slabs.length + 1) * SLAB_BYTES > MOST_BYTES) throw new RangeError("lists of more than 4 GiB");
      this.#slabs.push(new Uint8Array(FIRST_BYTES));
      this.#taken = 0;
    }
    const last = this.#slabs.length - 1;
    this.#slabs[last] = growNumbers(this.#slabs[last] as Uint8Array<ArrayBuffer>, this.#taken + size);
    const block = last * SLAB_BYTES + this.#taken;
    this.#taken += size;
    return block;
  }

  /** Room for a list. */
  #growTo(lists: number): void {
    this.#heads = growNumbers(this.#heads, lists);
    this.#nexts = growNumbers(this.#nexts, lists);
    this.#ends = growNumbers(this.#ends, lists);
    this.#lengths = growNumbers(this.#lengths, lists);
  }
}

function readLink(slab: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = slab.subarray(at, at + LINK_BYTES);
  return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
}

function writeLink(slab: Uint8Array, at: number, value: number): void {
  for (let byte = 0; byte < LINK_BYTES; byte++) slab[at + byte] = (value >>> (8 * byte)) & 0xff;
}
