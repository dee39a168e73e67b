/** Words that the address of a page says to mark. */

/** Words that are marked, and characters of each: the address may come from anybody. */
const MAX_WORDS = 20;
const MAX_WORD = 100;

/** The values of query parameters, in the order of `names`. @param search Of an address: `?highlight=word`. */
export function readAddressWords(search: string, names: readonly string[]): readonly string[] {
  const parameters = new URLSearchParams(search);
  return names
    .flatMap((name) => parameters.getAll(name))
    .filter((word) => word.trim() !== "" && word.length <= MAX_WORD)
    .slice(0, MAX_WORDS);
}
