/**
 * A source file as a document: its symbols become sections, their comments prose, their source code.
 *
 * A symbol of the outline that begins on a line of its own is a section, from the first line of its comment to the
 * next section; what precedes the first one belongs to the root. So sections partition the file, like those of a page.
 *
 * The outline can leave kinds out (`ignoreKinds`) and not enter others (`stopKinds`). Symbols inside a function that is not
 * entered are indexed all the same, and found by name.
 */

import type { SymbolKind } from "../../../src/core/format/code-model.ts";
import { linesOf } from "../../../src/core/text/lines.ts";
import { shortenText } from "../../../src/core/text/short-text.ts";
import type { OutlineRules } from "../../config/config.ts";
import { type CodeFile, type CodeSymbol, symbolPaths } from "../../languages/base/code-file.ts";
import { countWords, summarize } from "../markdown/page-text.ts";
import type { ParsedBlock, ParsedDocument, ParsedSection } from "../parsed-document.ts";

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
export interface CodeDocument {
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

/** The section of each symbol. */
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
