/**
 * Verdicts over answers of the tools. Each function returns the miss as a line of text, or `undefined` when the
 * answer is right. `test/bench/world.test.ts` plants a fault for each.
 */
import { estimateTokens } from "../../src/surface/render/text.ts";

/** Answer of a tool. `json` is empty for text. */
export interface Answer {
  readonly call: string;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  /** Tokens that the call allows. */
  readonly budget: number;
}

/** Line of a file, as `path:line`. */
export type Place = string;

const MAX_QUOTED = 160;
/** Part of the miss where `grep_documents` found nothing and says that it did not scan everything. */
export const ADMITTED = ", truncated by its own account";

function quote(text: string): string {
  const folded = text.replace(/\s+/g, " ").trim();
  return folded.length > MAX_QUOTED ? `${folded.slice(0, MAX_QUOTED)}…` : folded;
}

export function judgeAnswered({ call, text, isError }: Answer): string | undefined {
  if (isError) return `${call}: ${quote(text)}`;
  return text.trim() === "" ? `${call}: empty answer` : undefined;
}

export function judgeBudget({ call, text, budget }: Answer): string | undefined {
  const tokens = estimateTokens(text);
  return tokens > budget ? `${call}: ${tokens} tokens, ${budget} allowed` : undefined;
}

/** Files that are neither document nor named skip, and documents without a file. */
export function judgeFiles(
  files: readonly string[],
  documents: ReadonlySet<string>,
  skipped: ReadonlySet<string>,
  exists: (path: string) => boolean,
): string[] {
  return [
    ...files.filter((path) => !documents.has(path) && !skipped.has(path)).map((path) => `${path}: not a document`),
    ...[...documents].filter((path) => !exists(path)).map((path) => `${path}: a document without a file`),
  ];
}

/** What classes call themselves. */
const OWN_NAMES = ["self", "static", "Self"];

/** The outline must be about the document: it names its file. */
export function judgeOutline(path: string, answer: Answer): string | undefined {
  const fault = judgeAnswered(answer);
  if (fault !== undefined) return fault;
  const file = path.slice(path.lastIndexOf("/") + 1);
  const escaped = file.replace(/[%#]/g, encodeURIComponent);
  return [file, escaped].some((name) => answer.text.includes(name))
    ? undefined
    : `${answer.call}: does not name ${file}`;
}

export function judgeSymbol(name: string, answer: Answer): string | undefined {
  const [first] = listOf(answer.json["symbols"]);
  if (!answer.isError && first?.["name"] === name) return undefined;
  return `${answer.call}: first is ${answer.isError ? quote(answer.text) : JSON.stringify(first?.["name"])}`;
}

/** Answers leave out invisible characters, such as marks of direction. */
export function judgeTitle(title: string, answer: Answer): string | undefined {
  const found = listOf(answer.json["results"]).slice(0, 5);
  const visible = (text: string): string => text.replace(/\p{Cf}/gu, "");
  if (!answer.isError && found.some((result) => visible(String(result["title"])) === visible(title))) return undefined;
  const first = found[0] === undefined ? quote(answer.text) : JSON.stringify(found[0]["title"]);
  return `${answer.call}: not among the first five, first is ${first}`;
}

/**
 * Places whose line lacks the symbol's name. Imports may bind another name; words of those lines count in their file.
 * @param readLine Returns a line of a file, or `undefined` when there is none.
 */
export function judgeReferences(
  name: string,
  answer: Answer,
  readLine: (file: string, line: number) => string | undefined,
): string | undefined {
  const fault = judgeAnswered(answer);
  if (fault !== undefined) return fault;
  const references = listOf(answer.json["references"]);
  const isImport = (kind: unknown): boolean => kind === "imports" || kind === "reexports";
  const aliases = new Map<string, string[]>();
  for (const { file, line, kind } of references) {
    const text = isImport(kind) ? (readLine(String(file), Number(line)) ?? "") : "";
    aliases.set(String(file), [...(aliases.get(String(file)) ?? []), ...(text.match(/[\p{L}\p{N}_$]+/gu) ?? [])]);
  }
  const wrong = references.filter(({ file, line, kind }) => {
    const text = readLine(String(file), Number(line));
    if (text === undefined) return true;
    return (
      !isImport(kind) &&
      ![name, ...OWN_NAMES, ...(aliases.get(String(file)) ?? [])].some((word) => holdsWord(text, word))
    );
  });
  const [first] = wrong;
  if (first === undefined) return undefined;
  const line = quote(readLine(String(first["file"]), Number(first["line"])) ?? "no such line");
  const at = `${first["file"]}:${first["line"]} (${first["kind"]}, ${first["tier"]})`;
  return `${answer.call}: ${wrong.length} of ${references.length} without ${name}; ${at}: ${line}`;
}

function holdsWord(text: string, word: string): boolean {
  const escaped = word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, "u").test(text);
}

/** Compares `grep_documents` with the lines that really hold the literal. */
export function judgeGrep(expected: ReadonlySet<Place>, answer: Answer): string | undefined {
  const fault = judgeAnswered(answer);
  if (fault !== undefined) return fault;
  const { total, truncated, leftOut, nextCursor } = answer.json;
  if (total === 0 && expected.size > 0) {
    const admitted = truncated === true ? ADMITTED : "";
    return `${answer.call}: falsely empty${admitted}; ${[...expected][0]} holds it`;
  }
  const shown = listOf(answer.json["results"]).flatMap(({ path, matches }) =>
    listOf(matches).map(({ line }): Place => `${path}:${line}`),
  );
  const wrong = shown.find((place) => !expected.has(place));
  if (wrong !== undefined) return `${answer.call}: ${wrong} does not hold it`;
  if (truncated === true) return undefined;
  if (total !== expected.size) {
    const missing = leftOut === undefined ? [...expected].find((place) => !shown.includes(place)) : undefined;
    return `${answer.call}: ${total} lines, ${expected.size} hold it${missing === undefined ? "" : `, such as ${missing}`}`;
  }
  const isWhole = leftOut === undefined && nextCursor === undefined;
  const missing = isWhole ? [...expected].find((place) => !shown.includes(place)) : undefined;
  return missing === undefined ? undefined : `${answer.call}: ${missing} is missing`;
}

/** One edit of a `rename` plan. */
export interface Edit {
  readonly line: number;
  readonly column: number;
  readonly oldText: string;
  readonly newText: string;
}

/** The text with the edits applied. @throws {Error} when an old text is not at its place */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const lines = text.split("\n");
  for (const { line, column, oldText, newText } of [...edits].sort((a, b) => b.line - a.line || b.column - a.column)) {
    const before = lines[line - 1] ?? "";
    if (!before.startsWith(oldText, column - 1)) throw new Error(`${oldText} is not at ${line}:${column}`);
    lines[line - 1] = before.slice(0, column - 1) + newText + before.slice(column - 1 + oldText.length);
  }
  return lines.join("\n");
}

/** What a parser says of a file before and after a rename. */
export interface ParsedTwice {
  readonly path: string;
  readonly errorsBefore: number;
  readonly errorsAfter: number;
  readonly namesAfter: readonly string[];
}

export function judgeRename(call: string, newName: string, files: readonly ParsedTwice[]): string | undefined {
  const broken = files.find(({ errorsBefore, errorsAfter }) => errorsAfter > errorsBefore);
  if (broken !== undefined) return `${call}: new syntax errors in ${broken.path}`;
  return files.some(({ namesAfter }) => namesAfter.includes(newName))
    ? undefined
    : `${call}: nothing declares ${newName}`;
}

/** Objects of a list in a JSON answer. */
export function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null) : [];
}
