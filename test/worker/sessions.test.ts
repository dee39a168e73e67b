import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { makeRandom, shuffle } from "../../bench/random.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { readHandle } from "../../src/mcp/session-call.ts";
import { createSigningKeys } from "../../src/surface/access/signing-keys.ts";
import { estimateTokens } from "../../src/surface/render/text.ts";
import { SESSION_LIFE_MS } from "../../src/surface/session/session-state.ts";
import type { TreelineSession } from "../../src/worker/session/session.ts";
import { fromObjectStorage, readSession, recordCall } from "../../src/worker/session/session-store.ts";
import handbook from "../fixtures/handbook-index.json" with { type: "json" };
import { CALL, OPENING } from "../session/opening.ts";
import { type Called, call as callAt, post, send } from "./ask.ts";
import { publishServedIndex, servedFiles } from "./served-index.ts";

/** Where a root file says its version, behind the four bytes that it begins with. */
const VERSION_OFFSET = 4;

type Given = Readonly<Record<string, unknown>>;

const call = (name: string, given: Given = {}, path = "/mcp"): Promise<Called> => callAt(path, name, given);

async function open(settings: Given = {}): Promise<string> {
  const response = await post("/session", settings);
  expect(response.status).toBe(201);
  return ((await response.json()) as { session: string }).session;
}

const stateOf = async (session: string): Promise<Record<string, unknown>> =>
  (await call("session_state", { session, format: "json" })).json;

/** Publishes another index than the one that sessions were opened on. */
async function publishHandbook(): Promise<void> {
  for (const [name, base64] of Object.entries(handbook)) {
    await env.INDEX.put(
      name,
      Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0)),
    );
  }
}

/** A stub of an object that no handle names. */
function newObject(): DurableObjectStub<TreelineSession> {
  return env.SESSIONS.getByName(crypto.randomUUID());
}

describe("POST /session", () => {
  beforeAll(publishServedIndex);

  it("opens a session and answers with handle, addresses and end", async () => {
    const before = Date.now();
    const response = await post("/session", { scope: { collections: ["docs"] }, token_budget: 5000 });
    expect(response.status).toBe(201);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    const { session, url, urls, expiresAt } = (await response.json()) as Record<string, string>;
    expect(url).toBe(`http://localhost:8787/mcp?session=${session}`);
    expect(urls).toEqual([url, `http://localhost:8787/s/${session}/mcp`]);
    expect(Date.parse(expiresAt ?? "")).toBeGreaterThanOrEqual(before + SESSION_LIFE_MS);
    expect(await stateOf(session ?? "")).toMatchObject({ scope: { collections: ["docs"] }, tokenBudget: 5000 });
    expect((await post("/session", "")).status).toBe(201);
  });

  it("repeats no handle of an address that there is not", async () => {
    const session = await open();
    for (const path of [`/s/${session}`, `//s/${session}/mcp`, `/S/${session}/mcp`]) {
      const response = await post(path, {});
      expect(response.status).toBe(404);
      expect(await response.text()).not.toContain(session);
    }
  });

  it("refuses what is no settings in words, with the nearest names and a body that would do", async () => {
    for (const [body, words, nearest] of [
      ["[]", "JSON object", []],
      ["{bad", "JSON object", []],
      [`{"scope": ${"[".repeat(30_000)}${"]".repeat(30_000)}}`, "64 levels", []],
      ['{"scope": {"collections": ["dcos"]}}', "dcos", ["docs"]],
      ['{"token_bugdet": 1}', "token_bugdet", ["token_budget"]],
    ] as const) {
      const response = await post("/session", body);
      expect(response.status).toBe(400);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      const refusal = (await response.json()) as { error: string; nearest: string[]; example: string };
      expect(refusal.error).toContain(words);
      expect(refusal.nearest).toEqual(nearest);
      expect((await post("/session", refusal.example)).status).toBe(201);
    }
    expect((await post("/session", `{"a": "${"x".repeat(70_000)}"}`)).status).toBe(413);
    const method = await send("GET", "/session");
    expect([method.status, method.headers.get("Allow")]).toEqual([405, "POST, OPTIONS"]);
  });
});

describe("a session in the Worker", () => {
  beforeAll(publishServedIndex);

  it("is named by an argument or by either address, and others know nothing of it", async () => {
    const [session, other] = [await open(), await open()];
    await call("search_documents", { query: "install", session });
    await call("index_status", {}, `/mcp?session=${session}`);
    await call("index_status", {}, `/s/${session}/mcp`);
    expect(await stateOf(session)).toMatchObject({ calls: 3 });
    expect(await stateOf(other)).toMatchObject({ calls: 0, sectionsShown: 0, trail: [] });
    const again = await call("search_documents", { query: "install apt" }, `/s/${session}/mcp`);
    expect(again.text).toContain("Shown before:");
  });

  it("lists tools below its addresses, whatever the handle, and says at each call that it is none", async () => {
    for (const path of ["/mcp?session=forged", "/s/forged/mcp"]) {
      const listed = await post(path, { jsonrpc: "2.0", id: 1, method: "tools/list" });
      expect(await listed.text()).toContain('"name":"search"');
      const refused = await call("search_documents", { query: "install" }, path);
      expect(refused).toMatchObject({
        isError: true,
        text: expect.stringContaining("Open a new one with open_session"),
      });
      expect(refused.text).not.toContain("forged");
      expect((await call("open_session", { format: "json" }, path)).json).toHaveProperty("session");
    }
  });

  it("never reaches an object with a handle that another secret signed", async () => {
    const key = await createSigningKeys("another secret")("session");
    const { makeHandle } = await import("../../src/mcp/session-call.ts");
    const { handle, id } = await makeHandle(key);
    expect(await readHandle(key, handle)).toBe(id);
    expect((await call("index_status", { session: handle })).isError).toBe(true);
    await runInDurableObject(env.SESSIONS.getByName(id), async (_, state) => {
      expect([
        ...state.storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_%' ESCAPE '\\'"),
      ]).toEqual([]);
      expect(await state.storage.getAlarm()).toBeNull();
    });
  });

  it("loses nothing of fifty calls at once, beside other sessions with as many", async () => {
    const random = makeRandom(7);
    const sessions = await Promise.all(Array.from({ length: 4 }, () => open()));
    const words = ["install", "apt", "zebras", "linux", "proxy"];
    const drawn = shuffle(
      sessions.flatMap((session) => Array.from({ length: 50 }, () => session)),
      random,
    );
    const tokens = new Map(sessions.map((session) => [session, 0]));
    await Promise.all(
      drawn.map(async (session) => {
        const query = words[Math.floor(random() * words.length)] as string;
        const answer =
          random() < 0.5
            ? await call("search_documents", { query, session })
            : await call("grep_documents", { pattern: query }, `/s/${session}/mcp`);
        expect(answer.isError).toBe(false);
        const cost = answer.texts.reduce((sum, text) => sum + estimateTokens(text), 0);
        tokens.set(session, (tokens.get(session) ?? 0) + cost);
      }),
    );
    for (const session of sessions) {
      expect(await stateOf(session)).toMatchObject({ calls: 50, tokens: tokens.get(session) });
    }
  });

  it("keeps to its generation while another is published, page by page, and moves on when it is gone", async () => {
    const session = await open();
    const whole = await call("list_documents", { format: "json" });
    const first = await call("list_documents", { limit: 2, format: "json", session });
    const idOf = (answer: Called): string => (answer.json.generation as { id: string }).id;
    const statusId = async (given: Given): Promise<unknown> =>
      (await call("index_status", { ...given, format: "json" })).json.id;
    const pinned = await statusId({ session });
    await publishHandbook();
    // From now on the pointer is old enough to be looked at again.
    const later = Date.now() + 60_000;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => later);
    // The one who notices still has the old index: the look at the pointer is behind the answer.
    await expect.poll(() => statusId({})).not.toBe(pinned);
    expect(await statusId({ session })).toBe(pinned);
    const second = await call("list_documents", { limit: 2, format: "json", session, cursor: first.json.nextCursor });
    expect(idOf(second)).toBe(idOf(first));
    const ids = (answer: Called): string[] => (answer.json.documents as { id: string }[]).map(({ id }) => id);
    expect([...ids(first), ...ids(second)]).toEqual(ids(whole));
    expect(await stateOf(session)).toMatchObject({ newerGeneration: true, generationId: pinned });
    const unpinned = await call("list_documents", { limit: 2, format: "json", cursor: first.json.nextCursor });
    expect(unpinned.text).toContain("The index was rebuilt");
    // A file of the old generation goes: the session moves to the published one, and says so once.
    for (const name of servedFiles.keys()) if (name !== POINTER_FILE) await env.INDEX.delete(name);
    const found = { query: "lamp", session };
    expect((await call("search_documents", found)).text).toContain("it goes on with the one that is published");
    expect((await call("search_documents", { ...found, query: "proxy" })).text).not.toContain("it goes on");
    const refused = await call("list_documents", { limit: 2, session, cursor: first.json.nextCursor });
    expect(refused.text).toContain("The index was rebuilt");
    expect(await stateOf(session)).toMatchObject({ newerGeneration: false, generationId: await statusId({}) });
    clock.mockRestore();
    await publishServedIndex();
  });

  it("moves on, with a note and a line for the operator, where its generation is of a format that is not read any more", async () => {
    // Each time the pointer is old enough to be looked at again.
    const clock = vi.spyOn(Date, "now");
    const turnTo = (seconds: number): void => void clock.mockReturnValue(started + seconds * 1000);
    const started = Date.now();
    turnTo(600);
    await publishHandbook();
    const session = await open();
    const root = Object.keys(handbook).find((name) => name.endsWith(".root")) as string;
    const stored = await (await env.INDEX.get(root))?.bytes();
    if (stored === undefined) throw new Error("the index has no root");
    stored[VERSION_OFFSET] = 99;
    await env.INDEX.put(root, stored);
    await publishServedIndex();
    turnTo(1200);
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const moved = await call("search_documents", { query: "install", session });
    expect(moved.isError).toBe(false);
    expect(moved.text).toContain("it goes on with the one that is published");
    expect(logged.mock.calls.map(([line]) => String(line))).toEqual([
      expect.stringContaining("version 99 is not known"),
    ]);
    const next = await call("search_documents", { query: "linux", session });
    expect(next.isError).toBe(false);
    expect(next.text).not.toContain("it goes on");
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
    clock.mockRestore();
  });
});

describe("the object of a session", () => {
  it("deletes everything by its alarm a day after the last use, not before", async () => {
    const stub = newObject();
    await stub.open(OPENING);
    await stub.record(CALL);
    // The alarm rings too early for the session was used: it is armed again.
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await stub.read([])).toMatchObject({ calls: 1 });
    await runInDurableObject(stub, async (_, state) => {
      expect(await state.storage.getAlarm()).toBeGreaterThan(Date.now() + SESSION_LIFE_MS / 2);
      state.storage.sql.exec("UPDATE session SET used_at = used_at - ?", SESSION_LIFE_MS);
    });
    expect(await stub.read([])).toBeNull();
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    await runInDurableObject(stub, async (_, state) => {
      expect([...state.storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'session'")]).toEqual([]);
      expect(await state.storage.getAlarm()).toBeNull();
    });
    expect(await runDurableObjectAlarm(stub)).toBe(false);
    expect(await stub.read([])).toBeNull();
  });

  it("reads and writes a few rows for each call, however much it remembers", async () => {
    const stub = newObject();
    await stub.open(OPENING);
    const ids = (name: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${name}${at}`);
    for (let at = 0; at < 60; at++) {
      await stub.record({ ...CALL, shown: ids(`docs:${at}.md#n`, 70) });
    }
    await runInDurableObject(stub, (_, { storage }) => {
      const rows = { read: 0, written: 0 };
      const counted = fromObjectStorage({
        sql: {
          exec: (statement, ...values) => {
            const cursor = storage.sql.exec(statement, ...values);
            const found = cursor.toArray();
            rows.read += cursor.rowsRead;
            rows.written += cursor.rowsWritten;
            return { toArray: () => found };
          },
        },
        transactionSync: (run) => storage.transactionSync(run),
      });
      const now = Date.now();
      expect(readSession(counted, [], now)).toMatchObject({ shownCount: 60 * 70 });
      expect(rows.read).toBeLessThan(20);
      expect(rows.written).toBe(0);
      Object.assign(rows, { read: 0, written: 0 });
      recordCall(counted, { ...CALL, shown: ids("docs:new.md#n", 3) }, now);
      // The session, the call, the call that the trail drops, three sections.
      expect(rows.written).toBe(6);
      expect(rows.read).toBeLessThan(25);
    });
  });

  it("holds what it held after it was evicted from memory", async () => {
    const stub = newObject();
    await stub.open(OPENING);
    await stub.record({ ...CALL, shown: ["docs:a.md#n1"] });
    await evictDurableObject(stub);
    expect(await stub.read(["shown"])).toMatchObject({
      calls: 1,
      shown: ["docs:a.md#n1"],
    });
  });

  it("adds up calls that come at once", async () => {
    const stub = newObject();
    await stub.open(OPENING);
    await Promise.all(Array.from({ length: 50 }, (_, at) => stub.record({ ...CALL, shown: [`docs:a.md#n${at}`] })));
    expect(await stub.read([])).toMatchObject({ calls: 50, tokens: 500, shownCount: 50 });
  });
});
