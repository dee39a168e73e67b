/**
 * Excerpts as the Worker writes them, escaped text with `<mark>` around what was found, taken apart again: nothing of an
 * answer is ever HTML in a page.
 *
 * Pure: text in, parts out.
 */
import type { ExcerptPart } from "../../core/search/answer.ts";

/** What `escapeHtml` of `render/text.ts` writes. */
const ESCAPED: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** The parts of an excerpt. What is neither a mark nor one of the five characters that are escaped is text as it stands. */
export function readMarked(excerpt: string): readonly ExcerptPart[] {
  return tidyParts(
    excerpt.split(/<mark>(.*?)<\/mark>/s).map((text, at) => ({
      text: text.replace(/&(?:amp|lt|gt|quot|#39);/g, (found) => ESCAPED[found] ?? found),
      marked: at % 2 === 1,
    })),
  );
}

/** Parts as `readMarked` gives them: none is empty, and none without a mark follows another. */
export function tidyParts(parts: readonly ExcerptPart[]): readonly ExcerptPart[] {
  const tidy: ExcerptPart[] = [];
  for (const part of parts) {
    const last = tidy.at(-1);
    if (part.text === "") continue;
    if (last === undefined || last.marked || part.marked) tidy.push(part);
    else tidy[tidy.length - 1] = { text: last.text + part.text, marked: false };
  }
  return tidy;
}
