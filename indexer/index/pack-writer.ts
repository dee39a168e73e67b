/**
 * Packs: chunks and blocks back to back in files of about 4 MiB, each handed on as soon as it is full.
 */
import { createHash } from "node:crypto";
import { ByteWriter } from "../../src/core/bytes/writer.ts";
import { keyAt, listPack, mixKey } from "../../src/core/format/chunk.ts";
import { isIndexFile } from "../../src/core/format/generation.ts";
import type { Place } from "../../src/core/format/table.ts";

/** A pack is closed when it holds this much. */
const PACK_BYTES = 4 * 1024 * 1024;
/** Room that a pack begins with where none was full yet: most corpora fill none. */
const FIRST_BYTES = 64 * 1024;
const NAME_DIGITS = 32;

/** Takes finished files. */
export type FileSink = (name: string, bytes: Uint8Array) => Promise<void>;

/** Name of a hashed file: the first 32 digits of its SHA-256 and its kind. */
export function nameFile(bytes: Uint8Array, kind: "pack" | "root" | "manifest" | "log"): string {
  return `${createHash("sha256").update(bytes).digest("hex").slice(0, NAME_DIGITS)}.${kind}`;
}

/** Whether bytes are what the name of a hashed file says. Of any other name they are not. */
export function holdsItsName(name: string, bytes: Uint8Array): boolean {
  return (
    isIndexFile(name) &&
    createHash("sha256").update(bytes).digest("hex").slice(0, NAME_DIGITS) === name.split(".", 1)[0]
  );
}

/** Writes packs one after another; `add` says where the bytes will lie. */
export class PackWriter {
  readonly #sink: FileSink;
  readonly #names: string[] = [];
  #current = new ByteWriter(FIRST_BYTES);
  /** Where each chunk and block of the current pack begins. */
  #starts: number[] = [];

  /** @param before Names of packs that come before those that are written, without `.pack`. */
  constructor(sink: FileSink, before: readonly string[] = []) {
    this.#sink = sink;
    this.#names.push(...before);
  }

  /** Append sealed chunks or blocks, back to back. The pack index is final, its name comes with `finish`. */
  async add(...sealed: readonly Uint8Array[]): Promise<Place> {
    const offset = this.#current.length;
    for (const bytes of sealed) {
      this.#starts.push(this.#current.length);
      this.#current.writeBytes(bytes);
    }
    const place = { pack: this.#names.length, offset, length: this.#current.length - offset };
    if (this.#current.length >= PACK_BYTES) await this.close();
    return place;
  }

  /** Close the current pack, so that what comes next stands in a file of its own. */
  async close(): Promise<void> {
    if (this.#current.length === 0) return;
    const bytes = this.#current.finish();
    const key = createHash("sha256").update(bytes).digest().readUInt32LE();
    for (const start of this.#starts) mixKey(bytes, start, keyAt(key, start));
    const name = nameFile(bytes, "pack");
    this.#names.push(listPack(name.slice(0, NAME_DIGITS), key));
    this.#current = new ByteWriter(bytes.length >= PACK_BYTES ? PACK_BYTES : FIRST_BYTES);
    this.#starts = [];
    await this.#sink(name, bytes);
  }

  /** Close the last pack; all packs as the root lists them, by index. */
  async finish(): Promise<readonly string[]> {
    await this.close();
    return this.#names;
  }
}
