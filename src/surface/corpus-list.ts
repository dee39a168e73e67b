/**
 * Corpora of a bucket: prefixes out of one listing that an isolate keeps, whose pointer was seen.
 *
 * A known name costs no listing. For an unknown one the bucket is listed again, at most every few seconds, whoever asks and for whatever
 * names. Values are cached across requests, never promises. A renewal is noted before its request is sent, so that other callers use the old
 * value meanwhile. Without an old value each caller asks for itself.
 */

import { POINTER_FILE } from "../core/index/range-source.ts";
import { isWithin } from "../core/is-within.ts";
import { compareCorpora, MAX_CORPORA } from "../core/text/names.ts";

/** How old a listing and a look may be. */
export const LISTING_TTL_MS = 60_000;
/** How soon the bucket is asked again for a name that was not there: a corpus that is published is found after this. */
export const RELIST_MS = 10_000;
/** A listing that failed is tried again after this where there is none from before. */
const RETRY_MS = 1000;
/** Pages of a listing, of 1,000 names each; the root's own files are among them. */
export const MAX_PAGES = 20;

/** The part of a bucket that is used. */
export interface ListedBucket {
  list(options: { readonly delimiter: string; readonly cursor?: string }): Promise<{
    readonly delimitedPrefixes: readonly string[];
    readonly truncated: boolean;
    /** Where it is truncated. */
    readonly cursor?: string;
  }>;
  head(name: string): Promise<{ readonly uploaded: Date } | null>;
}

export interface PublishedCorpus {
  /** `""` for the corpus at the root. */
  readonly name: string;
  /** When its pointer was stored, ISO 8601. */
  readonly publishedAt: string;
}

interface CorpusListOptions {
  readonly bucket: () => ListedBucket;
  /** Whether a corpus may have this name. */
  readonly isName: (name: string) => boolean;
}

/** Takes what went wrong while something older stands in, and that a listing is not whole. */
type Report = (error: unknown) => void;

/** The corpora of a deployment. One for the lifetime of an isolate. Times are milliseconds since 1970. */
export class CorpusList {
  readonly #options: CorpusListOptions;
  /** By name: when its pointer was looked at, and when that was stored, ISO 8601; undefined where there was none. */
  readonly #looks = new Map<string, { readonly atMs: number; readonly publishedAt: string | undefined }>();
  /** Prefixes that are names, in order; undefined before the first listing. */
  #names: readonly string[] | undefined;
  #listedAtMs = Number.NEGATIVE_INFINITY;
  #triedAtMs = Number.NEGATIVE_INFINITY;
  /** Why the bucket could not be listed, where it never was. */
  #failure: { readonly atMs: number; readonly error: unknown } | undefined;

  constructor(options: CorpusListOptions) {
    this.#options = options;
  }

  /**
   * Whether a corpus of this name is there.
   *
   * @param waitUntil Takes the look at one that was seen before, which nobody has to wait for.
   * @throws where that cannot be found out and never was.
   */
  async has(name: string, now: number, report: Report, waitUntil?: (work: Promise<void>) => void): Promise<boolean> {
    if (waitUntil !== undefined && this.isSeen(name)) {
      if (this.#isOld(name, now, RELIST_MS)) waitUntil(this.#look(name, now, report));
      return true;
    }
    if (!this.#isListed(name)) await this.#list(now, RELIST_MS, report);
    if (!this.#isListed(name)) return false;
    if (this.#isOld(name, now, RELIST_MS)) await this.#look(name, now, report);
    return this.isSeen(name);
  }

  /** Names of all prefixes, in order, a minute old at most. @throws where the bucket cannot be listed and never was. */
  async names(now: number, report: Report): Promise<readonly string[]> {
    await this.#list(now, LISTING_TTL_MS, report);
    return this.#names ?? [];
  }

  /** Names of corpora that are known without a look at anything, in order. */
  get known(): readonly string[] {
    return this.listed.filter((name) => this.isSeen(name));
  }

  /** Names that may be corpora, without a look at anything: nobody is told of one before its pointer was seen. */
  get listed(): readonly string[] {
    return (this.#names ?? []).filter((name) => !this.isAbsent(name));
  }

  /** Of these names those that are corpora. A look is sent for those alone that nobody has looked at. */
  async pick(names: readonly string[], now: number, report: Report): Promise<readonly string[]> {
    await this.#lookAtOld(names, (name) => !this.#looks.has(name), now, report);
    return names.filter((name) => this.isSeen(name));
  }

  /** Of these names the corpora: pointers are looked at, each once a minute at most. @throws where one never could be. */
  async published(names: readonly string[], now: number, report: Report): Promise<readonly PublishedCorpus[]> {
    await this.#lookAtOld(names, (name) => this.#isOld(name, now, LISTING_TTL_MS), now, report);
    return names.flatMap((name) => {
      const publishedAt = this.#looks.get(name)?.publishedAt;
      return publishedAt === undefined ? [] : [{ name, publishedAt }];
    });
  }

  /** Notes that the pointer of a corpus was read. @param publishedAt When it was stored; absent where it is as it was. */
  noteSeen(name: string, now: number, publishedAt = this.#looks.get(name)?.publishedAt): void {
    if (publishedAt !== undefined) this.#looks.set(name, { atMs: now, publishedAt });
  }

  /** Notes that a corpus has no pointer: it is none until a later look finds one. */
  noteAbsent(name: string, now: number): void {
    this.#looks.set(name, { atMs: now, publishedAt: undefined });
  }

  /** Whether the last look at a corpus' pointer found one. */
  isSeen(name: string): boolean {
    return this.#looks.get(name)?.publishedAt !== undefined;
  }

  /** Whether the last look at it found none. */
  isAbsent(name: string): boolean {
    return this.#looks.has(name) && !this.isSeen(name);
  }

  #isListed(name: string): boolean {
    return this.#names?.includes(name) === true;
  }

  /** Lists, where the last listing is older than allowed and nobody tried since. */
  async #list(now: number, ttlMs: number, report: Report): Promise<void> {
    if (isWithin(now, this.#listedAtMs, ttlMs)) return;
    const isKnown = this.#names !== undefined;
    const failure = isKnown ? undefined : this.#failure;
    if (failure !== undefined && isWithin(now, failure.atMs, RETRY_MS)) throw failure.error;
    if (isKnown && isWithin(now, this.#triedAtMs, RELIST_MS)) return;
    this.#triedAtMs = now;
    try {
      const { names, isCut } = await listNames(this.#options);
      this.#names = names;
      this.#listedAtMs = now;
      for (const known of this.#looks.keys()) {
        if (known !== "" && !this.#isListed(known)) this.#looks.delete(known);
      }
      if (isCut) report(new Error(CUT));
    } catch (error) {
      if (isKnown) {
        report(error);
        return;
      }
      this.#failure = { atMs: now, error };
      throw error;
    }
  }

  /** @throws where one cannot be read and never was. */
  async #lookAtOld(
    names: readonly string[],
    isOld: (name: string) => boolean,
    now: number,
    report: Report,
  ): Promise<void> {
    const queue = names.values();
    let failure: { readonly error: unknown } | undefined;
    const work = async (): Promise<void> => {
      for (const name of queue) {
        if (!isOld(name)) continue;
        try {
          await this.#look(name, now, report);
        } catch (error) {
          failure ??= { error };
        }
        if (failure !== undefined) return;
      }
    };
    await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, work));
    if (failure !== undefined) throw failure.error;
  }

  /** @param absentMs How old a look may be that found no pointer. */
  #isOld(name: string, now: number, absentMs: number): boolean {
    const look = this.#looks.get(name);
    if (look === undefined) return true;
    return !isWithin(now, look.atMs, look.publishedAt === undefined ? absentMs : LISTING_TTL_MS);
  }

  async #look(name: string, now: number, report: Report): Promise<void> {
    const known = this.#looks.get(name);
    if (known !== undefined) this.#looks.set(name, { ...known, atMs: now });
    try {
      const found = await this.#options.bucket().head(`${prefixOf(name)}${POINTER_FILE}`);
      this.#looks.set(name, { atMs: now, publishedAt: found?.uploaded.toISOString() });
    } catch (error) {
      if (known === undefined) throw error;
      report(error);
    }
  }
}

const CUT = `the bucket has more than ${MAX_CORPORA} prefixes that may be corpora, or more than ${MAX_PAGES},000 objects at its root: those behind them are not found`;

/** Names in order, and whether there may be more. */
async function listNames({ bucket, isName }: CorpusListOptions) {
  const names: string[] = [];
  let cursor: string | undefined;
  let isCut = true;
  for (let page = 0; page < MAX_PAGES && names.length <= MAX_CORPORA; page++) {
    const listed = await bucket().list({ delimiter: "/", ...(cursor !== undefined && { cursor }) });
    names.push(...listed.delimitedPrefixes.map((prefix) => prefix.slice(0, -1)).filter(isName));
    cursor = listed.cursor;
    isCut = listed.truncated;
    if (!isCut) break;
  }
  isCut ||= names.length > MAX_CORPORA;
  return { names: names.slice(0, MAX_CORPORA).sort(compareCorpora), isCut };
}

/** Pointers that are looked at together: as many as the platform has under way for one request. */
const LOOKS_AT_ONCE = 6;

/** What the names of a corpus' objects begin with. */
export function prefixOf(corpus: string): string {
  return corpus === "" ? "" : `${corpus}/`;
}
