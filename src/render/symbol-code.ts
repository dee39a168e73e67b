/**
 * The source of one symbol, to be shown below its name. Pure.
 */
import type { SymbolRecord } from "../core/format/code-records.ts";
import { formatCount } from "./counts.ts";

/** Languages whose comments begin otherwise than with `//`. */
const COMMENT_STARTS: Readonly<Record<string, string>> = { python: "#", ruby: "#", bash: "#" };

/** What may stand behind a declaration on its last line and is shown with it: no bracket, as that closes what is around. */
const LINE_REST = /^\s*[;,]*\s*(?:(?:\/\/|#|\/\*).*)?$/;

/** Which of its lines. */
export interface CodeOptions {
  readonly language: string;
  /** Lines that are shown; of a longer symbol the first, and a comment that says how many more there are. */
  readonly maxLines: number;
  /** 1-based lines of the file outside of which nothing is shown. */
  readonly startLine: number;
  readonly endLine: number;
}

/**
 * The lines of a symbol without the indentation that they share. A declaration that shares its first or last line with
 * others is cut out of it.
 *
 * @param lines Lines of the file, as far as it was read; empty where the symbol lies behind them.
 */
export function codeOf(
  { start, end }: Pick<SymbolRecord, "start" | "end">,
  lines: readonly string[],
  { language, maxLines, startLine, endLine }: CodeOptions,
): string[] {
  const first = Math.max(start.line, startLine);
  const last = Math.min(end.line, endLine);
  const code = lines.slice(first - 1, last).map((line) => line.replace(/\r?\n$|\r$/, ""));
  if (code.length < last - first + 1) return [];
  if (last === end.line) code[code.length - 1] = cutBehind(code.at(-1) as string, end.column - 1);
  const before = code[0]?.slice(0, start.column - 1) ?? "";
  if (first === start.line && before.trim() !== "") {
    const indent = before.match(/^\s*/)?.[0] ?? "";
    code[0] = `${indent}${code[0]?.slice(start.column - 1)}`;
  }
  const shown = dedent(code.length > maxLines ? code.slice(0, maxLines) : code);
  if (code.length <= maxLines) return shown;
  const indent = shown.at(-1)?.match(/^\s*/)?.[0] ?? "";
  return [
    ...shown,
    `${indent}${COMMENT_STARTS[language] ?? "//"} ... ${formatCount(code.length - maxLines, "more line")}`,
  ];
}

/** The line without what belongs to another declaration. */
function cutBehind(line: string, end: number): string {
  return LINE_REST.test(line.slice(end)) ? line : line.slice(0, end);
}

/** Lines without the white space that all of them begin with; blank ones do not count. */
function dedent(lines: readonly string[]): string[] {
  const written = lines.filter((line) => line.trim() !== "");
  let shared = written[0]?.match(/^\s*/)?.[0] ?? "";
  for (const line of written) {
    while (!line.startsWith(shared)) shared = shared.slice(0, -1);
  }
  return lines.map((line) => (line.startsWith(shared) ? line.slice(shared.length) : ""));
}
