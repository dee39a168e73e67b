/**
 * One form for words that a reader takes for the same: case, width and accents folded, English endings stemmed.
 *
 * Accents depend on the script. In Latin and Greek people often leave the marks out, so they go, and letters such as `ß`,
 * `æ` or `ł`, which Unicode does not decompose, become plain ones. In Cyrillic `й` and `ї` are letters and stay; `ё` becomes
 * `е`, and stress marks go. Vowel points of Hebrew and Arabic and the marks of an alef go. Marks of other scripts (vowel
 * signs of Devanagari, tones of Thai, the dots of Japanese) make another word and stay.
 *
 * `foldCase` folds one character to one, as `grep -i` does (Unicode's simple case folding), so offsets stay.
 */
import * as porter2 from "porter2";

const ASCII = /^[\0-\x7f]*$/;
const STEMMABLE = /^[a-z']+$/;

/**
 * Characters inside words that nobody types: soft hyphens, joiners, marks of direction, variation selectors, the box
 * around a digit of an emoji, the line that stretches Arabic letters, and Arabic vowel points without a letter. The
 * zero-width space is none of them: it stands between words.
 */
export const INVISIBLE =
  "\\u00ad\\u034f\\u037a\\u061c\\u0640\\u180b-\\u180f\\u200c-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u20e3\\ufe00-\\ufe0f\\ufc5e-\\ufc63\\ufcf2-\\ufcf4\\ufe70-\\ufe7f\\ufeff\\u{e0100}-\\u{e01ef}";
const INVISIBLE_CHARACTERS = new RegExp(`[${INVISIBLE}]`, "gu");

const MARKS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;
const CYRILLIC = /[\u0400-\u052f\ua640-\ua69f]/;
/** A letter, perhaps Cyrillic, and the marks on it. */
const MARKED = /([\u0400-\u052f\ua640-\ua69f]?)(\p{M}+)/gu;
const STRESS = /[\u0300\u0301]/g;
const POINTS =
  /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]/g;
const ALEF = /\u0671|\u0627[\u0653-\u0655]+/g;
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ŧ: "t",
  ı: "i",
};
const SPECIAL_LETTERS = /[ßæœøđðþłħŧı]/g;

/** Lower case, without accents, in compatibility form, nothing invisible inside. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return foldAccents(foldSpelling(text));
}

/** The part of `foldText` that every reader takes for the same spelling: case, width, invisible characters. */
export function foldSpelling(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Final sigma is a form of the letter, not another one. Lower case can give what NFKC would write otherwise.
  return text.normalize("NFKC").toLowerCase().replace(INVISIBLE_CHARACTERS, "").replaceAll("ς", "σ").normalize("NFKC");
}

/** A text of `foldSpelling` without its accents. */
export function foldAccents(text: string): string {
  if (ASCII.test(text)) return text;
  const decomposed = text.normalize("NFD");
  const bare = CYRILLIC.test(decomposed)
    ? decomposed.replace(MARKED, (_, letter: string, marks: string) => letter + keepMarks(letter, marks))
    : decomposed.replace(MARKS, "");
  return bare
    .replace(POINTS, "")
    .replace(ALEF, "\u0627")
    .replace(SPECIAL_LETTERS, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFC");
}

/** Marks that make another letter of a Cyrillic one. */
function keepMarks(letter: string, marks: string): string {
  if (letter === "" || letter === "\u0435") return marks.replace(MARKS, "");
  // Macedonian ѓ and ќ are letters; a stress cannot stand on a consonant.
  return letter === "\u0433" || letter === "\u043a" ? marks : marks.replace(STRESS, "");
}

/** Porter2 stem of a folded word; words that hold anything but a–z stay as they are. */
export function stemWord(word: string): string {
  return STEMMABLE.test(word) ? porter2.stem(word) : word;
}

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
