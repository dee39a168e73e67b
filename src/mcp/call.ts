/**
 * Run one call of a tool, from its name and raw arguments to the content of its result. Never throws: what goes
 * wrong becomes a result with `isError` that says what to do.
 */

import { InputError } from "../core/errors.ts";
import { type Cost, type CostCounters, createCounters } from "../core/index/cost.ts";
import { IndexReader } from "../core/index/index-reader.ts";
import { pastCaches } from "../core/index/past-caches.ts";
import { nearestNames } from "../core/text/nearest.ts";
import { quoteName } from "../core/text/quote-value.ts";
import { NO_INDEX, type Problem, toProblem } from "../render/problem.ts";
import { type Format, type RenderedAnswer, renderAnswer, renderProblem } from "../render/render.ts";
import { formatExample, readArguments } from "./arguments.ts";
import { type CursorKey, type CursorScope, readCursor, signCursor } from "./cursor.ts";
import { DEFAULT_MAX_TOKENS, type Tool } from "./tool.ts";

/** Less than this holds no summary and no last line, so smaller budgets are raised to it. */
const LOWEST_MAX_TOKENS = 150;
const MAX_NEAREST = 3;

/** What calls need from the shell around them. */
export interface ToolServices {
  /**
   * Runs with a reader over the current generation, once more when that was replaced meanwhile. Undefined where no
   * index was published. What it costs is added to the counters.
   */
  readonly withReader: <T>(
    run: (reader: IndexReader) => Promise<T>,
    counters: CostCounters,
  ) => Promise<{ readonly value: T } | undefined>;
  /**
   * A reader over what is published now, past all caches; undefined where that is nothing. Where it is absent, the index
   * that answers is read so.
   */
  readonly openFresh?: (counters: CostCounters) => Promise<IndexReader | undefined>;
  readonly cursorKey: () => Promise<CursorKey>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Takes what only the operator should see. */
  readonly report: (problem: Problem, where: string) => void;
}

/** The tools that can be called, and unlisted names of theirs. */
export interface ToolSet {
  readonly tools: readonly Tool[];
  /** From an unlisted name to a listed one. */
  readonly aliases: Readonly<Record<string, string>>;
}

/** Name under which the cost of a call stands in the `_meta` of its result, where clients show no model. */
const COST_META = "treeline/cost";

/** The result of a call. What names no tool reads nothing, and has no cost. */
export async function callTool(
  set: ToolSet,
  name: string,
  given: Readonly<Record<string, unknown>>,
  services: ToolServices,
): Promise<RenderedAnswer> {
  const { now } = services;
  const tool = findTool(set, name);
  if (tool === undefined) return renderProblem(unknownTool(set, name), undefined, now);
  const counters = createCounters();
  try {
    const done = await services.withReader((reader) => answer(tool, given, reader, services, counters), counters);
    return withCost(done?.value ?? renderProblem(NO_INDEX, undefined, now), counters);
  } catch (error) {
    const problem = toProblem(error);
    services.report(problem, tool.name);
    return withCost(renderProblem(problem, undefined, now), counters);
  }
}

function withCost(result: RenderedAnswer, cost: Cost): RenderedAnswer {
  return { ...result, _meta: { [COST_META]: { ...cost } } };
}

/** The tool that a name stands for, listed or not. */
export function findTool({ tools, aliases }: ToolSet, name: string): Tool | undefined {
  const listed = Object.hasOwn(aliases, name) ? aliases[name] : name;
  return tools.find((tool) => tool.name === listed);
}

async function answer(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  reader: IndexReader,
  services: ToolServices,
  counters: CostCounters,
): Promise<RenderedAnswer> {
  const { now, cursorKey } = services;
  let { generation } = reader.index;
  const refresh = async (): Promise<IndexReader> => {
    const fresh = (await services.openFresh?.(counters)) ?? readPastCaches(reader, counters);
    generation = fresh.index.generation;
    return fresh;
  };
  try {
    const { values, notes } = readArguments(tool, given, reader.facetKeys);
    const { maxTokens, note } = readBudget(tool, values);
    const scope: CursorScope = { tool: tool.name, values, generation: generation.id };
    const offset = typeof values.cursor === "string" ? await readCursor(await cursorKey(), scope, values.cursor) : 0;
    const format = values.format as Format | undefined;
    const found = await tool.run(values, { reader, refresh, offset, format: format ?? "text", maxTokens, now });
    return await renderAnswer(
      { ...found, notes: [...notes, ...note, ...(found.notes ?? [])] },
      {
        format: format ?? "text",
        maxTokens,
        highestMaxTokens: tool.highestMaxTokens(values),
        origin: { commit: generation.commit, builtAt: generation.builtAt },
        now,
        signCursor: async (next) => signCursor(await cursorKey(), scope, next),
      },
    );
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const problem = toProblem(error);
    const example = problem.kind === "bad-input" ? (problem.example ?? formatExample(tool)) : undefined;
    return renderProblem({ ...problem, ...(example !== undefined && { example }) } as Problem, generation, now);
  }
}

/** A reader over the same index, for the same access groups. */
function readPastCaches(reader: IndexReader, counters: CostCounters): IndexReader {
  const groups = reader.shards.map(({ root }) => root.group);
  return new IndexReader(pastCaches(reader.index), groups, { counters });
}

function readBudget(
  tool: Tool,
  values: Readonly<Record<string, unknown>>,
): { readonly maxTokens: number; readonly note: readonly string[] } {
  const highestMaxTokens = tool.highestMaxTokens(values);
  const asked = typeof values.max_tokens === "number" ? values.max_tokens : DEFAULT_MAX_TOKENS;
  if (asked > highestMaxTokens) {
    return {
      maxTokens: highestMaxTokens,
      note: [`max_tokens ${asked} was cut to ${highestMaxTokens}, the maximum of this tool.`],
    };
  }
  if (asked < LOWEST_MAX_TOKENS) {
    return {
      maxTokens: LOWEST_MAX_TOKENS,
      note: [`max_tokens ${asked} was raised to ${LOWEST_MAX_TOKENS}, the least that says anything.`],
    };
  }
  return { maxTokens: asked, note: [] };
}

function unknownTool({ tools, aliases }: ToolSet, name: string): Problem {
  const names = tools.map((tool) => tool.name);
  const nearest = nearestNames(name, [...names, ...Object.keys(aliases)], MAX_NEAREST).map((near) =>
    Object.hasOwn(aliases, near) ? (aliases[near] ?? near) : near,
  );
  const example = tools.find((tool) => tool.name === nearest[0]) ?? tools[0];
  return {
    kind: "bad-input",
    message: `There is no tool ${quoteName(name)} here. The tools are ${names.join(", ")}.`,
    nearest: [...new Set(nearest)],
    example: example === undefined ? undefined : formatExample(example),
  };
}
