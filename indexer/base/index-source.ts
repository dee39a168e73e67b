/**
 * The files of an index, on disk or at a web address.
 */

import { open, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { FormatError, InputError, StaleGenerationError } from "../../src/core/errors.ts";
import { isIndexFile } from "../../src/core/format/generation.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { openTimedIndex } from "../../src/core/index/open-generation.ts";
import { openIndex } from "../../src/core/index/open-index.ts";
import { POINTER_FILE, type PointerObject, type RangeSource } from "../../src/core/index/range-source.ts";
import { LruCache } from "../../src/core/index/value-cache.ts";
import { createFetchSource, type SendRequest } from "../../src/web/fetch-source.ts";
import { HostError } from "../../src/web/host-error.ts";
import { inflateRaw } from "./codec.ts";

/** Whether a place is a web address and no folder. */
export function isAddress(place: string): boolean {
  return /^https?:\/\//i.test(place);
}

/** Index files in a folder or at an address. */
export function openSource(place: string): RangeSource {
  return isAddress(place) ? createFetchSource(place, createSender()) : createDiskSource(resolve(place));
}

/** A file whose length is not known: read in growing pieces, since a source only knows ranges. */
export async function readWhole(source: RangeSource, name: string): Promise<Uint8Array> {
  for (let length = 65_536; ; length *= 2) {
    const bytes = await source.readRange(name, 0, length).catch((cause: unknown) => {
      if (cause instanceof FormatError && cause.detail.code === "truncated") return cause.detail.have;
      throw cause;
    });
    if (typeof bytes === "number") return source.readRange(name, 0, bytes);
  }
}

/** Decoded values of a disk index that stay in memory. */
export const CACHE_BYTES = 64 * 1024 * 1024;

/** A range source over a folder that `treeline build` wrote. */
function createDiskSource(dir: string): RangeSource {
  return {
    async readRange(file, offset, length) {
      // The root lists packs by name, and nothing outside of the folder is one.
      if (!isIndexFile(file)) throw new FormatError(file, { code: "malformed", reason: "it is no index file" });
      const handle = await open(join(dir, file), "r").catch((cause: unknown) => {
        if (isMissing(cause)) throw new StaleGenerationError(file);
        throw cause;
      });
      try {
        const { size } = await handle.stat();
        // Before there is room for it: what lists the file may say anything.
        if (offset + length > size) throw truncated(file, length, Math.max(0, size - offset));
        const bytes = new Uint8Array(length);
        const { bytesRead } = await handle.read(bytes, 0, length, offset);
        if (bytesRead < length) throw truncated(file, length, bytesRead);
        return bytes;
      } finally {
        await handle.close();
      }
    },
    async readPointer(knownEtag): Promise<PointerObject | "unchanged" | undefined> {
      const path = join(dir, POINTER_FILE);
      try {
        const { mtimeMs, size } = await stat(path);
        const etag = `${mtimeMs}-${size}`;
        return etag === knownEtag
          ? "unchanged"
          : { bytes: await readFile(path), etag, modifiedAt: new Date(mtimeMs).toISOString() };
      } catch (cause) {
        if (isMissing(cause)) return undefined;
        throw cause;
      }
    },
  };
}

/** A reader over an index folder that sees every access group. @throws {InputError} when there is no index. */
export async function openDiskIndex(dir: string): Promise<IndexReader> {
  const source = createDiskSource(resolve(dir));
  const pointer = await source.readPointer();
  if (pointer === undefined || pointer === "unchanged") {
    throw new InputError(
      `no index in ${JSON.stringify(dir)}: there is no ${POINTER_FILE}`,
      [],
      "treeline build docs --out index",
    );
  }
  return new IndexReader(
    await openTimedIndex(pointer.bytes, (bytes) =>
      openIndex(bytes, source, inflateRaw, new LruCache(CACHE_BYTES), pointer.modifiedAt),
    ),
    "all",
  );
}

function truncated(file: string, need: number, have: number): FormatError {
  return new FormatError(file, { code: "truncated", need, have });
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR");
}

/** Longest that an answer is waited for, its body too: the largest read of a slow line. */
const ANSWER_MS = 30_000;
/** The same for an answer without a body, which tells why there was none. */
const HEAD_MS = 5_000;
const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Sends one request. @throws {HostError} `unreachable`, in words, where nothing comes, or the host sends on to another one. */
export function createSender(answerMs = ANSWER_MS): SendRequest {
  return async (url, init) => {
    const { hostname } = new URL(url);
    let address = url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await send(address, init, answerMs);
      const location = REDIRECTS.has(response.status) ? response.headers.get("Location") : null;
      if (location === null) return response;
      await response.body?.cancel();
      const next = URL.canParse(location, address) ? new URL(location, address) : undefined;
      if (next === undefined || next.hostname !== hostname) {
        throw new HostError("unreachable", `${url} sends on to ${location}, another host; name that one instead`);
      }
      address = next.href;
    }
    throw new HostError("unreachable", `${url} sends on more than ${MAX_REDIRECTS} times`);
  };
}

async function send(url: string, init: RequestInit, answerMs: number): Promise<Response> {
  const late = AbortSignal.timeout(init.method === "HEAD" ? Math.min(HEAD_MS, answerMs) : answerMs);
  const signal = init.signal ? AbortSignal.any([late, init.signal]) : late;
  try {
    const response = await fetch(url, { ...init, signal, redirect: "manual" });
    if (response.body === null) return response;
    return new Response(withWords(response.body, url, answerMs), response);
  } catch (cause) {
    throw describe(cause, url, answerMs);
  }
}

/** The same body, whose failure says what failed. */
function withWords(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  url: string,
  answerMs: number,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (cause) {
        controller.error(describe(cause, url, answerMs));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function describe(cause: unknown, url: string, answerMs: number): Error {
  if (cause instanceof InputError) return cause;
  if (!(cause instanceof Error)) return new Error(String(cause));
  if (cause.name === "TimeoutError") {
    return new HostError("unreachable", `${url} does not answer within ${answerMs / 1000} seconds`, { cause });
  }
  // Who asked gave up.
  if (cause.name === "AbortError") return cause;
  const reason = cause.cause instanceof Error ? cause.cause.message || String(cause.cause) : cause.message;
  return new HostError("unreachable", `${url} cannot be read: ${reason}`, { cause });
}
