/**
 * How many tokens a text will cost the reader, estimated.
 *
 * No tokenizer is loaded: the estimate is a function of the characters alone, so that the same answer is cut at the
 * same place on every machine. Counted in quarters of a token: an ASCII character one, another character below
 * U+2E80 (Latin with accents, Greek, Cyrillic, Arabic …) two, a CJK character and everything above four, a
 * character outside the BMP (emoji …) eight.
 *
 * Pure: text in, a number out.
 */

const FIRST_NON_ASCII = 0x80;
/** Start of the CJK blocks. What lies above costs about one token a character in the usual vocabularies. */
const FIRST_WIDE = 0x2e80;

/** Estimated tokens of a text, rounded up. */
export function estimateTokens(text: string): number {
  return Math.ceil(countQuarters(text) / 4);
}

/** Estimated tokens of an answer's blocks together. */
export function sumTokens(blocks: readonly { readonly text: string }[]): number {
  return blocks.reduce((sum, { text }) => sum + estimateTokens(text), 0);
}

/** The longest start of a text that costs at most `maxTokens`; never splits a surrogate pair. */
export function cutToTokens(text: string, maxTokens: number): string {
  const limit = Math.max(0, Math.floor(maxTokens * 4));
  let spent = 0;
  for (let index = 0; index < text.length; index++) {
    spent += quartersOf(text.charCodeAt(index));
    if (spent > limit) {
      const splitsPair = index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff;
      return text.slice(0, splitsPair ? index - 1 : index);
    }
  }
  return text;
}

function countQuarters(text: string): number {
  let quarters = 0;
  for (let index = 0; index < text.length; index++) quarters += quartersOf(text.charCodeAt(index));
  return quarters;
}

/** Quarters of one UTF-16 unit. A character outside the BMP has two units, both above the CJK blocks' start. */
function quartersOf(unit: number): number {
  if (unit < FIRST_NON_ASCII) return 1;
  return unit < FIRST_WIDE ? 2 : 4;
}
