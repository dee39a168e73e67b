import { describe, expect, it } from "vitest";
import { InputError, StaleGenerationError } from "../../src/core/errors.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { callTool, type ToolServices } from "../../src/mcp/call.ts";
import { offeredTools } from "../../src/mcp/profiles.ts";
import { makeHandle, readHandle } from "../../src/mcp/session-call.ts";
import { estimateTokens } from "../../src/surface/render/text.ts";
import { SESSION_LIFE_MS } from "../../src/surface/session/session-state.ts";
import { openSessions } from "../session/open-memory.ts";
import { services as handbook } from "./tools/handbook.ts";

interface Asked {
  readonly text: string;
  readonly texts: readonly string[];
  readonly json: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

type Given = Readonly<Record<string, unknown>>;

/** The handbook with sessions in memory, and a clock to turn. */
function serve(more: Partial<ToolServices> = {}) {
  const clock = { now: 0 };
  const services: ToolServices = { ...handbook, sessions: openSessions(clock), ...more };
  const ask = async (tool: string, given: Given = {}): Promise<Asked> => {
    const { content, structuredContent, isError } = await callTool(offeredTools(), tool, given, services);
    const texts = content.map(({ text }) => text);
    return { text: texts.join("\n"), texts, json: structuredContent ?? {}, isError: isError === true };
  };
  const open = async (given: Given = {}): Promise<string> => {
    const { json, text } = await ask("open_session", { ...given, format: "json" });
    if (typeof json.session !== "string") throw new Error(text);
    return json.session;
  };
  return { ask, open, clock, services };
}

const idsOf = ({ json }: Asked): string[] =>
  (json.results as { sections: { nodeId: string }[] }[]).flatMap(({ sections }) =>
    sections.map(({ nodeId }) => nodeId),
  );

describe("a session", () => {
  it("leaves out of a search the sections whose words it showed before, and names them", async () => {
    const { ask, open } = serve();
    const session = await open();
    const first = await ask("search_documents", { query: "install behind a proxy", session });
    const second = await ask("search_documents", { query: "proxy install", session });
    const without = await ask("search_documents", { query: "proxy install" });
    expect(first.text).not.toContain("Shown before");
    expect(second.text).toMatch(/^Shown before: \d+ sections \(docs:.+#.+\)\.$/m);
    expect(second.text.length).toBeLessThan(without.text.length);
  });

  it("leaves out what was read whole, and nothing of which an outline showed a line or that a call asks for", async () => {
    const { ask, open } = serve();
    const session = await open();
    await ask("get_tree", { doc_id: "guide/install.md", session });
    const found = await ask("search_documents", { query: "linux package", excerpts: 0, session });
    expect(found.text).not.toContain("Shown before");
    await ask("get_node_content", { node_ids: ["docs:guide/install.md#linux"], session });
    const again = await ask("search_documents", { query: "linux package", session });
    expect(again.text).toMatch(/^Shown before: .*docs:guide\/install\.md#/m);
    const texts = await ask("search_documents", { query: "linux package", include_content: true, limit: 1, session });
    expect(texts.texts).toEqual(
      (await ask("search_documents", { query: "linux package", include_content: true, limit: 1 })).texts,
    );
  });

  it("keeps pages as they are, whatever is left out of them", async () => {
    const { ask, open } = serve();
    const session = await open();
    await ask("search_documents", { query: "lamp", limit: 3, session });
    const call = { query: "lamp OR zzz", limit: 2, format: "json" };
    let cursor: unknown;
    let leftOut = 0;
    do {
      const more = cursor !== undefined && { cursor };
      const page = await ask("search_documents", { ...call, session, ...more });
      const same = await ask("search_documents", { ...call, ...more });
      const documents = ({ json }: Asked) => (json.results as { id: string }[]).map(({ id }) => id);
      expect(documents(page)).toEqual(documents(same));
      const notes = ((page.json.notes as string[] | undefined) ?? []).join(" ");
      const count = Number(/Shown before: (\d+) section/.exec(notes)?.[1] ?? 0);
      expect(idsOf(page)).toHaveLength(idsOf(same).length - count);
      expect(page.json.nextCursor === undefined).toBe(same.json.nextCursor === undefined);
      leftOut += count;
      cursor = page.json.nextCursor;
    } while (cursor !== undefined);
    expect(leftOut).toBeGreaterThan(0);
  });

  it("narrows searches to its scope and answers what is named outside of it with a note", async () => {
    const { ask, open } = serve();
    const session = await open({ scope: { collections: ["notes"] } });
    const found = await ask("search_documents", { query: "lamp", format: "json", session });
    for (const { id } of found.json.results as { id: string }[]) expect(id).toMatch(/^notes:/);
    const listed = await ask("list_documents", { format: "json", session });
    for (const { id } of listed.json.documents as { id: string }[]) expect(id).toMatch(/^notes:/);
    const outside = await ask("search_documents", { query: "lamp", collection: "docs", session });
    expect(outside.text).toContain("docs is outside of this session's scope (notes).");
    expect(outside.text).toMatch(/^Found [1-9]\d* documents/);
    const read = await ask("get_node_content", { node_ids: ["docs:guide/install.md#linux"], session });
    expect(read.isError).toBe(false);
    expect(read.text).toContain("outside of this session's scope");
  });

  it("lays the filters of its scope over those of a call", async () => {
    const { ask, open } = serve();
    const session = await open({ scope: { collections: ["docs", "notes"], filters: { type: "guide" } } });
    const both = await ask("list_documents", { filters: { not: { tags: "linux" } }, format: "json", session });
    const plain = await ask("list_documents", {
      filters: { type: "guide", collection: ["docs", "notes"], not: { tags: "linux" } },
      format: "json",
    });
    expect(both.json).toEqual(plain.json);
  });

  it("ranks as it was opened to, and a call's own settings go before", async () => {
    const { ask, open } = serve();
    const session = await open({ ranking: { title_weight: 20 } });
    const scores = async (given: Given): Promise<unknown> =>
      (
        (await ask("search_documents", { query: "lamp", format: "json", ...given })).json.results as { score: number }[]
      ).map(({ score }) => score);
    const plain = await scores({});
    const weighted = await scores({ ranking: { title_weight: 20 } });
    expect(weighted).not.toEqual(plain);
    expect(await scores({ session })).toEqual(weighted);
    const fresh = await open({ ranking: { title_weight: 20 } });
    expect(await scores({ session: fresh, ranking: { title_weight: 3 } })).toEqual(plain);
  });

  it("says how much of its budget is used, and cuts answers to what is left of it", async () => {
    const { ask, open } = serve();
    const session = await open({ token_budget: 700 });
    const first = await ask("search_documents", { query: "lamp", session });
    expect(first.texts.at(-1)).toMatch(/^built .*, no commit; session: \d+ of 700 tokens$/);
    const bare = await ask("map", { session });
    expect(bare.texts.at(-1)).toMatch(/^session: \d+ of 700 tokens$/);
    await ask("get_tree", { session });
    const last = await ask("grep_documents", { pattern: "lamp", session });
    expect(last.text).toMatch(/fits? into \d\d\d tokens|is used up/);
    expect((await ask("nothing_there", { session })).text).not.toContain("session:");
  });

  it.each([
    [999, false],
    [1000, true],
  ])("with %i of 1000 tokens used says that its budget is used up: %s", async (tokens, isUsedUp) => {
    const { ask, open, services } = serve();
    const session = await open({ token_budget: 1000 });
    const id = (await readHandle(await services.signingKeys("session"), session)) ?? "";
    await services.sessions?.record(id, { tokens, trail: null, shown: [], pin: null });
    const { text } = await ask("search_documents", { query: "lamp", session });
    expect(text.includes("is used up")).toBe(isUsedUp);
  });

  it("gives answers 150 tokens beside its own line when its budget is used up, and its state whole", async () => {
    const { ask, open } = serve();
    const session = await open({ token_budget: 200, scope: { collections: ["docs", "notes"] } });
    for (const pattern of ["lamp", "proxy", "install", "linux"]) await ask("grep_documents", { pattern, session });
    const cut = await ask("search_documents", { query: "lamp OR install OR proxy", limit: 50, session });
    expect(cut.text).toContain("into 150 tokens");
    expect(cut.text).toContain("is used up");
    const state = await ask("session_state", { session });
    expect(state.text).not.toContain("into ");
    for (const query of ["lamp", "proxy", "install", "linux"]) expect(state.text).toContain(`grep_documents ${query}`);
    const own = await ask("session_state", { session, max_tokens: 150 });
    expect(own.texts.reduce((sum, text) => sum + estimateTokens(text), 0)).toBeLessThanOrEqual(150);
  });

  it("keeps within every budget of a call while it leaves things out, in every format", async () => {
    const { ask, open } = serve();
    for (const format of ["text", "toon", "json"]) {
      for (const max_tokens of [150, 250, 400, 1000]) {
        const session = await open({ token_budget: 100_000 });
        await ask("search_documents", { query: "lamp", limit: 50, max_tokens: 6000, session });
        await ask("search_documents", { query: "install proxy", limit: 50, max_tokens: 6000, session });
        const { texts } = await ask("search_documents", {
          ...{ query: "lamp install proxy", limit: 50, format, max_tokens, session },
        });
        const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
        expect(tokens, `${format} ${max_tokens}`).toBeLessThanOrEqual(max_tokens);
      }
    }
  });

  it("tells what it remembers, without counting that as a call of the trail", async () => {
    const { ask, open } = serve();
    const session = await open({ scope: { collections: ["docs"] } });
    await ask("search_documents", { query: "install", session });
    await ask("get_node_content", { doc_id: "docs:guide/install.md", node_ids: ["#linux"], session });
    const state = await ask("session_state", { session, format: "json" });
    expect(state.json).toMatchObject({
      calls: 2,
      scope: { collections: ["docs"] },
      trail: [
        { tool: "search_documents", about: "install" },
        { tool: "get_node_content", about: "#linux" },
      ],
      newerGeneration: false,
    });
    expect(state.json.sectionsShown).toBeGreaterThan(0);
    expect((await ask("session_state", { session })).text).toContain("get_node_content #linux");
    expect((await ask("session_state")).text).toContain("session_state needs session");
  });

  it("is taken under other names of the argument, and the argument goes before the address", async () => {
    const { ask, open, services } = serve();
    const [one, two] = [await open(), await open()];
    const inAddress = { ...services, addressSession: two };
    await callTool(offeredTools(), "index_status", {}, inAddress);
    await callTool(offeredTools(), "index_status", { sessionId: one }, inAddress);
    await callTool(offeredTools(), "index_status", { session: "" }, inAddress);
    expect((await ask("session_state", { session: one, format: "json" })).json).toMatchObject({ calls: 1 });
    expect((await ask("session_state", { session: two, format: "json" })).json).toMatchObject({ calls: 2 });
  });

  it("keeps cursors free of its handle: a page goes on without it where its settings change nothing", async () => {
    const { ask, open } = serve();
    const session = await open();
    const { json } = await ask("list_documents", { limit: 5, format: "json", session });
    const next = await ask("list_documents", { limit: 5, format: "json", cursor: json.nextCursor });
    expect(next.isError).toBe(false);
  });
});

describe("a call with a session that is none", () => {
  it("is refused in words that say how to open one, and repeat no handle", async () => {
    const { ask, open, clock } = serve();
    const session = await open();
    for (const wrong of [`${session}x`, session.slice(1), "abc", 7, { a: session }]) {
      const { isError, text } = await ask("search_documents", { query: "lamp", session: wrong });
      expect(isError).toBe(true);
      expect(text).toContain("open_session");
      expect(text).not.toContain(session.slice(1));
    }
    clock.now = SESSION_LIFE_MS + 1;
    expect((await ask("index_status", { session })).text).toContain("There is no such session");
  });

  it("is refused where no sessions are kept", async () => {
    const { sessions: _none, ...without } = serve().services;
    const answer = await callTool(offeredTools(), "index_status", { session: "x" }, without);
    expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("keeps no sessions") }] });
    const refused = await callTool(offeredTools(), "open_session", {}, without);
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("keeps no sessions") }, {}],
    });
  });

  it("is the same as a session that never was for callers who see other access groups, and nothing of them is kept", async () => {
    const { ask, open, services, clock } = serve();
    const session = await open({ token_budget: 1000 });
    await ask("search_documents", { query: "install", session });
    const before = await kept(services, session);
    const { handle: unknown } = await makeHandle(await services.signingKeys("session"));
    for (const collections of [[], ["public", "staff"]]) {
      const others: ToolServices = {
        ...services,
        withReader: async (run, counters) => {
          const found = await services.withReader(async (reader) => reader.index, counters);
          if (found === undefined) return undefined;
          const index = {
            ...found.value,
            collections: found.value.collections.map((one, at) =>
              at === 0 && collections.includes("staff") ? { ...one, access: "staff" } : one,
            ),
            root: {
              ...found.value.root,
              shards: [
                ...found.value.root.shards,
                ...found.value.root.shards.map((shard) => ({ ...shard, group: "staff" })),
              ],
            },
          };
          return { value: await run(new IndexReader(index, collections, { counters })) };
        },
      };
      for (const [tool, given] of [
        ["index_status", {}],
        ["search_documents", { query: "lamp" }],
        ["search_documents", { query: 7 }],
        ["session_state", { format: "json" }],
      ] as const) {
        for (const inAddress of [false, true]) {
          const askOthers = (handle: string) =>
            inAddress
              ? callTool(offeredTools(), tool, given, { ...others, addressSession: handle })
              : callTool(offeredTools(), tool, { ...given, session: handle }, others);
          clock.now += 1000;
          const refusal = await askOthers(session);
          expect(refusal).toMatchObject({
            isError: true,
            content: [{ text: expect.stringContaining("no such session") }],
          });
          expect(refusal).toEqual(await askOthers(unknown));
        }
      }
    }
    expect(await kept(services, session)).toEqual(before);
  });

  it("is told to pass a new handle with the call where the address holds the old one", async () => {
    const { services, open, clock } = serve();
    const addressSession = await open();
    clock.now = SESSION_LIFE_MS + 1;
    const inAddress = { ...services, addressSession };
    const words = async (given: Given): Promise<string> =>
      (await callTool(offeredTools(), "index_status", given, inAddress)).content[0]?.text ?? "";
    const advice = "pass its handle as session with every call: it goes before one in the address";
    for (const given of [{}, { session: addressSession }]) expect(await words(given)).toContain(advice);
    const renewed = (await callTool(offeredTools(), "open_session", { format: "json" }, inAddress)).structuredContent;
    expect(await words({ session: renewed?.session })).toContain("documents in");
  });
});

/** All that storage holds of a session. */
async function kept({ sessions, signingKeys }: ToolServices, handle: string): Promise<unknown> {
  const id = await readHandle(await signingKeys("session"), handle);
  return sessions?.read(id ?? "", ["shown", "trail"]);
}

describe("opening a session", () => {
  it.each([
    [{ scope: { collections: ["note"] } }, "Did you mean: notes"],
    [{ scope: { colections: ["docs"] } }, "scope has no"],
    [{ scope: { filters: { typ: "guide" } } }, "Did you mean: type"],
    [{ scope: { filters: { type: "gide" } } }, "guide"],
    [{ scope: { version: "99" } }, "version"],
    [{ scope: { collections: [7] } }, "must be a text"],
    [{ ranking: { title_weigt: 1 } }, "title_weight"],
    [{ token_budget: 0 }, "token_budget must be a whole number"],
  ])("with %j is refused with what is nearest: %s", async (given, words) => {
    const { ask } = serve();
    const { isError, text } = await ask("open_session", given);
    expect(isError).toBe(true);
    expect(text).toContain(words);
  });

  it("names addresses where the server has one", async () => {
    const { ask } = serve({ origin: "https://docs.example" });
    const { json } = await ask("open_session", { format: "json" });
    expect(json.urls).toEqual([
      `https://docs.example/mcp?session=${json.session}`,
      `https://docs.example/s/${json.session}/mcp`,
    ]);
  });
});

describe("a session whose generation is gone", () => {
  it("goes on with the published one where a file of its own is missing", async () => {
    const { services } = serve();
    const published = { id: "", root: "r".repeat(32), rootBytes: 1, log: "", builtAt: "" };
    let isGone = false;
    const refused: string[] = [];
    const moving: ToolServices = {
      ...services,
      withReader: async (run, counters, pin) => {
        if (pin !== undefined && isGone) {
          refused.push(pin.root);
          throw new StaleGenerationError(pin.root);
        }
        return services.withReader(run, counters);
      },
      pinCurrent: async (counters) => {
        const found = await services.withReader(async (reader) => reader.index.generation.id, counters);
        return { ...published, id: found?.value ?? "", log: isGone ? "new" : "old" };
      },
    };
    const ask = async (tool: string, given: Given) => {
      const { content, structuredContent } = await callTool(offeredTools(), tool, given, moving);
      return { text: content.map(({ text }) => text).join("\n"), json: structuredContent ?? {} };
    };
    const { session } = (await ask("open_session", { format: "json" })).json;
    expect((await ask("index_status", { session })).text).not.toContain("goes on");
    isGone = true;
    expect((await ask("index_status", { session })).text).toContain("documents in");
    expect(refused).toEqual([published.root]);
  });

  it("is told apart by id where generations cannot be opened again", async () => {
    const { open, services } = serve();
    const session = await open();
    const rebuilt: ToolServices = {
      ...services,
      withReader: async (run, counters) => {
        const found = await services.withReader(async (reader) => reader.index, counters);
        if (found === undefined) throw new InputError("nothing");
        const index = { ...found.value, generation: { ...found.value.generation, id: "another" } };
        return { value: await run(new IndexReader(index, undefined, { counters })) };
      },
    };
    const ask = async (query: string) =>
      (await callTool(offeredTools(), "search_documents", { query, session }, rebuilt)).content
        .map(({ text }) => text)
        .join("\n");
    expect(await ask("lamp")).toContain("it goes on with the one that is published");
    expect(await ask("lamp proxy")).not.toContain("it goes on");
  });
});
