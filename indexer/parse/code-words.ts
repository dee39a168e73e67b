/**
 * Names in a page that may be those of symbols: what stands in inline code, and chains of identifiers in code blocks.
 *
 * Read from the source line by line, fences told by their marks: a name that is found where none is shown resolves to no
 * symbol, so nothing more exact is needed.
 */

export interface CodeWord {
  readonly text: string;
  readonly line: number;
  /** Whether it is inline code, which is written to name something; a block of code holds names of any kind. */
  readonly isInline?: true;
  /** Whether the line, of a block of code, declares or imports it. */
  readonly isDeclared?: true;
}

/** A page of more than these is a list of names; what is behind them is left out. */
const MAX_WORDS = 5_000;
/** Longer inline code is no name. */
const MAX_LENGTH = 100;
/** A shorter name is as good as a variable's. */
const MIN_LENGTH = 3;

const FENCE = /^\s*(?:>\s*)*(`{3,}|~{3,})/;
const INLINE_CODE = /(`+)([^`]+)\1(?!`)/g;
const NAMES = /[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|#|::|->)[\p{L}_$][\p{L}\p{N}_$]*)*/gu;

/** What a line of an example declares: one name, or those that it takes out of something. */
const DECLARED =
  /\b(?:const|let|var|val|function\*?|class|interface|type|enum|def|fn|func|struct|trait|namespace)\s+(?:([\p{L}_$][\p{L}\p{N}_$]*)|[{[]([^}\]]*)[}\]]\s*=)/gu;
const IMPORTS = /^\s*(?:import|from|use|using|require)\b|\brequire\s*\(|\bfrom\s+["']/;

/** Names in a page's text, each once a line, in order. */
export function findCodeWords(text: string): CodeWord[] {
  const words: CodeWord[] = [];
  for (const { line, number, isCode } of linesOf(text)) {
    const declared = isCode ? declaredIn(line) : NONE;
    for (const word of new Set(isCode ? line.match(NAMES) : listInline(line))) {
      if (word.length < MIN_LENGTH || word.length > MAX_LENGTH) continue;
      if (words.length >= MAX_WORDS) return words;
      words.push({
        text: word,
        line: number,
        ...(!isCode && { isInline: true as const }),
        ...(declared.has(word) && { isDeclared: true as const }),
      });
    }
  }
  return words;
}

const NONE: ReadonlySet<string> = new Set();

function declaredIn(line: string): ReadonlySet<string> {
  if (IMPORTS.test(line)) return new Set(line.match(NAMES));
  return new Set([...line.matchAll(DECLARED)].flatMap(([, name, names]) => name ?? names?.match(NAMES) ?? []));
}

/** Inline code of a page in order, as often as it stands there. */
export function findInlineCode(text: string): Pick<CodeWord, "text" | "line">[] {
  const words: Pick<CodeWord, "text" | "line">[] = [];
  for (const { line, number, isCode } of linesOf(text)) {
    for (const word of isCode ? [] : listInline(line)) {
      if (words.length >= MAX_WORDS) return words;
      words.push({ text: word, line: number });
    }
  }
  return words;
}

function listInline(line: string): string[] {
  return [...line.matchAll(INLINE_CODE)].map(([, , code]) => (code as string).trim());
}

/** Lines of a text but for the fences, and whether they stand between two of these. */
function* linesOf(
  text: string,
): Generator<{ readonly line: string; readonly number: number; readonly isCode: boolean }> {
  let fence = "";
  let number = 0;
  for (let at = 0; at <= text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, end);
    at = end + 1;
    number++;
    const hasMark = line.includes("`") || line.includes("~~~");
    const marks = hasMark ? FENCE.exec(line)?.[1] : undefined;
    if (marks !== undefined && (fence === "" || marks.startsWith(fence))) {
      fence = fence === "" ? marks : "";
      continue;
    }
    yield { line, number, isCode: fence !== "" };
  }
}
