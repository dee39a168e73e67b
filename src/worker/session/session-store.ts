/**
 * Tables of a session (open, read, add a call, end), over both SQLites: that of a Durable Object, and Node's. One database has one
 * session. Types of either platform are named by their shape, so that this compiles without Node's and Node without Workers'.
 *
 * Counts are added up here and never written from what a call read before it began, so simultaneous calls lose nothing of one another.
 * Both SQLites are synchronous, so nothing comes between the statements of one function.
 *
 * | table | a row | columns |
 * |---|---|---|
 * | `session` | the one session | `opened_at`, `used_at`: milliseconds since 1970; `opening`: what it was opened with, as JSON; `calls`, `tokens`: sums; `pin`: the generation it holds on to, as JSON, or `""`; `shown_count`: rows of `shown` |
 * | `trail` | a call | `at`: milliseconds since 1970; `tool`; `about`: its query, or what it read |
 * | `shown` | a section whose words an answer showed | `node_id`; `call`: number of the call that did so last |
 *
 * A session lives a day. A version of this that needs other columns names its tables anew, and finds no session in older ones.
 */

import { InputError } from "../../core/errors.ts";
import {
  type CallRecord,
  readState,
  SESSION_LIFE_MS,
  type SessionOpening,
  type Sessions,
  type StatePart,
  type StoredState,
} from "../../surface/session/session-state.ts";

type SqlValue = string | number | null;

/** A row by the names of its columns. */
type SqlRow = Readonly<Record<string, unknown>>;

/** A database with the tables of one session. */
export interface SqlDatabase {
  /** Runs one statement; its rows, none where it changes something. */
  readonly run: (statement: string, ...values: readonly SqlValue[]) => readonly SqlRow[];
  /** Runs all of it or, where it throws, none. */
  readonly transaction: <T>(run: () => T) => T;
}

/** What of a Durable Object's storage is used. */
interface ObjectStorage {
  readonly sql: { exec(statement: string, ...values: SqlValue[]): { toArray(): SqlRow[] } };
  transactionSync<T>(run: () => T): T;
}

/** What of Node's `DatabaseSync` is used. */
interface NodeDatabase {
  exec(statement: string): void;
  prepare(statement: string): { all(...values: SqlValue[]): unknown[] };
}

export function fromObjectStorage(storage: ObjectStorage): SqlDatabase {
  return {
    run: (statement, ...values) => storage.sql.exec(statement, ...values).toArray(),
    transaction: (run) => storage.transactionSync(run),
  };
}

/** A database of `node:sqlite`. */
export function fromNodeDatabase(database: NodeDatabase): SqlDatabase {
  return {
    run: (statement, ...values) => database.prepare(statement).all(...values) as SqlRow[],
    transaction: (run) => {
      database.exec("BEGIN");
      try {
        const value = run();
        database.exec("COMMIT");
        return value;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
  };
}

const TABLES = [
  "CREATE TABLE session (id INTEGER PRIMARY KEY CHECK (id = 1), opened_at INTEGER NOT NULL, used_at INTEGER NOT NULL, opening TEXT NOT NULL, calls INTEGER NOT NULL, tokens INTEGER NOT NULL, pin TEXT NOT NULL DEFAULT '', shown_count INTEGER NOT NULL DEFAULT 0)",
  "CREATE TABLE trail (call INTEGER PRIMARY KEY, at INTEGER NOT NULL, tool TEXT NOT NULL, about TEXT NOT NULL)",
  "CREATE TABLE shown (node_id TEXT PRIMARY KEY, call INTEGER NOT NULL) WITHOUT ROWID",
];

/** Sections that are remembered; the ones shown longest ago go first. */
const MAX_SHOWN = 5000;
/** Sections that are left when there were more: looking for the oldest reads all, so many go at once. */
const KEPT_SHOWN = 4500;
/** Calls that the trail keeps, looks at the session among them. */
const MAX_TRAIL = 50;
/** Calls that are shown of it. */
const SHOWN_TRAIL = 20;
/** Longest id that is remembered: a path and a heading path. */
const MAX_ID_LENGTH = 2000;
/** Longest description of a call in the trail. */
const MAX_ABOUT_LENGTH = 200;

/** Makes the session. @throws {Error} when there is one already. */
export function openSession(database: SqlDatabase, opening: SessionOpening, now: number): void {
  database.transaction(() => {
    for (const table of TABLES) database.run(table);
    database.run(
      "INSERT INTO session (id, opened_at, used_at, opening, calls, tokens) VALUES (1, ?, ?, ?, 0, 0)",
      now,
      now,
      JSON.stringify(opening),
    );
  });
}

/** The session as it stands; undefined where none was opened or its time is over. Changes nothing. */
export function readSession(database: SqlDatabase, parts: readonly StatePart[], now: number): StoredState | undefined {
  const row = findRow(database, now);
  if (row === undefined) return undefined;
  const shown = parts.includes("shown")
    ? database.run("SELECT node_id FROM shown ORDER BY call, node_id").map(({ node_id }) => String(node_id))
    : [];
  const trail = parts.includes("trail")
    ? database
        .run("SELECT at, tool, about FROM trail ORDER BY call DESC LIMIT ?", SHOWN_TRAIL)
        .map(({ at, tool, about }): StoredState["trail"][number] => ({
          at: Number(at),
          tool: String(tool),
          about: String(about),
        }))
        .reverse()
    : [];
  return {
    openedAt: Number(row.opened_at),
    usedAt: Number(row.used_at),
    opening: String(row.opening),
    pin: String(row.pin),
    calls: Number(row.calls),
    tokens: Number(row.tokens),
    shownCount: Number(row.shown_count),
    shown,
    trail,
  };
}

/** Adds a call, all of it or nothing; false where there is no session any more. */
export function recordCall(database: SqlDatabase, call: CallRecord, now: number): boolean {
  const row = findRow(database, now);
  if (row === undefined) return false;
  database.transaction(() => {
    const number = Number(row.calls) + 1;
    if (call.pin !== null) database.run("DELETE FROM shown");
    if (call.trail !== null) addToTrail(database, number, now, call.trail);
    const shownCount = addShown(database, number, call.shown, call.pin === null ? Number(row.shown_count) : 0);
    database.run(
      "UPDATE session SET calls = ?, tokens = tokens + ?, used_at = max(used_at, ?), pin = ?, shown_count = ?",
      number,
      Math.max(0, Math.round(call.tokens)),
      now,
      call.pin === null ? String(row.pin) : JSON.stringify(call.pin),
      shownCount,
    );
  });
  return true;
}

/** When the session ends unless it is used before, in milliseconds since 1970; undefined where there is none. */
export function endOf(database: SqlDatabase): number | undefined {
  // An object that nobody opened has no tables, and is given none by a question.
  const isOpened = database.run("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'session'").length > 0;
  const [row] = isOpened ? database.run("SELECT used_at FROM session") : [];
  return row === undefined ? undefined : Number(row.used_at) + SESSION_LIFE_MS;
}

function findRow(database: SqlDatabase, now: number): SqlRow | undefined {
  const end = endOf(database);
  return end === undefined || end <= now ? undefined : database.run("SELECT * FROM session")[0];
}

function addToTrail(
  database: SqlDatabase,
  call: number,
  now: number,
  { tool, about }: { readonly tool: string; readonly about: string },
): void {
  database.run(
    "INSERT INTO trail (call, at, tool, about) VALUES (?, ?, ?, ?)",
    call,
    now,
    tool,
    about.slice(0, MAX_ABOUT_LENGTH),
  );
  database.run("DELETE FROM trail WHERE call <= ?", call - MAX_TRAIL);
}

/** Adds sections, `before` of which there are; how many there are then. */
function addShown(database: SqlDatabase, call: number, sections: readonly string[], before: number): number {
  let count = before;
  for (const nodeId of sections.slice(0, MAX_SHOWN)) {
    if (nodeId.length > MAX_ID_LENGTH) continue;
    if (database.run("SELECT 1 FROM shown WHERE node_id = ?", nodeId).length === 0) count++;
    database.run(
      "INSERT INTO shown (node_id, call) VALUES (?, ?) ON CONFLICT (node_id) DO UPDATE SET call = excluded.call",
      nodeId,
      call,
    );
  }
  if (count <= MAX_SHOWN) return count;
  database.run(
    "DELETE FROM shown WHERE node_id IN (SELECT node_id FROM shown ORDER BY call DESC, node_id LIMIT -1 OFFSET ?)",
    KEPT_SHOWN,
  );
  return KEPT_SHOWN;
}

/*
 * Sessions of one process: an in-memory database of Node's own SQLite for each, as long as the process lives.
 *
 * `node:sqlite` is loaded when the first session is opened: some versions of Node that can run this lack it, others print a warning.
 */

/** What of `node:sqlite` is used. */
interface SqliteModule {
  readonly DatabaseSync: new (path: string) => NodeDatabase & { close(): void };
}

const NO_SQLITE =
  "This server keeps no sessions: its Node.js has no node:sqlite, which comes with 22.13. Call without session.";

/** Sessions that are kept; the one that was used longest ago goes first. */
const MAX_SESSIONS = 100;

/** Sessions in memory. @param load Gives `node:sqlite`. @param now Milliseconds since 1970. */
export function createMemorySessions(load: () => Promise<SqliteModule>, now: () => number = Date.now): Sessions {
  let loading: Promise<SqliteModule> | undefined;
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
      loading ??= load().catch(() => {
        throw new InputError(NO_SQLITE);
      });
      const { DatabaseSync } = await loading;
      const opened = new DatabaseSync(":memory:");
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
