/**
 * Queries with a typing error.
 */

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const LEAST_LETTERS = 4;

/** Swaps, deletes or inserts one letter in a longest word, never its first letter. */
export function misspell(text: string, random: () => number): string {
  const pick = (count: number): number => Math.floor(random() * count);
  const words = [...text.matchAll(/\p{L}+/gu)];
  const length = Math.max(LEAST_LETTERS, ...words.map(([word]) => word.length));
  const longest = words.filter(([word]) => word.length === length);
  const chosen = longest[pick(longest.length)];
  if (chosen === undefined) return text;
  const kind = ["swap", "delete", "insert"][pick(3)];
  const at = chosen.index + 1 + pick(length - 2);
  const before = text.slice(0, at);
  if (kind === "insert") return before + LETTERS[pick(LETTERS.length)] + text.slice(at);
  // Equal letters cannot be swapped.
  if (kind === "delete" || text[at] === text[at + 1]) return before + text.slice(at + 1);
  return `${before}${text[at + 1]}${text[at]}${text.slice(at + 2)}`;
}
