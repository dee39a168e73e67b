/**
 * What is wrong with an index that cannot be opened or read on.
 */
import { FormatError, StaleGenerationError } from "../core/errors.ts";
import { POINTER_FILE } from "../core/index/range-source.ts";
import { HostError } from "./host-error.ts";

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
