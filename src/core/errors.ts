/**
 * The error types that callers act on differently. Everything else is a bug and propagates as it is.
 *
 * - `FormatError`: bytes of the index are not what the format says. The answer is to rebuild or re-read.
 * - `InputError`: the caller asked for something that cannot be. The answer is to tell the caller.
 * - `StaleGenerationError`: a file that an open index names is gone. The answer is to read the pointer again, once.
 * - `StorageError`: storage does not answer, and `BusyError`: too much is asked. The answer is to ask again in a while.
 *
 * Pure: no I/O, no clock, no platform globals.
 */

/** What exactly was wrong with the bytes, with the values that were found and expected. */
type FormatCause =
  | { readonly code: "bad-magic"; readonly got: string; readonly expected: string }
  | { readonly code: "unsupported-version"; readonly got: number; readonly supported: number }
  | { readonly code: "truncated"; readonly need: number; readonly have: number }
  | { readonly code: "trailing-bytes"; readonly extra: number }
  | { readonly code: "checksum"; readonly got: number; readonly expected: number }
  | { readonly code: "keys-out-of-order"; readonly key: string }
  | { readonly code: "out-of-range"; readonly what: string; readonly got: number; readonly limit: number }
  | { readonly code: "inflate"; readonly reason: string }
  | { readonly code: "malformed"; readonly reason: string }
  | { readonly code: "missing-file"; readonly file: string };

/** Bytes of an index file that are damaged, foreign or of another version. */
export class FormatError extends Error {
  override readonly name = "FormatError";
  /** What was being read, for example `"chunk of table terms"`. */
  readonly what: string;
  readonly detail: FormatCause;

  constructor(what: string, detail: FormatCause, options?: ErrorOptions) {
    super(`${what}: ${describe(detail)}`, options);
    this.what = what;
    this.detail = detail;
  }
}

/** @throws {FormatError} `out-of-range` where a number that was read is above its limit. */
export function checkLimit(structure: string, what: string, got: number, limit: number): void {
  if (got > limit) throw new FormatError(structure, { code: "out-of-range", what, got, limit });
}

/** The error of bytes that are not as the format says. */
export function malformed(structure: string, reason: string): FormatError {
  return new FormatError(structure, { code: "malformed", reason });
}

/** A request that cannot be answered as asked; the message is meant for the person or agent who asked. */
export class InputError extends Error {
  override readonly name = "InputError";
  /** Nearest valid names, best first. Empty when there are none. */
  readonly nearest: readonly string[];
  /** One example of a valid call, or undefined. */
  readonly example: string | undefined;

  constructor(message: string, nearest: readonly string[] = [], example?: string) {
    super(message);
    this.nearest = nearest;
    this.example = example;
  }
}

/** A file that the open generation names no longer exists: the pointer has moved on. */
export class StaleGenerationError extends Error {
  override readonly name = "StaleGenerationError";
  readonly file: string;

  constructor(file: string) {
    super(`index file ${file} is gone; its generation was replaced`);
    this.file = file;
  }
}

/** Storage failed, or did not answer in time, however often it was asked. */
export class StorageError extends Error {
  override readonly name = "StorageError";

  /** @param what What was read. @param options Why the last try failed, as `cause`. */
  constructor(what: string, options?: ErrorOptions) {
    super(`storage does not give ${what}`, options);
  }
}

/** More is asked at once than can be answered. */
export class BusyError extends Error {
  override readonly name = "BusyError";

  constructor() {
    super("more is asked at once than can be answered");
  }
}

function describe(detail: FormatCause): string {
  switch (detail.code) {
    case "bad-magic":
      return `found magic ${detail.got}, expected ${detail.expected}`;
    case "unsupported-version":
      return `format version ${detail.got} is not known, only up to ${detail.supported}`;
    case "truncated":
      return `needs ${detail.need} bytes, has ${detail.have}`;
    case "trailing-bytes":
      return `${detail.extra} bytes are left over`;
    case "checksum":
      return `checksum ${detail.got.toString(16)} does not match ${detail.expected.toString(16)}`;
    case "keys-out-of-order":
      return `key ${JSON.stringify(detail.key)} is out of order`;
    case "out-of-range":
      return `${detail.what} is ${detail.got}, the limit is ${detail.limit}`;
    case "inflate":
      return `cannot be inflated (${detail.reason})`;
    case "malformed":
      return detail.reason;
    case "missing-file":
      return `file ${detail.file} does not exist`;
  }
}
