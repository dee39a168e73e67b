/**
 * The Durable Object that keeps query insights, one for each corpus of a deployment.
 */
import { DurableObject } from "cloudflare:workers";
import type { InsightEntry, InsightReport } from "../../surface/insight-report.ts";
import { countQuestions, forgetOld, nextDay, openStore, readInsights } from "./insight-store.ts";

/** Counts questions, and forgets them. */
export class QueryInsights extends DurableObject {
  readonly #storage: DurableObjectStorage;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#storage = state.storage;
    openStore(state.storage.sql);
  }

  /** Counts questions, normalised before. */
  async count(entries: readonly InsightEntry[]): Promise<void> {
    const now = Date.now();
    await countQuestions(this.#storage.sql, entries, now);
    if ((await this.#storage.getAlarm()) === null) await this.#storage.setAlarm(nextDay(now));
  }

  /** What enough callers had. */
  read(): InsightReport {
    return readInsights(this.#storage.sql, Date.now());
  }

  /** Answers, when it works. */
  ping(): "ok" {
    return "ok";
  }

  /** Once a day, for as long as there is something to forget. */
  override async alarm(): Promise<void> {
    const now = Date.now();
    if (forgetOld(this.#storage.sql, now)) await this.#storage.setAlarm(nextDay(now));
  }
}
