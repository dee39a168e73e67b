/**
 * Phrases in a text: whether terms stand side by side in the source of a section.
 *
 * Pure: text in, answer out.
 */
import { type Analyzer, countsAsWord, type TermVisitor, visitTerms } from "../text/analyze.ts";
import { flattenMarkup, stripMarkup } from "../text/markup.ts";

/**
 * Whether a section's source holds the terms side by side, in what is shown of it or in its markup.
 *
 * @param title Title of the page where the section is its root: frontmatter may hold it, which is not shown.
 */
export function holdsPhrase(
  source: string,
  terms: readonly string[],
  analyzer: Analyzer,
  title: string | undefined,
): boolean {
  const shown = stripMarkup(source, title !== undefined);
  if (holdsTerms(shown, terms, analyzer)) return true;
  const isTitled = title === undefined || `${shown}\n`.startsWith(`${title}\n`);
  if (!isTitled && holdsTerms(`${title}\n${shown}`, terms, analyzer)) return true;
  return flattenMarkup(source, title !== undefined).some((text) => holdsTerms(text, terms, analyzer));
}

function holdsTerms(text: string, terms: readonly string[], analyzer: Analyzer): boolean {
  // How many terms each match that is under way has; a match begins at every first term.
  let open: number[] = [];
  let found = false;
  const visit: TermVisitor = (term, kind) => {
    if (found || !countsAsWord(kind)) return;
    const next = open.filter((matched) => terms[matched] === term).map((matched) => matched + 1);
    if (term === terms[0]) next.push(1);
    if (next.includes(terms.length)) found = true;
    open = next;
  };
  visitTerms(text, visit, analyzer);
  return found;
}
