/**
 * Keys of the table `suggestions`: folded words with one space between them, no punctuation. `Getting-Started!` and `getting st`
 * share their beginning. Apart from the other keys, since pages load suggestions on demand.
 */
import { foldText } from "./normalize.ts";
import { cutText } from "./short-text.ts";

/** Phrases are compared up to this many UTF-16 units: nobody types more of a heading to find it. */
export const MAX_PHRASE_LENGTH = 48;

const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/gu;

/** The phrase of a text; `""` where it holds no letter or digit. */
export function foldPhrase(text: string): string {
  return foldText(text).replace(BETWEEN_WORDS, " ").trim();
}

/** A phrase, cut to the length that is compared. No space is left at the end. */
export function cutPhrase(phrase: string, length = MAX_PHRASE_LENGTH): string {
  return phrase.length <= length ? phrase : cutText(phrase, length).trimEnd();
}
