/**
 * Which source files lead to which, of all that the caller may see: what the picture of imports is drawn from.
 *
 * An import or re-export of a file as a whole is a link; in languages whose files see each other without one, so is any other
 * known use. Pure apart from the reader's I/O.
 */

import { EDGE_KINDS, IMPORT_KINDS } from "../format/code-model.ts";
import { maskOf, TYPE_ONLY_MASK } from "../format/reach-list.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { factsOf } from "../text/code-languages.ts";
import { readWithFiles } from "./load-files.ts";
import type { LoadedFile } from "./model.ts";
import { isReachAtHand, openReach, type ReachDirection, readsOfReach } from "./reach.ts";
import { neighboursOf } from "./walks.ts";

/**
 * The graph of source files: their document ids, and what leads from one to another by its place in that list, each pair once; none
 * leads to itself. Undefined where its table is too large to be read at once. One round of reads.
 */
export async function readImportGraph(reader: IndexReader) {
  if (!isReachAtHand(reader)) return undefined;
  const { lists } = await readWithFiles(reader, readsOfReach(reader), true);
  const ids: string[] = [];
  /** `typeOnly`: nothing of it is left at run time. */
  const links: { readonly from: number; readonly to: number; readonly typeOnly: boolean }[] = [];
  for (const [shard, files] of lists) {
    const reach = await openReach(reader, shard);
    const first = ids.length;
    for (const [file, { id, language }] of files.entries()) {
      ids.push(id);
      const kinds = maskOf(factsOf(language).seesNeighbours ? EDGE_KINDS : IMPORT_KINDS);
      for (const link of neighboursOf(reach, { file, symbol: -1 }, { direction: "out", kinds, isOfFiles: true })) {
        const typeOnly = (link.mask & TYPE_ONLY_MASK) !== 0;
        if (link.file !== file) links.push({ from: first + file, to: first + link.file, typeOnly });
      }
    }
  }
  return { ids, links };
}

/**
 * Files that a file imports, and that import it, by document ids in order; what it imports from outside by name. Undefined where the
 * table is too large to be read at once. One round of reads.
 */
export async function readFileNeighbours(reader: IndexReader, { shard, file, record }: LoadedFile) {
  if (!isReachAtHand(reader)) return undefined;
  const { lists } = await readWithFiles(reader, readsOfReach(reader), true);
  const reach = await openReach(reader, shard);
  const kinds = maskOf(factsOf(record.language).seesNeighbours ? EDGE_KINDS : IMPORT_KINDS);
  const name = (direction: ReachDirection): string[] =>
    neighboursOf(reach, { file, symbol: -1 }, { direction, kinds, isOfFiles: true }).flatMap(
      (link) => lists.get(shard)?.[link.file]?.id ?? [],
    );
  return { imports: name("out"), importedBy: name("in"), externals: reach.externalsOf(file) };
}
