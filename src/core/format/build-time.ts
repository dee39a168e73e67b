/**
 * How long a build took: a member of the pointer's header that few readers ask for, and pages that search not at all.
 *
 * Layout: index-format v1, section 5. Pure: bytes in, values out.
 */
import { ByteReader, decodeJson } from "../bytes/reader.ts";
import { FormatError } from "../errors.ts";
import { shapeOf } from "./json-shape.ts";

const MAGIC_AND_VERSION_BYTES = 5;
const DIGITS = 9;
const MAX_MS = 999_999_999;

/**
 * How long the build took that wrote a pointer which `decodePointer` takes, in milliseconds; 0 where it does not say.
 */
export function readBuildMs(bytes: Uint8Array): number {
  const file = new ByteReader(bytes, "pointer");
  // Magic, version and checksum: `decodePointer` looked at them.
  file.readBytes(MAGIC_AND_VERSION_BYTES);
  file.readUint32();
  const header: unknown = decodeJson(file.readBytes(file.readVarint()), file.what);
  const { buildMs } = shapeOf(file.what).record(header);
  if (buildMs === undefined) return 0;
  const digits = shapeOf(file.what).string(buildMs);
  if (!/^\d{9}$/.test(digits)) throw new FormatError(file.what, { code: "malformed", reason: "a time that is none" });
  return Number(digits);
}

/** Always so many digits: the size of a pointer, which bars on bytes count, does not depend on a clock. */
export function formatBuildMs(buildMs: number): string {
  return String(Math.min(MAX_MS, Math.max(0, Math.round(buildMs)))).padStart(DIGITS, "0");
}
