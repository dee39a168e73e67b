/**
 * Parses a source file with the parser of its language, which is loaded when the language first occurs: most corpora have few
 * languages, and each takes a while.
 *
 * A parser throws on a file that defeats it; the build then keeps the file as plain text.
 */

import { type CodeLanguage, codeLanguageOf } from "../../../src/core/text/code-languages.ts";
import { withoutMark } from "../../../src/core/text/lines.ts";
import { cutText } from "../../../src/core/text/short-text.ts";
import type { OutlineRules } from "../../config/config.ts";
import type { CodeFile, CodeSymbol } from "../../languages/base/code-file.ts";
import type { CodeParser } from "../../languages/base/language.ts";
import { ownParserOf } from "../../languages/languages.ts";
import { loadGrammar } from "./grammars.ts";
import { type CodeDocument, listOutline, toDocument } from "./sections.ts";

/** Longest name of a symbol. Real ones have at most 100 characters. */
export const MAX_NAME_CHARS = 200;

const CONTROL = /[\p{Cc}\p{Cs}\u2028\u2029]/u;
const CONTROLS = /[\p{Cc}\p{Cs}\u2028\u2029]/gu;

/** Parsers by language, as far as they were loaded. */
export type CodeParsers = ReadonlyMap<CodeLanguage, CodeParser>;

/** A source file, parsed. */
interface ParsedCode extends CodeDocument {
  readonly file: CodeFile;
}

/** Parse a source file; undefined where its name says that it is none. @throws {Error} where the parser gives up. */
export function parseCode(
  source: { readonly path: string; readonly text: string },
  parsers: CodeParsers,
  rules: OutlineRules,
): ParsedCode | undefined {
  const language = codeLanguageOf(source.path);
  const parser = language === undefined ? undefined : parsers.get(language);
  if (language === undefined || parser === undefined) return undefined;
  const file = tameNames(parser({ ...source, text: withoutMark(source.text) }));
  const shown = listOutline(file.symbols, rules);
  const symbols = file.symbols.map((symbol, index) => markInner(symbol, shown[index] === true));
  return { file: { ...file, symbols }, ...toDocument(source.path, source.text, file, rules) };
}

/**
 * Names are parts of ids, and ids are what callers give back: a name of megabytes (a quoted key) could not be asked for,
 * and one with a line break would break the lines of answers. Such characters are written as in a string.
 */
function tameNames(file: CodeFile): CodeFile {
  if (file.symbols.every(({ name }) => name.length <= MAX_NAME_CHARS && !CONTROL.test(name))) return file;
  const tame = (name: string): string =>
    cutText(name, MAX_NAME_CHARS).replace(CONTROLS, (sign) => JSON.stringify(sign).slice(1, -1));
  return { ...file, symbols: file.symbols.map((symbol) => ({ ...symbol, name: tame(symbol.name) })) };
}

/** The symbol with the flag of those that no outline shows, or without it. */
function markInner(symbol: CodeSymbol, isShown: boolean): CodeSymbol {
  if (symbol.flags.includes("inner") !== isShown) return symbol;
  const flags = symbol.flags.filter((flag) => flag !== "inner");
  return { ...symbol, flags: isShown ? flags : [...flags, "inner"] };
}

const loaded = new Map<CodeLanguage, CodeParser>();

/** Loads the parsers that files with these paths need; cheap where they are loaded. A file may leave its parser unusable. */
export async function loadParsers(paths: Iterable<string>): Promise<CodeParsers> {
  for (const path of paths) {
    const language = codeLanguageOf(path);
    if (language === undefined) continue;
    if (!loaded.has(language) || ownParserOf(language) === undefined)
      loaded.set(language, await loadOrRefuse(language));
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
  const own = ownParserOf(language);
  if (own !== undefined) return own.load();
  const { parseWithTreeSitter } = await import("./parse-tree.ts");
  await loadGrammar(language);
  return (source) => parseWithTreeSitter({ ...source, language });
}
