/**
 * Types that macros are called with in C and C++: `FLAG(int, retries, 3);`. To a grammar such a call is half a declaration,
 * and it may lose what follows up to the end of the file.
 *
 * They are replaced by numbers of the same length, so that every place stays as it is and the call is one. Pure.
 */

/** An argument list is read this far. */
const MAX_LIST_CHARS = 1_000;
const CALL_HEAD = /^[ \t]*[A-Z][A-Z0-9_]{2,}\(/gm;
// Names of types that a grammar does not take for names of values, and what ends as pointers and references do.
const NAMED =
  "(?:bool|char|double|float|int|long|short|signed|unsigned|void|u?int(?:8|16|32|64|max|ptr)_t|char(?:8|16|32)_t|s?size_t|ptrdiff_t)";
const TYPE = new RegExp(
  `^(?:(?:const|volatile|struct|union|enum|class|typename)\\s[^"'()]*|${NAMED}(?:\\s+${NAMED})*\\s*(?:[*&]\\s*)*|[\\w:]+\\s*[*&]+)$`,
);

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text with such types as numbers, of the same length and lines. Heads of functions, with a body behind, stay. */
export function numberTypeArguments(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { 0: head, index } of text.matchAll(CALL_HEAD)) {
    const types = readArguments(text, index + head.length)?.filter(({ start, end }) =>
      TYPE.test(text.slice(start, end)),
    );
    if (types === undefined || types.length === 0 || index < done || !isStatementAt(text, index)) continue;
    for (const { start, end } of types) {
      parts.push(text.slice(done, start), text.slice(start, end).replace(/[^\n]/g, "0"));
      done = end;
    }
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(done);
}

/** Arguments of a call that is a statement, without the space around them. */
function readArguments(text: string, from: number): Span[] | undefined {
  const spans: Span[] = [];
  const add = (start: number, end: number): void => {
    const part = text.slice(start, end);
    spans.push({ start: start + part.length - part.trimStart().length, end: start + part.trimEnd().length });
  };
  let start = from;
  let depth = 0;
  const limit = Math.min(text.length, from + MAX_LIST_CHARS);
  for (let at = from; at < limit; at++) {
    const sign = text[at] as string;
    if (sign === '"' || sign === "'") {
      for (at++; at < limit && text[at] !== sign && text[at] !== "\n"; at++) if (text[at] === "\\") at++;
    } else if (sign === "(") {
      depth++;
    } else if (sign === "," && depth === 0) {
      add(start, at);
      start = at + 1;
    } else if (sign === ")" && depth-- === 0) {
      add(start, at);
      return /^[ \t]*;/.test(text.slice(at + 1, at + 20)) ? spans : undefined;
    } else if (sign === ";" || sign === "{" || sign === "}") {
      return undefined;
    }
  }
  return undefined;
}

/** Whether a statement may begin at a line: not where the line before has the type of what is declared. */
function isStatementAt(text: string, lineStart: number): boolean {
  for (let end = lineStart - 1; end > 0; ) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, end).trim();
    // What a macro stands for is text, and read as such.
    if (line.endsWith("\\")) return false;
    if (line !== "" && !/^(?:#|\/\/)/.test(line)) return /[;{}):/]$/.test(line.replace(/\/\/.*$/, "").trim());
    end = start - 1;
  }
  return true;
}
