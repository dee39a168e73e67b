/**
 * A bucket that is slow, hangs or fails where a test wants it, with the same index for each corpus `cN` and at the root. It
 * stands for both ways to R2: the binding and the entrypoint that serves index files.
 */

/** What becomes of a read: its answer, nothing ever, an error, or what was made of its bytes. */
export type Fault = "none" | "hang" | "fail" | ((bytes: Uint8Array) => Uint8Array);

/** The part of R2's options that is used here. */
interface ReadOptions {
  readonly range?: { readonly offset: number; readonly length: number };
  readonly onlyIf?: { readonly etagDoesNotMatch: string };
}

const UPLOADED = new Date("2026-01-02T03:04:05Z");

/** The bucket. */
export class FaultyBucket {
  readonly #files: ReadonlyMap<string, Uint8Array>;
  readonly #corpora: number;
  /** What becomes of a read of an object, by its name without its corpus. */
  faultOf: (name: string) => Fault = () => "none";
  /** Names that were read, with those of faults. */
  readonly asked: string[] = [];
  /** Reads under way. */
  waiting = 0;

  constructor(files: ReadonlyMap<string, Uint8Array>, corpora = 0) {
    this.#files = files;
    this.#corpora = corpora;
  }

  /** The binding, as far as the Worker uses it. */
  get binding(): object {
    return {
      get: (name: string, options: ReadOptions = {}) => this.#ask(name, (bytes) => object(name, bytes, options)),
      head: (name: string) => this.#ask(name, (bytes) => object(name, bytes, {})),
      list: () =>
        this.#ask("", () => ({
          delimitedPrefixes: Array.from({ length: this.#corpora }, (_, at) => `c${at}/`),
          truncated: false,
        })),
    };
  }

  /** The entrypoint. */
  get server(): { fetch(request: Request): Promise<Response> } {
    return {
      fetch: async (request) => {
        const name = new URL(request.url).pathname.slice(1);
        const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get("Range") ?? "") ?? [];
        const found = await this.#ask(name, (bytes) => bytes.slice(Number(first), Number(last) + 1));
        return found === null ? new Response(null, { status: 404 }) : new Response(found, { status: 206 });
      },
    };
  }

  async #ask<T>(name: string, answer: (bytes: Uint8Array) => T): Promise<T | null> {
    const file = name.replace(/^c\d+\//, "");
    this.asked.push(file);
    const fault = this.faultOf(file);
    if (fault === "fail") throw new Error("get: Internal error. (10001)");
    this.waiting++;
    try {
      if (fault === "hang") await new Promise(() => undefined);
      const bytes = file === "" ? new Uint8Array() : this.#files.get(file);
      if (bytes === undefined) return null;
      return answer(typeof fault === "function" ? fault(bytes) : bytes);
    } finally {
      this.waiting--;
    }
  }
}

function object(name: string, bytes: Uint8Array, { range, onlyIf }: ReadOptions): object {
  const etag = `etag of ${name}`;
  const head = { key: name, etag, httpEtag: `"${etag}"`, size: bytes.length, uploaded: UPLOADED };
  if (onlyIf?.etagDoesNotMatch === etag) return head;
  const part = range === undefined ? bytes : bytes.slice(range.offset, range.offset + range.length);
  return { ...head, body: null, arrayBuffer: async () => part.slice().buffer };
}
