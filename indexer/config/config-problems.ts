/**
 * Problems of the configuration file, or of one that it names: what is wrong at which place, and how a person reads it.
 *
 * Positions are 1-based; a column counts UTF-16 units, as editors do. The file is named relative to its own folder,
 * so that no message tells where on the machine it lies.
 *
 * Pure: values in, values out. No I/O.
 */
import { InputError } from "../../src/core/errors.ts";

/** Name of the configuration file, as messages show it. */
export const CONFIG_FILE_NAME = "treeline.config.json";

/** Problems printed of one file; a file with more is not a configuration, and the first ones tell why. */
const MAX_PRINTED = 50;

/** One thing that is wrong in a file. */
export interface ConfigProblem {
  /** UTF-16 offset in the file's text, its byte order mark not counted. */
  readonly offset: number;
  readonly message: string;
}

/** The error for all problems of one file: one line `file:line:column: message` each, in order of place. */
export function createConfigError(
  text: string,
  problems: readonly ConfigProblem[],
  file: string = CONFIG_FILE_NAME,
): InputError {
  const sorted = [...problems].sort((a, b) => a.offset - b.offset);
  const lines = sorted.slice(0, MAX_PRINTED).map((problem) => {
    const { line, column } = locate(text, problem.offset);
    return `${file}:${line}:${column}: ${problem.message}`;
  });
  if (sorted.length > MAX_PRINTED) {
    lines.push(`${file}: ${sorted.length - MAX_PRINTED} more problems`);
  }
  return new InputError(lines.join("\n"));
}

/** 1-based line and column of an offset. Lines end in LF, CRLF or CR. */
export function locate(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  const end = Math.min(offset, text.length);
  for (let index = 0; index < end; index += 1) {
    const unit = text[index];
    if (unit === "\n" || (unit === "\r" && text[index + 1] !== "\n")) {
      line += 1;
      lineStart = index + 1;
    }
  }
  return { line, column: end - lineStart + 1 };
}

/** The end of a message that offers the nearest names, or lists all of them when none is near. */
export function suggest(nearest: readonly string[], all: readonly string[], what: string): string {
  const [first] = nearest;
  return first === undefined ? `; ${what}: ${all.join(", ")}` : `; did you mean ${JSON.stringify(first)}?`;
}
