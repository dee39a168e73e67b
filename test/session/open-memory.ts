/** Sessions in memory, with a clock that tests turn. */
import { DatabaseSync } from "node:sqlite";
import { createLocalSessions } from "../../src/session/local-sessions.ts";
import type { Sessions } from "../../src/session/sessions.ts";
import { fromNodeDatabase, type SqlDatabase } from "../../src/session/sql-database.ts";

/** An empty database. */
export function openDatabase(): SqlDatabase {
  return fromNodeDatabase(new DatabaseSync(":memory:"));
}

/** Sessions in memory at the time that `clock.now` says. */
export function openSessions(clock: { now: number }): Sessions {
  return createLocalSessions(
    () => new DatabaseSync(":memory:"),
    () => clock.now,
  );
}
