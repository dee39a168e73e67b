/**
 * When a build was done and how long it took: members of the pointer's header that few readers ask for, and pages that search not at
 * all.
 *
 * Layout: index-format v1, section 5. Pure: bytes in, values out.
 */
import { ByteReader, decodeJson } from "../bytes/reader.ts";
import { FormatError } from "../errors.ts";
import { shapeOf } from "./json-shape.ts";

const MAGIC_AND_VERSION_BYTES = 5;
const DIGITS = 9;
const MAX_MS = 999_999_999;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** When a build was done, and how long it took. */
export interface BuildTime {
  /** ISO 8601 in UTC with milliseconds. */
  readonly at: string;
  readonly ms: number;
}

/**
 * The time of the build that wrote a pointer which `decodePointer` takes; undefined where it does not say.
 *
 * @throws {FormatError} where what it says is no time.
 */
export function readBuildTime(bytes: Uint8Array): BuildTime | undefined {
  const file = new ByteReader(bytes, "pointer");
  // Magic, version and checksum: `decodePointer` looked at them.
  file.readBytes(MAGIC_AND_VERSION_BYTES);
  file.readUint32();
  const header: unknown = decodeJson(file.readBytes(file.readVarint()), file.what);
  const { builtAt, buildMs } = shapeOf(file.what).record(header);
  if (buildMs === undefined || builtAt === undefined) return undefined;
  const [at, digits] = shapeOf(file.what).strings([builtAt, buildMs]) as [string, string];
  if (!TIME.test(at) || !/^\d{9}$/.test(digits)) {
    throw new FormatError(file.what, { code: "malformed", reason: "a time that is none" });
  }
  return { at, ms: Number(digits) };
}

/** Always so many digits: the size of a pointer, which bars on bytes count, does not depend on a clock. */
export function formatBuildTime({ at, ms }: BuildTime): { readonly builtAt: string; readonly buildMs: string } {
  return { builtAt: at, buildMs: String(Math.min(MAX_MS, Math.max(0, Math.round(ms)))).padStart(DIGITS, "0") };
}
