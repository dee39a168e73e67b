/**
 * Which words take part in correction: those that people type letter by letter. Pure.
 */

const SHORTEST = 3;
/** Nobody types a longer word by hand and gets it wrong by one letter. */
const LONGEST = 32;
const LETTERS = /^[\p{L}\p{M}]+$/u;

/** True for a folded word that can be corrected, and be what another word is corrected to. */
export function isSpellable(word: string): boolean {
  return word.length >= SHORTEST && word.length <= LONGEST && LETTERS.test(word);
}
