/**
 * One form for words that a reader takes for the same: case, width and accents folded, English endings stemmed.
 *
 * Folding: Unicode NFKC, lower case, then combining marks U+0300–U+036F removed from the decomposed form. Marks of
 * other scripts (vowel signs of Devanagari, say) carry meaning and stay. Stems: Porter2 (Snowball English).
 * Pure.
 */
import * as porter2 from "porter2";

const ASCII = /^[\0-\x7f]*$/;
const COMBINING_MARKS = /[\u0300-\u036f]/g;
const STEMMABLE = /^[a-z']+$/;

/** Lower case, without accents, in compatibility form. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize("NFKC").toLowerCase().normalize("NFD").replace(COMBINING_MARKS, "").normalize("NFC");
}

/** Porter2 stem of a folded word; words that hold anything but a–z stay as they are. */
export function stemWord(word: string): string {
  return STEMMABLE.test(word) ? porter2.stem(word) : word;
}
