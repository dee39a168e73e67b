/**
 * From requests to the object that counts: questions of an isolate are collected for a few seconds and sent together,
 * after their answers.
 *
 * Only values are kept across requests, never promises. The request that finds nobody waiting waits for all that come
 * meanwhile, in the time that the platform gives it behind its answer.
 */
import type { InsightEntry } from "./insight-report.ts";
import { normalizeQuery } from "./normalize-query.ts";

/** Name of the object that counts for a corpus; `""` is the one at the root. */
export function insightsObject(corpus: string): string {
  return corpus === "" ? "insights" : `insights/${corpus}`;
}

/** How long questions are collected. Behind its answer a request has 30 s. */
const COLLECT_MS = 2000;
/** Who waits this much longer was ended by the platform: the next one waits anew. */
const GONE_MS = 10 * COLLECT_MS;
/** An isolate that gets more in that time loses the rest: counts are for finding gaps, not for billing. */
const MAX_WAITING = 200;

/** What a request gives to the writer. */
export interface InsightRequest {
  readonly headers: Headers;
  /** What tells this caller apart from others, as a key or an address. */
  readonly caller: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Keeps the request alive behind its answer. */
  readonly waitUntil: (work: Promise<void>) => void;
}

/** Where questions go. */
export interface InsightSink {
  readonly count: (entries: readonly InsightEntry[]) => Promise<void>;
  /** Takes why they could not be counted. */
  readonly report: (error: unknown) => void;
}

/** Collects questions of one isolate. */
export class InsightWriter {
  readonly #collectMs: number;
  #waiting: InsightEntry[] = [];
  #waitsSince = Number.NEGATIVE_INFINITY;

  constructor(collectMs = COLLECT_MS) {
    this.#collectMs = collectMs;
  }

  /** Takes a question that found nothing good. Who asked not to be tracked is not, and what may be private is dropped. */
  add(query: string, kind: string, { headers, caller, now, waitUntil }: InsightRequest, sink: InsightSink): void {
    if (headers.get("DNT") === "1" || headers.get("Sec-GPC") === "1") return;
    const normalized = normalizeQuery(query);
    if (normalized === undefined || this.#waiting.length >= MAX_WAITING) return;
    this.#waiting.push({ query: normalized, kind, caller });
    if (now - this.#waitsSince < GONE_MS) return;
    this.#waitsSince = now;
    waitUntil(this.#send(sink));
  }

  async #send({ count, report }: InsightSink): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.#collectMs));
    const entries = this.#waiting;
    this.#waiting = [];
    this.#waitsSince = Number.NEGATIVE_INFINITY;
    try {
      await count(entries);
    } catch (error) {
      report(error);
    }
  }
}
