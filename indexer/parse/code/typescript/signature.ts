/** Declarations as one line: up to the body, comments taken out, whitespace folded. Pure. */
import ts from "typescript";
import { cutText } from "../../../../src/core/text/short-text.ts";

/** Characters of a signature, as the contract of code files says. */
export const MAX_SIGNATURE = 400;
/** More of a source than this is never read for one: whitespace and comments hardly take more. */
const MAX_SOURCE = 4000;

/** One line of the source between two offsets, at most 400 characters. */
export function foldSource(text: string, start: number, end: number): string {
  const source = text.slice(start, Math.min(end, start + MAX_SOURCE));
  const bare = source.includes("//") || source.includes("/*") ? withoutComments(source) : source;
  return cutText(bare.replace(/\s+/g, " ").trim(), MAX_SIGNATURE);
}

/** The same as a signature: what opens a body is taken off. */
export function foldSignature(text: string, start: number, end: number): string {
  return foldSource(text, start, end).replace(/\s*[={;,:]$/, "");
}

function withoutComments(source: string): string {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, source);
  let kept = "";
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    const isComment = token === ts.SyntaxKind.SingleLineCommentTrivia || token === ts.SyntaxKind.MultiLineCommentTrivia;
    kept += isComment ? " " : scanner.getTokenText();
  }
  return kept;
}
