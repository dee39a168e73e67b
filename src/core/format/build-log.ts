/**
 * The build log: what was skipped and what was noticed. Read whole, by the tools that show it.
 *
 * Layout: index-format v1, section 1: sealed like a chunk (3.1), with the seed `log`. Pure.
 */
import type { DeflateRaw, InflateRaw } from "../bytes/capabilities.ts";
import { decodeJson } from "../bytes/reader.ts";
import { encodeJson, encodeUtf8 } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import { seal, unseal } from "./chunk.ts";
import { type JsonShape, shapeOf } from "./json-shape.ts";

/** The severities, the worst first. */
export const SEVERITIES = ["error", "warning", "info"] as const;
type LoggedSeverity = (typeof SEVERITIES)[number];

/** What the scan for secrets, instructions to models and hidden text calls itself. */
export const SCAN_SOURCE = "scan";

/** A finding about one input file. */
export interface LoggedFinding {
  readonly severity: LoggedSeverity;
  /** Stable name of the kind of finding, or the rule of a tool. */
  readonly code: string;
  readonly message: string;
  readonly collection: string;
  /** `""` where it is about no file. */
  readonly path: string;
  /** 1-based, 0 without one. */
  readonly line: number;
  readonly column?: number;
  /** Compiler or linter that reported it; Treeline when absent. */
  readonly tool?: string;
}

/** A file that was left out. */
export interface LoggedSkip {
  readonly collection: string;
  readonly path: string;
  readonly reason: string;
  readonly message: string;
}

/** All of it. */
export interface LogRecord {
  readonly skipped: readonly LoggedSkip[];
  /** All findings, also those that are not kept. */
  readonly diagnosticCount: number;
  readonly diagnostics: readonly LoggedFinding[];
  readonly facetKeysLeftOut: readonly {
    readonly key: string;
    readonly values: number;
    readonly documents: number;
    readonly reason: string;
  }[];
}

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
  const check = shapeOf(WHAT);
  const log = check.record(decodeJson(await unseal(SEED, bytes, WHAT, inflate), WHAT));
  return {
    skipped: check.array(log.skipped).map((value) => {
      const { collection, path, reason, message } = check.record(value);
      return {
        collection: check.string(collection),
        path: check.string(path),
        reason: check.string(reason),
        message: check.string(message),
      };
    }),
    diagnosticCount: check.count(log.diagnosticCount),
    diagnostics: check.array(log.diagnostics).map((value) => toFinding(check.record(value), check)),
    facetKeysLeftOut: check.array(log.facetKeysLeftOut).map((value) => {
      const { key, values, documents, reason } = check.record(value);
      return {
        key: check.string(key),
        values: check.count(values),
        documents: check.count(documents),
        reason: check.string(reason),
      };
    }),
  };
}

function toFinding(value: Readonly<Record<string, unknown>>, check: JsonShape): LoggedFinding {
  const { severity, code, message, collection, path, line, column, tool } = value;
  const known = SEVERITIES.find((one) => one === severity);
  if (known === undefined) throw new FormatError(WHAT, { code: "malformed", reason: "unknown severity" });
  return {
    severity: known,
    code: check.string(code),
    message: check.string(message),
    collection: check.string(collection),
    path: check.string(path),
    line: check.count(line),
    ...(column !== undefined && { column: check.count(column) }),
    ...(tool !== undefined && { tool: check.string(tool) }),
  };
}
