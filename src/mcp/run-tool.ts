/** Answers of tools outside of `tools/call`: for resources, for the pair `search` and `fetch`, for `POST /session`. */

import { InputError } from "../core/errors.ts";
import type { CostCounters } from "../core/index/cost.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { isRecord, parseJson } from "../core/parse-text.ts";
import type { JsonObject } from "../surface/render/answer.ts";
import { type Format, type RenderedAnswer, renderAnswer } from "../surface/render/render.ts";
import type { Sessions } from "../surface/session/session-state.ts";
import { readArguments } from "./arguments.ts";
import type { ToolServices } from "./call.ts";
import { signCursor } from "./cursor.ts";
import { isDeeperThan, MAX_DEPTH } from "./json.ts";
import { openSession } from "./session-call.ts";
import type { Tool, ToolContext } from "./tool.ts";
import { openSessionTool } from "./tools/open-session.ts";

const EXAMPLE = JSON.stringify(openSessionTool.example);

/**
 * The rendered answer, with as many tokens as the tool may have.
 *
 * @param values Arguments by declared name, defaults filled in.
 * @throws {InputError} as the tool does.
 */
export async function renderTool(
  tool: Tool,
  values: Readonly<Record<string, unknown>>,
  format: Format,
  reader: IndexReader,
  { now, signingKeys, corpus = "" }: ToolServices,
): Promise<RenderedAnswer> {
  const context = contextOf(tool, values, format, reader, now, corpus);
  const { maxTokens } = context;
  const { generation } = reader;
  const collections = reader.collections.map(({ name }) => name);
  const scope = { tool: tool.name, values, generation: generation.id, collections };
  return renderAnswer(await tool.run(values, context), {
    format,
    maxTokens,
    highestMaxTokens: maxTokens,
    origin: generation,
    now,
    signCursor: async (offset) => signCursor(await signingKeys("cursor"), scope, offset),
  });
}

/** A call by nobody's session, with as many tokens as the tool may have. */
function contextOf(
  tool: Tool,
  values: Readonly<Record<string, unknown>>,
  format: Format,
  reader: IndexReader,
  now: number,
  corpus: string,
): ToolContext {
  const maxTokens = tool.highestMaxTokens(values);
  return { reader, refresh: async () => reader, offset: 0, format, maxTokens, now, corpus, shownBefore: new Set() };
}

/**
 * The new session as an object: handle, addresses, generation, end.
 *
 * @param body Arguments of `open_session` as JSON, or nothing.
 * @throws {InputError} with a body as its example where it is none, or names what the index does not have.
 */
export async function openFromBody(
  body: string,
  reader: IndexReader,
  services: ToolServices & { readonly sessions: Sessions },
  counters: CostCounters,
): Promise<JsonObject> {
  const given = body.trim() === "" ? {} : parseObject(body);
  try {
    const { values } = readArguments(openSessionTool, given, reader.facetKeys);
    const { forms } = await openSessionTool.run(values, {
      ...contextOf(openSessionTool, values, "json", reader, services.now, services.corpus ?? ""),
      openSession: (settings) => openSession(services, reader, settings, counters),
    });
    return forms[0]?.json(0) ?? {};
  } catch (error) {
    // Its example is a call of a tool, if any.
    throw error instanceof InputError ? new InputError(error.message, error.nearest, EXAMPLE) : error;
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  if (isRecord(value) && !isDeeperThan(value, MAX_DEPTH)) return value;
  throw new InputError(
    `The body must be nothing or a JSON object, at most ${MAX_DEPTH} levels deep, with scope, ranking or token_budget.`,
    [],
    EXAMPLE,
  );
}
