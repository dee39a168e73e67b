import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { answerInsights } from "../../src/http/insights.ts";
import { ANONYMOUS } from "../../src/surface/access/caller.ts";
import {
  type InsightEntry,
  type InsightReport,
  insightsObject,
  KEPT_DAYS,
  LEAST_CALLERS,
} from "../../src/surface/insights.ts";
import { countQuestions, forgetOld, readInsights } from "../../src/worker/insights/query-insights.ts";
import { get, post } from "./ask.ts";
import { publishServedIndex } from "./served-index.ts";

const DAY_MS = 86_400_000;
const MAX_ROWS = 20_000;
const NOON = Date.parse("2026-08-10T12:00:00Z");
const ADMIN = { ...ANONYMOUS, name: "maintainer", isAdmin: true };

let objects = 0;
/** Runs with the database of an object that nobody else has. */
function withStore<T>(run: (sql: SqlStorage) => Promise<T>): Promise<T> {
  objects++;
  return runInDurableObject(env.INSIGHTS.getByName(`test-${objects}`), (_, state) => run(state.storage.sql));
}

function asked(query: string, callers: readonly string[], kind = "nothing"): InsightEntry[] {
  return callers.map((caller) => ({ query, kind, caller }));
}

const ipOf = (host: number): string => `address:192.0.2.${host}`;
const CROWD = Array.from({ length: LEAST_CALLERS }, (_, host) => ipOf(host));

describe("the store of insights", () => {
  it("shows a question when enough callers had it on one day, and not before", async () => {
    await withStore(async (sql) => {
      await countQuestions(sql, asked("few", [...CROWD.slice(1), ...CROWD.slice(1)]), NOON);
      await countQuestions(sql, asked("many", CROWD), NOON);
      await countQuestions(sql, asked("many", CROWD.slice(1), "corrected"), NOON + 1000);
      expect(readInsights(sql, NOON)).toEqual({
        since: "2026-07-12",
        queries: [
          {
            query: "many",
            count: 2 * LEAST_CALLERS - 1,
            callers: LEAST_CALLERS,
            kinds: { nothing: LEAST_CALLERS, corrected: LEAST_CALLERS - 1 },
            lastSeen: "2026-08-10",
          },
        ],
      });
    });
  });

  it("does not take one caller on several days for several", async () => {
    await withStore(async (sql) => {
      for (let day = 0; day < 2 * LEAST_CALLERS; day++) {
        await countQuestions(sql, asked("mine", CROWD.slice(1)), NOON + day * DAY_MS);
      }
      expect(readInsights(sql, NOON + 2 * LEAST_CALLERS * DAY_MS).queries).toEqual([]);
    });
  });

  it("holds no address, and from the next day on no hash and no salt", async () => {
    await withStore(async (sql) => {
      await countQuestions(sql, asked("many", CROWD), NOON);
      const tables = ["question", "asker", "day_crowd", "salt"];
      const dump = (): string => JSON.stringify(tables.map((table) => sql.exec(`SELECT * FROM ${table}`).toArray()));
      expect(dump()).toContain("many");
      expect(dump()).not.toContain("192.0.2");
      const hashes = sql.exec<{ hash: string }>("SELECT hash FROM asker").toArray();
      expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(LEAST_CALLERS);
      await countQuestions(sql, asked("many", CROWD), NOON + DAY_MS);
      const later = sql.exec<{ hash: string }>("SELECT hash FROM asker").toArray();
      expect(new Set(later.map(({ hash }) => hash)).size).toBe(2 * LEAST_CALLERS);
      expect(forgetOld(sql, NOON + 2 * DAY_MS)).toBe(true);
      expect(sql.exec("SELECT * FROM asker").toArray()).toEqual([]);
      expect(sql.exec("SELECT * FROM salt").toArray()).toEqual([]);
      expect(readInsights(sql, NOON + 2 * DAY_MS).queries).toMatchObject([{ query: "many", callers: LEAST_CALLERS }]);
    });
  });

  it("forgets questions that nobody has any more", async () => {
    await withStore(async (sql) => {
      await countQuestions(sql, asked("old", CROWD), NOON);
      expect(forgetOld(sql, NOON + (KEPT_DAYS - 1) * DAY_MS)).toBe(true);
      expect(readInsights(sql, NOON + (KEPT_DAYS - 1) * DAY_MS).queries).toHaveLength(1);
      expect(readInsights(sql, NOON + KEPT_DAYS * DAY_MS).queries).toEqual([]);
      expect(forgetOld(sql, NOON + KEPT_DAYS * DAY_MS)).toBe(false);
    });
  });

  it("forgets how many had a question on a day with that day, however often one caller asks again", async () => {
    await withStore(async (sql) => {
      await countQuestions(sql, asked("mine", CROWD), NOON);
      for (let day = 20; day <= 200; day += 20) {
        const now = NOON + day * DAY_MS;
        forgetOld(sql, now);
        await countQuestions(sql, asked("mine", CROWD.slice(0, 1)), now);
        const counts = readInsights(sql, now).queries.map(({ count, callers }) => ({ count, callers }));
        expect(counts).toEqual(day < KEPT_DAYS ? [{ count: LEAST_CALLERS + 1, callers: LEAST_CALLERS }] : []);
      }
      expect(sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM day_crowd").one().n).toBe(2);
    });
  });

  it("shows no count of a day that is over where nobody cleaned up", async () => {
    await withStore(async (sql) => {
      await countQuestions(sql, asked("both", CROWD), NOON);
      await countQuestions(sql, asked("both", [...CROWD, ipOf(99)]), NOON + 20 * DAY_MS);
      expect(readInsights(sql, NOON + 40 * DAY_MS).queries).toMatchObject([
        { count: LEAST_CALLERS + 1, callers: LEAST_CALLERS + 1, lastSeen: "2026-08-30" },
      ]);
    });
  });

  it("makes room for new questions without losing those that many had", async () => {
    await withStore(async (sql) => {
      await countQuestions(sql, asked("many", CROWD), NOON - DAY_MS);
      for (const table of [
        "question (day, query, kind, count) SELECT 20675, 'junk ' || n, 'nothing', 1",
        "day_crowd (query, day, callers) SELECT 'junk ' || n, 20675, 1",
      ]) {
        sql.exec(
          `WITH RECURSIVE counting(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counting WHERE n < ?) INSERT INTO ${table} FROM counting`,
          MAX_ROWS,
        );
      }
      await countQuestions(sql, asked("one more", CROWD), NOON);
      expect(sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM question").one().n).toBeLessThan(MAX_ROWS);
      expect(readInsights(sql, NOON).queries.map(({ query }) => query)).toEqual(["many", "one more"]);
    });
  });
});

describe("GET /insights", () => {
  beforeAll(publishServedIndex);

  it("is for holders of an admin key", async () => {
    expect((await get("/insights")).status).toBe(403);
    expect((await answerInsights(env, { ...ADMIN, isAdmin: false }, "")).status).toBe(403);
  });

  it("says so where nothing is counted", async () => {
    expect((await answerInsights({}, ADMIN, "")).status).toBe(404);
    expect((await answerInsights({ ...env, QUERY_INSIGHTS: "off" }, ADMIN, "")).status).toBe(404);
  });

  it("shows what searches of both surfaces did not find, and nothing of those who said no", async () => {
    const search = (name: string, args: object) => ({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args },
    });
    for (const host of [1, 2, 3]) {
      const headers = { "CF-Connecting-IP": `192.0.2.${host}` };
      await get("/search?q=Capybara+Diet", headers);
      await get("/search?q=hidden+capybara", { ...headers, DNT: "1" });
      await get("/search?q=typed+capybara&typing=true", headers);
      await get("/search?q=install", headers);
      await post("/mcp", search("search_documents", { query: "wombat habitat" }), headers);
      await post("/mcp", search("grep_documents", { pattern: "no such line" }), headers);
    }
    await vi.waitFor(
      async () => {
        const report = (await (await answerInsights(env, ADMIN, "")).json()) as InsightReport;
        expect(report.queries.map(({ query, callers, kinds }) => ({ query, callers, kinds }))).toEqual([
          { query: "capybara diet", callers: 3, kinds: { nothing: 3 } },
          { query: "no such line", callers: 3, kinds: { "no-line": 3 } },
          { query: "wombat habitat", callers: 3, kinds: { nothing: 3 } },
        ]);
      },
      { timeout: 15_000, interval: 300 },
    );
    const stub = env.INSIGHTS.getByName(insightsObject(""));
    expect(await runInDurableObject(stub, (_, state) => state.storage.getAlarm())).toBeGreaterThan(Date.now());
  });
});
