/**
 * The tables of a session, and the steps that made them. One database holds one session.
 *
 * | table | a row | columns |
 * |---|---|---|
 * | `schema` | the one of the database | `version`: steps that were done |
 * | `session` | the one session | `opened_at`, `used_at`: milliseconds since 1970; `opening`: what it was opened with, as JSON; `calls`, `tokens`: sums; `last_call`: hash of the last call, or `""`; `pin`: the generation it holds on to, as JSON, or `""` |
 * | `trail` | a call | `at`: milliseconds since 1970; `tool`; `about`: its query, or what it read |
 * | `shown` | a section that an answer showed | `node_id`; `level`: 1 line, 2 excerpt, 3 text, the most it was shown with; `call`: number of the call that did so last |
 * | `sent` | a block of an answer | `hash`; `call`: number of the call that sent it first |
 *
 * A step is never changed once it was published: sessions that were made by it may be open. Append one.
 */
import type { SqlDatabase } from "./sql-database.ts";

/** Statements of each step, in order. */
export const STEPS: readonly (readonly string[])[] = [
  [
    "CREATE TABLE session (id INTEGER PRIMARY KEY CHECK (id = 1), opened_at INTEGER NOT NULL, used_at INTEGER NOT NULL, opening TEXT NOT NULL, calls INTEGER NOT NULL, tokens INTEGER NOT NULL)",
    "CREATE TABLE trail (call INTEGER PRIMARY KEY, at INTEGER NOT NULL, tool TEXT NOT NULL, about TEXT NOT NULL)",
  ],
  [
    "ALTER TABLE session ADD COLUMN last_call TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE session ADD COLUMN pin TEXT NOT NULL DEFAULT ''",
    "CREATE TABLE shown (node_id TEXT PRIMARY KEY, level INTEGER NOT NULL, call INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE sent (hash TEXT PRIMARY KEY, call INTEGER NOT NULL) WITHOUT ROWID",
  ],
];

/** Whether any step was done: an object that nobody opened has no tables, and is given none by a question. */
export function hasTables(database: SqlDatabase): boolean {
  return database.run("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema'").length > 0;
}

/**
 * Does the steps that were not done yet, all or none of them.
 *
 * @throws {Error} when the tables are newer than this code: to write into them would damage them.
 */
export function updateTables(database: SqlDatabase, steps: readonly (readonly string[])[] = STEPS): void {
  const done = hasTables(database) ? Number(database.run("SELECT version FROM schema")[0]?.version ?? 0) : 0;
  if (done === steps.length) return;
  if (done > steps.length) throw new Error(`the session's tables are of version ${done}, newer than ${steps.length}`);
  database.transaction(() => {
    if (done === 0) {
      database.run("CREATE TABLE IF NOT EXISTS schema (version INTEGER NOT NULL)");
      database.run("INSERT INTO schema (version) VALUES (0)");
    }
    for (const statement of steps.slice(done).flat()) database.run(statement);
    database.run("UPDATE schema SET version = ?", steps.length);
  });
}
