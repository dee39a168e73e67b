/**
 * The table `trigrams`: what one document adds to it, in a worker thread, and all documents merged.
 *
 * A gram of ASCII is a number, so that nearly all of a page's grams travel between threads as one small array.
 */
import { keyOf } from "../../src/core/bytes/key.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import { encodeTrigram } from "../../src/core/format/word-tables.ts";
import { foldCase } from "../../src/core/text/normalize.ts";
import { gramOf, NO_CHARACTER, visitGrams } from "../../src/core/text/word-keys.ts";
import { DocumentLists } from "./document-lists.ts";

/** Characters of ASCII words, folded, and a sign for the end of a word. */
const ALPHABET = "0123456789_abcdefghijklmnopqrstuvwxyz.";
const BASE = ALPHABET.length;
const END = BASE - 1;
/** Pairs of characters: half a gram. */
const HALF = BASE ** 2;
const DIGITS = Uint8Array.from({ length: 0x80 }, (_, code) => Math.max(0, ALPHABET.indexOf(String.fromCharCode(code))));

/** 1 for each gram of the document at hand; all 0 between two documents. */
const seen = new Uint8Array(BASE ** 4);

/** Grams of one document, each once. */
export interface DocumentGrams {
  /** Those of ASCII, as numbers to the base of the alphabet's size. */
  readonly ascii: Uint32Array;
  /** The others, as keys. */
  readonly others: readonly string[];
}

/** The grams of a file's text. */
export function collectGrams(text: string): DocumentGrams {
  const ascii: number[] = [];
  const others = new Set<string>();
  visitGrams(foldCase(text), (first, second, third, fourth) => {
    const isAscii = (first | second | third) >= 0 && (first | second | third) < 0x80 && fourth < 0x80;
    if (!isAscii) {
      others.add(gramOf(first, second, third, fourth));
      return;
    }
    const start = ((DIGITS[first] as number) * BASE + (DIGITS[second] as number)) * BASE + (DIGITS[third] as number);
    const number = start * BASE + (fourth === NO_CHARACTER ? END : (DIGITS[fourth] as number));
    if (seen[number] === 0) {
      seen[number] = 1;
      ascii.push(number);
    }
  });
  for (const number of ascii) seen[number] = 0;
  return { ascii: Uint32Array.from(ascii), others: [...others] };
}

/** Grams of all documents of a shard. */
export class TrigramCollector {
  readonly #lists = new DocumentLists();
  /** One more than the list of each gram of ASCII, by its first two characters and by the others: few are there. */
  readonly #ascii: (Uint32Array | undefined)[] = new Array(HALF).fill(undefined);
  readonly #others = new Map<string, number>();
  #listCount = 0;
  #documents = 0;

  /** Add a document. Documents ascend by number. */
  add({ number, grams }: { readonly number: number; readonly grams: DocumentGrams }): void {
    this.#documents++;
    for (const gram of grams.ascii) {
      const start = Math.floor(gram / HALF);
      const lists = this.#ascii[start] ?? new Uint32Array(HALF);
      this.#ascii[start] = lists;
      const end = gram % HALF;
      if (lists[end] === 0) lists[end] = ++this.#listCount;
      this.#lists.add((lists[end] as number) - 1, number);
    }
    for (const gram of grams.others) {
      let list = this.#others.get(gram);
      if (list === undefined) {
        list = this.#listCount++;
        this.#others.set(gram, list);
      }
      this.#lists.add(list, number);
    }
  }

  /** Entries of the table, in no particular order. */
  finish(): TableEntry[] {
    const entries: TableEntry[] = [];
    const add = (gram: string, list: number): void => {
      const documents = { count: this.#lists.count(list), finish: () => this.#lists.finish(list) };
      entries.push({ key: keyOf(gram), value: encodeTrigram(documents, this.#documents) });
    };
    for (const [start, lists = []] of this.#ascii.entries()) {
      for (let end = 0; end < lists.length; end++) {
        const list = lists[end] as number;
        if (list > 0) add(nameOf(start * HALF + end), list - 1);
      }
    }
    for (const [gram, list] of this.#others) add(gram, list);
    return entries;
  }
}

function nameOf(gram: number): string {
  const at = (place: number): string => ALPHABET[Math.floor(gram / BASE ** place) % BASE] as string;
  return at(3) + at(2) + at(1) + (gram % BASE === END ? "" : at(0));
}
