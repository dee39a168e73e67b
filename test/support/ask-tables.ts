/** The tools over tables that were written in memory. */

import { IndexReader } from "../../src/core/index/index-reader.ts";
import type { OpenIndex } from "../../src/core/index/open-generation.ts";
import { LruCache } from "../../src/core/index/value-cache.ts";
import { callTool } from "../../src/mcp/call.ts";
import { offeredTools } from "../../src/mcp/profiles.ts";
import { createSigningKeys } from "../../src/surface/access/signing-keys.ts";
import { estimateTokens } from "../../src/surface/render/text.ts";

/** An answer, and in how many waves it was read. */
export interface AskedTables {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  readonly tokens: number;
  readonly waves: number;
}

const CACHE_BYTES = 64 * 1024 * 1024;

/** Call a tool with the root in memory and nothing else. */
export async function askTables(
  index: OpenIndex,
  tool: string,
  given: Readonly<Record<string, unknown>> = {},
): Promise<AskedTables> {
  const fresh = { ...index, cache: new LruCache(CACHE_BYTES) };
  const services = {
    withReader: async <T>(run: (reader: IndexReader) => Promise<T>, counters: IndexReader["cost"]) => ({
      value: await run(new IndexReader(fresh, "all", { counters })),
    }),
    signingKeys: createSigningKeys("test"),
    now: 0,
    report: () => undefined,
  };
  const { content, structuredContent, isError, _meta } = await callTool(offeredTools(), tool, given, services);
  const texts = content.map(({ text }) => text);
  return {
    text: texts.join("\n"),
    json: structuredContent ?? {},
    isError: isError === true,
    tokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0),
    waves: (_meta?.["treeline/cost"] as { waves: number } | undefined)?.waves ?? Number.NaN,
  };
}
