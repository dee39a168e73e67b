/**
 * An index on a web host, opened, or refused with what is wrong there.
 */
import type { InflateRaw } from "../core/bytes/capabilities.ts";
import { type OpenIndex, openGeneration } from "../core/index/open-generation.ts";
import { POINTER_FILE, type RangeSource } from "../core/index/range-source.ts";
import type { ValueCache } from "../core/index/value-cache.ts";
import { explainRefusal, HostError } from "./host-error.ts";
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
