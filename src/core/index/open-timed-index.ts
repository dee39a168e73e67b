/** Opening a generation together with how long its build took, which stands in the pointer alone. Pure but for the source. */
import { readBuildMs } from "../format/build-time.ts";
import { decodePointer } from "../format/pointer.ts";
import { type OpenIndex, openIndex } from "./open-index.ts";

/**
 * `openIndex`, with `buildMs`.
 *
 * @throws {FormatError} when pointer or root is damaged or newer, or the pointer has names that no index file has.
 */
export async function openTimedIndex(...given: Parameters<typeof openIndex>): Promise<OpenIndex> {
  const [pointerBytes] = given;
  decodePointer(pointerBytes);
  const index = await openIndex(...given);
  return { ...index, buildMs: readBuildMs(pointerBytes) };
}
