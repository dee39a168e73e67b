/** Comments in front of declarations: where they begin, and their first paragraph. */
import { foldWhitespace } from "../../../src/core/text/short-text.ts";
import type { LanguageRules } from "./rules.ts";
import { NONE, type SyntaxTree } from "./syntax-tree.ts";

const LICENSE_WORDS = /copyright|licen[sc]e|SPDX|all rights reserved/i;
const DOC_MAX_CHARS = 1_000;
const INLINE_TAG = /\s@(?:author|exception|param|returns?|see|since|throws)\b.*$/;
// Only tags that documentation is written with: `Vec<T>` is no tag.
const DOC_TAGS =
  /<\/?(?:a|b|br|c|code|em|i|li|ol|p|para|paramref|pre|remarks|see|seealso|strong|summary|tt|typeparamref|ul|BR|CODE|LI|OL|P|PRE|UL)\b[^<>]*>/g;
/** `{@link Store}`, `{@link Store#open(a, b) opens}`, `{@link Store | the store}`. */
const LINK = /\{@link(?:code|plain)?\s+([^}|\s(]+(?:\([^)]*\))?)\s*\|?\s*([^}]*)\}/g;

/**
 * Comments and attributes that stand directly above a node: comments on lines of their own without an empty line between,
 * attributes that the grammar places beside what they describe. `comment` is as written, `""` without one; `start` the offset of
 * the first attribute, or of the node; `line` that of the first comment, or of `start`.
 */
export function leadOf(tree: SyntaxTree, node: number, { comments: commentTypes, attributes }: LanguageRules) {
  let start = tree.start(node);
  let line = tree.lineAt(start);
  const comments: string[] = [];
  for (let at = tree.previous(node); at !== NONE; at = tree.previous(at)) {
    const type = tree.type(at);
    const attribute = attributes?.has(type) === true;
    if (!attribute && !commentTypes.has(type)) break;
    const text = tree.textOf(at).trimEnd();
    const lastLine = tree.lineAt(Math.max(tree.start(at), tree.start(at) + text.length - 1));
    if (lastLine < line - 1) break;
    if (attribute) {
      start = tree.start(at);
    } else {
      if (!startsItsLine(tree, tree.start(at))) break;
      comments.unshift(text);
    }
    line = tree.lineAt(tree.start(at));
  }
  return { start, line, comment: comments.join("\n") };
}

/**
 * First paragraph of the comment at the top of a file; `""` where the first is a licence or belongs to a symbol.
 *
 * @param leads lines on which the comments of symbols begin.
 */
export function fileDocOf(
  tree: SyntaxTree,
  { comments, openingTag }: LanguageRules,
  leads: ReadonlySet<number>,
): string {
  let block: string[] = [];
  let first = 0;
  let last = 0;
  const docOfBlock = (): string => {
    const text = block.join("\n");
    return block.length === 0 || leads.has(first) || LICENSE_WORDS.test(text) ? "" : firstParagraph(text);
  };
  for (const node of tree.children(0)) {
    if (!comments.has(tree.type(node))) {
      if (tree.textOf(node).startsWith("#!") || tree.type(node) === openingTag) continue;
      break;
    }
    const text = tree.textOf(node).trimEnd();
    if (text.startsWith("#!")) continue;
    const line = tree.lineAt(tree.start(node));
    if (block.length > 0 && line > last + 1) {
      const doc = docOfBlock();
      if (doc !== "") return doc;
      block = [];
    }
    if (block.length === 0) first = line;
    block.push(text);
    last = tree.lineAt(Math.max(tree.start(node), tree.start(node) + text.length - 1));
  }
  return docOfBlock();
}

/** First paragraph of a comment or docstring: marks and tags taken off, whitespace folded, cut where absurdly long. */
export function firstParagraph(comment: string): string {
  const lines: string[] = [];
  for (const raw of comment.slice(0, 4 * DOC_MAX_CHARS).split("\n")) {
    const line = withoutMarks(raw);
    if (line === "" || /^[-=*#~_/]{3,}$/.test(line)) {
      if (lines.length > 0) break;
      continue;
    }
    // A tag begins what is no longer the description, but `@brief` is the description itself.
    const brief = /^[@\\](?:brief|desc|description|remarks|short|summary)\b\s*/.exec(line);
    if (brief === null && /^[@\\][a-zA-Z]+(?![\w-]*\/)/.test(line)) break;
    lines.push((brief === null ? line : line.slice(brief[0].length)).replace(INLINE_TAG, ""));
  }
  // What stands in backticks is code.
  const parts = lines.join(" ").split(/(`[^`]*`)/);
  const text = parts.map((part, at) => (at % 2 === 0 ? withoutTags(part) : part)).join("");
  return foldWhitespace(text).slice(0, DOC_MAX_CHARS);
}

function withoutTags(text: string): string {
  return text
    .replace(LINK, (_, target: string, label: string) => label.trim() || target)
    .replace(/\{@\w+\s+([^}]*)\}/g, "$1")
    .replace(DOC_TAGS, (tag) => /\b(?:cref|name|langword)="([^"]*)"/.exec(tag)?.[1] ?? " ");
}

function withoutMarks(raw: string): string {
  return raw
    .replace(/^\s*(?:\/\*[*!]?<?|\/\/[/!]*<?|#+!?|\*(?!\/))/, "")
    .replace(/\**\*\/\s*$/, "")
    .replace(/^\s*<\/?(?:summary|remarks|para|p)>\s*|\s*<\/(?:summary|remarks|para|p)>\s*$/g, "")
    .trim();
}

function startsItsLine(tree: SyntaxTree, offset: number): boolean {
  return tree.text.slice(tree.lineStart(tree.lineAt(offset)), offset).trim() === "";
}
