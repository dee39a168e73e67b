/**
 * Tool `session_state`: what a session remembers.
 */
import { InputError } from "../../core/errors.ts";
import type { AnswerForm, JsonObject } from "../../surface/render/answer.ts";
import { formatCount, formatNumber } from "../../surface/render/numbers.ts";
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
    return { summary: summarize(session), forms: [fullForm(session, isNewer), bareForm(session, isNewer)] };
  },
});

function summarize({ calls, tokens, settings }: SessionState): string {
  const { tokenBudget } = settings;
  const left = formatNumber(Math.max(0, tokenBudget - tokens));
  const budget = tokenBudget === 0 ? "" : ` of ${formatNumber(tokenBudget)}, ${left} left`;
  return `${formatCount(calls, "call")}, ${formatNumber(tokens)} tokens${budget}.`;
}

function fullForm(session: SessionState, isNewer: boolean): AnswerForm {
  const { shown, trail } = session;
  const last = [...shown.keys()].slice(-LAST_SHOWN);
  return {
    detail: "all of it",
    blocks: () => [
      describe(session, isNewer).join("\n"),
      ...(last.length === 0 ? [] : [`${formatCount(session.shownCount, "section")} shown, last: ${last.join(", ")}`]),
      ...(trail.length === 0
        ? []
        : [
            [
              "Last calls:",
              ...trail.map(({ at, tool, about }) => `  ${formatTime(at)} ${tool} ${about}`.trimEnd()),
            ].join("\n"),
          ]),
    ],
    json: () => ({
      ...toJson(session, isNewer),
      lastShown: last,
      trail: trail.map(({ at, tool, about }) => ({ at: formatTime(at), tool, about })),
    }),
    perItem: false,
  };
}

function bareForm(session: SessionState, isNewer: boolean): AnswerForm {
  return {
    detail: "settings and sums",
    blocks: () => [describe(session, isNewer).join("\n")],
    json: () => toJson(session, isNewer),
    perItem: false,
  };
}

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
