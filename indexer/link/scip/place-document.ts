/**
 * A document of a SCIP index in lines and columns of this index, with the file's text at hand.
 *
 * The text also tells whether the index is of this text: where a name that is defined does not stand at its place, or a
 * place is not in the text, the file was changed after it was indexed, and nothing of it can be trusted.
 */
import { type CodePosition, isBefore } from "../../../src/core/format/code-model.ts";
import { withoutMark } from "../../../src/core/text/lines.ts";
import { isLocalSymbol, nameOfSymbol, SCIP_ROLE, type ScipDocument } from "./read-scip.ts";

/** A part of a file; `end` is the place behind it. */
interface PreciseRange {
  readonly start: CodePosition;
  readonly end: CodePosition;
}

/** A definition. An empty range at the start of a file is that of the file itself. */
export interface PreciseDefinition extends PreciseRange {
  readonly symbol: string;
  /** The whole declaration, where the indexer says so. */
  readonly enclosing?: PreciseRange;
}

/** What a compiler knows of one file. Symbols are named as in the SCIP index; local ones carry the scope behind them. */
export interface PreciseDocument {
  /** Document id. */
  readonly id: string;
  readonly definitions: readonly PreciseDefinition[];
  readonly references: readonly { readonly symbol: string; readonly at: CodePosition; readonly isWrite: boolean }[];
  readonly implementations: ScipDocument["implementations"];
}

/** Why a document is left out. */
interface UnplacedDocument {
  readonly reason: string;
  /** 1-based line, 0 where none is to blame. */
  readonly line: number;
}

/** By the number that stands for them. */
const UNITS: Readonly<Record<number, ColumnUnit>> = { 1: "utf-8", 2: "utf-16", 3: "code-points" };
const UNSAID = 0;
const NOT_ASCII = /[^\0-\x7f]/;

/**
 * Places of a document.
 *
 * @param id Document id of the file.
 * @param scope What tells local symbols of this document from those of others.
 */
export function placeDocument(
  document: ScipDocument,
  id: string,
  text: string,
  scope: string,
): PreciseDocument | UnplacedDocument {
  const lines = withoutMark(text).split("\n");
  const unit = document.encoding === UNSAID ? guessUnit(document, lines) : UNITS[document.encoding];
  if (unit === undefined) return { reason: `columns are in the unknown unit ${document.encoding}`, line: 0 };
  if (document.text !== "" && withoutMark(document.text) !== withoutMark(text))
    return { reason: "the text that was indexed is another", line: 0 };
  const definitions: PreciseDefinition[] = [];
  const references: PreciseDocument["references"][number][] = [];
  /** By place, the name that should stand there; `""` where one of the definitions there fits or has no name to check. */
  const missing = new Map<string, { readonly name: string; readonly line: number }>();
  for (const occurrence of document.occurrences) {
    if (occurrence.symbol === "" || occurrence.range.length === 0) continue;
    const name = nameOfSymbol(occurrence.symbol);
    const range = placeRange(lines, occurrence.range, unit);
    if (range === undefined) {
      const line = occurrence.range[0] as number;
      const isThere = line < lines.length;
      return { reason: "a place is not in the text", line: isThere ? line + 1 : 0 };
    }
    const symbol = isLocalSymbol(occurrence.symbol) ? `${occurrence.symbol} ${scope}` : occurrence.symbol;
    const { start } = range;
    if ((occurrence.roles & SCIP_ROLE.definition) === 0) {
      const isWrite = (occurrence.roles & SCIP_ROLE.write) !== 0;
      references.push({ symbol, at: start, isWrite });
      continue;
    }
    const enclosing = placeRange(lines, occurrence.enclosing, unit);
    definitions.push({ symbol, ...range, ...(enclosing !== undefined && { enclosing }) });
    const key = `${start.line}:${start.column}`;
    const fits = name === undefined || holdsName(sliceOf(lines, range), name);
    if (fits) missing.set(key, { name: "", line: start.line });
    else if (!missing.has(key)) missing.set(key, { name: name as string, line: start.line });
  }
  for (const { name, line } of missing.values()) {
    if (name !== "") return { reason: `${JSON.stringify(name)} is not where it should be defined`, line };
  }
  const implementations = document.implementations.map(({ symbol, of }) => ({
    symbol: isLocalSymbol(symbol) ? `${symbol} ${scope}` : symbol,
    of,
  }));
  return { id, definitions, references, implementations };
}

/** The unit in which most names stand at their places, UTF-16 where all do as well: lines of ASCII say nothing. */
function guessUnit({ occurrences }: ScipDocument, lines: readonly string[]): ColumnUnit {
  const telling = occurrences.filter(({ range: [line = 0] }) => NOT_ASCII.test(lines[line] ?? ""));
  const countFits = (unit: ColumnUnit): number =>
    telling.filter(({ range, symbol }) => {
      const name = nameOfSymbol(symbol);
      const placed = name === undefined ? undefined : placeRange(lines, range, unit);
      return placed !== undefined && holdsName(sliceOf(lines, placed), name as string);
    }).length;
  const candidates = (["utf-16", "utf-8", "code-points"] as const).map((unit) => ({ unit, fits: countFits(unit) }));
  return candidates.reduce((best, next) => (next.fits > best.fits ? next : best)).unit;
}

/** A stored range in the text; undefined where it is none or lies outside. */
function placeRange(lines: readonly string[], numbers: readonly number[], unit: ColumnUnit): PreciseRange | undefined {
  const [startLine, startColumn, third, fourth] = numbers;
  if (startLine === undefined || startColumn === undefined || third === undefined || numbers.length > 4)
    return undefined;
  const [endLine, endColumn] = fourth === undefined ? [startLine, third] : [third, fourth];
  const start = placeAt(lines, startLine, startColumn, unit);
  const end = placeAt(lines, endLine, endColumn, unit);
  if (start === undefined || end === undefined || isBefore(end, start)) return undefined;
  return { start, end };
}

function placeAt(lines: readonly string[], line: number, column: number, unit: ColumnUnit): CodePosition | undefined {
  const text = lines[line];
  const at = text === undefined ? undefined : toUtf16Column(text, column, unit);
  return at === undefined ? undefined : { line: line + 1, column: at + 1 };
}

function sliceOf(lines: readonly string[], { start, end }: PreciseRange): string {
  return start.line === end.line ? (lines[start.line - 1] ?? "").slice(start.column - 1, end.column - 1) : "";
}

/** Whether the source has the name there, in quotes or behind a mark of its own (`#hidden`, `@field`, `r#type`) or not. */
function holdsName(source: string, name: string): boolean {
  return source === name || bare(source) === bare(name);
}

function bare(name: string): string {
  return name.replace(/^(?:r#|[#@$~:]{1,2})/, "").replace(/^(["'`])(.*)\1$/, "$2");
}

type ColumnUnit = "utf-8" | "utf-16" | "code-points";

/**
 * Column in units of UTF-16 of a column in another unit, both 0-based; undefined behind the end of the line and inside of
 * a character.
 */
export function toUtf16Column(line: string, column: number, unit: ColumnUnit): number | undefined {
  if (unit === "utf-16") return column <= line.length ? column : undefined;
  let rest = column;
  let at = 0;
  while (rest > 0 && at < line.length) {
    const point = line.codePointAt(at) as number;
    rest -= unit === "utf-8" ? utf8Length(point) : 1;
    at += point > 0xffff ? 2 : 1;
  }
  return rest === 0 ? at : undefined;
}

function utf8Length(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
