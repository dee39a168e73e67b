/** An index on a web host, opened, or refused with what is wrong there. */
import type { InflateRaw } from "../core/bytes/capabilities.ts";
import { FormatError } from "../core/errors.ts";
import { type OpenIndex, openGeneration } from "../core/index/open-generation.ts";
import { POINTER_FILE, type RangeSource } from "../core/index/range-source.ts";
import type { ValueCache } from "../core/index/value-cache.ts";
import { HostError } from "./host-error.ts";
import { loadModule } from "./load-module.ts";

/** The stemmers of all languages but English. */
const loadStemmers = async () =>
  (await loadModule("./analyzers.js", () => import("../core/text/analyzers.ts"))).analyzerOf;

/** An open index, and the bytes that opening it read. */
export interface OpenedHost {
  readonly index: OpenIndex;
  readonly pointerBytes: number;
}

/**
 * Open the index of a source over a web host.
 *
 * @param url Address of the folder, for messages.
 * @throws {HostError} where there is none, or none that this reader knows.
 * @throws {FormatError} where it is damaged.
 */
export async function openHost(
  url: string,
  source: RangeSource,
  inflate: InflateRaw,
  cache: ValueCache,
): Promise<OpenedHost> {
  const pointer = await source.readPointer();
  if (pointer === undefined || pointer === "unchanged") {
    throw new HostError("no-index", `there is no index at ${url}: it has no ${POINTER_FILE}`);
  }
  const { bytes, modifiedAt } = pointer;
  try {
    const index = await openGeneration(bytes, source, inflate, cache, loadStemmers, modifiedAt);
    return { index, pointerBytes: bytes.length };
  } catch (error) {
    throw explainRefusal(error, url, bytes);
  }
}

/**
 * Why an index is refused, as whoever runs the site can mend it; else what was thrown.
 *
 * @param url Address of its folder, for the message.
 * @param bytes Its pointer.
 */
function explainRefusal(cause: unknown, url: string, bytes: Uint8Array): unknown {
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
