/**
 * MCP's own completion: values for an argument that somebody begins to type. Names of symbols, as tool `completion` has them.
 *
 * Arguments that name no symbol, and indexes without source code, have none.
 */
import { completeSymbols } from "../core/graph/complete-symbols.ts";
import { codeShards } from "../core/index/code-shards.ts";
import { createCounters } from "../core/index/cost.ts";
import { toProblem } from "../render/problem.ts";
import { cleanText } from "../render/text.ts";
import type { ToolServices } from "./call.ts";

/** Most values of an answer, by the protocol. */
const MAX_VALUES = 100;
/** Names of arguments that take symbols. */
const SYMBOL_ARGUMENTS: ReadonlySet<string> = new Set(["symbol", "prefix", "query", "name", "id", "target"]);

/** Values of an argument, as the protocol has them. A type alias, so that it counts as a JSON object. */
export type Completion = { completion: { values: string[]; total: number; hasMore: boolean } };

const NOTHING: Completion = { completion: { values: [], total: 0, hasMore: false } };

/** Values for an argument, best first. Never throws: who types is not helped by an error. */
export async function completeArgument(
  { name, value }: { readonly name: string; readonly value: string },
  services: ToolServices,
): Promise<Completion> {
  if (!SYMBOL_ARGUMENTS.has(name) || value.trim() === "") return NOTHING;
  try {
    const found = await services.withReader(async (reader) => {
      if (codeShards(reader).length === 0) return NOTHING;
      const { total, isComplete, completions } = await completeSymbols(reader, { prefix: value, limit: MAX_VALUES });
      const values = [...new Set(completions.map(({ label }) => cleanText(label).text))];
      return { completion: { values, total, hasMore: !isComplete || total > completions.length } };
    }, createCounters());
    return found?.value ?? NOTHING;
  } catch (error) {
    services.report(toProblem(error), "completion/complete");
    return NOTHING;
  }
}
