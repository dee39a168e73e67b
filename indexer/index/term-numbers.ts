/**
 * Numbers for the terms of a shard, with how many of its documents hold each.
 *
 * One number for a term wherever it stands, so that millions of pairs take two numbers each and no text.
 */
import { copyText } from "./copy-text.ts";
import { growNumbers } from "./grow-numbers.ts";

/** Numbers from 0 on, in the order in which terms are first met. */
export class TermNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];
  #documents = new Uint32Array(1024);

  /** Terms known so far. */
  get size(): number {
    return this.#names.length;
  }

  /** Numbers of a document's terms, in their order; the document is counted for each. */
  count(terms: readonly string[]): Uint32Array {
    return Uint32Array.from(terms, (term) => {
      let number = this.#numbers.get(term);
      if (number === undefined) {
        number = this.#names.length;
        const name = copyText(term);
        this.#numbers.set(name, number);
        this.#names.push(name);
        this.#documents = growNumbers(this.#documents, number + 1);
      }
      this.#documents[number] = (this.#documents[number] as number) + 1;
      return number;
    });
  }

  /** The term with a number. */
  name(number: number): string {
    return this.#names[number] as string;
  }

  /** Documents that hold the term with a number. */
  documents(number: number): number {
    return this.#documents[number] as number;
  }
}
