/**
 * Which corpora there are: the prefixes of the bucket, out of one listing that an isolate keeps.
 *
 * A name that is known costs nothing. For one that is not the bucket is listed anew, but no more often than every few
 * seconds, whoever asks and for whatever names. Only values are kept, never promises: requests that come before the first
 * listing is there may each list.
 */
import { compareCorpora, MAX_CORPORA } from "../core/corpus-order.ts";
import { POINTER_FILE } from "../core/index/range-source.ts";

/** How old a listing may be where all names are wanted. */
export const LISTING_TTL_MS = 60_000;
/** How soon the bucket is listed again for a name that was not there: a corpus that is published is found after this. */
export const RELIST_MS = 10_000;
/** A listing that failed is tried again after this where there is none from before. */
const RETRY_MS = 1000;
/** Pages of a listing, of 1,000 names each; the root's own files are among them. */
const MAX_PAGES = 20;
/** Pointers that are looked at together: as many as the platform has under way for one request. */
const LOOKS_AT_ONCE = 6;

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

/** A corpus that has an index. */
export interface PublishedCorpus {
  /** `""` for the corpus at the root. */
  readonly name: string;
  /** When its pointer was stored, ISO 8601. */
  readonly publishedAt: string;
}

/** What a list is made of. */
export interface CorpusListOptions {
  readonly bucket: () => ListedBucket;
  /** Whether a corpus may have this name. */
  readonly isName: (name: string) => boolean;
}

/** Takes what went wrong while an older listing stands in. */
type Report = (error: unknown) => void;

/** The corpora of a deployment. One for the lifetime of an isolate. Times are milliseconds since 1970. */
export class CorpusList {
  readonly #options: CorpusListOptions;
  /** In order; undefined before the first listing. */
  #names: readonly string[] | undefined;
  #listedAtMs = Number.NEGATIVE_INFINITY;
  #triedAtMs = Number.NEGATIVE_INFINITY;
  /** Why the bucket could not be listed, where it never was. */
  #failure: { readonly atMs: number; readonly error: unknown } | undefined;
  /** Prefixes in which there was no pointer: of a corpus that was removed, of a first publish under way, of others. */
  readonly #absent = new Set<string>();
  /** Of each corpus whose pointer was looked at: when, and when it was stored. */
  readonly #looks = new Map<string, { readonly atMs: number; readonly publishedAt: string | undefined }>();

  constructor(options: CorpusListOptions) {
    this.#options = options;
  }

  /** Whether a corpus of this name is there. @throws where the bucket cannot be listed and never was. */
  async has(name: string, now: number, report: Report): Promise<boolean> {
    if (this.#isKnown(name)) return true;
    await this.#list(now, RELIST_MS, report);
    return this.#isKnown(name);
  }

  /** All names, in order, as they were a minute ago at the latest. @throws where the bucket cannot be listed and never was. */
  async names(now: number, report: Report): Promise<readonly string[]> {
    await this.#list(now, LISTING_TTL_MS, report);
    return this.known;
  }

  /** Names that are known without a look at anything. */
  get known(): readonly string[] {
    return (this.#names ?? []).filter((name) => !this.#absent.has(name));
  }

  /** Of these corpora those that have an index: their pointers are looked at, each once a minute at most. */
  async published(names: readonly string[], now: number): Promise<readonly PublishedCorpus[]> {
    const old = names.filter(
      (name) => now - (this.#looks.get(name)?.atMs ?? Number.NEGATIVE_INFINITY) >= LISTING_TTL_MS,
    );
    for (let at = 0; at < old.length; at += LOOKS_AT_ONCE) {
      await Promise.all(
        old.slice(at, at + LOOKS_AT_ONCE).map(async (name) => {
          const found = await this.#options.bucket().head(`${prefixOf(name)}${POINTER_FILE}`);
          this.#looks.set(name, { atMs: now, publishedAt: found?.uploaded.toISOString() });
        }),
      );
    }
    return names.flatMap((name) => {
      const publishedAt = this.#looks.get(name)?.publishedAt;
      return publishedAt === undefined ? [] : [{ name, publishedAt }];
    });
  }

  /** Notes that a corpus has no pointer, so that it is none until the bucket is listed again. */
  noteAbsent(name: string): void {
    this.#absent.add(name);
    this.#looks.delete(name);
  }

  /** Whether a corpus was found to have no pointer since the bucket was listed. */
  isAbsent(name: string): boolean {
    return this.#absent.has(name);
  }

  #isKnown(name: string): boolean {
    return this.#names?.includes(name) === true && !this.#absent.has(name);
  }

  /** Lists, where the last listing is older than allowed and nobody tried since. */
  async #list(now: number, ttlMs: number, report: Report): Promise<void> {
    if (now - this.#listedAtMs < ttlMs) return;
    const isKnown = this.#names !== undefined;
    // Whoever comes while the bucket is listed has the names from before, where there are some.
    if (isKnown && now - this.#triedAtMs < RELIST_MS) return;
    const failure = isKnown ? undefined : this.#failure;
    if (failure !== undefined && now - failure.atMs < RETRY_MS) throw failure.error;
    this.#triedAtMs = now;
    try {
      this.#names = await listNames(this.#options);
      this.#listedAtMs = now;
      this.#absent.clear();
      for (const name of this.#looks.keys()) if (name !== "" && !this.#isKnown(name)) this.#looks.delete(name);
    } catch (error) {
      if (isKnown) {
        report(error);
        return;
      }
      this.#failure = { atMs: now, error };
      throw error;
    }
  }
}

/** What the names of a corpus' objects begin with. */
export function prefixOf(corpus: string): string {
  return corpus === "" ? "" : `${corpus}/`;
}

async function listNames({ bucket, isName }: CorpusListOptions): Promise<readonly string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && names.length < MAX_CORPORA; page++) {
    const listed = await bucket().list({ delimiter: "/", ...(cursor !== undefined && { cursor }) });
    names.push(...listed.delimitedPrefixes.map((prefix) => prefix.slice(0, -1)).filter(isName));
    if (!listed.truncated) break;
    cursor = listed.cursor;
  }
  return names.slice(0, MAX_CORPORA).sort(compareCorpora);
}
