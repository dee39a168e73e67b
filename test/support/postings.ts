/** Posting lists under construction, document by document. */
import { ByteWriter } from "../../src/core/bytes/writer.ts";
import { encodePostings, type UnitPosting, writeUnits } from "../../src/core/format/postings.ts";

/** Encoded units of one document. `postings` ascend by unit and are not empty. */
export function encodeUnits(postings: readonly UnitPosting[]): Uint8Array {
  const writer = new ByteWriter(postings.length + 4);
  writeUnits(writer, postings);
  return writer.finish();
}

/**
 * A posting list under construction. Documents are added in ascending order; what is held is the light form itself,
 * so a corpus under construction takes about as much memory as its index.
 */
export class PostingBuilder {
  readonly #writer = new ByteWriter(16);
  #documents = 0;
  #next = 0;

  /** Documents added so far. */
  get documents(): number {
    return this.#documents;
  }

  /** Add a document with its encoded units. @throws {RangeError} when documents do not ascend. */
  add(document: number, units: Uint8Array): void {
    this.#writer.writeVarint(document - this.#next);
    this.#writer.writeBytes(units);
    this.#next = document + 1;
    this.#documents++;
  }

  /** Value of the term. `rank` orders documents for the heavy and stop forms: higher is kept first. */
  finish(stopWord: boolean, rank: Parameters<typeof encodePostings>[3]): Uint8Array {
    return encodePostings(this.#writer.finish(), this.#documents, stopWord, rank);
  }
}
