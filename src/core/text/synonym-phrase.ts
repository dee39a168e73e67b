/**
 * A phrase as the list of terms that tells it apart: how synonyms are stored, and how a query asks for them.
 *
 * Stop words are left out. A compound with hyphens is its parts (`single sign-on` is `single sign on`), any other
 * identifier its whole: the parts of `useState` would be the word "state". Other forms of a word do not count.
 *
 * Pure.
 */
import { type Analyzer, ENGLISH, visitTerms } from "./analyze.ts";

/** A term of a phrase with its place in the text, in UTF-16 units. */
export interface PhraseTerm {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

const HYPHENATED = /^[\p{L}\p{N}\p{M}]+(?:[-‐‑][\p{L}\p{N}\p{M}]+)+$/u;

/** The terms of a phrase in order; none where it is of stop words only. */
export function readSynonymPhrase(text: string, analyzer: Analyzer = ENGLISH): PhraseTerm[] {
  const terms: PhraseTerm[] = [];
  let wholeEnd = 0;
  visitTerms(
    text,
    (term, kind, stop, start, end) => {
      if (kind === "variant" || kind === "exact") return;
      if (kind === "whole") {
        // A second whole of the same run is the first one without the signs around it.
        if (start < wholeEnd || HYPHENATED.test(text.slice(start, end))) return;
        wholeEnd = end;
      } else if (stop || (kind === "part" && start < wholeEnd)) {
        return;
      }
      terms.push({ term, start, end });
    },
    analyzer,
  );
  return terms;
}
