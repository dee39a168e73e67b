/**
 * Open a session out of the body of a request, for clients that cannot call a tool before they connect. The same as the tool
 * `open_session`, without its words.
 */
import { InputError } from "../core/errors.ts";
import type { CostCounters } from "../core/index/cost.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import type { JsonObject } from "../surface/render/answer.ts";
import type { Sessions } from "../surface/session/session-state.ts";
import { readArguments } from "./arguments.ts";
import type { ToolServices } from "./call.ts";
import { isDeeperThan, MAX_DEPTH } from "./json-depth.ts";
import { openSession } from "./open-session.ts";
import { openSessionTool } from "./tools/open-session.ts";

const EXAMPLE = JSON.stringify(openSessionTool.example);

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
      ...{ reader, refresh: async () => reader, offset: 0, format: "json", now: services.now, shownBefore: new Map() },
      corpus: services.corpus ?? "",
      maxTokens: openSessionTool.highestMaxTokens(values),
      openSession: (settings) => openSession(services, reader, settings, counters),
    });
    return forms[0]?.json(0) ?? {};
  } catch (error) {
    // Its example is a call of a tool, if any.
    throw error instanceof InputError ? new InputError(error.message, error.nearest, EXAMPLE) : error;
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = isDeeperThan(text, MAX_DEPTH) ? undefined : JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new InputError(
    `The body must be nothing or a JSON object, at most ${MAX_DEPTH} levels deep, with scope, ranking or token_budget.`,
    [],
    EXAMPLE,
  );
}
