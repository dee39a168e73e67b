/**
 * Answer in the format and within the token budget that the caller asked for, as the content of an MCP tool result.
 *
 * Text is the summary, one block an item, notes, one line on what was left out, and the commit and age of the index. JSON
 * is the same answer as one object, as text and as `structuredContent`. TOON is that object, or a grouped one, in fewer
 * characters, followed by the notes. The fullest form that fits is taken. Signing cursors is asynchronous and passed in.
 */
import { encode } from "@toon-format/toon";
import type { GenerationInfo } from "../../core/index/open-generation.ts";
import type { Answer, AnswerForm, JsonObject } from "./answer.ts";
import { formatProblem, type Problem } from "./problem.ts";
import { ageSeconds, cleanJson, cleanText, cutToTokens, estimateTokens, foldLine, formatAge } from "./text.ts";

/** The object as TOON; halves of characters, which the format refuses, become U+FFFD. */
export function encodeToon(value: JsonObject): string {
  try {
    return encode(value);
  } catch (error) {
    // Rare: nothing is looked for before.
    if (error instanceof TypeError) return encode(cleanJson(value).value);
    throw error;
  }
}

/** Formats that an answer can be asked for in; the first is the default. */
export const FORMATS = ["text", "toon", "json"] as const;
export type Format = (typeof FORMATS)[number];

/** Tokens kept back for the last lines: what was left out, the cursor, commit and age. `more` is counted by itself. */
const RESERVED_TOKENS = 95;
/** Shares of the budget that a form with shortened texts is tried with: what its text costs in JSON is not known before. */
const SHORTENED_SHARES = [1, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2];
/** Characters of a commit or time: the longest hash has 64. */
const MAX_ORIGIN = 100;
/** Hex digits of a commit that are shown. */
const COMMIT_DIGITS = 7;

type Origin = Pick<GenerationInfo, "commit" | "builtAt" | "committedAt" | "dirty">;

interface RenderOptions {
  readonly format: Format;
  readonly maxTokens: number;
  /** Highest `max_tokens` that the tool takes: named when something was left out. */
  readonly highestMaxTokens: number;
  readonly origin: Origin;
  readonly now: number;
  /** A cursor that continues after the first `offset` results. */
  readonly signCursor: (offset: number) => Promise<string>;
  /** Takes the sections whose words the answer shows, by their ids by number. */
  readonly onShown?: (sections: readonly string[]) => void;
}

/** Content of an MCP tool result. A type alias, so that it counts as a JSON object. */
export type RenderedAnswer = {
  content: { type: "text"; text: string }[];
  structuredContent?: { [key: string]: unknown };
  isError?: true;
  /** What is for programs and not for the model, by namespaced names. */
  _meta?: { [key: string]: unknown };
};

/** The answer as the content of a tool result. */
export async function renderAnswer(answer: Answer, options: RenderOptions): Promise<RenderedAnswer> {
  const rendered = await renderContent(answer, options);
  return answer.isError === true ? { ...rendered, isError: true } : rendered;
}

async function renderContent(answer: Answer, given: RenderOptions): Promise<RenderedAnswer> {
  const options = { ...given, origin: cleanOrigin(given.origin) };
  const chosen = options.format === "text" ? fitText(answer, options) : fitValue(answer, options, options.format);
  const { left, cursor } = await describeRest(answer, chosen, options);
  // Nobody knows how much of each a block shows that was cut.
  options.onShown?.((!chosen.textCut && chosen.form.sections?.(chosen.shown)) || []);
  // Calls name ids and paths, and these are of the corpus.
  const notes = [...(answer.notes ?? []), ...describeRemoved(chosen)].map((note) => cleanText(note).text);
  if (options.format === "json") {
    const value: JsonObject = {
      ...chosen.value,
      ...(notes.length > 0 && { notes }),
      ...(left !== undefined && { leftOut: left }),
      ...(cursor !== undefined && { nextCursor: cursor }),
      generation: { ...options.origin, ageSeconds: ageSeconds(options.origin.builtAt, options.now) ?? null },
    };
    return { content: toContent([JSON.stringify(value), formatOrigin(options)]), structuredContent: { ...value } };
  }
  const next = cursor === undefined ? undefined : `Next page: the same call with cursor "${cursor}".`;
  const rest = [left, next].filter((line) => line !== undefined).join(" ");
  const body =
    options.format === "toon" ? [encodeToon(chosen.value ?? {})] : [cleanText(answer.summary).text, ...chosen.blocks];
  const texts = [...body, notes.join("\n"), rest, answer.isBare === true ? "" : formatOrigin(options)];
  const content = texts.filter((text) => text !== "");
  // The first block of a raw text is its bytes, also where there are none.
  const isEmptyText = chosen.form.raw === true && options.format === "text" && chosen.blocks.join("") === "";
  return { content: toContent(isEmptyText ? ["", ...content] : content) };
}

/** An answer that was rendered before, with the age of its index as it is now. */
export function renewAge(
  answer: RenderedAnswer,
  given: Pick<RenderOptions, "format" | "origin" | "now"> & { readonly isBare: boolean },
): RenderedAnswer {
  const { format, now, isBare } = given;
  const origin = cleanOrigin(given.origin);
  const last = { type: "text" as const, text: formatOrigin({ origin, now }) };
  const { content, structuredContent } = answer;
  if (format !== "json" || structuredContent === undefined)
    return isBare ? answer : { ...answer, content: [...content.slice(0, -1), last] };
  const generation = { ...origin, ageSeconds: ageSeconds(origin.builtAt, now) ?? null };
  const value = { ...structuredContent, generation };
  return { ...answer, content: [{ type: "text", text: JSON.stringify(value) }, last], structuredContent: value };
}

/** A problem as a tool result. The origin is missing where no index was open. */
export function renderProblem(problem: Problem, origin: Origin | undefined, now: number): RenderedAnswer {
  const texts = [cleanText(formatProblem(problem)).text];
  if (origin !== undefined) texts.push(formatOrigin({ origin: cleanOrigin(origin), now }));
  return { content: toContent(texts), isError: true };
}

/** A form that was chosen, with what is sent of it. */
interface Chosen {
  readonly form: AnswerForm;
  readonly blocks: readonly string[];
  /** The same as an object, where that was asked for. */
  readonly value?: JsonObject;
  /** Items that the answer shows, and that the form has. */
  readonly shown: number;
  readonly count: number;
  /** True where a block's own text had to be cut. */
  readonly textCut: boolean;
  /** Invisible characters that were stripped, or are shown in a raw text. */
  readonly invisible: number;
}

function fitText(answer: Answer, options: RenderOptions): Chosen {
  const summary = cleanText(answer.summary).text;
  const fixed = RESERVED_TOKENS + estimateTokens(summary) + estimateTokens((answer.notes ?? []).join("\n"));
  const room = Math.max(0, options.maxTokens - fixed);
  const { form: candidate, shown, fits } = fitToBudget(candidates(answer, room, "text"), room);
  const { form, count, tail } = candidate;
  const cutBlock = shown === 0 && count > 0 ? cutBlockOf(candidate, room) : "";
  const textCut = cutBlock !== "" || !fits;
  const blocks = textCut ? [cutBlock] : candidate.blocks(shown).map(({ text }) => text);
  const shownBlocks = cutBlock === "" ? shown : 1;
  const texts = [...(form.joined === true ? [blocks.join("\n")] : blocks), textCut ? "" : tail.text];
  return {
    form,
    blocks: texts.filter((text) => text !== ""),
    shown: shownBlocks,
    count,
    textCut,
    invisible: candidate.blocks(shownBlocks).reduce((sum, { invisible }) => sum + invisible, tail.invisible),
  };
}

/** The start of the first block: between lines where lines are rows. */
function cutBlockOf({ form, blocks }: Candidate, room: number): string {
  const block = blocks(1)[0]?.text ?? "";
  const cut = cutToTokens(block, room);
  const lastEnd = cut.lastIndexOf("\n");
  return form.perItem === false && cut.length < block.length && lastEnd > 0 ? cut.slice(0, lastEnd) : cut;
}

/** The object that is sent as JSON or TOON. */
function fitValue(answer: Answer, options: RenderOptions, format: "json" | "toon"): Chosen {
  // What `generation` costs in a JSON answer.
  const generation = estimateTokens(JSON.stringify({ generation: { ...options.origin, ageSeconds: 1_000_000_000 } }));
  const notes = estimateTokens(JSON.stringify(answer.notes ?? []));
  const room = Math.max(0, options.maxTokens - RESERVED_TOKENS - generation - notes);
  const { form: candidate, shown } = fitToBudget(candidates(answer, room, format), room);
  const { form, count } = candidate;
  const written = objectOf(form, shown, format);
  const { value, removed } = cleanJson(written);
  // The text of a raw form stays as it is.
  const raw = form.raw === true && typeof written.text === "string" && { text: written.text };
  return {
    form,
    blocks: [],
    value: { ...(value as JsonObject), ...raw },
    shown,
    count,
    textCut: false,
    invisible: removed,
  };
}

function objectOf(form: AnswerForm, shown: number, format: Format): JsonObject {
  return format === "toon" && form.toon !== undefined ? form.toon(shown) : form.json(shown);
}

/** The forms, each followed by its shortened ones, with what they cost. */
function* candidates(answer: Answer, room: number, format: Format): Generator<Candidate> {
  for (const form of answer.forms) {
    if ((form.fewestTokens ?? 0) > room && form !== answer.forms.at(-1)) continue;
    yield toCandidate(form, form === answer.forms[0], format);
    for (const share of form.shorten === undefined ? [] : SHORTENED_SHARES) {
      const shortened = form.shorten?.(Math.floor(room * share));
      if (shortened !== undefined) yield toCandidate(shortened, false, format);
    }
  }
}

function toCandidate(form: AnswerForm, isFirst: boolean, format: Format) {
  const tail = cleanBlock(form.tail ?? "", form);
  const blocks = listBlocks(form);
  const count = form.count ?? form.blocks().length;
  const tokensOf = (shown: number): number => {
    if (format === "text") return blocks(shown).reduce((sum, { tokens }) => sum + tokens, tail.tokens);
    const value = objectOf(form, shown, format);
    return estimateTokens(format === "toon" ? encodeToon(value) : JSON.stringify(value));
  };
  // The whole fullest form is followed by no sentence on how to get more.
  const more = estimateTokens(form.more ?? "");
  const measure = (shown: number): number => tokensOf(shown) + (isFirst && shown === count ? 0 : more);
  return { form, blocks, tail, count, keepAtLeast: form.keepAtLeast, measure };
}

/** A form that is tried, with the blocks of its first items. */
type Candidate = Readonly<ReturnType<typeof toCandidate>>;

/** Writer of a form's first blocks. Each number of items that share blocks is written once; other blocks once in all. */
function listBlocks(form: AnswerForm): (shown: number) => readonly CleanBlock[] {
  const written = new Map<number, readonly CleanBlock[]>();
  return (shown) => {
    // Without a count a block is an item: all are written at once.
    const key = form.count === undefined ? Number.POSITIVE_INFINITY : shown;
    const blocks =
      written.get(key) ??
      form.blocks(form.count === undefined ? undefined : shown).map((text) => cleanBlock(text, form));
    written.set(key, blocks);
    return form.count === undefined ? blocks.slice(0, shown) : blocks;
  };
}

function cleanBlock(written: string, { raw, joined }: AnswerForm) {
  const { text, removed } = cleanText(written);
  const shown = raw === true ? written : text;
  return { text: shown, tokens: estimateTokens(joined === true ? `${shown}\n` : shown), invisible: removed };
}

/** A block that is ready to send. `invisible` characters were stripped from it, or are shown in a raw one. */
type CleanBlock = Readonly<ReturnType<typeof cleanBlock>>;

/** What was left out and how to get it, and a cursor where results are left. */
async function describeRest(answer: Answer, chosen: Chosen, options: RenderOptions) {
  const { page } = answer;
  const { form, shown, count, textCut } = chosen;
  const degraded = form !== answer.forms[0];
  const perItem = form.perItem !== false;
  const cut = shown < count || textCut;
  const parts: string[] = [];
  let cursor: string | undefined;
  // Of lists that go on together, what was cut off has no place to go on from.
  const isTogether = page?.total === 0 && cut;
  if (page !== undefined && perItem && !isTogether) {
    const end = page.offset + shown;
    const next = page.positions?.[shown] ?? end;
    if (end < page.total && count === 0 && next > page.offset) {
      parts.push(`None of the ${page.items} ${page.offset + 1}–${next} matches; further ones may.`);
      cursor = await options.signCursor(next);
    } else if (end < page.total && shown > 0) {
      parts.push(`Shown ${page.offset + 1}–${end} of ${page.total} ${page.items}.`);
      cursor = await options.signCursor(next);
    } else if (end >= page.total && page.beyond !== undefined) cursor = await options.signCursor(page.beyond);
  } else if (page?.beyond !== undefined && !isTogether) {
    cursor = await options.signCursor(page.beyond);
  } else if (cut && perItem) {
    parts.push(`Shown ${shown} of ${count}${textCut ? ", the last one cut" : ""}.`);
  }
  if ((degraded || cut) && (answer.isBare !== true || textCut)) {
    parts.push(`${degraded ? `Only ${form.detail} fit` : "Not everything fits"} into ${options.maxTokens} tokens.`);
    if (form.more !== undefined) parts.push(form.more);
    if (options.maxTokens < options.highestMaxTokens)
      parts.push(`${form.more === undefined ? "Raise" : "Or raise"} max_tokens, up to ${options.highestMaxTokens}.`);
  }
  return { left: parts.length > 0 ? cleanText(parts.join(" ")).text : undefined, cursor };
}

function describeRemoved({ form, invisible }: Chosen): string[] {
  if (invisible === 0) return [];
  const characters = `${invisible} invisible or direction-changing character${invisible === 1 ? "" : "s"}`;
  return [form.raw === true ? `The text holds ${characters}.` : `${characters} removed from the text.`];
}

/** Where an answer comes from, on one line each. */
function cleanOrigin({ commit, builtAt, committedAt, dirty }: Origin): Origin {
  const clean = (text: string): string => foldLine(cleanText(text).text, MAX_ORIGIN);
  return {
    commit: clean(commit),
    builtAt: clean(builtAt),
    ...(committedAt !== undefined && { committedAt: clean(committedAt) }),
    ...(dirty === true && { dirty }),
  };
}

/** `built 3 min ago from a0e134b of 21 Aug`, `… with changes` where the tree was not clean. */
export function formatOrigin({ origin, now }: { readonly origin: Origin; readonly now: number }): string {
  const { commit, committedAt = "", dirty, builtAt } = origin;
  const built = `built ${formatAge(builtAt, now) ?? "at an unknown time"}`;
  if (commit === "" || commit === "none") return `${built}, no commit`;
  const short = /^[0-9a-f]{40,64}$/.test(commit) ? commit.slice(0, COMMIT_DIGITS) : commit;
  const day = formatDay(committedAt, now);
  return `${built} from ${short}${day === "" ? "" : ` of ${day}`}${dirty === true ? " with changes" : ""}`;
}

function toContent(texts: readonly string[]): RenderedAnswer["content"] {
  return texts.map((text) => ({ type: "text", text }));
}

/*
 * Fit an answer into a token budget: the fullest form that fits, cut at its end only where the form allows it.
 */

interface Fittable {
  /** Items that the form has. */
  readonly count: number;
  readonly keepAtLeast?: number | undefined;
  /** Tokens of the form with its first `shown` items; grows with `shown`. */
  readonly measure: (shown: number) => number;
}

/**
 * The first form that fits whole, or with its end cut off as far as it allows; if there is none, the last one with as
 * many items as fit. `fits` is false where even that exceeds the budget with no item at all: the caller must cut text.
 *
 * @param forms From the fullest to the barest; produced one after the other, none that is not needed.
 */
export function fitToBudget<F extends Fittable>(forms: Iterable<F>, maxTokens: number) {
  let last: F | undefined;
  for (const form of forms) {
    last = form;
    if (form.measure(form.count) <= maxTokens) return { form, shown: form.count, fits: true };
    if (form.keepAtLeast === undefined) continue;
    const shown = countThatFit(form, maxTokens);
    if (shown >= Math.max(1, form.keepAtLeast)) return { form, shown, fits: true };
  }
  if (last === undefined) throw new RangeError("an answer has at least one form");
  const shown = countThatFit(last, maxTokens);
  return { form: last, shown, fits: last.measure(shown) <= maxTokens };
}

/** Most items that fit; 0 where not even one does. */
function countThatFit(form: Fittable, maxTokens: number): number {
  let low = 0;
  let high = form.count;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (form.measure(middle) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  return low;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `21 Aug`, with the year where it is another one than now; `""` where the time is none. */
function formatDay(isoTime: string, now: number): string {
  const then = new Date(isoTime);
  if (Number.isNaN(then.getTime())) return "";
  const year = then.getUTCFullYear();
  const day = `${then.getUTCDate()} ${MONTHS[then.getUTCMonth()]}`;
  return year === new Date(now).getUTCFullYear() ? day : `${day} ${year}`;
}
