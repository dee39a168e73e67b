/**
 * Whether an index is whole, and whether the ids in its maps still lead somewhere.
 *
 * I/O: reads all files of the index, and the maps.
 */
import { join } from "node:path";
import { findDeadIds, listIds } from "../../src/core/docs/project-map.ts";
import type { LogRecord } from "../../src/core/format/build-log.ts";
import { readLog } from "../../src/core/index/read-log.ts";
import { isAddress } from "../base/index-source.ts";
import { UsageError } from "../base/usage-error.ts";
import { openIndexAt, verifyFiles } from "../open/open-index.ts";
import { findSection } from "../sources/map-section.ts";
import { MAP_FILE, readText } from "./map-files.ts";

/** A map that was looked at. */
export interface CheckedMap {
  readonly file: string;
  readonly ids: number;
  /** Ids that lead nowhere. */
  readonly dead: readonly string[];
}

/** What was found. */
export interface CheckedIndex {
  /** What is wrong with the files, a line each. */
  readonly damaged: readonly string[];
  readonly maps: readonly CheckedMap[];
  readonly log: LogRecord;
}

/**
 * Check the index at a place.
 *
 * @param files Files that hold a map; that beside the index, where there is one, is looked at in any case.
 * @throws {InputError} where there is no index.
 * @throws {UsageError} where a file is not there or holds no map.
 */
export async function checkIndex(place: string, files: readonly string[]): Promise<CheckedIndex> {
  const reader = await openIndexAt(place);
  // Whoever removed the pointer did so just now: it was opened.
  const damaged = (await verifyFiles(place)) ?? ["there is no pointer"];
  const own = isAddress(place) ? undefined : join(place, MAP_FILE);
  const maps: CheckedMap[] = [];
  for (const file of [...(own === undefined ? [] : [own]), ...files]) {
    const text = await readText(file);
    if (text === undefined && file === own) continue;
    if (text === undefined) throw new UsageError(`there is no file ${JSON.stringify(file)}`);
    const section = file === own ? text : findSection(text, file);
    if (section === undefined) {
      throw new UsageError(`${file} holds no map: treeline build --agents ${file} writes one`);
    }
    const ids = listIds(section);
    maps.push({ file, ids: ids.length, dead: await findDeadIds(reader, ids) });
  }
  return { damaged, maps, log: await readLog(reader) };
}
