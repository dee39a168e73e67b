/**
 * Tool `session_state`: what a session remembers.
 */
import { InputError } from "../../core/errors.ts";
import type { JsonObject } from "../../surface/render/answer.ts";
import { formatCount, formatList, formatNumber } from "../../surface/render/text.ts";
import type { SessionState } from "../../surface/session/session-state.ts";
import { defineTool } from "../tool.ts";

/** Sections that are named of those that were shown. */
const LAST_SHOWN = 10;

export const sessionStateTool = defineTool({
  name: "session_state",
  description: "Generation, scope, tokens, last calls of a session.",
  parameters: {},
  sessionParts: ["shown", "trail"],
  isShort: true,
  example: { session: "HANDLE" },
  async run(_args, { session, currentGeneration }) {
    if (session === undefined) {
      throw new InputError("session_state needs session: the handle that open_session gave.", [], "open_session({})");
    }
    const newest = await currentGeneration?.();
    const isNewer = newest !== undefined && newest !== session.pin.id;
    const { shown, shownCount, calls, tokens, settings } = session;
    const { tokenBudget } = settings;
    const left = formatNumber(Math.max(0, tokenBudget - tokens));
    const budget = tokenBudget === 0 ? "" : ` of ${formatNumber(tokenBudget)}, ${left} left`;
    const lines = describe(session, isNewer).join("\n");
    const last = [...shown].slice(-LAST_SHOWN);
    const trail = session.trail.map(({ at, tool, about }) => ({ at: formatTime(at), tool, about }));
    const told = trail.map(({ at, tool, about }) => `${at} ${tool} ${about}`.trimEnd());
    return {
      summary: `${formatCount(calls, "call")}, ${formatNumber(tokens)} tokens${budget}.`,
      forms: [
        {
          detail: "all of it",
          blocks: () => [
            lines,
            ...(last.length === 0 ? [] : [`${formatCount(shownCount, "section")} shown, last: ${last.join(", ")}`]),
            ...(told.length === 0 ? [] : [formatList("Last calls:", told)]),
          ],
          json: () => ({ ...toJson(session, isNewer), lastShown: last, trail }),
          perItem: false,
        },
        { detail: "settings and sums", blocks: () => [lines], json: () => toJson(session, isNewer), perItem: false },
      ],
    };
  },
});

function describe({ pin, settings, openedAt, expiresAt }: SessionState, isNewer: boolean): string[] {
  const { collections, version, filters, ranking } = settings;
  const hasFilters = Object.keys({ ...filters.include, ...filters.exclude }).length > 0;
  const scope = [
    ...(collections.length > 0 ? [`collections ${collections.join(", ")}`] : []),
    ...(version === "" ? [] : [`version ${version}`]),
    ...(hasFilters ? [`filters ${JSON.stringify(filters)}`] : []),
  ];
  return [
    `generation ${pin.id}${isNewer ? "; a newer one is published, a new session sees it" : ""}`,
    `scope: ${scope.length === 0 ? "everything" : scope.join("; ")}`,
    ...(Object.keys(ranking).length === 0 ? [] : [`ranking: ${JSON.stringify(ranking)}`]),
    `opened ${formatTime(openedAt)}, ends ${formatTime(expiresAt)} unless it is used`,
  ];
}

function toJson(session: SessionState, isNewer: boolean): JsonObject {
  const { pin, settings, calls, tokens, shownCount, openedAt, expiresAt } = session;
  const { collections, version, filters, ranking, tokenBudget } = settings;
  return {
    generationId: pin.id,
    newerGeneration: isNewer,
    scope: { collections, ...(version !== "" && { version }), filters },
    ranking,
    calls,
    tokens,
    ...(tokenBudget > 0 && { tokenBudget, tokensLeft: Math.max(0, tokenBudget - tokens) }),
    sectionsShown: shownCount,
    openedAt: formatTime(openedAt),
    expiresAt: formatTime(expiresAt),
  };
}

/** ISO time to the second. */
function formatTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
