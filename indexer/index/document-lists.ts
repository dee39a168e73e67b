/**
 * Lists of document numbers under construction, as gaps, each number with some bytes behind it or none: postings and the
 * documents of grams. What is held is what will be written.
 */
import { ByteWriter } from "../../src/core/bytes/writer.ts";
import { ByteLists } from "./byte-lists.ts";
import { growNumbers } from "./grow-numbers.ts";

const NOTHING = new Uint8Array();

/** Lists by number, from 0 on. */
export class DocumentLists {
  readonly #bytes = new ByteLists();
  #counts = new Uint32Array(1024);
  /** One more than the last number of each list. */
  #nexts = new Uint32Array(1024);

  /** Documents of a list. */
  count(list: number): number {
    return this.#counts[list] ?? 0;
  }

  /** Add a document to a list. @throws {RangeError} when documents do not ascend. */
  add(list: number, document: number, behind: Uint8Array = NOTHING): void {
    this.#counts = growNumbers(this.#counts, list + 1);
    this.#nexts = growNumbers(this.#nexts, list + 1);
    const gap = document - (this.#nexts[list] as number);
    if (gap < 0) throw new RangeError(`document ${document} does not come behind those of its list`);
    this.#bytes.writeVarint(list, gap);
    if (behind.length > 0) this.#bytes.writeBytes(list, behind);
    this.#nexts[list] = document + 1;
    this.#counts[list] = (this.#counts[list] as number) + 1;
  }

  /** The bytes of a list, without its count. */
  read(list: number): Uint8Array {
    return this.#bytes.read(list);
  }

  /** The count of a list, then its bytes. */
  finish(list: number): Uint8Array {
    const bytes = this.read(list);
    const writer = new ByteWriter(bytes.length + 4);
    writer.writeVarint(this.count(list));
    writer.writeBytes(bytes);
    return writer.finish();
  }
}
