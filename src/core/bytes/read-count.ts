/** Counts of what follows in bytes. Pure. */
import { FormatError } from "../errors.ts";
import type { ByteReader } from "./reader.ts";

/** A count of things that take so many bytes each at least: refused before anything is allocated for it. @throws {FormatError}. */
export function readCount(reader: ByteReader, bytesEach: number): number {
  const count = reader.readVarint();
  if (count * bytesEach <= reader.remaining) return count;
  throw new FormatError(reader.what, { code: "truncated", need: count * bytesEach, have: reader.remaining });
}
