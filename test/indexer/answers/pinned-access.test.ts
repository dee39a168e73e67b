/**
 * A session stays on the generation that it was opened on, and still shows nothing that was taken from its caller since:
 * what became private or was removed is not read out of an older generation.
 */

import { describe, expect, it } from "vitest";
import { inflateRaw } from "../../../indexer/base/codec.ts";
import { LruCache } from "../../../src/core/index/value-cache.ts";
import { callTool, type ToolServices } from "../../../src/mcp/call.ts";
import { offeredTools } from "../../../src/mcp/profiles.ts";
import { ANONYMOUS, type Caller, visibleGroups } from "../../../src/surface/access/caller.ts";
import { createSigningKeys } from "../../../src/surface/access/signing-keys.ts";
import type { SessionPin } from "../../../src/surface/session/session-state.ts";
import { Generations, POINTER_TTL_MS } from "../../../src/worker/storage/generations.ts";
import { openSessions } from "../../session/open-memory.ts";
import { createMemorySource } from "../../support/memory-source.ts";
import { makeCorpus } from "../../support/small-corpus.ts";

const EVERYTHING: Caller = { name: "everything", collections: "all", seesPublic: true, isAdmin: false };
const PAGES = {
  "docs/lamp.md": "# Lamp\n\nThe lamp is bright.\n",
  "plans/quokka.md": "# Quokka\n\nThe quokka lamp ships in spring.\n",
};
const collection = (name: string, access: string) => ({ name, root: name, access });

/** A server whose index is built once more with other collections. */
async function serve() {
  const corpus = await makeCorpus(PAGES, {
    collections: [collection("docs", "public"), collection("plans", "public")],
  });
  const files = new Map<string, Uint8Array>();
  const clock = { now: 0 };
  const report = (error: unknown): void => {
    throw error;
  };
  const generations = new Generations({
    source: createMemorySource(files),
    inflate: inflateRaw,
    cache: new LruCache(1e7),
    report,
  });
  const publish = async (name: string, ...collections: readonly ReturnType<typeof collection>[]): Promise<void> => {
    if (collections.length > 0) await corpus.edit({ "treeline.config.json": JSON.stringify({ collections }) });
    await corpus.build(name);
    for (const [file, bytes] of await corpus.files(name)) files.set(file, bytes);
    clock.now += POINTER_TTL_MS;
  };
  const sessions = openSessions(clock);
  const ask = async (caller: Caller, tool: string, given: Readonly<Record<string, unknown>>) => {
    const view = (pin?: SessionPin) => ({
      now: clock.now,
      groupsOf: (collections: Parameters<typeof visibleGroups>[1]) => visibleGroups(caller, collections),
      ...(pin && { pin }),
    });
    const services: ToolServices = {
      withReader: (run, counters, pin) => generations.withReader(view(pin), run, counters),
      pinCurrent: (counters) => generations.pinCurrent(clock, counters),
      sessions,
      signingKeys: createSigningKeys("test"),
      now: clock.now,
      report,
    };
    const { content, structuredContent } = await callTool(offeredTools(), tool, given, services);
    return { text: content.map(({ text }) => text).join("\n"), json: structuredContent ?? {} };
  };
  const open = async (caller: Caller): Promise<unknown> =>
    (await ask(caller, "open_session", { format: "json" })).json.session;
  await publish("one");
  return { ask, open, publish };
}

describe("a session of before", () => {
  it("shows nothing of a collection that became private", async () => {
    const { ask, open, publish } = await serve();
    const session = await open(ANONYMOUS);
    expect((await ask(ANONYMOUS, "search_documents", { query: "quokka", session })).text).toContain("plans:quokka.md");
    await publish("two", collection("docs", "public"), collection("plans", "strategy"));
    const first = await ask(ANONYMOUS, "list_documents", { session });
    expect(first.text).toContain("it goes on with the one that is published");
    const calls = [
      first,
      await ask(ANONYMOUS, "search_documents", { query: "lamp", session }),
      await ask(ANONYMOUS, "search_documents", { query: "lmap", session }),
      await ask(ANONYMOUS, "get_node_content", { node_ids: ["plans:qokka.md"], session }),
      await ask(ANONYMOUS, "index_status", { session }),
    ];
    for (const { text } of calls) {
      expect(text).not.toMatch(/quokka/i);
      expect(text).not.toContain("no such session");
    }
  });

  it("shows nothing of a collection that was removed", async () => {
    const { ask, open, publish } = await serve();
    const session = await open(EVERYTHING);
    await publish("two", collection("docs", "public"));
    const { text } = await ask(EVERYTHING, "search_documents", { query: "lamp", session });
    expect(text).toContain("lamp.md");
    expect(text).not.toContain("quokka");
  });

  it("stays where it was while its caller still sees all of that", async () => {
    const { ask, open, publish } = await serve();
    const session = await open(EVERYTHING);
    const idOf = async (given: object) => (await ask(EVERYTHING, "index_status", { ...given, format: "json" })).json.id;
    const pinned = await idOf({ session });
    await publish("two", collection("docs", "public"), collection("plans", "strategy"));
    expect(await idOf({})).not.toBe(pinned);
    expect(await idOf({ session })).toBe(pinned);
  });
});
