/**
 * Problems with an index or its host, in words for the person who runs the site.
 */
import { FormatError, InputError, StaleGenerationError } from "../core/errors.ts";
import { POINTER_FILE } from "../core/index/range-source.ts";

/**
 * What is wrong: `unreachable` (no answer, or none that this page may read), `refused` (an error status), `no-index` (no
 * pointer), `not-an-index`, `page-instead-of-file` (HTML for what is missing), `missing-file`, `no-ranges` (whole files
 * only, and too large ones), `encoded` (compressed on the way), `newer-format`.
 */
export type HostProblem =
  | "unreachable"
  | "refused"
  | "no-index"
  | "not-an-index"
  | "page-instead-of-file"
  | "missing-file"
  | "no-ranges"
  | "encoded"
  | "newer-format";

/** An index cannot be read from where it was said to be; the message says what to change. */
export class HostError extends InputError {
  readonly problem: HostProblem;

  constructor(problem: HostProblem, message: string, options?: { readonly cause: unknown }) {
    super(message);
    this.problem = problem;
    if (options !== undefined) this.cause = options.cause;
  }
}

/**
 * Why an index is refused, as whoever runs the site can mend it; else what was thrown.
 *
 * @param url Address of its folder, for the message.
 * @param bytes Its pointer.
 */
export function explainRefusal(cause: unknown, url: string, bytes: Uint8Array): unknown {
  if (!(cause instanceof FormatError)) return cause;
  const { detail } = cause;
  if (detail.code === "unsupported-version") {
    const message = `the index at ${url} is of format ${detail.got}, this reader knows formats up to ${detail.supported}: use a newer Treeline, or build it with this one`;
    return new HostError("newer-format", message, { cause });
  }
  // The mark of gzip: a host, or whoever uploaded the files, packed them and does not say so.
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const message = `${POINTER_FILE} at ${url} is compressed once more; serve it as it was built`;
    return new HostError("encoded", message, { cause });
  }
  if (detail.code === "bad-magic" || (detail.code === "truncated" && bytes.length < 4)) {
    return new HostError("not-an-index", `${POINTER_FILE} at ${url} is no pointer`, { cause });
  }
  return cause;
}

/** Which file is missing where one is; else what was thrown. */
export function explainMissing(cause: unknown): unknown {
  if (!(cause instanceof StaleGenerationError)) return cause;
  const message = `index file ${cause.file} is missing, although the pointer names it: upload every file of the index, the pointer last`;
  return new HostError("missing-file", message, { cause });
}
