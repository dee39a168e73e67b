/**
 * Case folded one character to one: two texts that a search without regard to case takes for the same become the same,
 * and every place in the folded text is a place in the text.
 *
 * The pairs are those of Unicode's simple case folding, which `grep -i` and regular expressions use: the Kelvin sign is
 * a `k`, the long s an `s`, both small sigmas are one; `ß` is not `ss`, and neither the dotless `ı` nor the dotted `İ` is
 * an `i`. Accents stay, and so does the form (NFC, NFD) in which they are written. Pure.
 */

const ASCII = /^[\0-\x7f]*$/;
const TO_FOLD = /[A-Z]+|[^\0-\x7f]+/g;
const DOTLESS_I = "\u0131";

/** Pairs that differ in case by their full folding only, where a character becomes two. */
const SAME_IN_FULL: Readonly<Record<string, string>> = { "\u1fd3": "\u0390", "\u1fe3": "\u03b0", "\ufb05": "\ufb06" };

/** The text in one case, each character in its place. */
export function foldCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.replace(TO_FOLD, (run) => ((run.codePointAt(0) as number) < 0x80 ? run.toLowerCase() : foldRun(run)));
}

function foldRun(run: string): string {
  let folded = "";
  for (const character of run) folded += foldCharacter(character);
  return folded;
}

function foldCharacter(character: string): string {
  if (character === DOTLESS_I) return character;
  const upper = onlyIfOne(character, character.toUpperCase());
  const lower = onlyIfOne(upper, upper.toLowerCase());
  return SAME_IN_FULL[lower] ?? lower;
}

/** The changed form, unless it is another number of characters. */
function onlyIfOne(character: string, changed: string): string {
  const units = (changed.codePointAt(0) as number) > 0xffff ? 2 : 1;
  return changed.length === units ? changed : character;
}
