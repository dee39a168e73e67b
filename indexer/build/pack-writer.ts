/**
 * Packs: chunks and blocks back to back in files of about 4 MiB, each handed on as soon as it is full.
 */
import { createHash } from "node:crypto";
import { ByteWriter } from "../../src/core/bytes/writer.ts";
import type { Place } from "../../src/core/format/directory.ts";

/** A pack is closed when it holds this much. */
const PACK_BYTES = 4 * 1024 * 1024;
const NAME_DIGITS = 32;

/** Takes finished files. */
export type FileSink = (name: string, bytes: Uint8Array) => Promise<void>;

/** Name of a hashed file: the first 32 digits of its SHA-256 and its kind. */
export function nameFile(bytes: Uint8Array, kind: "pack" | "root" | "manifest" | "log"): string {
  return `${createHash("sha256").update(bytes).digest("hex").slice(0, NAME_DIGITS)}.${kind}`;
}

/** Writes packs one after another; `add` says where the bytes will lie. */
export class PackWriter {
  readonly #sink: FileSink;
  readonly #names: string[] = [];
  #current = new ByteWriter(PACK_BYTES);

  /** @param before Names of packs that come before those that are written, without `.pack`. */
  constructor(sink: FileSink, before: readonly string[] = []) {
    this.#sink = sink;
    this.#names.push(...before);
  }

  /** Append bytes. The pack index is final, its name comes with `finish`. */
  async add(bytes: Uint8Array): Promise<Place> {
    const place = { pack: this.#names.length, offset: this.#current.length, length: bytes.length };
    this.#current.writeBytes(bytes);
    if (this.#current.length >= PACK_BYTES) await this.close();
    return place;
  }

  /** Close the current pack, so that what comes next stands in a file of its own. */
  async close(): Promise<void> {
    if (this.#current.length === 0) return;
    const bytes = this.#current.finish();
    const name = nameFile(bytes, "pack");
    this.#names.push(name.slice(0, NAME_DIGITS));
    this.#current = new ByteWriter(PACK_BYTES);
    await this.#sink(name, bytes);
  }

  /** Close the last pack; the names of all packs, without `.pack`, by index. */
  async finish(): Promise<readonly string[]> {
    await this.close();
    return this.#names;
  }
}
