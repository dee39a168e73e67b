/**
 * Parsers of source files, loaded when a language first occurs: most corpora have few, and each takes a while.
 */
import { type CodeLanguage, codeLanguageOf } from "../../../src/core/text/code-languages.ts";
import type { CodeParser, CodeParsers } from "./parse-code.ts";
import { isTreeSitterLanguage, loadGrammar } from "./tree-sitter/grammars.ts";

const loaded = new Map<CodeLanguage, CodeParser>();

/** Loads the parsers that files with these paths need; cheap where they are loaded. A file may leave its parser unusable. */
export async function loadParsers(paths: Iterable<string>): Promise<CodeParsers> {
  for (const path of paths) {
    const language = codeLanguageOf(path);
    if (language === undefined) continue;
    if (!loaded.has(language) || isTreeSitterLanguage(language)) loaded.set(language, await loadOrRefuse(language));
  }
  return loaded;
}

/** A parser that does not load refuses its files one by one, which keeps them as plain text. */
async function loadOrRefuse(language: CodeLanguage): Promise<CodeParser> {
  try {
    return await loadParser(language);
  } catch (error) {
    return () => {
      throw error;
    };
  }
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
