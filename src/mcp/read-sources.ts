/** Whole texts of source files, as the index holds them but for a byte order mark: columns do not count it. Bounded: what does not fit is left out. */

import { loadOutlines, readPassages } from "../core/docs/documents.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { withoutMark } from "../core/text/lines.ts";

/** Files and lines of one call at most: their texts are held together and gone through once. */
const MAX_FILES = 120;
const MAX_LINES = 80_000;

/** Texts by document id, of the first of these documents that fit into the bounds. Two waves. */
export async function readSources(reader: IndexReader, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const outlines = await loadOutlines(reader, ids.slice(0, MAX_FILES));
  let lines = 0;
  const wanted = outlines.flatMap((outline) => {
    if (outline === undefined) return [];
    lines += outline.document.lines;
    return lines > MAX_LINES && lines > outline.document.lines ? [] : [outline];
  });
  const passages = await readPassages(
    reader,
    wanted.map((outline) => ({
      outline,
      startLine: 1,
      endLine: Math.max(1, outline.document.lines),
      withFrontmatter: true,
    })),
  );
  return new Map(wanted.map((outline, at) => [outline.document.id, withoutMark(passages[at]?.text ?? "")]));
}
