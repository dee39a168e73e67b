import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  readState,
  SESSION_LIFE_MS,
  type SessionState,
  type StoredState,
} from "../../src/surface/session/session-state.ts";
import { endOf, openSession, readSession, recordCall } from "../../src/worker/session/session-store.ts";
import { openDatabase, openSessions } from "./open-memory.ts";
import { CALL, OPENING } from "./opening.ts";

function stateOf(stored: StoredState | undefined): SessionState {
  if (stored === undefined) throw new Error("there is no session");
  return readState(stored);
}
/** Sections that a session knows at most, and keeps when there are more. */
const MAX_SHOWN = 5000;
const KEPT_SHOWN = 4500;

describe("the tables of a session", () => {
  it("hold what it was opened with, and add up what calls cost", () => {
    const database = openDatabase();
    const opening = {
      ...OPENING,
      settings: { ...OPENING.settings, collections: ["docs"], ranking: { title_weight: 4 }, tokenBudget: 20_000 },
    };
    openSession(database, opening, 1000);
    recordCall(database, CALL, 2000);
    recordCall(database, { ...CALL, tokens: 5, trail: null }, 3000);
    const state = stateOf(readSession(database, ["trail", "shown"], 3000));
    expect(state).toMatchObject({ ...opening, calls: 2, tokens: 15, openedAt: 1000, usedAt: 3000 });
    expect(state.expiresAt).toBe(3000 + SESSION_LIFE_MS);
    expect(state.trail).toEqual([{ at: 2000, tool: "search_documents", about: "lamp" }]);
  });

  it("are not made by a question, and end a day after the last use", () => {
    const database = openDatabase();
    expect(readSession(database, [], 0)).toBeUndefined();
    expect(recordCall(database, CALL, 0)).toBe(false);
    expect(database.run("SELECT name FROM sqlite_master")).toEqual([]);
    openSession(database, OPENING, 0);
    recordCall(database, CALL, 1000);
    expect(endOf(database)).toBe(1000 + SESSION_LIFE_MS);
    expect(readSession(database, [], SESSION_LIFE_MS)).toBeDefined();
    expect(readSession(database, [], 1000 + SESSION_LIFE_MS)).toBeUndefined();
    expect(recordCall(database, CALL, 1000 + SESSION_LIFE_MS)).toBe(false);
  });

  it("hold one session: a second opening changes nothing", () => {
    const database = openDatabase();
    openSession(database, OPENING, 0);
    expect(() => openSession(database, { ...OPENING, groups: ["other"] }, 5)).toThrow();
    expect(stateOf(readSession(database, [], 5)).groups).toEqual(["public"]);
  });

  it("remember each section that was shown once, whatever the order of calls", () => {
    const calls = fc.array(fc.array(fc.constantFrom("a", "b", "c#n1"), { maxLength: 4 }), { maxLength: 8 });
    fc.assert(
      fc.property(calls, (shown) => {
        const database = openDatabase();
        openSession(database, OPENING, 0);
        for (const sections of shown) recordCall(database, { ...CALL, shown: sections }, 0);
        const all = new Set(shown.flat());
        const state = stateOf(readSession(database, ["shown"], 0));
        expect([...state.shown].sort()).toEqual([...all].sort());
        expect(state).toMatchObject({ calls: shown.length, tokens: 10 * shown.length, shownCount: all.size });
      }),
    );
  });

  it("forget what was shown longest ago", () => {
    const database = openDatabase();
    openSession(database, OPENING, 0);
    const ids = (name: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${name}${at}`);
    recordCall(database, { ...CALL, shown: ids("old", 10) }, 0);
    recordCall(database, { ...CALL, shown: ids("new", MAX_SHOWN - 5) }, 0);
    const { shown, shownCount } = stateOf(readSession(database, ["shown"], 0));
    expect([shownCount, shown.size]).toEqual([KEPT_SHOWN, KEPT_SHOWN]);
    expect([...shown].filter((id) => id.startsWith("old"))).toEqual([]);
    recordCall(database, { ...CALL, shown: ids("more", MAX_SHOWN - KEPT_SHOWN) }, 0);
    expect(stateOf(readSession(database, [], 0)).shownCount).toBe(MAX_SHOWN);
  });

  it("forget what was shown of another generation", () => {
    const database = openDatabase();
    openSession(database, OPENING, 0);
    recordCall(database, { ...CALL, shown: ["a"] }, 0);
    const pin = { ...OPENING.pin, id: "g2" };
    recordCall(database, { ...CALL, pin, shown: ["b"] }, 0);
    const state = stateOf(readSession(database, ["shown"], 0));
    expect(state.pin).toEqual(pin);
    expect([...state.shown]).toEqual(["b"]);
  });
});

describe("sessions in memory", () => {
  it("know nothing of one another, end by the clock, and are dropped when there are too many", async () => {
    const clock = { now: 0 };
    const sessions = openSessions(clock);
    await sessions.open("a", OPENING);
    await sessions.open("b", OPENING);
    await sessions.record("a", CALL);
    expect((await sessions.read("a", []))?.calls).toBe(1);
    expect((await sessions.read("b", []))?.calls).toBe(0);
    expect(await sessions.read("c", [])).toBeUndefined();
    clock.now = SESSION_LIFE_MS;
    expect(await sessions.read("a", [])).toBeUndefined();
    await sessions.record("a", CALL);
    for (let at = 0; at < 105; at++) await sessions.open(`more${at}`, OPENING);
    expect(await sessions.read("more0", [])).toBeUndefined();
    expect(await sessions.read("more104", [])).toBeDefined();
  });
});
