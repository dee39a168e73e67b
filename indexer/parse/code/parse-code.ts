/**
 * Parses a source file with the parser of its language, which is loaded when the language first occurs: most corpora have few
 * languages, and each takes a while.
 *
 * A parser throws on a file that defeats it; the build then keeps the file as plain text.
 */
import type { SymbolKind } from "../../../src/core/format/code-model.ts";
import { type CodeLanguage, codeLanguageOf } from "../../../src/core/text/code-languages.ts";
import { linesOf, withoutMark } from "../../../src/core/text/lines.ts";
import { cutText, shortenText } from "../../../src/core/text/short-text.ts";
import type { OutlineRules } from "../../config/config.ts";
import { type CodeFile, type CodeSymbol, symbolPaths } from "../../languages/base/code-file.ts";
import type { CodeParser } from "../../languages/base/language.ts";
import { ownParserOf } from "../../languages/languages.ts";
import { countWords, summarize } from "../markdown/page-text.ts";
import type { ParsedBlock, ParsedDocument, ParsedSection } from "../parsed-document.ts";
import { loadGrammar } from "./grammars.ts";

/** Longest name of a symbol. Real ones have at most 100 characters. */
const MAX_NAME_CHARS = 200;

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

/** Kinds that are functions: what stands inside others and is inner, stands in a value. */
const FUNCTIONS: ReadonlySet<SymbolKind> = new Set<SymbolKind>(["function", "method", "constructor", "operator"]);

/** For each symbol whether the outline shows it. Inner symbols are reached through functions alone. */
export function listOutline(symbols: readonly CodeSymbol[], rules: OutlineRules): boolean[] {
  const ignored = new Set(rules.ignoreKinds);
  const stops = new Set(rules.stopKinds);
  const entered: boolean[] = [];
  return symbols.map(({ kind, parent, flags }, index) => {
    const around = symbols[parent];
    const isInFunction = around !== undefined && (FUNCTIONS.has(around.kind) || around.flags.includes("inner"));
    const isHidden = flags.includes("inner") && !isInFunction;
    const reached = !isHidden && (parent < 0 || entered[parent] === true);
    entered[index] = reached && !stops.has(kind);
    return reached && !ignored.has(kind);
  });
}

/** What begins a line of a comment: `/**`, `//!`, `*`, `#`, `--`, `"""`. A shebang is none. */
const OPENING_MARKS = /^\s*(?:\/\*+!?|\/\/[/!]?|\*(?!\/)|#+(?!!)|--|"""|''')?[ \t]?/;

const CLOSING_MARKS = /[ \t]*(?:\*+\/|"""|''')[ \t]*$/;

/** Longer names are none: they would become keys of tables. */
const MAX_TITLE_LENGTH = 200;

/** A document, and the section that shows each symbol of its file. */
interface CodeDocument {
  readonly parsed: ParsedDocument;
  /** By symbol: ordinal of its own section, or of the one that its first line lies in. */
  readonly sectionOf: readonly number[];
}

interface Opening {
  readonly symbol: number;
  /** First line of its comment. */
  readonly line: number;
}

/** The document of a source file. `path` is relative to the collection, `text` the decoded file. */
export function toDocument(path: string, text: string, file: CodeFile, rules: OutlineRules): CodeDocument {
  const lines = text === "" ? [""] : linesOf(text);
  const paths = symbolPaths(file.symbols);
  const openings = listOpenings(file.symbols, listOutline(file.symbols, rules), lines.length);
  const own = new Map(openings.map(({ symbol }, at) => [symbol, at + 1]));
  const parentOf = (symbol: number): number => {
    for (let above = file.symbols[symbol]?.parent ?? -1; above >= 0; above = file.symbols[above]?.parent ?? -1) {
      const section = own.get(above);
      // A method may be written above its type (Go, Rust, Swift, C++). Parents come first, so it goes to the root.
      if (section !== undefined && section < (own.get(symbol) ?? 0)) return section;
    }
    return 0;
  };
  const title = path.slice(path.lastIndexOf("/") + 1);
  const firstLine = openings[0]?.line ?? lines.length + 1;
  const root: ParsedSection = {
    level: 0,
    title,
    parent: -1,
    slugPath: "",
    anchor: "",
    startLine: 1,
    endLine: firstLine - 1,
    ...describeText([{ kind: "code", text: lines.slice(0, firstLine - 1).join("\n"), line: 1 }]),
    codeLanguages: [],
    links: [],
    summary: summarize(file.doc),
  };
  const sections: ParsedSection[] = [root];
  for (const [at, { symbol, line }] of openings.entries()) {
    const declared = file.symbols[symbol] as CodeSymbol;
    const path = paths[symbol] as string;
    const parent = parentOf(symbol);
    const above = sections[parent] as ParsedSection;
    const endLine = (openings[at + 1]?.line ?? lines.length + 1) - 1;
    const codeLine = Math.max(line, declared.start.line);
    sections.push({
      level: above.level + 1,
      title: shortenText(declared.name, MAX_TITLE_LENGTH),
      parent,
      slugPath: path,
      slug: path,
      anchor: `L${declared.start.line}-L${declared.end.line}`,
      startLine: line,
      endLine,
      ...describeText([
        { kind: "prose", text: stripCommentMarks(lines.slice(line - 1, codeLine - 1)), line },
        { kind: "code", text: lines.slice(codeLine - 1, endLine).join("\n"), line: codeLine },
      ]),
      codeLanguages: [],
      links: [],
      summary: summarize(declared.doc === "" ? declared.signature : declared.doc),
    });
  }
  const parsed: ParsedDocument = {
    title,
    description: file.doc,
    frontmatter: {},
    bodyStartLine: 1,
    sections,
    diagnostics: file.diagnostics,
  };
  return { parsed, sectionOf: findSections(file.symbols, own, openings) };
}

/** Symbols that begin a section, by line. Each begins behind the line on which the one before it begins. */
function listOpenings(symbols: readonly CodeSymbol[], shown: readonly boolean[], lineCount: number): Opening[] {
  const wanted = symbols.flatMap((symbol, index) => (shown[index] === true ? [{ symbol, index }] : []));
  wanted.sort((a, b) => a.symbol.start.line - b.symbol.start.line || a.index - b.index);
  const openings: Opening[] = [];
  // The root keeps no line for itself: a file may begin with a symbol.
  let taken = 0;
  for (const { symbol, index } of wanted) {
    const { start, leadLine } = symbol;
    if (start.line <= taken || start.line > lineCount) continue;
    openings.push({ symbol: index, line: Math.max(taken + 1, Math.min(leadLine, start.line)) });
    taken = start.line;
  }
  return openings;
}

function findSections(
  symbols: readonly CodeSymbol[],
  own: ReadonlyMap<number, number>,
  openings: readonly Opening[],
): number[] {
  return symbols.map(({ start }, index) => {
    const section = own.get(index);
    if (section !== undefined) return section;
    let low = 0;
    let high = openings.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((openings[middle] as Opening).line <= start.line) low = middle + 1;
      else high = middle;
    }
    return low;
  });
}

function describeText(blocks: readonly ParsedBlock[]): Pick<ParsedSection, "blocks" | "wordCount"> {
  const filled = blocks.filter(({ text }) => text.trim() !== "");
  return { blocks: filled, wordCount: filled.reduce((sum, { text }) => sum + countWords(text), 0) };
}

/** Lines of comments as prose. */
function stripCommentMarks(lines: readonly string[]): string {
  return lines
    .map((line) => line.replace(/\r$/, "").replace(CLOSING_MARKS, "").replace(OPENING_MARKS, ""))
    .join("\n")
    .trim();
}
