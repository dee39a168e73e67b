/**
 * What is done with the tables of a session: open, read, add a call, end. The same over both SQLites.
 *
 * Counts are added up in the database and never written from what somebody read before, so calls at the same time lose
 * nothing of one another.
 */
import type { ShownSection } from "../core/tree/shown.ts";
import {
  type CallRecord,
  SESSION_LIFE_MS,
  type SessionOpening,
  type StatePart,
  type StoredState,
  type TrailEntry,
} from "./session-state.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { hasTables, updateTables } from "./tables.ts";

/** Sections that are remembered; the ones shown longest ago go first. */
export const MAX_SHOWN = 5000;
/** Blocks that are remembered. */
export const MAX_SENT = 500;
/** Calls that the trail keeps. */
const MAX_TRAIL = 50;
/** Calls that are shown of it. */
const SHOWN_TRAIL = 20;
/** Longest id that is remembered: a path and a heading path. */
const MAX_ID_LENGTH = 2000;
/** Longest description of a call in the trail. */
const MAX_ABOUT_LENGTH = 200;

/** Makes the session. @throws {Error} when there is one already. */
export function openSession(database: SqlDatabase, opening: SessionOpening, now: number): void {
  updateTables(database);
  database.run(
    "INSERT INTO session (id, opened_at, used_at, opening, calls, tokens) VALUES (1, ?, ?, ?, 0, 0)",
    now,
    now,
    JSON.stringify(opening),
  );
}

/** The session as it stands; undefined where none was opened or its time is over. Changes nothing. */
export function readSession(database: SqlDatabase, parts: readonly StatePart[], now: number): StoredState | undefined {
  const row = findRow(database, now);
  if (row === undefined) return undefined;
  const shown = parts.includes("shown")
    ? database
        .run("SELECT node_id, level FROM shown ORDER BY call, node_id")
        .map(({ node_id, level }) => [String(node_id), Number(level)] as const)
    : [];
  const trail = parts.includes("trail")
    ? database
        .run("SELECT at, tool, about FROM trail ORDER BY call DESC LIMIT ?", SHOWN_TRAIL)
        .map(({ at, tool, about }): TrailEntry => ({ at: Number(at), tool: String(tool), about: String(about) }))
        .reverse()
    : [];
  return {
    openedAt: Number(row.opened_at),
    usedAt: Number(row.used_at),
    opening: String(row.opening),
    pin: String(row.pin),
    calls: Number(row.calls),
    tokens: Number(row.tokens),
    lastCall: String(row.last_call),
    sent: database.run("SELECT hash FROM sent").map(({ hash }) => String(hash)),
    shownCount: Number(database.run("SELECT count(*) AS count FROM shown")[0]?.count ?? 0),
    shown,
    trail,
  };
}

/** Adds a call, all of it or nothing; false where there is no session any more. */
export function recordCall(database: SqlDatabase, call: CallRecord, now: number): boolean {
  if (findRow(database, now) === undefined) return false;
  database.transaction(() => {
    const [row] = database.run(
      "UPDATE session SET calls = calls + 1, tokens = tokens + ?, used_at = max(used_at, ?) WHERE id = 1 RETURNING calls",
      Math.max(0, Math.round(call.tokens)),
      now,
    );
    const number = Number(row?.calls);
    if (call.lastCall !== "") database.run("UPDATE session SET last_call = ?", call.lastCall);
    if (call.pin !== null) {
      database.run("UPDATE session SET pin = ?", JSON.stringify(call.pin));
      database.run("DELETE FROM shown");
    }
    if (call.trail !== null) addToTrail(database, number, now, call.trail);
    addShown(database, number, call.shown);
    addSent(database, number, call.sent);
  });
  return true;
}

/** When the session ends unless it is used before, in milliseconds since 1970; undefined where there is none. */
export function endOf(database: SqlDatabase): number | undefined {
  if (!hasTables(database)) return undefined;
  const [row] = database.run("SELECT used_at FROM session");
  return row === undefined ? undefined : Number(row.used_at) + SESSION_LIFE_MS;
}

function findRow(database: SqlDatabase, now: number): Readonly<Record<string, unknown>> | undefined {
  const end = endOf(database);
  if (end === undefined || end <= now) return undefined;
  updateTables(database);
  return database.run("SELECT * FROM session")[0];
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
  database.run("DELETE FROM trail WHERE call NOT IN (SELECT call FROM trail ORDER BY call DESC LIMIT ?)", MAX_TRAIL);
}

function addShown(database: SqlDatabase, call: number, sections: readonly ShownSection[]): void {
  if (sections.length === 0) return;
  for (const { nodeId, level } of sections.slice(0, MAX_SHOWN)) {
    if (nodeId.length > MAX_ID_LENGTH) continue;
    database.run(
      "INSERT INTO shown (node_id, level, call) VALUES (?, ?, ?) ON CONFLICT (node_id) DO UPDATE SET level = max(level, excluded.level), call = excluded.call",
      nodeId,
      level,
      call,
    );
  }
  database.run(
    "DELETE FROM shown WHERE node_id IN (SELECT node_id FROM shown ORDER BY call DESC, node_id LIMIT -1 OFFSET ?)",
    MAX_SHOWN,
  );
}

function addSent(database: SqlDatabase, call: number, hashes: readonly string[]): void {
  if (hashes.length === 0) return;
  for (const hash of hashes.slice(0, MAX_SENT))
    database.run("INSERT INTO sent (hash, call) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING", hash, call);
  database.run(
    "DELETE FROM sent WHERE hash IN (SELECT hash FROM sent ORDER BY call DESC, hash LIMIT -1 OFFSET ?)",
    MAX_SENT,
  );
}
