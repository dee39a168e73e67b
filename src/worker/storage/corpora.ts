/**
 * All corpora of a deployment in one isolate: generations of each, one cache for the decoded values of all, and a bound on
 * what is open at once.
 *
 * The corpus at the root stays open, as where it is the only one; of those with a name the ones used last do. Closing one
 * forgets nothing but its root: requests that read it go on, and who asks next reads its pointer again.
 */
import type { InflateRaw } from "../../core/bytes/capabilities.ts";
import type { RangeSource } from "../../core/index/range-source.ts";
import type { ValueCache } from "../../core/index/value-cache.ts";
import { type CorpusList, prefixOf } from "../../surface/corpus-list.ts";
import { Generations, MAX_OPEN_BYTES } from "./generations.ts";

interface CorporaOptions {
  /** Where the files of a corpus are read, by what their names begin with. */
  readonly sourceOf: (prefix: string) => RangeSource;
  readonly inflate: InflateRaw;
  readonly cache: ValueCache;
  readonly list: CorpusList;
  readonly maxOpenBytes?: number;
}

/** The corpora of a deployment. One for the lifetime of an isolate. */
export class Corpora {
  readonly list: CorpusList;
  readonly #options: CorporaOptions;
  readonly #root: Generations;
  /** With a name; the one used last stands last. */
  readonly #open = new Map<string, Generations>();

  constructor(options: CorporaOptions) {
    this.#options = options;
    this.list = options.list;
    this.#root = new Generations({ ...options, source: options.sourceOf("") });
  }

  /** Generations of a corpus that is there; `""` is the one at the root. Reads nothing. */
  open(name: string): Generations {
    if (name === "") return this.#root;
    const known = this.#open.get(name) ?? this.#make(name);
    this.#open.delete(name);
    this.#open.set(name, known);
    this.#makeRoom();
    return known;
  }

  /** Id of the generation of a corpus that is in memory, without a look at anything; undefined where there is none. */
  inMemory(name: string): string | undefined {
    return (name === "" ? this.#root : this.#open.get(name))?.inMemory;
  }

  /** Corpora with a name that are open now. */
  get openCount(): number {
    return this.#open.size;
  }

  /** About what all open generations take, in bytes. */
  get openBytes(): number {
    return this.#root.openBytes + this.#namedBytes();
  }

  #make(name: string): Generations {
    const { sourceOf, inflate, cache, list } = this.#options;
    const prefix = prefixOf(name);
    return new Generations({
      source: sourceOf(prefix),
      inflate,
      // Values are named by hashes, those made of a generation by half of one: corpora share the memory and nothing in it.
      cache: {
        get: (key) => cache.get(prefix + key),
        set: (key, value, bytes) => cache.set(prefix + key, value, bytes),
      },
      onOpened: () => this.#makeRoom(),
      onSeen: (now, publishedAt) => list.noteSeen(name, now, publishedAt),
      onAbsent: (now) => {
        this.#open.delete(name);
        list.noteAbsent(name, now);
      },
    });
  }

  #namedBytes(): number {
    let bytes = 0;
    for (const { openBytes } of this.#open.values()) bytes += openBytes;
    return bytes;
  }

  /** Closes what was used longest ago. The last one stays, whatever it takes: somebody is asking it. */
  #makeRoom(): void {
    const { maxOpenBytes = MAX_OPEN_BYTES } = this.#options;
    for (const name of this.#open.keys()) {
      if (this.#open.size <= 1 || this.#namedBytes() <= maxOpenBytes) return;
      this.#open.delete(name);
    }
  }
}
