/**
 * Grammars of tree-sitter, loaded when their language first occurs: together they are 25 MB, and most corpora have two
 * or three languages.
 */
import { setFlagsFromString } from "node:v8";
import { Language, Parser } from "web-tree-sitter";
import { findGrammar } from "../../../installation.ts";
import { type NodeNames, nodeNamesOf } from "./syntax-tree.ts";

const OF_REPOMIX = "@repomix/tree-sitter-wasms/out/tree-sitter-";

/** Package and path in it of each grammar. */
export const GRAMMAR_FILES = {
  python: `${OF_REPOMIX}python.wasm`,
  go: `${OF_REPOMIX}go.wasm`,
  rust: `${OF_REPOMIX}rust.wasm`,
  java: `${OF_REPOMIX}java.wasm`,
  c: `${OF_REPOMIX}c.wasm`,
  cpp: `${OF_REPOMIX}cpp.wasm`,
  csharp: `${OF_REPOMIX}c_sharp.wasm`,
  ruby: `${OF_REPOMIX}ruby.wasm`,
  php: `${OF_REPOMIX}php.wasm`,
  kotlin: "@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm",
  swift: `${OF_REPOMIX}swift.wasm`,
  scala: "tree-sitter-scala/tree-sitter-scala.wasm",
  bash: "tree-sitter-bash/tree-sitter-bash.wasm",
} as const;

/** Languages that tree-sitter parses here: all but TypeScript and JavaScript. */
export type TreeSitterLanguage = keyof typeof GRAMMAR_FILES;

/** The same as a list. */
export const TREE_SITTER_LANGUAGES = Object.keys(GRAMMAR_FILES) as readonly TreeSitterLanguage[];

/** A grammar ready to parse. */
export interface Grammar {
  readonly parser: Parser;
  readonly names: NodeNames;
}

/**
 * Grammars that V8's optimizing compiler of WebAssembly takes 3 GB for, others 0.6 GB at most. Where one of them occurs
 * the process does without that compiler; parsing takes a quarter more CPU then.
 */
const TOO_LARGE_TO_OPTIMIZE: ReadonlySet<TreeSitterLanguage> = new Set(["swift"]);

const grammars = new Map<TreeSitterLanguage, Grammar>();
const loading = new Map<TreeSitterLanguage, Promise<void>>();
let runtime: Promise<void> | undefined;

/** Whether tree-sitter parses a language. */
export function isTreeSitterLanguage(language: string): language is TreeSitterLanguage {
  return Object.hasOwn(GRAMMAR_FILES, language);
}

/** Makes a language ready for parsing in this thread; at once where it is already. */
export function loadGrammar(language: TreeSitterLanguage): Promise<void> {
  let load = loading.get(language);
  if (load === undefined) {
    // Headers of C++ are called `.h`, too: which one it is, only the text says.
    load =
      language === "c"
        ? Promise.all([readGrammar("c"), loadGrammar("cpp")]).then(() => undefined)
        : readGrammar(language);
    loading.set(language, load);
  }
  return load;
}

/** A loaded grammar. @throws {Error} where `loadGrammar` was not awaited for it before: a mistake of the caller. */
export function loadedGrammar(language: TreeSitterLanguage): Grammar {
  const grammar = grammars.get(language);
  if (grammar === undefined) throw new Error(`The grammar of ${language} is used before it is loaded`);
  return grammar;
}

async function readGrammar(language: TreeSitterLanguage): Promise<void> {
  runtime ??= Parser.init();
  await runtime;
  if (TOO_LARGE_TO_OPTIMIZE.has(language)) {
    setFlagsFromString("--no-wasm-dynamic-tiering");
    setFlagsFromString("--no-wasm-tier-up");
  }
  const grammar = await Language.load(findGrammar(GRAMMAR_FILES[language]));
  const parser = new Parser();
  parser.setLanguage(grammar);
  grammars.set(language, { parser, names: nodeNamesOf(grammar) });
}
