/**
 * Single lines of source files, for previews. Bounded: of many files none is read.
 */

import { loadOutlines, readPassages } from "../core/docs/documents.ts";
import type { CodePosition } from "../core/format/code-model.ts";
import type { IndexReader } from "../core/index/index-reader.ts";

/** Files that lines are read of; the places of further ones are shown without. */
const MAX_FILES = 12;

/** A line that is wanted. */
export interface WantedLine {
  /** Document id. */
  readonly file: string;
  readonly at: CodePosition;
}

/** The text of each line, undefined where it was not read. Two waves. */
export async function readLines(reader: IndexReader, wanted: readonly WantedLine[]): Promise<(string | undefined)[]> {
  const ids = [...new Set(wanted.map(({ file }) => file))].slice(0, MAX_FILES);
  const outlines = await loadOutlines(reader, ids);
  const requests = wanted.flatMap(({ file, at }, index) => {
    const outline = outlines[ids.indexOf(file)];
    return outline === undefined
      ? []
      : [{ index, outline, startLine: at.line, endLine: at.line, withFrontmatter: true }];
  });
  const passages = await readPassages(reader, requests);
  const texts = new Array<string | undefined>(wanted.length).fill(undefined);
  for (const [at, { index }] of requests.entries()) texts[index] = passages[at]?.text.replace(/\r?\n$/, "");
  return texts;
}
