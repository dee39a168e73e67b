/**
 * What stands around places of a source text: code, a string or a comment, and the bracket that is open there.
 *
 * One pass that knows how comments, strings and brackets are written and nothing else of a language. It is a guess where a
 * language needs more (a regular expression after `)`, text in JSX): a string that does not end on its line ends there,
 * so that one wrong guess spoils a line and not the file. Pure.
 */
import { factsOf } from "./code-languages.ts";
import { endOfLine } from "./lines.ts";

export interface SourceSpot {
  readonly within: "code" | "string" | "comment";
  /** Offset of the innermost bracket that is open, -1 where none is. */
  readonly bracket: number;
}

const SPECIAL = /["'`/#(){}[\]]/g;
const LETTER = /'(?:\\[^\n]{1,8}?|[^'\\\n]{1,2})'/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y;
/** What a regular expression may follow; after anything else a slash divides. */
const BEFORE_REGEX =
  /(?:^|[(,=:[!&|?{};+\-*%~^]|\b(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield))\s*$/;
/** How far back is looked for what stands before a slash. */
const LOOK_BACK = 40;

/** Where each offset lies; offsets are ascending. */
export function locateSpots(text: string, language: string, offsets: readonly number[]): SourceSpot[] {
  const { lexis } = factsOf(language);
  const spots: SourceSpot[] = [];
  const open: number[] = [];
  /** Depths of `open` at which a closing brace goes on with a template. */
  const templates: number[] = [];
  const take = (end: number, within: SourceSpot["within"]): void => {
    while (spots.length < offsets.length && (offsets[spots.length] as number) < end) {
      spots.push({ within, bracket: open.at(-1) ?? -1 });
    }
  };
  /** Passes over a part that is no code. */
  const pass = (from: number, end: number, within: "string" | "comment"): number => {
    take(from, "code");
    take(end, within);
    return end;
  };
  /** From the first place of a template's text to behind its end or behind the `${` in it. */
  const passTemplate = (from: number, start: number): number => {
    for (let at = start; at < text.length; at++) {
      const char = text[at];
      if (char === "\\") at++;
      else if (char === "`") return pass(from, at + 1, "string");
      else if (char === "$" && text[at + 1] === "{") {
        pass(from, at + 1, "string");
        open.push(at + 1);
        templates.push(open.length);
        return at + 2;
      }
    }
    return pass(from, text.length, "string");
  };
  let at = 0;
  while (at < text.length && spots.length < offsets.length) {
    SPECIAL.lastIndex = at;
    const found = SPECIAL.exec(text);
    if (found === null) break;
    const from = found.index;
    const char = found[0];
    take(from, "code");
    at = from + 1;
    if (char === "(" || char === "[" || char === "{") {
      take(at, "code");
      open.push(from);
    } else if (char === ")" || char === "]" || char === "}") {
      const resumes = templates.at(-1) === open.length && char === "}";
      open.pop();
      if (resumes) {
        templates.pop();
        at = passTemplate(from, from + 1);
      }
    } else if (char === "#") {
      if (lexis.hash && isCommentHash(text, from)) at = pass(from, endOfLine(text, from), "comment");
    } else if (char === "/") {
      const next = text[from + 1];
      if (lexis.slashes && next === "/") at = pass(from, endOfLine(text, from), "comment");
      else if (lexis.slashes && next === "*") at = pass(from, behind(text, "*/", from + 2), "comment");
      else if (lexis.regexes) {
        REGEX.lastIndex = from;
        const isRegex = BEFORE_REGEX.test(text.slice(Math.max(0, from - LOOK_BACK), from));
        if (isRegex && REGEX.test(text)) at = pass(from, REGEX.lastIndex, "string");
      }
    } else if (char === "`") {
      if (lexis.backticks === "template") at = passTemplate(from, from + 1);
      else if (lexis.backticks === "raw") at = pass(from, behind(text, "`", from + 1), "string");
    } else if (lexis.tripleQuotes && text.startsWith(char.repeat(3), from)) {
      at = pass(from, behind(text, char.repeat(3), from + 3), "string");
    } else if (char === "'" && lexis.singleLetters) {
      LETTER.lastIndex = from;
      if (LETTER.test(text)) at = pass(from, LETTER.lastIndex, "string");
    } else {
      at = pass(from, endOfString(text, from), "string");
    }
  }
  take(Number.POSITIVE_INFINITY, "code");
  return spots;
}

/** In shells a hash inside of a word is part of it. */
function isCommentHash(text: string, at: number): boolean {
  return at === 0 || /[\s;({[,]/.test(text[at - 1] as string) || !/[\w$#{]/.test(text[at - 1] as string);
}

function behind(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from);
  return end < 0 ? text.length : end + mark.length;
}

/** Behind the closing quote; the end of the line where none closes it. */
function endOfString(text: string, from: number): number {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === quote) return at + 1;
    else if (char === "\n") return at;
  }
  return text.length;
}
