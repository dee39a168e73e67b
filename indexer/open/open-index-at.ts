/**
 * An index wherever it lies: in a folder, or at a web address.
 */
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { LruCache } from "../../src/core/index/value-cache.ts";
import { createFetchSource } from "../../src/web/fetch-source.ts";
import { openHost } from "../../src/web/open-host.ts";
import { inflateRaw } from "../base/codec.ts";
import { CACHE_BYTES, openDiskIndex } from "../base/disk-source.ts";
import { isAddress } from "../base/index-source.ts";
import { createSender } from "../base/send-request.ts";

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
