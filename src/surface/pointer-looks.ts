/**
 * What is known of the pointers of corpora: a name counts as a corpus only where its pointer was seen.
 *
 * Values are kept, never promises: those of one request are of no use to another. So what is being asked is noted before it
 * is sent, and who comes meanwhile has what was known before. Where nothing was, who needs one name asks for it itself, and
 * who needs many waits by a clock of its own for what others ask.
 */
import { POINTER_FILE } from "../core/index/range-source.ts";
import { isWithin } from "../core/is-within.ts";

/** Pointers that are looked at together: as many as the platform has under way for one request. */
const LOOKS_AT_ONCE = 6;
/** A look that did not renew what is known is not sent again sooner. */
const AGAIN_MS = 10_000;
/** What another request asks first is taken over after this: that request may have ended. */
export const TAKEN_OVER_MS = 2000;
/** Somebody who waits for what others ask looks for it as often, and so long. */
export const WAIT_STEP_MS = 20;
export const MAX_WAIT_MS = 5000;

/** What looks need of storage. */
export interface LookOptions {
  readonly bucket: () => { head(name: string): Promise<{ readonly uploaded: Date } | null> };
  /** Resolves after some milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>;
}

/** How old a look may be, in milliseconds: at a pointer that was there, and at one that was not. */
export interface LookAges {
  readonly seenMs: number;
  readonly absentMs: number;
}

/** Takes what went wrong while an older look stands in. */
type Report = (error: unknown) => void;

/** Looks at pointers. Times are milliseconds since 1970. */
export class PointerLooks {
  readonly #options: LookOptions;
  /** By name: when, and when the pointer was stored, ISO 8601; undefined where there was none. */
  readonly #looks = new Map<string, { readonly atMs: number; readonly publishedAt: string | undefined }>();
  /** By name: when it was asked for last. */
  readonly #asked = new Map<string, number>();

  constructor(options: LookOptions) {
    this.#options = options;
  }

  /** When the pointer was stored that was seen last, ISO 8601; undefined where none was. */
  publishedAt(name: string): string | undefined {
    return this.#looks.get(name)?.publishedAt;
  }

  /** Whether the last look found none. */
  isAbsent(name: string): boolean {
    return this.#looks.has(name) && this.publishedAt(name) === undefined;
  }

  /** Notes that a pointer was read. @param publishedAt When it was stored; absent where it is as it was. */
  noteSeen(name: string, now: number, publishedAt = this.publishedAt(name)): void {
    if (publishedAt !== undefined) this.#looks.set(name, { atMs: now, publishedAt });
  }

  /** Notes that there is none. */
  noteAbsent(name: string, now: number): void {
    this.#looks.set(name, { atMs: now, publishedAt: undefined });
  }

  /** Forgets names that are no more. */
  keep(isKept: (name: string) => boolean): void {
    for (const map of [this.#looks, this.#asked]) for (const name of map.keys()) if (!isKept(name)) map.delete(name);
  }

  /** Looks at one pointer, where that is due. @throws where it cannot be read and never was. */
  async renew(name: string, now: number, ages: LookAges, report: Report): Promise<void> {
    if (this.isDue(name, now, ages)) await this.#look(name, now, report);
  }

  /** Whether a look at one pointer is due, and nobody is at it whose look would do. */
  isDue(name: string, now: number, ages: LookAges): boolean {
    return this.#isOld(name, now, ages) && !(this.#looks.has(name) && this.#isBeingAsked(name, now));
  }

  /** Looks at all that are due, each once whoever asks meanwhile. @throws where one cannot be read and never was. */
  async renewAll(names: readonly string[], now: number, ages: LookAges, report: Report): Promise<void> {
    for (let waited = 0; ; waited += WAIT_STEP_MS) {
      await this.#lookAtFree(names, now + waited, ages, report);
      if (names.every((name) => this.#looks.has(name))) return;
      if (waited >= MAX_WAIT_MS) throw new Error("pointers that other requests asked for did not come");
      await this.#options.wait(WAIT_STEP_MS);
    }
  }

  /** The same, but for those that somebody else is asking for. */
  async #lookAtFree(names: readonly string[], now: number, ages: LookAges, report: Report): Promise<void> {
    const queue = names.values();
    let failure: { readonly error: unknown } | undefined;
    const work = async (): Promise<void> => {
      for (const name of queue) {
        if (!this.#isOld(name, now, ages) || this.#isBeingAsked(name, now)) continue;
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

  #isOld(name: string, now: number, { seenMs, absentMs }: LookAges): boolean {
    const look = this.#looks.get(name);
    if (look === undefined) return true;
    return !isWithin(now, look.atMs, look.publishedAt === undefined ? absentMs : seenMs);
  }

  #isBeingAsked(name: string, now: number): boolean {
    const askedAtMs = this.#asked.get(name) ?? Number.NEGATIVE_INFINITY;
    return isWithin(now, askedAtMs, this.#looks.has(name) ? AGAIN_MS : TAKEN_OVER_MS);
  }

  async #look(name: string, now: number, report: Report): Promise<void> {
    this.#asked.set(name, now);
    try {
      const found = await this.#options.bucket().head(`${prefixOf(name)}${POINTER_FILE}`);
      this.#looks.set(name, { atMs: now, publishedAt: found?.uploaded.toISOString() });
    } catch (error) {
      if (this.#looks.has(name)) {
        report(error);
        return;
      }
      // Nobody waits for what failed: the next one asks.
      this.#asked.delete(name);
      throw error;
    }
  }
}

/** What the names of a corpus' objects begin with. */
export function prefixOf(corpus: string): string {
  return corpus === "" ? "" : `${corpus}/`;
}
