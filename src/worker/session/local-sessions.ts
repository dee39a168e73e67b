/**
 * Sessions of one process: a small database in memory for each, as long as the process lives.
 *
 * ```ts
 * import { DatabaseSync } from "node:sqlite";
 * createLocalSessions(() => new DatabaseSync(":memory:"))
 * ```
 */
import { readState } from "../../surface/session/session-state.ts";
import type { Sessions } from "../../surface/session/sessions.ts";
import { endOf, openSession, readSession, recordCall } from "./session-store.ts";
import { fromNodeDatabase, type NodeDatabase, type SqlDatabase } from "./sql-database.ts";

/** Sessions that are kept; the one that was used longest ago goes first. */
const MAX_SESSIONS = 100;

/**
 * Sessions in memory.
 *
 * @param openDatabase Gives an empty database: `new DatabaseSync(":memory:")` of `node:sqlite`.
 * @param now Milliseconds since 1970.
 */
export function createLocalSessions(
  openDatabase: () => NodeDatabase & { close(): void },
  now: () => number = Date.now,
): Sessions {
  /** The one used last stands last. */
  const kept = new Map<string, { readonly database: SqlDatabase; readonly close: () => void }>();
  const drop = (id: string): void => {
    kept.get(id)?.close();
    kept.delete(id);
  };
  const find = (id: string): SqlDatabase | undefined => {
    const found = kept.get(id);
    if (found === undefined) return undefined;
    if ((endOf(found.database) ?? 0) <= now()) {
      drop(id);
      return undefined;
    }
    kept.delete(id);
    kept.set(id, found);
    return found.database;
  };
  return {
    open: async (id, opening) => {
      const opened = openDatabase();
      const database = fromNodeDatabase(opened);
      openSession(database, opening, now());
      kept.set(id, { database, close: () => opened.close() });
      for (const oldest of kept.keys()) if (kept.size > MAX_SESSIONS) drop(oldest);
    },
    read: async (id, parts) => {
      const database = find(id);
      const stored = database && readSession(database, parts, now());
      return stored && readState(stored);
    },
    record: async (id, call) => {
      const database = find(id);
      if (database !== undefined) recordCall(database, call, now());
    },
  };
}
