/** Lines of files that an answer quotes. */
import { loadOutlines, readPassages } from "../core/docs/documents.ts";
import type { IndexReader } from "../core/index/index-reader.ts";

/** Files that lines are read of in one call. */
const MAX_FILES_READ = 12;

/** Lines of a file, both counted. */
interface WantedLines {
  /** Document id. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** The texts of some lines without the end of the last, undefined where its file is one too many. Two waves. */
export async function readSourceLines(
  reader: IndexReader,
  wanted: readonly WantedLines[],
): Promise<(string | undefined)[]> {
  const ids = [...new Set(wanted.map(({ file }) => file))].slice(0, MAX_FILES_READ);
  const outlines = await loadOutlines(reader, ids);
  const requests = wanted.flatMap(({ file, start, end }, index) => {
    const outline = outlines[ids.indexOf(file)];
    return outline === undefined ? [] : [{ index, outline, startLine: start, endLine: end, withFrontmatter: true }];
  });
  const passages = await readPassages(reader, requests);
  const texts = new Array<string | undefined>(wanted.length).fill(undefined);
  for (const [at, { index }] of requests.entries()) texts[index] = passages[at]?.text.replace(/\r?\n$/, "");
  return texts;
}
