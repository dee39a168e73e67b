/**
 * Run one call of a tool, from its name and raw arguments to the content of its result. Never throws: what goes
 * wrong becomes a result with `isError` that says what to do.
 */

import type { SigningKeys } from "../access/signing-keys.ts";
import { InputError } from "../core/errors.ts";
import { type Cost, type CostCounters, createCounters } from "../core/index/cost.ts";
import { IndexReader } from "../core/index/index-reader.ts";
import { pastCaches } from "../core/index/past-caches.ts";
import { nearestNames } from "../core/text/nearest.ts";
import { quoteName } from "../core/text/quote-value.ts";
import type { Answer } from "../render/answer.ts";
import { NO_INDEX, nameTrace, type Problem, toProblem } from "../render/problem.ts";
import { type Format, type RenderedAnswer, renderAnswer, renderProblem } from "../render/render.ts";
import { estimateTokens } from "../render/tokens.ts";
import type { Unanswered } from "../render/unanswered.ts";
import { formatExample, readArguments } from "./arguments.ts";
import { type CursorScope, readCursor, signCursor } from "./cursor.ts";
import { DEFAULT_MAX_TOKENS, type Tool } from "./tool.ts";

/** Less than this holds no summary and no last line, so smaller budgets are raised to it. */
const LOWEST_MAX_TOKENS = 150;
const MAX_NEAREST = 3;
/** What an event calls a tool that there is not: names that callers make up do not belong in a log. */
const UNKNOWN_TOOL = "unknown";

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
  readonly signingKeys: SigningKeys;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Takes what only the operator should see. */
  readonly report: (problem: Problem, where: string) => void;
  /** Told of each call that was answered. */
  readonly observe?: (event: CallEvent) => void;
  /** Id under which the operator's log has this request. */
  readonly trace?: string;
}

/** One call of a tool, as an operator sees it: no arguments, no texts. */
export interface CallEvent {
  /** Listed name of the tool; `unknown` where there is none of the name that was called. */
  readonly tool: string;
  readonly outcome: "answered" | "refused" | "failed";
  readonly cost: Cost;
  /** Estimated tokens of the answer. */
  readonly tokens: number;
  /** The question of the call, where it found nothing good: the one text that an event carries. Never logged. */
  readonly unanswered?: Unanswered;
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
  const counters = createCounters();
  let unanswered: Unanswered | undefined;
  const tell = (outcome: CallEvent["outcome"], result: RenderedAnswer): void =>
    services.observe?.({
      tool: tool?.name ?? UNKNOWN_TOOL,
      outcome,
      cost: { ...counters },
      tokens: countTokens(result),
      ...(unanswered !== undefined && { unanswered }),
    });
  if (tool === undefined) {
    const refusal = renderProblem(unknownTool(set, name), undefined, now);
    tell("refused", refusal);
    return refusal;
  }
  try {
    const note = (found: Answer): void => {
      unanswered = found.unanswered;
    };
    const done = await services.withReader((reader) => answer(tool, given, reader, services, counters, note), counters);
    const result = done?.value ?? renderProblem(NO_INDEX, undefined, now);
    tell(result.isError === true ? "refused" : "answered", result);
    return withCost(result, counters);
  } catch (error) {
    const problem = toProblem(error);
    services.report(problem, tool.name);
    const result = renderProblem(nameTrace(problem, services.trace), undefined, now);
    tell("failed", result);
    return withCost(result, counters);
  }
}

function countTokens({ content }: RenderedAnswer): number {
  return content.reduce((sum, { text }) => sum + estimateTokens(text), 0);
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
  note: (found: Answer) => void,
): Promise<RenderedAnswer> {
  const { now, signingKeys } = services;
  let { generation } = reader.index;
  const refresh = async (): Promise<IndexReader> => {
    const fresh = (await services.openFresh?.(counters)) ?? readPastCaches(reader, counters);
    generation = fresh.index.generation;
    return fresh;
  };
  let maxTokens: number | undefined;
  try {
    const { values, notes } = readArguments(tool, given, reader.facetKeys);
    const budget = readBudget(tool, values);
    maxTokens = budget.maxTokens;
    const scope: CursorScope = { tool: tool.name, values, generation: generation.id };
    const offset =
      typeof values.cursor === "string" ? await readCursor(await signingKeys("cursor"), scope, values.cursor) : 0;
    const format = values.format as Format | undefined;
    const found = await tool.run(values, { reader, refresh, offset, format: format ?? "text", maxTokens, now });
    note(found);
    return await renderAnswer(
      { ...found, notes: [...notes, ...budget.note, ...(found.notes ?? [])] },
      {
        format: format ?? "text",
        maxTokens,
        highestMaxTokens: tool.highestMaxTokens(values),
        origin: { commit: generation.commit, builtAt: generation.builtAt },
        now,
        signCursor: async (next) => signCursor(await signingKeys("cursor"), scope, next),
      },
    );
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const problem = toProblem(error);
    const example = problem.kind === "bad-input" ? (problem.example ?? formatExample(tool)) : undefined;
    return renderProblem(
      { ...problem, ...(example !== undefined && { example }) } as Problem,
      generation,
      now,
      maxTokens,
    );
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
