/**
 * Pairs of the few documents of a delta, where it is known already which are kept. Pure.
 */
import type { ByteKey } from "../../../src/core/bytes/key.ts";
import type { TableEntry } from "../../../src/core/format/chunk.ts";
import { encodePair, keyOfPair } from "../../../src/core/format/pairs.ts";
import type { PreparedDocument } from "../prepare-document.ts";

/** Entries of the pairs with these keys, in no particular order. Documents ascend by number. */
export function keptPairEntries(
  documents: readonly Pick<PreparedDocument, "number" | "inverted">[],
  kept: ReadonlySet<ByteKey>,
): TableEntry[] {
  const lists = new Map<ByteKey, { readonly numbers: number[]; readonly frequencies: number[] }>();
  for (const { number, inverted } of documents) {
    visitPairs(inverted, (first, second, frequency) => {
      const key = keyOfPair(first, second);
      if (!kept.has(key)) return;
      const list = lists.get(key) ?? { numbers: [], frequencies: [] };
      lists.set(key, list);
      list.numbers.push(number);
      list.frequencies.push(frequency);
    });
  }
  return [...lists].map(([key, { numbers, frequencies }]) => ({ key, value: encodePair(numbers, frequencies) }));
}

/** Call `visit` for each pair of a document. */
export function visitPairs(
  { terms, pairs }: Pick<PreparedDocument["inverted"], "terms" | "pairs">,
  visit: (first: string, second: string, frequency: number) => void,
): void {
  for (let at = 0; at < pairs.length; at += 3) {
    visit(terms[pairs[at] as number] as string, terms[pairs[at + 1] as number] as string, pairs[at + 2] as number);
  }
}
