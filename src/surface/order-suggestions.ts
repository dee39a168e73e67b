/**
 * The order of suggestions by flexsearch: which of some hundred texts hold the words that were typed, and how early.
 *
 * Pure: texts in, indexes out. Runs in browsers too.
 */
import { Index } from "flexsearch";

/**
 * Indexes of the texts that hold every word of the query, each perhaps only begun; best first, at most `limit`. An
 * `OrderTexts` of `core/search/suggest.ts`: query and texts are folded words with spaces between them.
 */
export function orderSuggestions(query: string, texts: readonly string[], limit: number): readonly number[] {
  const words = query.split(" ").filter((word) => word !== "");
  if (words.length === 0) return [];
  const initials = new Set(words.map((word) => word[0]));
  const longest = Math.max(...words.map((word) => word.length));
  // The index holds every beginning of every word. What no query word can match is left out of it, and only its place
  // kept, because words that stand early count more.
  const encode = (text: string): string[] =>
    text.split(" ").map((word) => (initials.has(word[0]) ? word.slice(0, longest) : ""));
  const index = new Index({ tokenize: "forward", encode });
  for (const [at, text] of texts.entries()) index.add(at, text);
  return index.search(words.join(" "), { limit }).map(Number);
}
