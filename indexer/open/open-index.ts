/**
 * An index in a folder or at a web address: opening it, and checking that all of its files are whole.
 */
import { FormatError, StaleGenerationError } from "../../src/core/errors.ts";
import { decodeManifest, decodePointer } from "../../src/core/format/generation.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { LruCache } from "../../src/core/index/value-cache.ts";
import { createFetchSource } from "../../src/web/fetch-source.ts";
import { openHost } from "../../src/web/open-host.ts";
import { inflateRaw } from "../base/codec.ts";
import { CACHE_BYTES, createSender, isAddress, openDiskIndex, openSource, readWhole } from "../base/index-source.ts";
import { holdsItsName } from "../index/write-table.ts";

/**
 * A reader over the index in a folder or at an `http:` or `https:` address, that sees every access group. Reading the
 * pointer of a web host counts as its first read.
 *
 * @throws {InputError} where there is no index, or the host cannot serve one.
 */
export async function openIndexAt(place: string): Promise<IndexReader> {
  if (!isAddress(place)) return openDiskIndex(place);
  const opened = await openHost(place, createFetchSource(place, createSender()), inflateRaw, new LruCache(CACHE_BYTES));
  const reader = new IndexReader(opened.index, "all");
  reader.countRead(opened.pointerBytes);
  return reader;
}

/**
 * What is wrong with the files at a place, a line each: none where all are whole, undefined where no index is. Reads all
 * of them.
 *
 * @throws {FormatError} where pointer or manifest cannot be read.
 */
export async function verifyFiles(place: string): Promise<string[] | undefined> {
  const source = openSource(place);
  const pointer = await source.readPointer();
  if (pointer === undefined || pointer === "unchanged") return undefined;
  const { manifest } = decodePointer(pointer.bytes);
  const problems: string[] = [];
  const check = async (name: string, read: () => Promise<Uint8Array>): Promise<Uint8Array | undefined> => {
    try {
      const bytes = await read();
      if (holdsItsName(name, bytes)) return bytes;
      problems.push(`${name} does not hold what its name says`);
    } catch (error) {
      if (!(error instanceof FormatError || error instanceof StaleGenerationError)) throw error;
      problems.push(error instanceof StaleGenerationError ? `${name} is missing` : error.message);
    }
    return undefined;
  };
  const listed = await check(manifest, () => readWhole(source, manifest));
  if (listed === undefined) return problems;
  for (const { name, bytes } of decodeManifest(listed).files) {
    await check(name, () => source.readRange(name, 0, bytes));
  }
  return problems;
}
