/** Requests of all kinds for load tests, drawn from an index. */
import { makeRandom } from "../../bench/random.ts";
import { openDiskIndex } from "../../indexer/base/index-source.ts";
import type { LoadRequest } from "./load.ts";
import { drawCalls, readVocabulary } from "./mixed-calls.ts";

/** Where requests come from: `/mcp` with tools of all kinds, and `/search` with words of the index. */
export interface LoadCalls {
  readonly mcp: () => LoadRequest;
  readonly search: () => LoadRequest;
}

/** Requests that the index in a folder can answer, the same for the same seed. */
export async function drawLoadCalls(dir: string, seed: number): Promise<LoadCalls> {
  const random = makeRandom(seed);
  const vocabulary = await readVocabulary(await openDiskIndex(dir), random);
  const drawn = drawCalls(vocabulary, random);
  const { words } = vocabulary;
  const word = (): string => words[Math.floor(random() * words.length)] ?? "word";
  let id = 0;
  return {
    mcp: () => {
      for (;;) {
        const { tool, args } = drawn.next().value;
        if (tool === "suggest") continue;
        return { path: "/mcp", body: makeCall(++id, tool, args) };
      }
    },
    search: () => {
      const count = 1 + Math.floor(random() * 3);
      return { path: `/search?q=${encodeURIComponent(Array.from({ length: count }, word).join(" "))}` };
    },
  };
}

/** A call of a tool as the 2025 era sends it. */
export function makeCall(id: number, name: string, args: object): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
}
