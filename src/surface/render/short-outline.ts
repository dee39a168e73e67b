/**
 * Outlines for agents, a line for each symbol or heading with the lines where it stands: enough to read on from, and as
 * few as fit into a number of lines.
 *
 * ```
 * 81-97 class PydanticErrorMixin
 *  89-91 def __init__(self, message: str, *, code: PydanticErrorCodes | None) -> None
 * 100-101 class PydanticUserError(PydanticErrorMixin, RuntimeError)
 * ```
 */
import type { DocumentOutline } from "../../core/docs/model.ts";
import type { FileRecord } from "../../core/format/code-model.ts";
import { listSymbols } from "./code-outline.ts";
import { formatLines } from "./numbers.ts";
import { previewSignature, VALUE_KINDS } from "./symbols.ts";
import { foldLine } from "./text.ts";

const MAX_HEADING_LENGTH = 100;
/** Symbols that are shown with signatures; of more the names. */
const MAX_SIGNED = 25;

/**
 * The symbols of a file, or below one of its symbols. Of more than `most` members are only counted; values are left out
 * before, and those that a constructor sets in any case.
 */
export function outlineSymbols(file: FileRecord, root: number, most: number): string[] {
  const listed = listSymbols(file, root);
  const isValue = ({ symbol }: (typeof listed)[number]): boolean => VALUE_KINDS.has(symbol.kind);
  const all = listed.filter((one, at) => {
    const before = listed.slice(0, at).findLast((other) => other.depth === one.depth && !isValue(other))?.symbol;
    return !isValue(one) || before === undefined || before.end.line < one.symbol.start.line;
  });
  const callable = all.filter((one) => (one.depth === 0 && root < 0) || !isValue(one));
  const top = all.filter(({ depth }) => depth === 0);
  const isSigned = Math.min(all.length, callable.length) <= MAX_SIGNED;
  const limit = isSigned ? MAX_SIGNED : most;
  const shown = [all, callable].find(({ length }) => length <= limit) ?? top;
  return shown.map(({ symbol, depth, members }) => {
    const { start, end, signature, name } = symbol;
    const hidden = shown === top && members.length > 0 ? ` (+${members.length})` : "";
    const written = isSigned ? previewSignature(signature).replace(/^export (?:default )?/, "") : "";
    return `${" ".repeat(depth)}${formatLines(start.line, end.line)} ${written || name}${hidden}`;
  });
}

/** The headings of a page, the lowest ones left out where they are more than `most`. */
export function outlineHeadings({ sections }: DocumentOutline, most: number): string[] {
  const below = sections.slice(1);
  const levels = [...new Set(below.map(({ level }) => level))].sort((a, b) => b - a);
  const deepest =
    levels.find((level) => below.filter((one) => one.level <= level).length <= most) ?? levels.at(-1) ?? 0;
  return below
    .filter(({ level }) => level <= deepest)
    .map(({ level, title, startLine }) => `${startLine} ${"#".repeat(level)} ${foldLine(title, MAX_HEADING_LENGTH)}`);
}
