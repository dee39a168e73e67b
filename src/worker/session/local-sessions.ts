/**
 * Sessions of one process: an in-memory database of Node's own SQLite for each, as long as the process lives.
 *
 * `node:sqlite` is loaded when the first session is opened: some versions of Node that can run this lack it, others print a warning.
 */
import { InputError } from "../../core/errors.ts";
import { readState, type Sessions } from "../../surface/session/session-state.ts";
import {
  endOf,
  fromNodeDatabase,
  type NodeDatabase,
  openSession,
  readSession,
  recordCall,
  type SqlDatabase,
} from "./session-store.ts";

/** What of `node:sqlite` is used. */
interface SqliteModule {
  readonly DatabaseSync: new (path: string) => NodeDatabase & { close(): void };
}

/**
 * Sessions in memory.
 *
 * @param load Gives `node:sqlite`.
 */
export function createMemorySessions(load: () => Promise<SqliteModule>): Sessions {
  let loading: Promise<Sessions> | undefined;
  const loaded = (): Promise<Sessions> => {
    loading ??= load().then(
      ({ DatabaseSync }) => createLocalSessions(() => new DatabaseSync(":memory:")),
      () => {
        throw new InputError(
          "This server keeps no sessions: its Node.js has no node:sqlite, which comes with 22.13. Call without session.",
        );
      },
    );
    return loading;
  };
  return {
    open: async (id, opening) => (await loaded()).open(id, opening),
    read: async (id, parts) => (await loaded()).read(id, parts),
    record: async (id, call) => (await loaded()).record(id, call),
  };
}

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
