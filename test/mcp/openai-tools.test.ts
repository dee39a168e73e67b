import { describe, expect, it } from "vitest";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { callTool, type ToolServices } from "../../src/mcp/call.ts";
import { callOpenAiTool, OPENAI_TOOLS } from "../../src/mcp/openai-tools.ts";
import { offeredTools, readProfiles } from "../../src/mcp/profiles.ts";
import { answerCall, listTools } from "../../src/mcp/server.ts";
import { SESSION_LIFE_MS } from "../../src/surface/session/session-state.ts";
import { openSessions } from "../session/open-memory.ts";
import { services as handbook } from "./tools/handbook.ts";
import { services as workshop } from "./tools/workshop.ts";

async function call(name: string, given: Readonly<Record<string, unknown>>, services = handbook) {
  const answer = await callOpenAiTool(name, given, services);
  if (answer === undefined) throw new Error(`${name} is none of the pair`);
  const { content, isError, structuredContent } = answer;
  expect(content).toHaveLength(1);
  expect(structuredContent).toBeUndefined();
  const text = content[0]?.text ?? "";
  return isError === true ? { error: text } : (JSON.parse(text) as Record<string, unknown>);
}

describe("the pair for ChatGPT", () => {
  it("finds sections with id, title and address, and nothing else", async () => {
    const found = await call("search", { query: "proxy before the install" });
    expect(Object.keys(found)).toEqual(["results"]);
    const results = found.results as Record<string, string>[];
    expect(results[0]).toEqual({
      id: "docs:guide/install.md#linux/behind-a-proxy",
      title: "Install Lantern > Linux > Behind a proxy",
      url: "https://example.org/docs/guide/install#behind-a-proxy",
    });
    for (const result of results) expect(Object.keys(result)).toEqual(["id", "title", "url"]);
    expect(await call("search", { query: "zzzzqqqq" })).toEqual({ results: [] });
  });

  it("fetches each of them, and whole documents", async () => {
    const { results } = (await call("search", { query: "install" })) as { results: { id: string }[] };
    expect(results.length).toBeGreaterThan(1);
    for (const { id } of results) {
      const fetched = await call("fetch", { id });
      expect(Object.keys(fetched)).toEqual(["id", "title", "text", "url", "metadata"]);
      expect(fetched.id).toBe(id);
      expect(fetched.text).not.toBe("");
    }
    const whole = await call("fetch", { id: "docs:guide/install.md" });
    expect(whole).toMatchObject({
      title: "Install Lantern",
      url: "https://example.org/docs/guide/install",
      metadata: { document: "docs:guide/install.md", collection: "docs", path: "guide/install.md", lines: "7-40" },
    });
    expect(whole.text).toContain("On older machines");
  });

  it("gives what has no page the address of its resource", async () => {
    expect(await call("fetch", { id: "code:src/util/format.ts#formatLamp" }, workshop)).toMatchObject({
      url: "treeline://sections/code:src/util/format.ts%23formatLamp",
      text: expect.stringContaining("function formatLamp"),
    });
  });

  it("refuses a session in the address that is none, and answers in one that is without changing it", async () => {
    const clock = { now: 0 };
    const services = { ...handbook, sessions: openSessions(clock) };
    const opened = await callTool(offeredTools(), "open_session", { format: "json" }, services);
    const addressSession = String(opened.structuredContent?.session);
    const state = async () =>
      (await callTool(offeredTools(), "session_state", { session: addressSession, format: "json" }, services))
        .structuredContent;
    expect(await call("search", { query: "install" }, { ...services, addressSession })).toEqual(
      await call("search", { query: "install" }),
    );
    expect(await state()).toMatchObject({ calls: 0, sectionsShown: 0 });
    const refusal = { error: expect.stringContaining("no such session") as string };
    expect(await call("search", { query: "install" }, { ...services, addressSession: "bogus" })).toMatchObject(refusal);
    const seesNothing: typeof handbook = {
      ...services,
      addressSession,
      withReader: async (run, counters) => {
        const found = await services.withReader(async ({ index }) => index, counters);
        return found && { value: await run(new IndexReader(found.value, [])) };
      },
    };
    expect(await call("fetch", { id: "docs:guide/install.md" }, seesNothing)).toMatchObject(refusal);
    clock.now = SESSION_LIFE_MS + 1;
    const ended = await call("fetch", { id: "docs:guide/install.md" }, { ...services, addressSession });
    expect(ended).toMatchObject({
      error: expect.stringMatching(/no such session.*without a session in arguments and address/) as string,
    });
  });

  it("is observed as all calls are, with the question where nothing was found", async () => {
    const events: Parameters<NonNullable<ToolServices["observe"]>>[0][] = [];
    const observed = { ...handbook, observe: (event: (typeof events)[number]) => events.push(event) };
    await call("search", { query: "lamp" }, observed);
    await call("search", { query: "zzzzqqqq" }, observed);
    await call("fetch", { id: "docs:nowhere.md" }, observed);
    expect(events).toMatchObject([
      { tool: "search", outcome: "answered" },
      { tool: "search", outcome: "answered", unanswered: { query: "zzzzqqqq", kind: "nothing" } },
      { tool: "fetch", outcome: "refused" },
    ]);
    expect(events[0]).not.toHaveProperty("unanswered");
    expect(events[0]?.tokens).toBeGreaterThan(0);
  });

  it("says in words what is wrong", async () => {
    expect(await call("fetch", { id: "docs:guide/instal.md" })).toMatchObject({
      error: expect.stringContaining("docs:guide/install.md"),
    });
    expect(await call("fetch", {})).toMatchObject({ error: expect.stringContaining("fetch needs id") });
    expect(await call("search", { query: 7 })).toMatchObject({ error: expect.stringContaining("search needs query") });
    expect(await call("search", { query: "a".repeat(2001) })).toMatchObject({
      error: expect.stringContaining("longer than 2000"),
    });
  });

  it("is listed for its profile alone, and there hides the alias of that name", async () => {
    const namesOf = async (tools: string | null) =>
      (await listTools(workshop, readProfiles(tools))).tools.map(({ name }) => name);
    expect(await namesOf("openai")).toEqual(["search", "fetch"]);
    expect((await namesOf("openai,docs")).slice(0, 3)).toEqual(["search", "fetch", "search_documents"]);
    expect(await namesOf("all")).not.toContain("fetch");
    expect(await namesOf(null)).not.toContain("fetch");
    const search = (tools: string | null) =>
      answerCall(offeredTools(), workshop, readProfiles(tools), "search", { query: "upgrade" });
    expect((await search("openai")).content).toHaveLength(1);
    expect((await search(null)).content[0]).toMatchObject({ text: expect.stringContaining("Found") });
    expect(OPENAI_TOOLS.map(({ inputSchema }) => inputSchema.required)).toEqual([["query"], ["id"]]);
  });
});
