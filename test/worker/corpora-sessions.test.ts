/** Sessions and cursors of several corpora behind one Worker. */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { RELIST_MS } from "../../src/surface/corpus-list.ts";
import { call, post } from "./ask.ts";
import { FIXTURES, publishCorpus, removeCorpus, wait } from "./corpus-files.ts";
import { publishServedIndex } from "./served-index.ts";

const ORIGIN = "http://localhost:8787";

async function open(path: string): Promise<{ readonly session: string; readonly urls: readonly string[] }> {
  const response = await post(path, {});
  expect(response.status).toBe(201);
  return (await response.json()) as { session: string; urls: string[] };
}

/** A handle with another signature. */
function forge(handle: string): string {
  return `${handle.slice(0, -1)}${handle.endsWith("A") ? "B" : "A"}`;
}

beforeAll(async () => {
  await publishServedIndex();
  await publishCorpus("v1", FIXTURES.handbook);
  await publishCorpus("v2", FIXTURES.grouped);
});
afterAll(() => vi.useRealTimers());

describe("sessions and cursors of several corpora", () => {
  it("are opened with addresses of their corpus, and work there", async () => {
    const { session, urls } = await open("/v1/session");
    expect(urls).toEqual([`${ORIGIN}/v1/mcp?session=${session}`, `${ORIGIN}/v1/s/${session}/mcp`]);
    for (const url of urls) {
      const { pathname, search } = new URL(url);
      const state = await call(`${pathname}${search}`, "session_state", { format: "json" });
      expect(state.isError).toBe(false);
    }
    const opened = await call("/v2/mcp", "open_session", { format: "json" });
    expect(opened.json["url"]).toBe(`${ORIGIN}/v2/mcp?session=${opened.json["session"]}`);
  });

  it("are refused elsewhere like forged ones, before any object is asked", async () => {
    const corpora = ["", "/v1", "/v2"];
    const sessions = await Promise.all(corpora.map((corpus) => open(`${corpus}/session`)));
    const prototype = Object.getPrototypeOf(env.SESSIONS) as DurableObjectNamespace;
    const asked = vi.spyOn(prototype, "getByName");
    const forged = await call("/mcp", "session_state", { session: forge(sessions[0]?.session ?? "") });
    expect(forged.isError).toBe(true);
    expect(forged.text).toContain("its handle belongs to another corpus");
    for (const [own, { session }] of sessions.entries()) {
      for (const [at, corpus] of corpora.entries()) {
        if (at === own) continue;
        expect((await call(`${corpus}/mcp`, "session_state", { session })).text).toBe(forged.text);
        for (const path of [`${corpus}/mcp?session=${session}`, `${corpus}/s/${session}/mcp`]) {
          expect((await call(path, "index_status")).text).toContain("There is no such session here");
        }
      }
    }
    expect(asked).not.toHaveBeenCalled();
    expect((await call("/v1/mcp", "session_state", { session: sessions[1]?.session })).isError).toBe(false);
    expect(asked).toHaveBeenCalled();
    asked.mockRestore();
  });

  it("lead to pages of their own corpus alone, even where both hold the same generation", async () => {
    await publishCorpus("v1-again", FIXTURES.handbook);
    wait(RELIST_MS);
    const asked = { query: "lamp", limit: 1, format: "json" };
    const { nextCursor: cursor } = (await call("/v1/mcp", "search_documents", asked)).json as { nextCursor?: string };
    expect(cursor).toMatch(/^[\w-]{20,}$/);
    expect((await call("/v1/mcp", "search_documents", { ...asked, cursor })).isError).toBe(false);
    expect((await call("/v1-again/mcp", "search_documents", asked)).isError).toBe(false);
    const elsewhere = await call("/v1-again/mcp", "search_documents", { ...asked, cursor });
    expect(elsewhere.isError).toBe(true);
    expect(elsewhere.text).toContain("This cursor is not valid");
    await removeCorpus("v1-again");
  });
});
