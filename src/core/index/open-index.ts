/**
 * Opens a generation with the analyzers of all languages at hand. A page and a Worker load the stemmers of an index on demand and call
 * `openGeneration`.
 */
import type { InflateRaw } from "../bytes/capabilities.ts";
import { analyzerOf } from "../text/analyzers.ts";
import { type OpenIndex, openGeneration } from "./open-generation.ts";
import type { RangeSource } from "./range-source.ts";
import type { ValueCache } from "./value-cache.ts";

/** Opens the generation that a pointer names, as `openGeneration` does. @throws {FormatError} */
export function openIndex(
  pointerBytes: Uint8Array,
  source: RangeSource,
  inflate: InflateRaw,
  cache: ValueCache,
  storedAt?: string,
): Promise<OpenIndex> {
  return openGeneration(pointerBytes, source, inflate, cache, async () => analyzerOf, storedAt);
}
