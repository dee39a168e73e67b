/**
 * How a search was understood, in sentences: what was corrected, what operators meant, what was not used.
 *
 * Pure: an answer of the search in, sentences out.
 */
import type { Interpretation, SearchAnswer } from "../../core/search/answer.ts";
import { formatCount } from "./counts.ts";
import { foldLine } from "./text.ts";

const MAX_WORDS = 5;
const MAX_WORD_LENGTH = 40;

/** Sentences about a search, the most important first; none for plain words that were all found. */
export function describeSearch(answer: SearchAnswer): string[] {
  const { corrections, missingWords, unusedWords, stopWordsUsed, interpretation, unusedFields, relaxedPhrases } =
    answer;
  const notes: string[] = [];
  if (answer.operatorsAsText && answer.scoredTerms.length > 0) {
    notes.push("Quotes, dashes, OR and NOT were taken as text: the query is a sentence or asks for nothing else.");
  }
  if (corrections.length > 0) {
    const shown = corrections.map(({ written, corrected }) => `${quote(corrected)} (nothing holds ${quote(written)})`);
    const first = quote(corrections[0]?.written ?? "");
    notes.push(`Showing results for ${list(shown)}. To search as written: ${first} in quotes.`);
  }
  if (asksForNothing(answer)) notes.push("The query holds no word to search for: give letters or digits.");
  if (missingWords.length > 0) notes.push(`No document holds: ${list(missingWords.map(shorten))}.`);
  if (relaxedPhrases.length > 0) {
    const phrases = relaxedPhrases.map((alternatives) => alternatives.map(quote).join(" or "));
    notes.push(`No section holds ${list(phrases)}; these hold the words.`);
  }
  for (const { field, value, nearest } of unusedFields) {
    const near = nearest.length > 0 ? `; nearest: ${nearest.map(shorten).join(", ")}` : "";
    notes.push(`${field}:${shorten(value)} was not used: no document has that ${field}${near}.`);
  }
  const understood = interpretation === undefined ? "" : describeInterpretation(interpretation);
  if (understood !== "") notes.push(`Understood: ${understood}.`);
  if (answer.hits.some(({ isFallback }) => isFallback)) {
    notes.push("Last come documents that hold longer words only.");
  }
  if (answer.uncheckedDocuments > 0) {
    notes.push(
      `${formatCount(answer.uncheckedDocuments, "document")} further down ${answer.uncheckedDocuments === 1 ? "was" : "were"} not read and may hold the phrase; add words or read on.`,
    );
  }
  if (stopWordsUsed) notes.push("Only very common words were given, so they were searched.");
  if (unusedWords > 0) notes.push(`The last ${formatCount(unusedWords, "word")} of the query were not used.`);
  return notes;
}

function asksForNothing({ scoredTerms, interpretation, unusedFields }: SearchAnswer): boolean {
  const { required = [], excluded = [], fields = [] } = interpretation ?? {};
  return scoredTerms.length + unusedFields.length + required.length + excluded.length + fields.length === 0;
}

function describeInterpretation({ words, required, excluded, fields, beginnings }: Interpretation): string {
  return [
    ...(words.length > 0 ? [`words ${list(words.map(shorten))}`] : []),
    ...required.map((alternatives) => `phrase ${alternatives.map(quote).join(" or ")}`),
    ...excluded.map((text) => `without ${quote(text)}`),
    ...fields.map(
      ({ field, values, negated }) => `${field} ${negated ? "not " : ""}${values.map(shorten).join(" or ")}`,
    ),
    ...beginnings.map((text) => `words beginning with ${quote(text)}`),
  ].join("; ");
}

function list(texts: readonly string[]): string {
  const rest = texts.length > MAX_WORDS ? ` and ${texts.length - MAX_WORDS} more` : "";
  return `${texts.slice(0, MAX_WORDS).join(", ")}${rest}`;
}

function quote(text: string): string {
  return `"${shorten(text)}"`;
}

function shorten(text: string): string {
  return foldLine(text, MAX_WORD_LENGTH);
}
