import MarkdownIt, { type Token } from "markdown-it";

/** A sentence that is too long, and the line on which its block begins, 1-based. */
export interface LongSentence {
  readonly line: number;
  readonly words: number;
  readonly text: string;
}

const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" });
const FRONT_MATTER = /^---\n[\s\S]*?\n---\n/;
const markdown = new MarkdownIt({ html: true });

/**
 * Sentences of a Markdown page with more words than `limit`. Blocks of code and HTML are skipped. A heading, a list item and a table cell
 * end a sentence. Inline code counts as one word; the target of a link and the alternative text of an image count as none.
 */
export function findLongSentences(page: string, limit: number): readonly LongSentence[] {
  const blanked = page.replace(FRONT_MATTER, (found) => found.replaceAll(/[^\n]+/g, ""));
  let line = 0;
  return markdown.parse(blanked, {}).flatMap((block) => {
    line = block.map?.[0] ?? line;
    if (block.type !== "inline") return [];
    return [...SENTENCES.segment(proseOf(block.children ?? []))].flatMap(({ segment }) => {
      const text = segment.trim();
      const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
      return words > limit ? [{ line: line + 1, words, text }] : [];
    });
  });
}

/** Words of a block. A code span is one capitalised word, so that a sentence can begin with it. */
function proseOf(children: readonly Token[]): string {
  return children
    .map(({ type, content }) => {
      if (type === "text") return content;
      if (type === "code_inline") return "Code";
      return type === "softbreak" || type === "hardbreak" ? " " : "";
    })
    .join("");
}
