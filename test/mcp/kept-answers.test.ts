/** Tests of answers that are kept for their generation. */
import { expect, it } from "vitest";
import { inflateRaw } from "../../indexer/base/codec.ts";
import { openSource } from "../../indexer/base/index-source.ts";
import type { Cost } from "../../src/core/index/cost.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { openTimedIndex } from "../../src/core/index/open-generation.ts";
import { openIndex } from "../../src/core/index/open-index.ts";
import { keepApart, LruCache } from "../../src/core/index/value-cache.ts";
import { callTool, type ToolServices } from "../../src/mcp/call.ts";
import { offeredTools } from "../../src/mcp/profiles.ts";
import { createSigningKeys } from "../../src/surface/access/signing-keys.ts";
import { serveFiles } from "../support/serve-folder.ts";

const DAY_MS = 86_400_000;
const PAGES = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [`p${at}.md`, `# Page ${at}\n\n${"A word for the pattern.\n".repeat(400)}`]),
);

/** Calls of tools with one memory. */
async function open() {
  const { dir } = await serveFiles(PAGES);
  const source = openSource(dir);
  const pointer = await source.readPointer();
  if (pointer === undefined || pointer === "unchanged") throw new Error("there is no index");
  const kept = new LruCache(1_000_000);
  const cache = keepApart(new LruCache(8_000_000), kept);
  const index = await openTimedIndex(pointer.bytes, (bytes) =>
    openIndex(bytes, source, inflateRaw, cache, new Date(0).toISOString()),
  );
  const ask = async (args: object, now = DAY_MS, view: readonly string[] | "all" = "all") => {
    const services: ToolServices = {
      withReader: async (run, counters) => ({ value: await run(new IndexReader(index, view, { counters })) }),
      signingKeys: createSigningKeys("test"),
      now,
      report: (problem) => {
        throw new Error(JSON.stringify(problem));
      },
    };
    const answer = await callTool(offeredTools(), "grep_documents", { ...args }, services);
    const { bytesScanned } = (answer._meta as { readonly "treeline/cost": Cost })["treeline/cost"];
    return { ...answer, bytesScanned };
  };
  return { ask, kept };
}

it("the same call has the same answer, for the work of none", async () => {
  const { ask, kept } = await open();
  for (const format of ["text", "toon", "json"]) {
    const call = { pattern: "word", limit: 3, format };
    const [first, second] = [await ask(call), await ask(call)];
    expect([first.bytesScanned > 0, second.bytesScanned]).toEqual([true, 0]);
    expect([second.content, second.structuredContent]).toEqual([first.content, first.structuredContent]);
  }
  expect(kept.bytes).toBeGreaterThan(0);
});

it("says how old the index is now", async () => {
  const { ask } = await open();
  for (const format of ["text", "json"]) {
    const call = { pattern: "word", limit: 3, format };
    await ask(call);
    const later = await ask(call, 3 * DAY_MS);
    expect(later.bytesScanned).toBe(0);
    expect(later.content.at(-1)?.text).toContain("built 3 d ago");
    if (format === "json") {
      expect(later.structuredContent).toMatchObject({ generation: { ageSeconds: (3 * DAY_MS) / 1000 } });
      expect(JSON.parse(later.content[0]?.text ?? "")).toEqual(later.structuredContent);
    }
  }
});

it("nobody has the answer of somebody who sees something else, or asked something else", async () => {
  const { ask } = await open();
  const call = { pattern: "word", limit: 3 };
  await ask(call);
  expect((await ask(call, DAY_MS, ["other"])).content[0]?.text).not.toContain("A word");
  expect((await ask({ ...call, limit: 4 })).bytesScanned).toBeGreaterThan(0);
  expect((await ask({ ...call, format: "json" })).bytesScanned).toBeGreaterThan(0);
});

it("what took little work is not kept", async () => {
  const { ask, kept } = await open();
  await ask({ pattern: "no such text anywhere" });
  expect(kept.bytes).toBe(0);
});
