/**
 * How often each pair of terms stands in one document, in the order in which pairs are first met.
 *
 * A table of numbers: a page has as many pairs as words, and a map would make an object of the key of each.
 */
import { growNumbers } from "./grow-numbers.ts";

/** Pairs counted of one document: what a page of ten megabytes could bring takes no more memory than this. */
const MAX_PAIRS = 200_000;
const MAX_FREQUENCY = 0xff;
const LEAST_SLOTS = 1024;
/** Numbers of a pair: first term, second term, how often. */
const FIELDS = 3;

/** Counts of the pairs of a document. */
export class PairCounts {
  #count = 0;
  #pairs = new Uint32Array(LEAST_SLOTS);
  /** One more than the place of a pair, where its hash says or behind that; 0 = none. At most half of them are taken. */
  #slots = new Uint32Array(LEAST_SLOTS);

  /** Count a pair once more. Beyond the limit, pairs that were not met before are left out. */
  add(first: number, second: number): void {
    const slot = this.#find(first, second);
    const known = this.#slots[slot] as number;
    if (known > 0) {
      const at = (known - 1) * FIELDS + 2;
      const frequency = this.#pairs[at] as number;
      if (frequency < MAX_FREQUENCY) this.#pairs[at] = frequency + 1;
      return;
    }
    if (this.#count >= MAX_PAIRS) return;
    const at = this.#count * FIELDS;
    this.#pairs = growNumbers(this.#pairs, at + FIELDS);
    this.#pairs[at] = first;
    this.#pairs[at + 1] = second;
    this.#pairs[at + 2] = 1;
    this.#slots[slot] = ++this.#count;
    if (this.#count * 2 > this.#slots.length) this.#growSlots();
  }

  /** Three numbers a pair: first term, second term, how often, at most 255. */
  finish(): Uint32Array {
    return this.#pairs.slice(0, this.#count * FIELDS);
  }

  #find(first: number, second: number): number {
    const mask = this.#slots.length - 1;
    const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    for (let known = this.#slots[slot] as number; known > 0; known = this.#slots[slot] as number) {
      const at = (known - 1) * FIELDS;
      if (this.#pairs[at] === first && this.#pairs[at + 1] === second) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #growSlots(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let pair = 0; pair < this.#count; pair++) {
      const at = pair * FIELDS;
      this.#slots[this.#find(this.#pairs[at] as number, this.#pairs[at + 1] as number)] = pair + 1;
    }
  }
}
