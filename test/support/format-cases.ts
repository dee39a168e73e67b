/**
 * What the tests of every structure of the format need: bytes as hex, damaged bytes, and what decoding them may do.
 */
import fc from "fast-check";
import { crc32 } from "../../src/core/bytes/checksum.ts";
import { type ByteKey, keyOfBytes } from "../../src/core/bytes/key.ts";
import { FormatError } from "../../src/core/errors.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";

/** Bytes as hexadecimal digits. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Bytes that hexadecimal digits stand for; white space between them is free. */
export function bytesOfHex(hex: string): Uint8Array {
  const digits = hex.replace(/\s+/g, "");
  return Uint8Array.from({ length: digits.length / 2 }, (_, at) =>
    Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16),
  );
}

/** The `FormatError` that `run` ends with. Fails when it ends otherwise. */
export async function refusalOf(run: () => unknown): Promise<FormatError> {
  try {
    await run();
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw new Error(`not a FormatError: ${String(error)}`, { cause: error });
  }
  throw new Error("the bytes were accepted");
}

/** Decode, or be refused with a `FormatError`. Anything else that is thrown comes through. */
export async function decodeOrRefuse<T>(run: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

/** Every prefix of `bytes` that is shorter than it is refused. */
export async function expectTruncationsRefused(
  bytes: Uint8Array,
  decode: (prefix: Uint8Array) => unknown,
): Promise<void> {
  for (let length = 0; length < bytes.length; length++) {
    await refusalOf(() => decode(bytes.slice(0, length))).catch((error: unknown) => {
      throw new Error(`the first ${length} of ${bytes.length} bytes were not refused`, { cause: error });
    });
  }
}

/** Random bytes, and valid encodings with some bytes changed, taken out, put in or repeated. */
export function anyBytesNear(valid: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  const position = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const change = fc.record({
    kind: fc.constantFrom("flip", "set", "remove", "insert", "repeat", "cut" as const),
    at: position,
    byte: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.integer({ min: 0, max: 255 })),
    length: fc.integer({ min: 1, max: 6 }),
  });
  const mutated = fc
    .tuple(valid, fc.array(change, { minLength: 1, maxLength: 4 }))
    .map(([bytes, changes]) => changes.reduce(applyChange, bytes));
  return fc.oneof(fc.uint8Array({ maxLength: 80 }), mutated, mutated);
}

function applyChange(
  bytes: Uint8Array,
  { kind, at, byte, length }: { kind: string; at: number; byte: number; length: number },
): Uint8Array {
  const index = Math.floor(at * bytes.length);
  const before = bytes.subarray(0, index);
  const behind = bytes.subarray(index);
  const filled = new Uint8Array(length).fill(byte);
  switch (kind) {
    case "flip":
      return join(
        before,
        behind.subarray(0, 1).map((old) => old ^ (1 << (byte & 7))),
        behind.subarray(1),
      );
    case "set":
      return join(before, filled.subarray(0, Math.min(1, behind.length)), behind.subarray(1));
    case "remove":
      return join(before, behind.subarray(length));
    case "insert":
      return join(before, filled, behind);
    case "repeat":
      return join(before, behind.subarray(0, length), behind);
    default:
      return before.slice();
  }
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** A payload without padding under a checksum that fits it, so that what stands behind the two is what gets tested. */
export function withChecksum(seed: Uint8Array, compressed: Uint8Array): Uint8Array {
  const behind = join(new Uint8Array(1), compressed);
  const sum = crc32(behind, crc32(seed));
  return join(Uint8Array.of(sum & 0xff, (sum >>> 8) & 0xff, (sum >>> 16) & 0xff, sum >>> 24), behind);
}

/** Keys: any bytes, and few different ones, so that prefixes are shared. */
export const anyKey: fc.Arbitrary<ByteKey> = fc
  .oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc.array(fc.constantFrom(0, 97, 98, 255), { maxLength: 6 }).map((bytes) => Uint8Array.from(bytes)),
  )
  .map(keyOfBytes);

/** Entries of a table: keys ascending, each once. */
export function anyEntries(options: {
  minLength: number;
  maxLength: number;
  valueBytes: number;
}): fc.Arbitrary<TableEntry[]> {
  const entry = fc.record({ key: anyKey, value: fc.uint8Array({ maxLength: options.valueBytes }) });
  return fc
    .uniqueArray(entry, { selector: ({ key }) => key, minLength: options.minLength, maxLength: options.maxLength })
    .map((entries) => entries.sort((a, b) => (a.key < b.key ? -1 : 1)));
}
