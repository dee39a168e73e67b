/**
 * The state of a question, from the first letter to rows or to the reason why there are none, and what each event makes of it.
 * Who asks, draws and waits looks at it and at nothing else.
 *
 * Pure: states in, states out. Times are milliseconds since 1970.
 */

import type { FacetCounts } from "../../core/docs/model.ts";
import type { ClientProblem, Found, SuggestedPage } from "../client/search-client.ts";

export interface Shown {
  readonly question: Question;
  readonly found: Found;
  /** Titles that come near to what was typed, once they were looked for where nothing was found. */
  readonly near?: readonly SuggestedPage[];
}

export interface QuestionState {
  /** What stands in the field, without blanks around it; `""` shows recent searches. */
  readonly text: string;
  /** More was typed than is searched for. */
  readonly isCut: boolean;
  readonly filters: Filters;
  /** What is asked just now, at once or when the text has stood for a moment. */
  readonly asking: { readonly question: Question; readonly isNow: boolean } | undefined;
  /** What was answered in part, and is asked for the rest when its text has stood for longer: the whole answer, or titles that come near. */
  readonly completing: Question | undefined;
  readonly isSlow: boolean;
  /** The answer that is shown, all of its pages that were asked for, and the question that was answered last. */
  readonly shown: Shown | undefined;
  readonly counts: Counts;
  /** They came, or come, after its rows. */
  readonly isLate: boolean;
  /** Counts of keys as if no value of them were chosen, so that others can be added. */
  readonly wider: WiderCounts;
  /** Why the last question has no answer. */
  readonly failure: { readonly question: Question; readonly problem: ClientProblem } | undefined;
  /** Until when a server that was asked too much is not asked again, whatever is typed or pressed. */
  readonly quietUntil: number;
  /** Somebody chose a row, of the answer that is shown. */
  readonly isMoved: boolean;
  /** Enter was pressed before the answer came: the best row is to be followed, here or in a tab of its own. */
  readonly following: "here" | "tab" | undefined;
}

export const START: QuestionState = {
  text: "",
  isCut: false,
  filters: {},
  asking: undefined,
  completing: undefined,
  isSlow: false,
  shown: undefined,
  counts: new Map(),
  isLate: false,
  wider: new Map(),
  failure: undefined,
  quietUntil: 0,
  isMoved: false,
  following: undefined,
};

/** Seconds to wait where a server does not say how long. */
const DEFAULT_WAIT_S = 5;

/** Nothing is asked, or waits for what is. */
const IDLE = { asking: undefined, completing: undefined, following: undefined, isSlow: false } as const;

/** What was typed, and where it is looked for. */
interface Typed {
  readonly text: string;
  readonly isCut: boolean;
  readonly collections: readonly string[];
  /** It need not stand for a moment first. */
  readonly isNow?: boolean;
}

/** The dialog opens, or its text is another one. What was asked already is not asked again, nor is what is shown. */
export function typed(
  state: QuestionState,
  { text, isCut, collections, isNow = false }: Typed,
  now: number,
): QuestionState {
  const query = text.trim();
  const question = { query, filters: state.filters, collections, offset: 0 };
  const { asking, failure, shown } = state;
  const isAsked = (other: Pick<Shown, "question"> | undefined): boolean =>
    other !== undefined && identify(other.question) === identify(question);
  const next = { ...state, text: query, isCut };
  if (isAsked(asking ?? failure)) return next;
  if (shown === undefined || !isAsked(shown)) return ask(next, question, isNow, now);
  // A letter was typed and taken back, or the dialog closed before the rest came.
  return { ...next, ...IDLE, completing: now < state.quietUntil ? undefined : restOf(shown) };
}

export function filtered(
  state: QuestionState,
  filters: Filters,
  collections: readonly string[],
  now: number,
): QuestionState {
  return ask({ ...state, filters }, { query: state.text, filters, collections, offset: 0 }, true, now);
}

/** More pages are wanted. Rows that another answer is about to replace have no more. */
export function wantMore(state: QuestionState, now: number): QuestionState {
  const { asking, shown } = state;
  const offset = shown?.found.nextOffset;
  if (asking !== undefined || shown === undefined || offset === undefined) return state;
  return ask(state, { ...shown.question, offset }, true, now);
}

/** What failed is asked again: somebody said so, or it is time. */
export function again(state: QuestionState, now: number): QuestionState {
  return state.failure === undefined ? state : ask(state, state.failure.question, true, now);
}

export function slow(state: QuestionState): QuestionState {
  return { ...state, isSlow: state.asking !== undefined };
}

/** An answer came. Of a question that is not asked any more it changes nothing. */
export function answered(state: QuestionState, answer: Found, question: Question): QuestionState {
  if (state.completing === question) {
    // What tells rows apart is not added to those that are there.
    const facetCounts = state.shown?.found.facetCounts ?? answer.facetCounts;
    return { ...state, completing: undefined, shown: { question, found: { ...answer, facetCounts } } };
  }
  if (state.asking?.question !== question) return state;
  const before = question.offset > 0 ? (state.shown?.found.pages ?? []) : [];
  const known = new Set(before.map(({ id }) => id));
  const pages = answer.pages.filter(({ id }) => !known.has(id));
  const found: Found = {
    ...answer,
    pages: [...before, ...pages],
    // Were there nothing new, there would be more for ever.
    nextOffset: pages.length > 0 ? answer.nextOffset : undefined,
  };
  const next: QuestionState = {
    ...state,
    ...{ asking: undefined, isSlow: false, failure: undefined, isMoved: false },
    shown: { question, found },
    completing: restOf({ question, found }),
  };
  if (question.offset > 0) return next;
  const isLate = answer.laterCounts !== undefined;
  // Counts that come later are those of this answer; until then there are none, for others would be of another.
  return { ...withCounts(next, isLate ? {} : answer.facetCounts, question), isLate };
}

export function counted(state: QuestionState, counts: FacetCounts, question: Question): QuestionState {
  const isShown = state.shown !== undefined && identify(state.shown.question) === identify(question);
  return isShown ? withCounts(state, counts, question) : state;
}

/** Titles were found that come near to a question without an answer. They belong to that answer alone. */
export function nearFound(state: QuestionState, near: readonly SuggestedPage[], question: Question): QuestionState {
  const { shown, completing } = state;
  return shown === undefined || completing !== question
    ? state
    : { ...state, completing: undefined, shown: { ...shown, near } };
}

/** A question failed. Of one that is not asked any more it changes nothing. @param retryAfter Seconds that a server asks for. */
export function failed(
  state: QuestionState,
  { problem, retryAfter }: { readonly problem: ClientProblem; readonly retryAfter?: number | undefined },
  question: Question,
  now: number,
): QuestionState {
  const isSaid = retryAfter !== undefined && retryAfter > 0;
  const quietUntil = problem === "too-many" ? now + (isSaid ? Math.ceil(retryAfter) : DEFAULT_WAIT_S) * 1000 : 0;
  const told: QuestionState = { ...state, ...IDLE, quietUntil };
  // What is shown stays where only the rest of it was asked for.
  if (state.completing === question) return told;
  if (state.asking?.question !== question) return state;
  const next = { ...told, failure: { question, problem } };
  // What is shown stays where only more of it was asked for.
  return question.offset > 0 ? next : { ...next, shown: undefined, counts: new Map() };
}

/** Somebody points at rows: none is moved under a mouse or a finger by a rest that comes. */
export function pointed(state: QuestionState): QuestionState {
  return state.completing === undefined ? state : { ...state, completing: undefined };
}

/** A row was chosen, not followed: it is meant, not the best one of an answer that is still to come. */
export function moved(state: QuestionState): QuestionState {
  return { ...state, isMoved: true, following: undefined };
}

/** Enter was pressed: where the answer is still to come, its best row is followed then. */
export function entered(state: QuestionState, isForTab: boolean): QuestionState {
  return state.asking === undefined || state.isMoved ? state : { ...state, following: isForTab ? "tab" : "here" };
}

export function led(state: QuestionState): QuestionState {
  return { ...state, following: undefined };
}

/** The dialog is closed: nothing is asked any more, and what failed is asked anew when it opens again. */
export function closed(state: QuestionState): QuestionState {
  return { ...state, ...IDLE, failure: undefined };
}

/** What an answer is to be asked for again: it was brief, or found nothing where titles may come near, which no filter shut out. */
function restOf({ question, found, near }: Shown): Question | undefined {
  const { filters, offset } = question;
  const isNothing = found.pages.length + offset + Object.values(filters).flat().length === 0;
  return found.isBrief || (isNothing && near === undefined) ? question : undefined;
}

function ask(state: QuestionState, question: Question, isNow: boolean, now: number): QuestionState {
  const isMore = question.offset > 0;
  const next = { ...state, ...IDLE, failure: undefined, isMoved: false };
  const without = { ...next, shown: isMore ? state.shown : undefined };
  if (question.query === "") return { ...without, counts: new Map(), wider: new Map() };
  if (now < state.quietUntil) return { ...without, failure: { question, problem: "too-many" } };
  // Rows stay until others take their place.
  return { ...next, asking: { question, isNow } };
}

function withCounts(state: QuestionState, facetCounts: FacetCounts, question: Question): QuestionState {
  const counts = readCounts(facetCounts);
  return { ...state, counts, wider: keepWider(state.wider, counts, question) };
}

/** Values by key that were chosen; none of a key means all, whatever the page prefers. */
export type Filters = Readonly<Record<string, readonly string[]>>;

export interface Question {
  /** Without blanks around it: no answer depends on them. */
  readonly query: string;
  readonly filters: Filters;
  readonly collections: readonly string[];
  /** Pages passed over; 0 for a new question. */
  readonly offset: number;
}

/**
 * A name that questions share whose answers are the same, whichever part of the answer they ask for.
 *
 * @param without A key whose filters do not count.
 */
export function identify({ query, filters, collections }: Question, without?: string): string {
  const chosen = Object.entries(filters).filter(([key]) => key !== without);
  return JSON.stringify([query, collections, chosen.map(([key, values]) => [key, [...values].sort()]).sort()]);
}

/** Values of a key that were chosen: keys may be called like what every object has. */
export function valuesOf(chosen: Filters, key: string): readonly string[] {
  return Object.hasOwn(chosen, key) ? (chosen[key] ?? []) : [];
}

/** Values that narrow what is shown: those that were chosen, and those of the page where none was. */
export function chosenOf({ filters, shown }: Pick<QuestionState, "filters" | "shown">): Filters {
  const preferred = Object.entries(shown?.found.preferred ?? {}).map(([key, value]) => [key, [value]] as const);
  return { ...Object.fromEntries(preferred), ...filters };
}

/** The filters with one value chosen, or taken back where it was. */
export function toggleValue(chosen: Filters, key: string, value: string): Filters {
  const before = valuesOf(chosen, key);
  const after = before.includes(value) ? before.filter((other) => other !== value) : [...before, value];
  const { [key]: _gone, ...rest } = chosen;
  return after.length === 0 ? rest : { ...rest, [key]: after };
}

/** Pages by value; undefined where a value is known, and its count is not. */
type ValueCounts = ReadonlyMap<string, number | undefined>;

type Counts = ReadonlyMap<string, ValueCounts>;

/** Counts by key, each with the question that they belong to, as `identify` names it without that key. */
type WiderCounts = ReadonlyMap<string, { readonly of: string; readonly counts: ValueCounts }>;

/** Counts of an answer; a client of the page's own may leave them out. */
function readCounts(counts: FacetCounts | null | undefined): Counts {
  return new Map(Object.entries(counts ?? {}).map(([key, values]) => [key, new Map(Object.entries(values))]));
}

/**
 * Counts of each key as if none of its values were chosen. Those of keys with a choice are not in the answer: they are known
 * from before the choice. Once something else is asked, their values still are, and their counts are not.
 */
export function keepWider(before: WiderCounts, counts: Counts, question: Question): WiderCounts {
  const wider = new Map<string, { readonly of: string; readonly counts: ValueCounts }>();
  for (const key of new Set([...counts.keys(), ...Object.keys(question.filters)])) {
    const of = identify(question, key);
    const old = valuesOf(question.filters, key).length > 0 ? before.get(key) : undefined;
    const known = old?.of === of ? old.counts : forgetCounts(old?.counts);
    wider.set(key, { of, counts: old === undefined ? (counts.get(key) ?? known) : known });
  }
  return wider;
}

function forgetCounts(counts: ValueCounts = new Map()): ValueCounts {
  return new Map([...counts.keys()].map((value) => [value, undefined]));
}
