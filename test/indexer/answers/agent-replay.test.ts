/**
 * A good run of an agent, played again: what its answers must hold, and how many bytes they may take. Over docs and sources of
 * pinned packages, which nobody here wrote. `bench/agents/README.md` says how agents are measured.
 */
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDiskIndex } from "../../../indexer/base/index-source.ts";
import { buildCorpus } from "../../../indexer/index/build.ts";
import { IndexReader } from "../../../src/core/index/index-reader.ts";
import { callTool, type ToolServices } from "../../../src/mcp/call.ts";
import { listedTools, offeredTools } from "../../../src/mcp/profiles.ts";
import { writeInstructions } from "../../../src/mcp/server.ts";
import { toListedTool } from "../../../src/mcp/tool.ts";
import { createSigningKeys } from "../../../src/surface/access/signing-keys.ts";
import { projectRoot } from "../../support/environment.ts";
import { makeFolder } from "../../support/temporary-folder.ts";

interface Replay {
  readonly mostBytes: number;
  readonly calls: readonly {
    readonly tool: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly holds: readonly string[];
  }[];
}

const CONFIG = {
  collections: [
    { name: "docs", include: ["docs/*.md"] },
    { name: "code", include: ["src/**/*.ts"], kind: "code" },
  ],
};

describe("a run of an agent", () => {
  it("finds what it looked for, and costs no more than it did, list and questions included", async () => {
    const replay = JSON.parse(await readFile(join(projectRoot, "bench", "agents", "replay.json"), "utf8")) as Replay;
    const ask = await serve();
    const answers: string[] = [];
    for (const call of replay.calls) answers.push(await ask(call.tool, call.arguments));
    const missing = replay.calls.flatMap(({ tool, holds }, at) =>
      holds.filter((text) => !new RegExp(text).test(answers[at] ?? "")).map((text) => `${tool}: ${text}`),
    );
    expect(missing).toEqual([]);
    const list = JSON.stringify({ tools: listedTools(undefined, undefined).map(toListedTool) });
    const asked = replay.calls.map((call) => JSON.stringify(call.arguments));
    const bytes = Buffer.byteLength([writeInstructions(), list, ...asked, ...answers].join(""));
    expect(bytes).toBeLessThanOrEqual(replay.mostBytes);
    // What is better is written down, or the next change could lose it unseen.
    expect(bytes).toBeGreaterThan(replay.mostBytes * 0.97);
  }, 120_000);
});

/** The tools over both packages. */
async function serve(): Promise<(tool: string, given: Readonly<Record<string, unknown>>) => Promise<string>> {
  const dir = await makeFolder({ "treeline.config.json": JSON.stringify(CONFIG) });
  const modules = join(projectRoot, "node_modules");
  await cp(join(modules, "agents", "docs"), join(dir, "docs"), { recursive: true });
  for (const part of ["core", "classic"]) {
    await cp(join(modules, "zod", "src", "v4", part), join(dir, "src", part), { recursive: true });
  }
  await buildCorpus({ dir, outDir: join(dir, "index") });
  const { index } = await openDiskIndex(join(dir, "index"));
  const services: ToolServices = {
    withReader: async (run, counters) => ({ value: await run(new IndexReader(index, "all", { counters })) }),
    signingKeys: createSigningKeys("test"),
    now: 0,
    report: (problem) => {
      throw new Error(JSON.stringify(problem));
    },
  };
  return async (tool, given) => {
    const { content, isError } = await callTool(offeredTools(), tool, given, services);
    expect(isError, content[0]?.text).toBeUndefined();
    return content.map(({ text }) => text).join("\n");
  };
}
