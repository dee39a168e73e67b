/**
 * Grammars of tree-sitter, loaded when their language first occurs (together they are 25 MB), and parsing within bounds: on
 * text that is no code of its language a grammar may look ahead to the end of the file at each character, and take a minute
 * for 100 kB, or follow so many readings at once that it takes gigabytes.
 *
 * The bounds count characters and bytes, not time, so the same file gives the same result on any machine. Other files of
 * the thread leave their traces in the heap, so a file that runs out of it there is parsed again in a fresh one
 * ({@link wantsFreshHeap}).
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import type { TreeDialect } from "../../languages/base/language.ts";
import { TREE_DIALECTS } from "../../languages/languages.ts";
import "web-tree-sitter";
import type * as TreeSitter from "web-tree-sitter";
import type { Tree } from "web-tree-sitter";
import type { CodeLanguage } from "../../../src/core/text/code-languages.ts";
import { findGrammar } from "../../base/installation.ts";
import { type NodeNames, nodeNamesOf } from "../../languages/base/syntax-tree.ts";

// What is resolved by its name below is a package that this one needs: an import says so to all tools that ask.

/** A grammar ready to parse. */
interface Grammar {
  readonly parser: TreeSitter.Parser;
  readonly names: NodeNames;
  readonly runtime: ParserRuntime;
}

/** One instance of the WebAssembly module. All grammars of a thread share its heap, which never shrinks. */
interface ParserRuntime {
  readonly memory: { readonly buffer: ArrayBufferLike };
  /** Bytes that its heap may grow to. Beyond that it traps. */
  readonly maxHeap: number;
  /** Whether nothing was parsed in it yet. */
  isFresh: boolean;
  /** Whether it must not parse any more: it trapped, or its heap is large. {@link loadGrammar} replaces it. */
  isSpent: boolean;
  /** `maxHeap` of the runtime that replaces it. */
  nextMaxHeap: number;
}

interface LoadedRuntime extends ParserRuntime {
  readonly treeSitter: typeof TreeSitter;
}

/** Bytes of heap that a runtime starts with, and that most files do with. */
const FIRST_HEAP = 32 * 1024 * 1024;
const USUAL_HEAP = 160 * 1024 * 1024;
const PAGE_BYTES = 65_536;

/** Of WebAssembly's interface, the part that the types of Node leave out. */
const { Memory } = Reflect.get(globalThis, "WebAssembly") as {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => ParserRuntime["memory"];
};

const require = createRequire(import.meta.url);
const grammars = new Map<CodeLanguage, Grammar>();
const loading = new Map<CodeLanguage, Promise<void>>();
let runtime: Promise<LoadedRuntime> | undefined;
let current: ParserRuntime | undefined;

/** @throws {Error} for a language that tree-sitter does not parse: a mistake of the caller. */
export function dialectOf(language: CodeLanguage): TreeDialect {
  const dialect = TREE_DIALECTS.get(language);
  if (dialect === undefined) throw new Error(`There is no grammar of ${language}`);
  return dialect;
}

/** Makes a language ready for parsing in this thread. Resolves at once where it is ready and its runtime is not spent. */
export function loadGrammar(language: CodeLanguage): Promise<void> {
  if (current?.isSpent === true) {
    for (const { parser } of grammars.values()) discard(parser);
    for (const known of [grammars, loading]) known.clear();
    runtime = startRuntime(current.nextMaxHeap);
    current = undefined;
  }
  let load = loading.get(language);
  if (load === undefined) {
    const { twin } = dialectOf(language);
    // Which of two it is, only the text says.
    load =
      twin === undefined
        ? readGrammar(language)
        : Promise.all([readGrammar(language), loadGrammar(twin.language)]).then(() => undefined);
    loading.set(language, load);
    load.catch(() => loading.delete(language));
  }
  return load;
}

/** A loaded grammar. @throws {Error} where `loadGrammar` was not awaited for it before: a mistake of the caller. */
export function loadedGrammar(language: CodeLanguage): Grammar {
  const grammar = grammars.get(language);
  if (grammar === undefined) throw new Error(`The grammar of ${language} is used before it is loaded`);
  return grammar;
}

async function readGrammar(language: CodeLanguage): Promise<void> {
  runtime ??= startRuntime(USUAL_HEAP);
  const started = await runtime;
  const { Language, Parser } = started.treeSitter;
  const { grammar: file, patch, isTooLargeToOptimize } = dialectOf(language);
  if (isTooLargeToOptimize === true) {
    setFlagsFromString("--no-wasm-dynamic-tiering");
    setFlagsFromString("--no-wasm-tier-up");
  }
  const bytes = await readFile(findGrammar(file));
  const grammar = await Language.load(patch?.(bytes) ?? bytes);
  const parser = new Parser();
  parser.setLanguage(grammar);
  grammars.set(language, { parser, names: nodeNamesOf(grammar), runtime: started });
}

/** Deletes a parser now: its finalizer would do so later, and where the heap is damaged end the process. */
function discard(parser: TreeSitter.Parser): void {
  try {
    parser.delete();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "RuntimeError") throw error;
  }
}

/**
 * The module keeps its one instance in a variable, so only a new copy of the module has a new heap. The copy that others
 * imported is never taken: nobody knows here what was parsed in it.
 */
function copyModule(): typeof TreeSitter {
  const file = require.resolve("web-tree-sitter");
  delete require.cache[file];
  return require(file) as typeof TreeSitter;
}

async function startRuntime(maxHeap: number): Promise<LoadedRuntime> {
  const treeSitter = copyModule();
  const memory = new Memory({ initial: FIRST_HEAP / PAGE_BYTES, maximum: Math.ceil(maxHeap / PAGE_BYTES) });
  // Before it traps, the module writes a line to the console; the error says the same.
  await treeSitter.Parser.init({ wasmMemory: memory, printErr: () => undefined });
  const started = { treeSitter, memory, maxHeap, isFresh: true, isSpent: false, nextMaxHeap: USUAL_HEAP };
  current = started;
  return started;
}

/**
 * Longest text that is parsed, in UTF-16 units. Syntax trees take some 200 bytes a character, in memory that a thread
 * keeps once it has it.
 */
const MAX_PARSED_CHARS = 1_000_000;
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
