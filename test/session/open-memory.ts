/** Sessions in memory, with a clock that tests turn. */
import { DatabaseSync } from "node:sqlite";
import type { Sessions } from "../../src/surface/session/session-state.ts";
import { createMemorySessions, fromNodeDatabase, type SqlDatabase } from "../../src/worker/session/session-store.ts";

/** An empty database. */
export function openDatabase(): SqlDatabase {
  return fromNodeDatabase(new DatabaseSync(":memory:"));
}

/** Sessions in memory at the time that `clock.now` says. */
export function openSessions(clock: { now: number }): Sessions {
  return createMemorySessions(
    async () => ({ DatabaseSync }),
    () => clock.now,
  );
}
