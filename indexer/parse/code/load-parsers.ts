/**
 * Parsers of source files, loaded when a language first occurs: most corpora have few, and each takes a while.
 */
import { type CodeLanguage, codeLanguageOf } from "../../../src/core/text/code-languages.ts";
import type { CodeParser, CodeParsers } from "./parse-code.ts";
import { isTreeSitterLanguage, loadGrammar } from "./tree-sitter/grammars.ts";

const loaded = new Map<CodeLanguage, CodeParser>();

/** The parsers that files with these paths need, beside those that were loaded before. */
export async function loadParsers(paths: Iterable<string>): Promise<CodeParsers> {
  for (const path of paths) {
    const language = codeLanguageOf(path);
    if (language !== undefined && !loaded.has(language)) loaded.set(language, await loadParser(language));
  }
  return loaded;
}

async function loadParser(language: CodeLanguage): Promise<CodeParser> {
  if (isTreeSitterLanguage(language)) {
    const { parseWithTreeSitter } = await import("./tree-sitter/parse.ts");
    await loadGrammar(language);
    return (source) => parseWithTreeSitter({ ...source, language });
  }
  const { parseTypeScript } = await import("./typescript/parse-typescript.ts");
  return parseTypeScript;
}
