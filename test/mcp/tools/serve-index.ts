/** The tools over an index that lies beside its pages as JSON. */

import { IndexReader } from "../../../src/core/index/index-reader.ts";
import { openIndex } from "../../../src/core/index/open-index.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { LruCache } from "../../../src/core/index/value-cache.ts";
import { callTool, type ToolServices } from "../../../src/mcp/call.ts";
import { offeredTools } from "../../../src/mcp/profiles.ts";
import { createSigningKeys } from "../../../src/surface/access/signing-keys.ts";
import { estimateTokens } from "../../../src/surface/render/text.ts";
import { inflateRaw } from "../../../src/worker/storage/inflate.ts";
import { createMemorySource } from "../../support/memory-source.ts";

/** An answer as tests look at it. */
export interface Asked {
  /** Texts of the content blocks. */
  readonly texts: readonly string[];
  /** The same as one text. */
  readonly text: string;
  /** The structured answer; empty for text. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  readonly tokens: number;
}

/** Ways to ask an index. */
export interface Asking {
  /** What calls need, for what is asked beside tools. */
  readonly services: ToolServices;
  /** Call a tool, listed or not, with raw arguments. What the operator would see fails the test. */
  readonly ask: (tool: string, given?: Readonly<Record<string, unknown>>) => Promise<Asked>;
  /** The same, as JSON. */
  readonly askJson: (
    tool: string,
    given?: Readonly<Record<string, unknown>>,
  ) => Promise<Readonly<Record<string, unknown>>>;
  /** Every page of a call, by following its cursors. */
  readonly askPages: (
    tool: string,
    given: Readonly<Record<string, unknown>>,
  ) => Promise<Readonly<Record<string, unknown>>[]>;
}

/** The tools over index files, given as their names and bytes in base64. */
export async function serveIndex(base64Files: Readonly<Record<string, string>>): Promise<Asking> {
  const files = new Map(
    Object.entries(base64Files).map(([name, base64]) => [
      name,
      Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0)),
    ]),
  );
  const source = createMemorySource(files);
  const signingKeys = createSigningKeys("test");
  const index = await openIndex(files.get(POINTER_FILE) as Uint8Array, source, inflateRaw, new LruCache(1e7));

  const services: ToolServices = {
    withReader: async (run, counters) => ({ value: await run(new IndexReader(index, undefined, { counters })) }),
    signingKeys,
    now: 0,
    report: (problem) => {
      throw new Error(JSON.stringify(problem));
    },
  };
  const ask: Asking["ask"] = async (tool, given = {}) => {
    const { content, structuredContent, isError } = await callTool(offeredTools(), tool, given, services);
    const texts = content.map(({ text }) => text);
    return {
      texts,
      text: texts.join("\n"),
      json: structuredContent ?? {},
      isError: isError === true,
      tokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0),
    };
  };
  const askJson: Asking["askJson"] = async (tool, given = {}) => (await ask(tool, { ...given, format: "json" })).json;
  const askPages: Asking["askPages"] = async (tool, given) => {
    const pages: Readonly<Record<string, unknown>>[] = [];
    let cursor: unknown;
    do {
      const page = await askJson(tool, { ...given, ...(cursor !== undefined && { cursor }) });
      pages.push(page);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return pages;
  };
  return { ask, askJson, askPages, services };
}
