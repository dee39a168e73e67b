/** What the box says of an answer: corrections, words that nothing holds, that nothing was found. */

import { shortenText } from "../../core/text/cut-text.ts";
import { UNSPACED } from "../../core/text/unspaced.ts";
import type { Found } from "../client/search-client.ts";
import { cleanText, isolate, make } from "./make.ts";
import type { Strings } from "./strings.ts";

/** In scripts without blanks words are pairs of letters, which nobody typed as words. */
const PAIR = new RegExp(`^[${UNSPACED}]+$`, "u");
/** Characters of what was typed that a sentence repeats. */
const MAX_REPEATED = 60;

/** What was searched for in place of what was typed, and which words nothing holds. */
export function drawNotes(found: Found, strings: Strings): readonly Node[] {
  const { corrections, missingWords } = found;
  const notes: Node[] = [];
  if (corrections.length > 0) {
    const to = corrections.map((word) => word.to).join(", ");
    notes.push(drawFilled(strings.showing, { to, from: corrections.map((word) => word.from).join(", ") }));
  }
  const corrected = new Set(corrections.map((word) => word.from));
  const words = missingWords.filter((word) => !corrected.has(word) && !PAIR.test(word));
  // That a query found nothing is said below, in full.
  const isAll = found.pages.length === 0 && words.length >= found.query.split(/\s+/).length;
  if (words.length > 0 && !isAll) notes.push(drawFilled(strings.missing, { words: words.join(", ") }));
  return notes;
}

/** A sentence with what was typed set apart in it. */
export function drawFilled(text: string, values: Readonly<Record<string, string>>): Node {
  const sentence = document.createDocumentFragment();
  for (const piece of text.split(/(\{\w+\})/)) {
    const value = values[piece.slice(1, -1)];
    sentence.append(value === undefined ? piece : make("b", {}, isolate(shortenText(cleanText(value), MAX_REPEATED))));
  }
  return sentence;
}
