/**
 * Growing byte buffer: the writing half of `reader.ts`.
 */

const utf8 = new TextEncoder();
const INITIAL_CAPACITY = 64;
const SHORT = 32;
const MAX_VARINT = 2 ** 35 - 1;
const MAX_VARINT_BYTES = 5;

export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = INITIAL_CAPACITY) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  writeByte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Unsigned LEB128. @throws {RangeError} when the value is negative, fractional or above 35 bits. */
  writeVarint(value: number): void {
    if (!Number.isInteger(value) || value < 0 || value > MAX_VARINT) throw new RangeError(`not a varint: ${value}`);
    this.#reserve(MAX_VARINT_BYTES);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Four bytes, little-endian. */
  writeUint32(value: number): void {
    this.#reserve(4);
    for (let shift = 0; shift < 32; shift += 8) this.#bytes[this.#length++] = (value >>> shift) & 0xff;
  }

  writeBytes(bytes: Uint8Array): void {
    const { length } = bytes;
    this.#reserve(length);
    // Engines take longer to set up a copy than to copy so few one by one.
    if (length > SHORT) this.#bytes.set(bytes, this.#length);
    else for (let at = 0; at < length; at++) this.#bytes[this.#length + at] = bytes[at] as number;
    this.#length += length;
  }

  /** A varint length and the UTF-8 bytes. */
  writeString(text: string): void {
    const bytes = encodeUtf8(text);
    this.writeVarint(bytes.length);
    this.writeBytes(bytes);
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  /** What was written, as it lies: good until more is written. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(extra: number): void {
    const need = this.#length + extra;
    if (need <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(need, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

/** UTF-8 bytes of a text; lone surrogates become U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  return utf8.encode(text);
}

export function encodeJson(value: unknown): Uint8Array {
  return utf8.encode(JSON.stringify(value));
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let position = 0;
  for (const part of parts) {
    whole.set(part, position);
    position += part.length;
  }
  return whole;
}
