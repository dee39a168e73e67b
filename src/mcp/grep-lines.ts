/**
 * Which of the lines that a scan found an answer of `grep` lists, in which order, and what each stands in.
 *
 * Files with a definition of what was looked for come first, then code by its rank, then pages by their lines. Lines are
 * taken breadth first: definitions, one of each file, three of each, then the rest; of a source file those inside of a symbol
 * before those outside, which mostly import.
 */
import { loadFiles } from "../core/code/load-files.ts";
import { type Role, roleOf } from "../core/docs/roles.ts";
import { type SymbolKind, type SymbolRecord, withoutOrdinal } from "../core/format/code-model.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { beginOfLine, type GrepPattern, type GrepScan, type ScannedFile, startIn } from "../core/search/grep.ts";
import { codeLanguageOf } from "../core/text/code-languages.ts";
import { endOfLine } from "../core/text/lines.ts";

/** Source files whose symbols are read. */
const MAX_RECORDS = 300;
/** Lines of a file that are taken before others get more, and those among which they are chosen. */
const FIRST_LINES = 3;
const COMPARED_LINES = 40;
/** Kinds of symbols that are values, and lines that one may have to be listed with its definition. */
const VALUES: ReadonlySet<SymbolKind> = new Set(["constant", "variable", "field", "property", "enumMember", "macro"]);
const MAX_VALUE_LINES = 10;
/** Rows of a table that are gone through to its header. */
const MAX_ROWS = 2_000;

export interface ListedLine {
  readonly line: number;
  readonly text: string;
  /** Where the match begins. */
  readonly start: number;
  /** Symbol or heading that it stands in; `""` for none. Of a definition what that is a member of. */
  readonly within: string;
  /** The same, or the symbol that the line defines. */
  readonly self: string;
  readonly isDefinition: boolean;
  /** Lines behind it. */
  readonly after: readonly string[];
  /** The header of the table that it is a row of, with its line. */
  readonly header: { readonly line: number; readonly text: string } | undefined;
}

/** A file with lines that match a pattern. */
export interface FoundFile {
  readonly id: string;
  readonly path: string;
  readonly role: Role;
  readonly count: number;
  readonly hasDefinition: boolean;
  /** Those that are listed, in order. */
  readonly lines: readonly ListedLine[];
  /** Symbols and headings with their numbers of lines. */
  readonly within: () => ReadonlyMap<string, number>;
}

interface ListOptions {
  readonly limit: number;
  /** Lines behind each. */
  readonly context: number;
  /** Whether what is no part of the product is listed, too. */
  readonly isAll: boolean;
}

/** Symbols of source files, by document id. */
type SymbolsOf = ReadonlyMap<string, { readonly rank: number; readonly symbols: readonly SymbolRecord[] }>;

/** The symbols of the files that were found, product first. */
export async function loadSymbolsOf(reader: IndexReader, { files }: GrepScan): Promise<SymbolsOf> {
  const code = files.filter(({ path }) => codeLanguageOf(path) !== undefined).slice(0, MAX_RECORDS);
  const loaded = await loadFiles(
    reader,
    code.map(({ id }) => id),
  );
  return new Map(loaded.flatMap((file) => (file === undefined ? [] : [[file.record.id, file.record] as const])));
}

/** What a scan found for its pattern number `at`. */
export function listFound(
  reader: IndexReader,
  scan: GrepScan,
  pattern: GrepPattern,
  at: number,
  symbols: SymbolsOf,
  { limit, context, isAll }: ListOptions,
) {
  const own = scan.files
    .filter(({ lines }) => (lines[at]?.length ?? 0) > 0)
    .map((file) => new Hits(file, pattern, at, symbols, roleOf(reader, file.id)));
  const isListed = isAll || own.every(({ role }) => role !== "production") ? () => true : isOfProduct;
  const others = new Map<Role, { files: number; lines: number }>();
  for (const { role, count } of own.filter((file) => !isListed(file))) {
    const before = others.get(role) ?? { files: 0, lines: 0 };
    others.set(role, { files: before.files + 1, lines: before.lines + count });
  }
  const listed = own.filter(isListed).sort(byWorth);
  choose(listed, limit);
  return { files: listed.map((hits) => hits.describe(context)), others };
}

/** What was found for a pattern: files that may be listed, the best first, and those that are only counted, by role. */
export type FoundLines = Readonly<ReturnType<typeof listFound>>;

function isOfProduct({ role }: { readonly role: Role }): boolean {
  return role === "production";
}

function byWorth(a: Hits, b: Hits): number {
  return (
    Number(isOfProduct(b)) - Number(isOfProduct(a)) ||
    Number(b.definitions.size > 0) - Number(a.definitions.size > 0) ||
    b.rank - a.rank ||
    b.count - a.count
  );
}

function choose(files: readonly Hits[], limit: number): void {
  let left = limit;
  const take = (wanted: (hits: Hits) => readonly number[]): void => {
    for (const hits of files) {
      for (const line of wanted(hits)) {
        if (left === 0) return;
        if (hits.chosen.has(line)) continue;
        hits.chosen.add(line);
        left--;
      }
    }
  };
  take((hits) => [...hits.definitions]);
  take((hits) => hits.bestLines().slice(0, 1));
  take((hits) => hits.bestLines().slice(0, FIRST_LINES));
  take((hits) => [...hits.lines.keys()]);
}

/** Lines of one file. */
class Hits {
  readonly role: Role;
  readonly rank: number;
  readonly count: number;
  /** Lines, by their place among those found, that define what was looked for: a symbol, a section. */
  readonly definitions = new Set<number>();
  /** Those that are listed. */
  readonly chosen = new Set<number>();
  readonly #file: ScannedFile;
  readonly #pattern: GrepPattern;
  readonly #at: number;
  readonly #symbols: readonly SymbolRecord[] | undefined;
  #best: readonly number[] | undefined;

  constructor(file: ScannedFile, pattern: GrepPattern, at: number, symbols: SymbolsOf, role: Role) {
    const record = symbols.get(file.id);
    this.#file = file;
    this.#pattern = pattern;
    this.#at = at;
    this.#symbols = record?.symbols;
    this.role = role;
    this.rank = record?.rank ?? -1;
    this.count = file.lines[at]?.length ?? 0;
    this.#findDefinitions();
  }

  get lines() {
    return this.#file.lines[this.#at] ?? [];
  }

  /** The first lines, by their places among those found, those inside of a symbol before others. */
  bestLines(): readonly number[] {
    this.#best ??= this.lines
      .slice(0, COMPARED_LINES)
      .map(({ line }, at) => ({ at, isOutside: this.#symbols !== undefined && this.#placeOf(line).self === "" }))
      .sort((a, b) => Number(a.isOutside) - Number(b.isOutside))
      .map(({ at }) => at);
    return this.#best;
  }

  #textOf(at: number): string {
    const { begin, end } = this.lines[at] as { readonly begin: number; readonly end: number };
    return this.#file.text.slice(begin, end);
  }

  #findDefinitions(): void {
    const places = new Map(this.lines.map(({ line }, at) => [line, at]));
    if (this.#symbols === undefined) {
      for (const { level, startLine } of this.#file.sections) {
        const at = level > 0 ? places.get(startLine) : undefined;
        if (at !== undefined) this.definitions.add(at);
      }
      return;
    }
    for (const { at: name, name: written, flags } of this.#symbols) {
      const at = places.get(name.line);
      if (at === undefined || flags.includes("inner") || this.definitions.has(at)) continue;
      const start = startIn(this.#pattern, this.#textOf(at));
      // What stands behind the name is a parameter or a value.
      if (start !== undefined && start < name.column - 1 + written.length) this.definitions.add(at);
    }
  }

  describe(context: number): FoundFile {
    const { id, path } = this.#file;
    return {
      id,
      path,
      role: this.role,
      count: this.count,
      hasDefinition: this.definitions.size > 0,
      lines: [...this.chosen].sort((a, b) => a - b).map((at) => this.#describeLine(at, context)),
      within: () => {
        const counts = new Map<string, number>();
        for (const { line } of this.lines) {
          const { self } = this.#placeOf(line);
          counts.set(self, (counts.get(self) ?? 0) + 1);
        }
        return counts;
      },
    };
  }

  #describeLine(at: number, context: number): ListedLine {
    const { text: whole } = this.#file;
    const { line, begin, end } = this.lines[at] as {
      readonly line: number;
      readonly begin: number;
      readonly end: number;
    };
    const text = whole.slice(begin, end);
    const after: string[] = [];
    const behind = Math.max(context, this.definitions.has(at) ? this.#linesOfValue(line) : 0);
    for (let from = end + 1; after.length < behind && from < whole.length; ) {
      const last = endOfLine(whole, from);
      after.push(whole.slice(from, last));
      from = last + 1;
    }
    return {
      line,
      text,
      start: startIn(this.#pattern, text) ?? 0,
      ...this.#placeOf(line),
      isDefinition: this.definitions.has(at),
      after,
      header: this.#symbols === undefined && text.includes("|") ? findHeader(whole, line, begin) : undefined,
    };
  }

  /** Lines behind the first of a short value: without them a constant says nothing. */
  #linesOfValue(line: number): number {
    const symbol = this.#symbols?.find(({ at, kind }) => at.line === line && VALUES.has(kind));
    const lines = (symbol?.end.line ?? line) - line;
    return lines <= MAX_VALUE_LINES ? lines : 0;
  }

  /** The symbol or heading around a line. */
  #placeOf(line: number): { readonly within: string; readonly self: string } {
    if (this.#symbols === undefined) {
      const section = this.#file.sections.findLast(({ startLine }) => startLine <= line);
      const title = section === undefined || section.level === 0 ? "" : section.title;
      return { within: section?.startLine === line ? "" : title, self: title };
    }
    let symbol = this.#symbols.findLast(({ start, end }) => start.line <= line && end.line >= line);
    while (symbol?.flags.includes("inner") === true) symbol = this.#symbols[symbol.parent];
    if (symbol === undefined) return { within: "", self: "" };
    const self = withoutOrdinal(symbol.path);
    const container = this.#symbols[symbol.parent]?.path ?? "";
    return { within: symbol.at.line === line ? withoutOrdinal(container) : self, self };
  }
}

/** The first row of the Markdown table that a line is a row of; undefined where that is the line itself. */
function findHeader(text: string, line: number, begin: number): ListedLine["header"] {
  let first = begin;
  let rows = 0;
  for (; first > 0 && rows < MAX_ROWS; rows++) {
    const before = beginOfLine(text, first - 1);
    if (!text.slice(before, first).includes("|")) break;
    first = before;
  }
  const separator = endOfLine(text, first) + 1;
  const isTable = /^[\s|:-]+$/.test(text.slice(separator, endOfLine(text, separator)));
  return rows === 0 || !isTable ? undefined : { line: line - rows, text: text.slice(first, separator - 1) };
}
