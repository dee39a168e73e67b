/**
 * Query insights: counts of questions that found nothing good, in the SQLite database of a Durable Object for each corpus.
 *
 * ```
 * question(day, query, kind, count)        how often, a row for each day and kind
 * asker(day, query, hash)                  who, of the current day only; MAX_ASKERS at most for a question
 * day_crowd(query, day, callers)           how many had it on each day, a row for each
 * salt(day, bytes)                         of the current day only
 * ```
 *
 * Callers are told apart by HMAC-SHA-256 of what they are known by, with a salt that is made anew each day and never leaves
 * the object. So the same caller on two days looks like two, and callers of several days are never added up. When a day is over, its
 * hashes and its salt are deleted; what is left are counts, and each day's go with that day.
 */

import { DurableObject } from "cloudflare:workers";
import { formatHex } from "../../core/bytes/encodings.ts";
import {
  type Insight,
  type InsightEntry,
  type InsightReport,
  KEPT_DAYS,
  LEAST_CALLERS,
} from "../../surface/insights.ts";

/** Rows of questions, about 100 bytes each. Beyond it, what few had goes first. */
const MAX_ROWS = 20_000;
/** How many go at once, so that not every new question pays for it. */
const MAKE_ROOM = 2000;
/** Callers of a question that are told apart on one day: enough to order questions by. */
const MAX_ASKERS = 50;
const MAX_SHOWN = 500;
const SALT_BYTES = 32;
const DAY_MS = 86_400_000;

const TABLES = `
  CREATE TABLE IF NOT EXISTS question (
    day INTEGER NOT NULL, query TEXT NOT NULL, kind TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (query, kind, day)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS asker (
    day INTEGER NOT NULL, query TEXT NOT NULL, hash TEXT NOT NULL,
    PRIMARY KEY (day, query, hash)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS day_crowd (
    query TEXT NOT NULL, day INTEGER NOT NULL, callers INTEGER NOT NULL,
    PRIMARY KEY (query, day)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS salt (day INTEGER PRIMARY KEY NOT NULL, bytes BLOB NOT NULL);
`;

/** Count questions. @param now Milliseconds since 1970. */
export async function countQuestions(sql: SqlStorage, entries: readonly InsightEntry[], now: number): Promise<void> {
  const day = dayOf(now);
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", saltOf(sql, day), hmac, false, ["sign"]);
  const hashes = await Promise.all(entries.map(({ caller }) => hashCaller(key, caller)));
  // No await from here on: these are one transaction.
  for (const [at, { query, kind }] of entries.entries()) {
    sql.exec(
      `INSERT INTO question (day, query, kind, count) VALUES (?, ?, ?, 1)
       ON CONFLICT (query, kind, day) DO UPDATE SET count = count + 1`,
      day,
      query,
      kind,
    );
    const askers = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM asker WHERE day = ? AND query = ?", day, query);
    if (askers.one().n < MAX_ASKERS) {
      sql.exec("INSERT OR IGNORE INTO asker (day, query, hash) VALUES (?, ?, ?)", day, query, hashes[at] ?? "");
    }
    sql.exec(
      `INSERT OR REPLACE INTO day_crowd (query, day, callers)
       VALUES (?1, ?2, (SELECT COUNT(*) FROM asker WHERE day = ?2 AND query = ?1))`,
      query,
      day,
    );
  }
  makeRoom(sql);
}

/** What enough callers had, most callers first. */
export function readInsights(sql: SqlStorage, now: number): InsightReport {
  const first = dayOf(now) - KEPT_DAYS + 1;
  const rows = sql
    .exec<{ query: string; callers: number; day: number; kind: string; count: number }>(
      `SELECT c.query, c.callers, c.day, q.kind, SUM(q.count) AS count
       FROM (SELECT query, MAX(callers) AS callers, MAX(day) AS day FROM day_crowd WHERE day >= ?
             GROUP BY query HAVING MAX(callers) >= ? ORDER BY MAX(callers) DESC, query LIMIT ?) AS c
       JOIN question AS q ON q.query = c.query AND q.day >= ?
       GROUP BY c.query, q.kind ORDER BY c.callers DESC, c.query, q.kind`,
      first,
      LEAST_CALLERS,
      MAX_SHOWN,
      first,
    )
    .toArray();
  const queries = [...Map.groupBy(rows, ({ query }) => query)].map(([query, ofQuery]): Insight => {
    const { callers, day } = ofQuery[0] as (typeof rows)[number];
    const kinds = Object.fromEntries(ofQuery.map(({ kind, count }) => [kind, count]));
    return { query, count: ofQuery.reduce((sum, { count }) => sum + count, 0), callers, kinds, lastSeen: nameDay(day) };
  });
  return { since: nameDay(first), queries };
}

/** Delete what is too old, and everything that could tell callers of earlier days apart. True where something is left. */
export function forgetOld(sql: SqlStorage, now: number): boolean {
  const today = dayOf(now);
  sql.exec("DELETE FROM asker WHERE day < ?", today);
  sql.exec("DELETE FROM salt WHERE day < ?", today);
  sql.exec("DELETE FROM question WHERE day <= ?", today - KEPT_DAYS);
  sql.exec("DELETE FROM day_crowd WHERE day <= ?", today - KEPT_DAYS);
  return sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM day_crowd").one().n > 0;
}

/** When the day after `now` begins, in milliseconds since 1970. */
function nextDay(now: number): number {
  return (dayOf(now) + 1) * DAY_MS;
}

/** Where there are too many rows, deletes questions that the fewest had, the oldest of them first. */
function makeRoom(sql: SqlStorage): void {
  const { n } = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM question").one();
  if (n <= MAX_ROWS) return;
  // The table that says who leaves comes last.
  for (const table of ["question", "asker", "day_crowd"]) {
    sql.exec(
      `DELETE FROM ${table} WHERE query IN
         (SELECT query FROM day_crowd GROUP BY query ORDER BY MAX(callers), MAX(day), query LIMIT ?)`,
      MAKE_ROOM,
    );
  }
}

/** Days since 1970, in UTC. */
function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

function nameDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function saltOf(sql: SqlStorage, day: number): ArrayBuffer {
  sql.exec(
    "INSERT OR IGNORE INTO salt (day, bytes) VALUES (?, ?)",
    day,
    crypto.getRandomValues(new Uint8Array(SALT_BYTES)).buffer,
  );
  return sql.exec<{ bytes: ArrayBuffer }>("SELECT bytes FROM salt WHERE day = ?", day).one().bytes;
}

async function hashCaller(key: CryptoKey, caller: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(caller)));
  // Half of it tells fifty callers apart, and less is kept.
  return formatHex(bytes.subarray(0, 16));
}

/** Counts questions, and forgets them. */
export class QueryInsights extends DurableObject {
  readonly #storage: DurableObjectStorage;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#storage = state.storage;
    state.storage.sql.exec(TABLES);
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
