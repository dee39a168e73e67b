/**
 * Tree-sitter's parser with bounds: on what is no code of its language a grammar may look ahead to the end of the file at
 * each character, and take a minute for 100 kB, or follow so many readings at once that it takes gigabytes.
 *
 * The bounds count characters and bytes, not time, so the same file gives the same result on any machine. Other files of
 * the thread leave their traces in the heap, so a file that runs out of it there is parsed again in a fresh one
 * ({@link wantsFreshHeap}).
 */
import type { Tree } from "web-tree-sitter";
import { type Grammar, USUAL_HEAP } from "./grammars.ts";

/**
 * Longest text that is parsed, in UTF-16 units. Syntax trees take some 200 bytes a character, in memory that a thread
 * keeps once it has it.
 */
export const MAX_PARSED_CHARS = 1_000_000;
/** What the parser asks for at once, in UTF-16 units. */
const READ_CHARS = 4_096;
/** How often a text may be read: 4 s for the longest. Code is read one and a half times, what looks ahead without end a thousand times. */
const MAX_READS_OF_TEXT = 256;
/** What any text may be read, a second's work: the grammar of Scala reads ahead 500 characters at each one of real code. */
const FREE_CHARS = 64_000_000;
/** Heap for each character of a long text: code takes up to 80 bytes, statements of one letter take 500. */
const HEAP_PER_CHAR = 600;
/** A heap that grew larger than this is given up after the text, since it never shrinks. */
const KEPT_HEAP = 80 * 1024 * 1024;

let isAgainWanted = false;

/** Whether the last text ran out of a heap that was small or used by others. Load its grammar anew and parse it again. */
export function wantsFreshHeap(): boolean {
  return isAgainWanted;
}

/** Parses a text and reads its tree, which is gone afterwards. @throws {Error} where the text is beyond a bound. */
export function parseBounded<T>({ parser, runtime }: Grammar, text: string, read: (tree: Tree) => T): T {
  isAgainWanted = false;
  if (text.length > MAX_PARSED_CHARS) {
    throw new Error(`it has ${text.length} characters, more than the ${MAX_PARSED_CHARS} that are parsed`);
  }
  const { isFresh } = runtime;
  runtime.isFresh = false;
  let left = FREE_CHARS + MAX_READS_OF_TEXT * text.length;
  const readPiece = (index: number): string => {
    // An end of the text is all that a parser can be told from here; what it makes of that is thrown away.
    if (left < 0) return "";
    const piece = text.slice(index, index + READ_CHARS);
    left -= piece.length;
    return piece;
  };
  let result: { readonly value: T } | undefined;
  try {
    const tree = parser.parse(readPiece);
    if (tree !== null && left >= 0) result = { value: read(tree) };
    tree?.delete();
    if (result === undefined) parser.reset();
  } catch {
    // A trap (no heap, no stack) leaves the heap in any state.
    runtime.isSpent = true;
    runtime.nextMaxHeap = Math.max(USUAL_HEAP, HEAP_PER_CHAR * text.length);
    isAgainWanted = !isFresh || runtime.maxHeap < runtime.nextMaxHeap;
    throw new Error("its syntax would take too much memory to work out");
  }
  if (runtime.memory.buffer.byteLength > KEPT_HEAP) runtime.isSpent = true;
  if (result === undefined) throw new Error("its syntax would take too long to work out");
  return result.value;
}
