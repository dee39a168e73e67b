/**
 * Index files on any web host, as the core reads them: byte ranges where the host has them, whole files where it does
 * not and they are small.
 */

import { readBounded } from "../core/bytes/reader.ts";
import { FormatError, StaleGenerationError } from "../core/errors.ts";
import { POINTER_FILE, type PointerObject, type RangeSource } from "../core/index/range-source.ts";
import { HostError } from "./host-error.ts";

/** A file that cannot be read in parts is loaded whole, once, up to this size: it is more than a page should wait for. */
const MAX_WHOLE_FILE_BYTES = 2 * 1024 * 1024;
/** Pointers embed the root, which a corpus of a million sections keeps far below this. */
const MAX_POINTER_BYTES = 16 * 1024 * 1024;
/** Enough to tell a page by: `<!doctype html>`. */
const BEGINNING_BYTES = 15;

const NOT_FOUND = 404;
const GONE = 410;
const NOT_MODIFIED = 304;
const PARTIAL = 206;
const RANGE_REFUSED = 416;

/** Parts of so many bytes are worth keeping for the next page of a site: where texts lie, long postings. */
const LEAST_KEPT_BYTES = 4096;

/** Past the caches on the way. */
const RELOAD: RequestInit = { cache: "reload" };

/** A part of a file that is on its way. */
interface Underway {
  readonly file: string;
  readonly offset: number;
  readonly end: number;
  readonly isKept: boolean;
  readonly bytes: Promise<Uint8Array>;
}

/** How a request is sent, as `fetch` does. */
export type SendRequest = (url: string, init: RequestInit) => Promise<Response>;

/** A range source over a web host. */
export interface FetchSource extends RangeSource {
  /**
   * The same source for a question that may be typed over: when the signal, where there is one, ends no further read is begun. Those on their
   * way come in: nearly all of their bytes do in any case, they are what the next question asks for as well, and in HTTP/1
   * to end one is to end its connection.
   */
  withSignal(signal: AbortSignal | undefined): RangeSource;
  /** Why what was read is not what the index says, as the beginnings of its files show; undefined where they do not. */
  explainDamage(): Promise<HostError | undefined>;
}

/**
 * A range source over a folder of index files.
 *
 * Besides what every range source throws: `HostError` where the host does not answer as a host of files does.
 *
 * @param baseUrl Address of the folder, with or without `/` at the end.
 * @param send How to send a request; `fetch` unless a test says otherwise.
 */
export function createFetchSource(baseUrl: string, send: SendRequest = (url, init) => fetch(url, init)): FetchSource {
  const folder = baseUrl.endsWith("/") ? baseUrl : `${baseUrl}/`;
  const filesRead = new Set<string>();
  // Kept as promises: six ranges of one file are asked for at once, and the file is to be loaded once.
  const wholeFiles = new Map<string, Promise<Uint8Array>>();
  // Once past the caches is as fresh as a file gets.
  const reloaded = new Set<string>();

  const request = async (file: string, init: RequestInit): Promise<Response> => {
    try {
      return await send(`${folder}${file}`, init);
    } catch (cause) {
      if (cause instanceof HostError) throw cause;
      const message = `${folder}${file} cannot be read: the host does not answer, or lets no other site read it (Access-Control-Allow-Origin)`;
      throw new HostError("unreachable", message, { cause });
    }
  };

  const readWhole = (file: string, isFresh = false): Promise<Uint8Array> => {
    const isReloaded = isFresh && !reloaded.has(file);
    if (isReloaded) reloaded.add(file);
    const known = isReloaded ? undefined : wholeFiles.get(file);
    if (known !== undefined) return known;
    // Without the signal of whoever asks first: others will want the file, too.
    const loading = request(file, isFresh ? RELOAD : {}).then(async (response) => {
      expectOk(response, folder, file);
      const bytes = await readBody(response, MAX_WHOLE_FILE_BYTES, folder, file);
      if (bytes !== undefined) return expectNoPage(bytes, folder, file);
      const message = `${folder}${file} is larger than ${MAX_WHOLE_FILE_BYTES} bytes, and the host sends whole files only: it needs byte ranges`;
      throw new HostError("no-ranges", message);
    });
    wholeFiles.set(file, loading);
    loading.catch(() => wholeFiles.delete(file));
    return loading;
  };

  const underway = new Set<Underway>();

  const readPartOf = async (
    file: string,
    offset: number,
    length: number,
    cache: NonNullable<RequestInit["cache"]>,
  ): Promise<Uint8Array> => {
    const headers = { range: `bytes=${offset}-${offset + length - 1}` };
    const response = await request(file, { headers, cache }).catch(async (error: unknown) => {
      // Some browsers give no answer at all where they cannot unpack its first bytes; then the whole file has one.
      const whole =
        error instanceof HostError
          ? await send(`${folder}${file}`, { method: "HEAD" }).catch(() => undefined)
          : undefined;
      throw whole?.ok === true ? cutShort(folder, file, error) : error;
    });
    if (response.status === RANGE_REFUSED) throw new FormatError(file, { code: "truncated", need: length, have: 0 });
    expectOk(response, folder, file);
    if (response.status !== PARTIAL) {
      await response.body?.cancel();
      return cut(await readWhole(file, cache === "reload"), file, offset, length);
    }
    return cut(await readPart(response, length, folder, file), file, 0, length);
  };

  const read = async (file: string, offset: number, length: number, isFresh = false): Promise<Uint8Array> => {
    if (length === 0) return new Uint8Array(0);
    filesRead.add(file);
    if (wholeFiles.has(file)) return cut(await readWhole(file, isFresh), file, offset, length);
    const end = offset + length;
    const ofFile = [...underway].filter((one) => one.file === file);
    const same = ofFile.find((one) => one.offset <= offset && end <= one.end);
    if (same !== undefined && !isFresh) {
      return (await same.bytes).subarray(offset - same.offset, end - same.offset);
    }
    // A browser that keeps parts of a file asks for them one after the other, a round trip each: one at a time is kept.
    const isKept = length >= LEAST_KEPT_BYTES && !ofFile.some((one) => one.isKept);
    const bytes = readPartOf(file, offset, length, isFresh ? "reload" : isKept ? "default" : "no-store");
    const one: Underway = { file, offset, end, isKept, bytes };
    underway.add(one);
    return bytes.finally(() => underway.delete(one));
  };

  const reads = (signal?: AbortSignal): Required<RangeSource> => {
    const from =
      (isFresh: boolean): RangeSource["readRange"] =>
      async (file, offset, length) => {
        signal?.throwIfAborted();
        return read(file, offset, length, isFresh);
      };
    return { readRange: from(false), readFresh: from(true), readPointer };
  };

  return {
    ...reads(),
    withSignal: reads,
    async explainDamage() {
      for (const file of filesRead) {
        const beginning = await read(file, 0, BEGINNING_BYTES).catch((error: unknown) => error);
        if (beginning instanceof HostError) return beginning;
        if (beginning instanceof Uint8Array && looksLikePage(beginning)) return pageInsteadOf(folder, file);
      }
      return undefined;
    },
  };

  async function readPointer(knownEtag?: string): Promise<PointerObject | "unchanged" | undefined> {
    const headers: Record<string, string> = knownEtag === undefined ? {} : { "if-none-match": knownEtag };
    const response = await request(POINTER_FILE, { headers, cache: "no-cache" });
    if (response.status === NOT_MODIFIED) return "unchanged";
    if (response.status === NOT_FOUND || response.status === GONE) return undefined;
    expectOk(response, folder, POINTER_FILE);
    const etag = response.headers.get("etag") ?? "";
    if (etag !== "" && etag === knownEtag) return "unchanged";
    const stored = Date.parse(response.headers.get("last-modified") ?? "");
    const bytes = await readBody(response, MAX_POINTER_BYTES, folder, POINTER_FILE);
    if (bytes === undefined) throw new HostError("not-an-index", `${folder}${POINTER_FILE} is too large`);
    expectNoPage(bytes, folder, POINTER_FILE);
    return { bytes, etag, ...(Number.isNaN(stored) ? {} : { modifiedAt: new Date(stored).toISOString() }) };
  }
}

function expectOk(response: Response, folder: string, file: string): void {
  if (response.ok) return;
  if (response.status === NOT_FOUND || response.status === GONE) throw new StaleGenerationError(file);
  throw new HostError("refused", `${folder}${file}: the host answered ${response.status}`);
}

/** The body of a whole file, or undefined where it is larger than `maxBytes`. */
async function readBody(
  response: Response,
  maxBytes: number,
  folder: string,
  file: string,
): Promise<Uint8Array | undefined> {
  if (!isEncoded(response) && Number(response.headers.get("content-length") ?? 0) > maxBytes) {
    await response.body?.cancel();
    return undefined;
  }
  if (response.body === null) return new Uint8Array(0);
  return readBounded(response.body.getReader(), maxBytes).catch((cause: unknown) => {
    throw cause instanceof HostError ? cause : cutShort(folder, file, cause);
  });
}

/** The body of a part. A part of compressed bytes is what a host sends that compresses files while it sends them. */
async function readPart(response: Response, length: number, folder: string, file: string): Promise<Uint8Array> {
  try {
    const body = new Uint8Array(await response.arrayBuffer());
    if (body.length !== length && isEncoded(response)) throw new Error("another length than was asked for");
    return body;
  } catch (cause) {
    throw cause instanceof HostError ? cause : cutShort(folder, file, cause);
  }
}

function cutShort(folder: string, file: string, cause: unknown): HostError {
  const message = `${folder}${file} cannot be read to its end: the connection was cut, or the host compresses it (Content-Encoding), which breaks byte ranges; serve it uncompressed`;
  return new HostError("encoded", message, { cause });
}

function isEncoded(response: Response): boolean {
  return (response.headers.get("content-encoding") ?? "identity") !== "identity";
}

function cut(bytes: Uint8Array, file: string, offset: number, length: number): Uint8Array {
  const part = bytes.subarray(offset, offset + length);
  if (part.length < length) throw new FormatError(file, { code: "truncated", need: length, have: part.length });
  return part;
}

function expectNoPage(bytes: Uint8Array, folder: string, file: string): Uint8Array {
  if (looksLikePage(bytes)) throw pageInsteadOf(folder, file);
  return bytes;
}

function looksLikePage(bytes: Uint8Array): boolean {
  return /^\ufeff?\s*<(?:!doctype|!--|html|head|body)/i.test(
    new TextDecoder().decode(bytes.subarray(0, BEGINNING_BYTES)),
  );
}

function pageInsteadOf(folder: string, file: string): HostError {
  const message = `${folder}${file} is a web page: the host answers missing files with a page; upload it, or except this folder from that fallback`;
  return new HostError("page-instead-of-file", message);
}
