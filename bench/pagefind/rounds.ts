/**
 * Rounds of requests: all that are sent before the first of them is answered are one.
 *
 * Answers are held back until nothing more is sent, so that no fast answer makes one round look like two. Bodies are
 * counted as they lie on the server, JSON as gzip, for that is how hosts send it.
 */
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";

/** Nothing more is sent when nothing was for so long. */
const QUIET_MS = 4;

/** A request, with the round that it was sent in, from 1 on. */
export interface SentRequest {
  readonly path: string;
  readonly wave: number;
  /** Bytes of the answer's body. */
  bytes: number;
}

/** A `fetch` that sends requests in rounds and remembers them. */
export class RoundCounter {
  readonly #send: typeof fetch;
  readonly #base: string;
  #waiting: {
    request: SentRequest;
    url: URL;
    resolve: (answer: Response) => void;
    reject: (reason: unknown) => void;
  }[] = [];
  #wave = 0;
  /** What was sent since the start or the last reset, in order. */
  requests: SentRequest[] = [];

  /** @param base What addresses without a host are relative to. */
  constructor(send: typeof fetch, base: string) {
    this.#send = send;
    this.#base = base;
  }

  /** Forget what was sent. */
  reset(): void {
    this.#wave = 0;
    this.requests = [];
  }

  /** The answer, with its body at hand; it comes together with all others of its round. */
  fetch(input: string): Promise<Response> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) {
        this.#wave++;
        void this.#answerWhenQuiet();
      }
      const url = new URL(input, this.#base);
      const request: SentRequest = { path: url.pathname, wave: this.#wave, bytes: 0 };
      this.requests.push(request);
      this.#waiting.push({ request, url, resolve, reject });
    });
  }

  /** Once no request was added for a while, gets all answers, and only then hands them out. */
  async #answerWhenQuiet(): Promise<void> {
    for (let seen = -1; seen < this.#waiting.length; ) {
      seen = this.#waiting.length;
      await setTimeout(QUIET_MS);
    }
    const round = this.#waiting.splice(0);
    const answers = await Promise.allSettled(round.map(({ url, request }) => this.#get(url, request)));
    for (const [at, answer] of answers.entries()) {
      if (answer.status === "fulfilled") round[at]?.resolve(answer.value);
      else round[at]?.reject(answer.reason);
    }
  }

  async #get(url: URL, request: SentRequest): Promise<Response> {
    const response = await this.#send(url);
    const body = new Uint8Array(await response.arrayBuffer());
    request.bytes = url.pathname.endsWith(".json") ? gzipSync(body).length : body.length;
    return new Response(body, { status: response.status });
  }
}
