/** Opening a generation together with when it was built and how long that took, which stands in the pointer alone. Pure but for the source. */
import { readBuildTime } from "../format/build-time.ts";
import { decodePointer } from "../format/pointer.ts";
import type { OpenIndex } from "./open-generation.ts";

/**
 * The index that `open` opens, with `buildMs` and the time of the build.
 *
 * @throws {FormatError} when pointer or root is damaged or newer, or the pointer has names that no index file has.
 */
export async function openTimedIndex(
  pointerBytes: Uint8Array,
  open: (pointerBytes: Uint8Array) => Promise<OpenIndex>,
): Promise<OpenIndex> {
  decodePointer(pointerBytes);
  const index = withTimes(await open(pointerBytes));
  const built = readBuildTime(pointerBytes);
  return built === undefined ? index : { ...withTimes(index, built.at), buildMs: built.ms };
}

/** The index with what its root says of the commit, and when it was built where that is known. */
export function withTimes(index: OpenIndex, builtAt = index.generation.builtAt): OpenIndex {
  const { builtAt: committedAt, dirty } = index.root;
  return { ...index, generation: { ...index.generation, committedAt, ...(dirty === true && { dirty }), builtAt } };
}
