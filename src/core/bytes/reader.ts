/**
 * Bounded cursor over bytes: every read checks that its bytes exist before it takes them.
 *
 * Integers are unsigned LEB128 varints (seven bits a byte, lowest first) or little-endian fixed widths; see index-format
 * v1, section 2.
 */
import { FormatError, malformed } from "../errors.ts";
import { concatBytes } from "./writer.ts";

/** Largest varint the format allows: 2^53 − 1 would be exact in a double, five bytes are enough for every field. */
const MAX_VARINT_BYTES = 5;

const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads values one after another. `what` names the structure in error messages. */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly what: string;
  position: number;
  readonly end: number;

  constructor(bytes: Uint8Array, what: string, position = 0, end = bytes.length) {
    if (end > bytes.length) throw new FormatError(what, { code: "truncated", need: end, have: bytes.length });
    this.bytes = bytes;
    this.what = what;
    this.position = position;
    this.end = end;
  }

  get remaining(): number {
    return this.end - this.position;
  }

  /** One byte. @throws {FormatError} `truncated`. */
  readByte(): number {
    if (this.position >= this.end) this.#truncated(1);
    return this.bytes[this.position++] as number;
  }

  /** A varint of at most five bytes (35 bits). @throws {FormatError} `truncated` or `malformed`. */
  readVarint(): number {
    // Nearly all take one byte.
    const first = this.position < this.end ? (this.bytes[this.position] as number) : 0x80;
    if (first < 0x80) {
      this.position++;
      return first;
    }
    let value = 0;
    let scale = 1;
    for (let i = 0; i < MAX_VARINT_BYTES; i++) {
      if (this.position >= this.end) this.#truncated(1);
      const byte = this.bytes[this.position++] as number;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        // A longer form of the same number would give two encodings for one value.
        if (byte === 0 && i > 0) throw malformed(this.what, "overlong varint");
        return value;
      }
      scale *= 128;
    }
    throw malformed(this.what, "varint of more than five bytes");
  }

  /** Four bytes, little-endian, unsigned. @throws {FormatError} `truncated`. */
  readUint32(): number {
    const { buffer, byteOffset } = this.readBytes(4);
    return new DataView(buffer, byteOffset).getUint32(0, true);
  }

  /** `length` bytes, as a view. @throws {FormatError} `truncated`. */
  readBytes(length: number): Uint8Array {
    if (length > this.end - this.position) this.#truncated(length);
    const view = this.bytes.subarray(this.position, this.position + length);
    this.position += length;
    return view;
  }

  /** A varint length and so many bytes of UTF-8. @throws {FormatError} `truncated` or `malformed`. */
  readString(): string {
    return decodeUtf8(this.readBytes(this.readVarint()), this.what);
  }

  /** @throws {FormatError} `trailing-bytes` when anything is left. */
  expectEnd(): void {
    if (this.remaining > 0) throw new FormatError(this.what, { code: "trailing-bytes", extra: this.remaining });
  }

  #truncated(need: number): never {
    throw new FormatError(this.what, { code: "truncated", need, have: this.end - this.position });
  }
}

/** Text of UTF-8 bytes. @throws {FormatError} `malformed` on invalid UTF-8. */
export function decodeUtf8(bytes: Uint8Array, what: string): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new FormatError(what, { code: "malformed", reason: "invalid UTF-8" }, { cause });
  }
}

/** Value of JSON bytes, unchecked beyond being JSON. @throws {FormatError} `malformed`. */
export function decodeJson(bytes: Uint8Array, what: string): unknown {
  const text = decodeUtf8(bytes, what);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FormatError(what, { code: "malformed", reason: "invalid JSON" }, { cause });
  }
}

/** A count of things that take so many bytes each at least: refused before anything is allocated for it. @throws {FormatError}. */
export function readCount(reader: ByteReader, bytesEach: number): number {
  const count = reader.readVarint();
  expectRoom(reader, count, bytesEach);
  return count;
}

/** @throws {FormatError} `truncated` where so many things of so many bytes each cannot follow. */
export function expectRoom(reader: ByteReader, count: number, bytesEach: number): void {
  const [need, have] = [count * bytesEach, reader.remaining];
  if (need > have) throw new FormatError(reader.what, { code: "truncated", need, have });
}

interface StreamReader {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** All bytes that a reader of a stream gives; undefined where these are more than `maxBytes`, and the stream is cancelled then. */
export async function readBounded(
  reader: StreamReader,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); next.value !== undefined; next = await reader.read()) {
    parts.push(next.value);
    size += next.value.length;
    if (size <= maxBytes) continue;
    // The answer is known; what is wrong with the rest does not matter.
    reader.cancel().catch(() => undefined);
    return undefined;
  }
  return concatBytes(parts);
}
