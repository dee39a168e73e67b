/**
 * What a caller does not see leaves no trace: all tools answer as over an index that was built without it. Only names of
 * generations differ (in cursors as well), the time of a build, and a few bytes of size.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDiskIndex } from "../../../indexer/base/index-source.ts";
import { buildCorpus } from "../../../indexer/index/build.ts";
import { IndexReader } from "../../../src/core/index/index-reader.ts";
import type { OpenIndex } from "../../../src/core/index/open-generation.ts";
import { callTool, type ToolServices } from "../../../src/mcp/call.ts";
import { offeredTools } from "../../../src/mcp/profiles.ts";
import { createSigningKeys } from "../../../src/surface/access/signing-keys.ts";
import { createMemorySessions } from "../../../src/worker/session/session-store.ts";
import { GROUPED, type GroupedCollection, groupedFiles } from "../../support/grouped-files.ts";
import { makeFolder, writeFiles } from "../../support/temporary-folder.ts";
import { callsAbout, type NamedCall, OPENED_SESSION } from "../../support/tool-calls.ts";

const ALL_CALLS = GROUPED.flatMap(({ name, word }) => callsAbout(name, word));

/** Groups that a caller sees. */
const VIEWS = [["public"], ["public", "strategy"], ["public", "finance"], ["finance"], ["strategy"], []];

async function build(collections: readonly GroupedCollection[], more: Record<string, string> = {}): Promise<OpenIndex> {
  return buildIn(await makeFolder({ ...groupedFiles(collections), ...more }));
}

async function buildIn(dir: string): Promise<OpenIndex> {
  await buildCorpus({ dir, outDir: join(dir, ".out") });
  return (await openDiskIndex(join(dir, ".out"))).index;
}

let folder: string;
/** The index of all collections: callers of all groups share it, as they do in a Worker. */
let whole: OpenIndex;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "treeline-groups-"));
  await writeFiles(folder, groupedFiles(GROUPED));
  whole = await buildIn(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** An answer without what tells generations apart. */
async function ask(index: OpenIndex, groups: readonly string[] | "all", { tool, args }: NamedCall): Promise<string> {
  const services: ToolServices = {
    withReader: async (run, counters) => ({ value: await run(new IndexReader(index, groups, { counters })) }),
    sessions: createMemorySessions(
      async () => ({ DatabaseSync }),
      () => 0,
    ),
    signingKeys: createSigningKeys("test"),
    now: 0,
    report: (problem) => {
      throw new Error(JSON.stringify(problem));
    },
  };
  const session = args.session === OPENED_SESSION ? await openSession(services) : {};
  const { _meta, ...answer } = await callTool(offeredTools(), tool, { ...args, ...session }, services);
  return (
    JSON.stringify(answer)
      .replaceAll(index.generation.id, "GENERATION")
      .replaceAll(index.generation.builtAt, "TIME")
      .replace(/scanDurationMs\\?": ?\d+/g, "MS")
      // The bytes of a shard depend a little on the numbers that packs have in the whole index.
      .replace(/indexBytes\\?": ?\d+/g, "BYTES")
      .replace(/\bA[\w-]{54}(?=\W)/g, "CURSOR")
      .replace(/\b[\w-]{44}(?=\\?")/g, "HANDLE")
  );
}

async function openSession(services: ToolServices): Promise<{ readonly session: unknown }> {
  const opened = await callTool(offeredTools(), "open_session", { format: "json" }, services);
  return { session: opened.structuredContent?.session };
}

describe("an index of which a caller sees some groups", () => {
  it("has calls for every tool that is offered", () => {
    const called = new Set(ALL_CALLS.map(({ tool }) => tool));
    expect(offeredTools().tools.filter(({ name }) => !called.has(name))).toEqual([]);
  });

  it.each(VIEWS.map((groups) => ({ groups })))(
    "answers all tools to $groups as if nothing else was in it",
    async ({ groups }) => {
      const seen = GROUPED.filter(({ access }) => groups.includes(access));
      const hidden = GROUPED.filter(({ access }) => !groups.includes(access));
      const part = seen.length === 0 ? undefined : await build(seen);
      for (const call of ALL_CALLS) {
        const answer = await ask(whole, groups, call);
        if (part !== undefined) {
          expect(answer, JSON.stringify(call)).toBe(await ask(part, "all", call));
          continue;
        }
        // An empty index cannot be built: then no answer holds a word of it beside those that the call itself brings.
        for (const { word } of hidden) {
          if (JSON.stringify(call).toLowerCase().includes(word.toLowerCase())) continue;
          expect(answer.toLowerCase(), JSON.stringify(call)).not.toContain(word.toLowerCase());
        }
      }
    },
  );

  it("answers differently where the caller sees more, so that equal answers say something", async () => {
    const differing = new Set<string>();
    for (const call of ALL_CALLS) {
      if ((await ask(whole, ["public"], call)) !== (await ask(whole, "all", call))) differing.add(call.tool);
    }
    const same = offeredTools().tools.filter(({ name }) => !differing.has(name));
    // What a session remembers is the same for whoever asked nothing yet.
    expect(same.map(({ name }) => name)).toEqual(["session_state"]);
  });

  it("says nothing of keys that were left out because of what others have", async () => {
    const many = Array.from({ length: 600 }, (_, at) => [`plans/n${at}.md`, `---\nquokkaOwner: name ${at}\n---\n# N`]);
    const index = await build(GROUPED, Object.fromEntries(many) as Record<string, string>);
    const logs = { tool: "logs", args: { level: "info", limit: 1000 } };
    expect(await ask(index, "all", logs)).toContain("facet key quokkaOwner left out");
    for (const call of [logs, { tool: "index_status", args: {} }]) {
      expect(await ask(index, ["public"], call)).not.toContain("quokkaOwner");
    }
  });
});
