/**
 * Tree-sitter's parser with bounds: on what is no code of its language a grammar may look ahead to the end of the file at
 * each character, and take a minute for 100 kB.
 *
 * Both bounds count characters and no time, so that the same file gives the same result on any machine.
 */
import type { Parser, Tree } from "web-tree-sitter";

/**
 * Longest text that is parsed, in UTF-16 units. Syntax trees take some 200 bytes a character, in memory that a thread
 * keeps once it has it.
 */
export const MAX_PARSED_CHARS = 1_000_000;
/** What the parser asks for at once, in UTF-16 units. */
const READ_CHARS = 4_096;
/** How often a text may be read: 4 s for the longest. Code is read one and a half times, what looks ahead without end a thousand times. */
const MAX_READS_OF_TEXT = 256;
/** Small texts are read in few pieces, each of them often. */
const FREE_CHARS = 1_000_000;

/** The tree of a text, to be deleted by the caller. @throws {Error} where the text is beyond a bound. */
export function parseBounded(parser: Parser, text: string): Tree {
  if (text.length > MAX_PARSED_CHARS) {
    throw new Error(`it has ${text.length} characters, more than the ${MAX_PARSED_CHARS} that are parsed`);
  }
  let left = FREE_CHARS + MAX_READS_OF_TEXT * text.length;
  const tree = parser.parse((index) => {
    // An end of the text is all that a parser can be told from here; what it makes of that is thrown away.
    if (left < 0) return "";
    const piece = text.slice(index, index + READ_CHARS);
    left -= piece.length;
    return piece;
  });
  if (tree !== null && left >= 0) return tree;
  tree?.delete();
  parser.reset();
  throw new Error("its syntax would take too long to work out");
}
