/**
 * Comments in front of declarations: where they begin, the first paragraph of a doc comment, and its tags.
 *
 * The tree is parsed without its doc comments, which takes a third of the time: only comments of symbols are read, and
 * of these only the first paragraph and a tag. Pure.
 */
import ts from "typescript";

/** A doc comment longer than this is read up to here. */
const MAX_DOC_COMMENT = 20_000;
/** A first paragraph is cut here: it is a summary, and stands in every answer that shows the symbol. */
const MAX_DOC = 1000;

const LEGAL = /@license|@preserve|@copyright|\bcopyright\b|\blicensed\b|SPDX-License/i;
const FILE_TAG = /^@(?:file|fileoverview|overview|module|packageDocumentation)\b[ \t]*/;

/** What stands in front of a declaration. */
export interface LeadingComment {
  /** Offset where what belongs to it begins; undefined without a comment. */
  readonly start: number | undefined;
  /** First paragraph; `""` without a doc comment. */
  readonly doc: string;
  readonly deprecated: boolean;
}

const NONE: LeadingComment = { start: undefined, doc: "", deprecated: false };

/** The comment that belongs to a declaration: its doc comment, else comments with no empty line before it. */
export function readLeadingComment(text: string, fullStart: number, start: number): LeadingComment {
  if (start - fullStart < 2) return NONE;
  const ranges = ts.getLeadingCommentRanges(text, fullStart);
  if (ranges === undefined) return NONE;
  for (let at = ranges.length - 1; at >= 0; at--) {
    const { pos, end } = ranges[at] as ts.CommentRange;
    if (!isDocComment(text, pos, end)) continue;
    const lines = docLines(text, pos, end);
    return {
      start: pos,
      doc: firstParagraph(lines),
      deprecated: lines.some((line) => /^@deprecated\b/.test(line)),
    };
  }
  return { start: adjacentStart(text, ranges, start), doc: "", deprecated: false };
}

/** First paragraph of the comment that describes the file: one with a tag that says so, or one that no statement follows. */
export function readFileDoc(text: string, firstStatement: number): string {
  const start = ts.getShebang(text)?.length ?? 0;
  const ranges = ts.getLeadingCommentRanges(text, start) ?? [];
  for (const [index, { pos, end }] of ranges.entries()) {
    if (!isDocComment(text, pos, end)) continue;
    const lines = docLines(text, pos, end);
    const tagged = lines.some((line) => FILE_TAG.test(line));
    if (!tagged) {
      const followed = ranges.slice(index + 1).some((range) => isDocComment(text, range.pos, range.end));
      const next = ranges[index + 1]?.pos ?? firstStatement;
      const gap = text.slice(end, next).split("\n").length - 1;
      const isImport = /^import\b/.test(text.slice(firstStatement, firstStatement + 7));
      if (!followed && gap < 2 && !isImport && firstStatement < text.length) continue;
      if (LEGAL.test(lines.join(" "))) continue;
    }
    return firstParagraph(tagged ? lines.map((line) => line.replace(FILE_TAG, "")) : lines);
  }
  return "";
}

function isDocComment(text: string, pos: number, end: number): boolean {
  // `/**/` is an empty comment.
  return text.startsWith("/**", pos) && end - pos > 4 && text[pos + 3] !== "*";
}

/** Lines of a doc comment without its marks. */
function docLines(text: string, pos: number, end: number): string[] {
  const inner = text.slice(pos + 3, Math.min(end - 2, pos + MAX_DOC_COMMENT));
  return inner.split("\n").map((line) => {
    const trimmed = line.trim();
    return trimmed.startsWith("*") ? trimmed.slice(1).trim() : trimmed;
  });
}

function firstParagraph(lines: readonly string[]): string {
  const words: string[] = [];
  let size = 0;
  for (const line of lines) {
    const description = /^@(?:description|desc|summary|remarks)\b[ \t]*/.exec(line);
    const content = description === null ? line : line.slice(description[0].length);
    if (content.startsWith("@") && !/^@[\w-]+\//.test(content)) break;
    if (content === "") {
      if (words.length > 0) break;
      continue;
    }
    words.push(content);
    size += content.length;
    if (size > MAX_DOC) break;
  }
  const folded = words
    .join(" ")
    .replace(/\{@link(?:code|plain)?\s+([^}|\s]+)(?:\s*\|?\s*([^}]*))?\}/g, (_, target: string, label: string) =>
      label ? label.trim() : target,
    )
    .replace(/\s+/g, " ");
  return folded.length > MAX_DOC ? folded.slice(0, folded.lastIndexOf(" ", MAX_DOC)) : folded;
}

/** Where the comments begin that reach down to `start` without an empty line between. */
function adjacentStart(text: string, ranges: readonly ts.CommentRange[], start: number): number | undefined {
  let next = start;
  for (let at = ranges.length - 1; at >= 0; at--) {
    const { pos, end } = ranges[at] as ts.CommentRange;
    if (text.slice(end, next).split("\n").length > 2) break;
    // What follows code on its line belongs to that.
    const lineStart = text.lastIndexOf("\n", pos - 1) + 1;
    if (text.slice(lineStart, pos).trim() !== "") break;
    next = pos;
  }
  return next === start ? undefined : next;
}
