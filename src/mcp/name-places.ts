/**
 * Names of the places that a walk found: ids, packages and symbols of files, as many as one wave brings.
 */

import { areFilesAtHand, type FileList, loadFirst, readWithFiles } from "../core/code/load-files.ts";
import type { Reach, ReachPlace } from "../core/code/reach.ts";
import { isTestFile } from "../core/code/source-paths.ts";
import { splitDocumentId } from "../core/docs/node-id.ts";
import type { Chunk } from "../core/format/chunk.ts";
import type { FileRecord } from "../core/format/code-model.ts";
import type { IndexReader, TableRead } from "../core/index/index-reader.ts";
import type { ShownEnd } from "../surface/render/dependencies.ts";

/** What is known of a file without its symbols. */
export interface KnownFile {
  /** Document id. */
  readonly id: string;
  readonly module: string;
  readonly package: string;
}

/** Names of files of one shard. */
export interface NamedFiles {
  /** Undefined where nothing is known of the file: it lies behind what was read. */
  readonly fileOf: (file: number) => KnownFile | undefined;
  /** Undefined where its symbols were not read. */
  readonly recordOf: (file: number) => FileRecord | undefined;
  /** What went along. */
  readonly tables: readonly (readonly Chunk[])[];
}

/** Names of files without their symbols, where that costs no reads. */
export async function listFiles(reader: IndexReader, shard: number): Promise<FileList | undefined> {
  return areFilesAtHand(reader) ? (await readWithFiles(reader, [])).lists.get(shard) : undefined;
}

/** Symbols of some files, the most wanted first, beside other reads. One wave. */
export async function nameFiles(
  reader: IndexReader,
  shard: number,
  files: readonly number[],
  beside: readonly TableRead[] = [],
): Promise<NamedFiles> {
  const list = await listFiles(reader, shard);
  const loaded = await loadFirst(reader, shard, files, beside);
  const recordOf = (file: number): FileRecord | undefined => loaded.files.get(file)?.record;
  return { recordOf, fileOf: (file) => list?.[file] ?? recordOf(file), tables: loaded.tables };
}

/** Whether a place is a test, or stands in one. */
export function isTestPlace(reach: Reach, file: KnownFile | undefined, place: ReachPlace): boolean {
  if (file !== undefined && isTestFile(splitDocumentId(file.id).path)) return true;
  for (let at = place.symbol; at >= 0; at = reach.containerOf(place.file, at)) {
    if (reach.isTest(place.file, at)) return true;
  }
  return false;
}

/** Whether `nameEnd` has a name for a place. */
export function isNamed({ fileOf, recordOf }: NamedFiles, { file, symbol }: ReachPlace): boolean {
  return symbol < 0 ? fileOf(file) !== undefined : recordOf(file) !== undefined;
}

/** A place as an end of an edge; by numbers where nothing is known of it. */
export function nameEnd({ fileOf, recordOf }: NamedFiles, { file, symbol }: ReachPlace): ShownEnd {
  const id = fileOf(file)?.id ?? `file ${file}`;
  const { path } = splitDocumentId(id);
  if (symbol < 0) return { kind: "file", id, label: path };
  const own = recordOf(file)?.symbols[symbol]?.path ?? `symbol ${symbol}`;
  return { kind: "symbol", id: `${id}#${own}`, label: `${path}#${own}` };
}
