/**
 * Phrases in a text: whether terms stand side by side in the source of a section.
 *
 * Pure: text in, answer out.
 */
import { type Analyzer, countsAsWord, visitTerms } from "../text/analyze.ts";
import { flattenMarkup, stripMarkup } from "../text/markup.ts";

/** What no word reaches over: those between two of them are the same whatever stands around. */
const BORDERS = /[ \t\r\n]+/;

/**
 * Whether a section's source holds the phrase, in what is shown of it or in its markup.
 *
 * @param title Title of the page where the section is its root: frontmatter may hold it, which is not shown.
 */
export type PhraseTest = (source: string, title: string | undefined) => boolean;

/** A test for at most 32 terms side by side. It remembers the words that it met, so it is to be kept for one search. */
export function makePhraseTest(terms: readonly string[], analyzer: Analyzer): PhraseTest {
  const holds = makeTermsTest(terms, analyzer);
  return (source, title) => {
    const isStart = title !== undefined;
    const shown = stripMarkup(source, isStart);
    if (holds(shown)) return true;
    if (isStart && !`${shown}\n`.startsWith(`${title}\n`) && holds(`${title}\n${shown}`)) return true;
    const [written, unescaped] = flattenMarkup(source, isStart);
    return holds(written) || (unescaped !== written && holds(unescaped));
  };
}

/**
 * Shift-And (Baeza-Yates and Gonnet, "A new approach to text searching", 1992) over terms: bit n of the state is set
 * where the last n + 1 words are the first n + 1 terms. A number has 32 bits, so a phrase has at most as many terms.
 */
function makeTermsTest(terms: readonly string[], analyzer: Analyzer): (text: string) => boolean {
  const places = new Map<string, number>();
  for (const [at, term] of terms.entries()) places.set(term, (places.get(term) ?? 0) | (1 << at));
  const whole = 1 << (terms.length - 1);
  /** Per piece of text between borders, the places of its words in the phrase. Most pieces come again and again. */
  const known = new Map<string, readonly number[]>();
  const readPiece = (piece: string): readonly number[] => {
    const own: number[] = [];
    visitTerms(
      piece,
      (term, kind) => {
        if (countsAsWord(kind)) own.push(places.get(term) ?? 0);
      },
      analyzer,
    );
    known.set(piece, own);
    return own;
  };
  return (text) => {
    let state = 0;
    for (const piece of text.split(BORDERS)) {
      for (const place of known.get(piece) ?? readPiece(piece)) {
        state = ((state << 1) | 1) & place;
        if ((state & whole) !== 0) return true;
      }
    }
    return false;
  };
}
