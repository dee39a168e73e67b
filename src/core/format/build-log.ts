/**
 * The build log: what was skipped and what was noticed. Read whole, by the tools that show it.
 *
 * Layout: index-format v1, section 1: sealed like a chunk (3.1), with the seed `log`. Pure.
 */
import type { DeflateRaw, InflateRaw } from "../bytes/capabilities.ts";
import { decodeJson } from "../bytes/reader.ts";
import { encodeJson, encodeUtf8 } from "../bytes/writer.ts";
import { seal, unseal } from "./chunk.ts";
import { array, count, object, oneOf, optional, type ShapeOf, string } from "./json-shape.ts";

/** The severities, the worst first. */
export const SEVERITIES = ["error", "warning", "info"] as const;

/** What the scan for secrets, instructions to models and hidden text calls itself. */
export const SCAN_SOURCE = "scan";

const finding = object({
  severity: oneOf(SEVERITIES, "severity"),
  /** Stable name of the kind of finding, or the rule of a tool. */
  code: string,
  message: string,
  collection: string,
  /** `""` where it is about no file. */
  path: string,
  /** 1-based, 0 without one. */
  line: count,
  column: optional(count),
  /** Compiler or linter that reported it; Treeline when absent. */
  tool: optional(string),
});
export type LoggedFinding = ShapeOf<typeof finding>;

/** A file that was left out. */
const skip = object({ collection: string, path: string, reason: string, message: string, bytes: optional(count) });
export type LoggedSkip = ShapeOf<typeof skip>;

const record = object({
  /** Logo of the project as a data URL: `data:image/svg+xml;base64,…`. */
  logo: optional(string),
  skipped: array(skip),
  /** All findings, also those that are not kept. */
  diagnosticCount: count,
  diagnostics: array(finding),
  facetKeysLeftOut: array(object({ key: string, values: count, documents: count, reason: string })),
});
export type LogRecord = ShapeOf<typeof record>;

const WHAT = "build log";
const SEED = encodeUtf8("log");
/** What is longer is halved: half of what readers inflate. */
const MAX_LOG_BYTES = 8 * 1024 * 1024;

/**
 * Bytes of a log. Of lists that are too long for any reader the ends are left out.
 *
 * @throws {RangeError} on a severity that readers would refuse, and the whole log with it.
 */
export function encodeLog(log: LogRecord, deflate: DeflateRaw): Uint8Array {
  const unknown = log.diagnostics.find(({ severity }) => !SEVERITIES.includes(severity));
  if (unknown !== undefined) throw new RangeError(`no severity: ${String(unknown.severity)} of ${unknown.code}`);
  const bytes = encodeJson(log);
  if (bytes.length <= MAX_LOG_BYTES) return seal(SEED, bytes, WHAT, deflate);
  const half = <T>(list: readonly T[]): readonly T[] => list.slice(0, list.length / 2);
  return encodeLog({ ...log, skipped: half(log.skipped), diagnostics: half(log.diagnostics) }, deflate);
}

/** The log that these bytes are. @throws {FormatError} on bytes that are none. */
export async function decodeLog(bytes: Uint8Array, inflate: InflateRaw): Promise<LogRecord> {
  return record(decodeJson(await unseal(SEED, bytes, WHAT, inflate), WHAT), WHAT);
}
