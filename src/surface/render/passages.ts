/**
 * Passages: exact text of sections or lines under a header.
 *
 * A fence has more backticks than any run in the text, so nothing in it can look like its end. Passages over the budget are
 * cut at ends of lines: short ones stay whole, long ones share the rest.
 */

import { countLines } from "../../core/text/lines.ts";
import type { AnswerForm, JsonObject } from "./answer.ts";
import { cleanText, cutToTokens, estimateTokens, formatCount, formatLines } from "./text.ts";

/** A text that was asked for. */
export interface Passage {
  readonly nodeId: string;
  /** From the page's title down to the section's. */
  readonly headingPath: readonly string[];
  /** Page address with the section's anchor, or `""`. */
  readonly url: string;
  readonly startLine: number;
  /** Last line that was asked for; `text` may end before it where not all of it was read. */
  readonly endLine: number;
  readonly text: string;
  /** Sections that begin, end or go on in these lines, by their ids by number. */
  readonly sections: readonly { readonly nodeId: string; readonly startLine: number; readonly endLine: number }[];
}

interface CutText {
  readonly text: string;
  /** Lines in it, one that is cut included. */
  readonly lines: number;
  /** Characters that its last line lost: above 0 only where the first line alone is too long. */
  readonly charactersLeft: number;
}

/** One call that reads a passage on from a line. */
type ReadOn = (passage: Passage, fromLine: number) => string;

/** Least tokens of text that are worth showing of all passages together. */
const LEAST_TEXT_TOKENS = 30;
/** Tokens of a fence and its line feeds, at most. */
const FENCE_TOKENS = 5;
/** Calls that an answer names for reading on. */
const MAX_CALLS = 3;

interface ShownPassage extends Passage {
  readonly shown: CutText;
}

/** Whole passages, then cut ones, then headers alone. */
export function passageForms(passages: readonly Passage[], readOn: ReadOn): [whole: AnswerForm, headers: AnswerForm] {
  const whole = passages.map((passage): ShownPassage => ({ ...passage, shown: wholeText(passage.text) }));
  return [
    { ...textForm(whole, readOn), shorten: (maxTokens) => shortenPassages(passages, maxTokens, readOn) },
    {
      detail: "ids and lines",
      blocks: () => passages.map((passage) => formatHeader(passage, passage.endLine)),
      json: (shown) => ({
        sections: passages.slice(0, shown).map(({ nodeId, startLine, endLine }) => ({ nodeId, startLine, endLine })),
      }),
      more: `Next: ${passages[0] === undefined ? "" : readOn(passages[0], passages[0].startLine)}.`,
    },
  ];
}

/** The longest start of a text that costs at most `maxTokens` and ends with a line; inside the first line if it must. */
export function cutToLines(text: string, maxTokens: number): CutText {
  const cut = cutToTokens(text, maxTokens);
  if (cut.length === text.length) return wholeText(text);
  const end = cut.lastIndexOf("\n") + 1;
  if (end > 0) return wholeText(cut.slice(0, end));
  const firstLine = text.indexOf("\n") < 0 ? text.length : text.indexOf("\n");
  return { text: cut, lines: 1, charactersLeft: firstLine - cut.length };
}

/**
 * A text between fences that it cannot close; `language` stands behind the first. Backticks count as they stand in the answer,
 * where nothing invisible is left between them.
 */
export function fence(text: string, language = ""): string {
  const runs = cleanText(text).text.match(/`{3,}/g) ?? [];
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 2);
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${language}\n${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${ticks}`;
}

function textForm(passages: readonly ShownPassage[], readOn: ReadOn): AnswerForm {
  const cut = passages.filter(isCut);
  const calls = cut.slice(0, MAX_CALLS).map((passage) => describeLeft(passage, readOn));
  const further = cut.length > MAX_CALLS ? `; and of ${cut.length - MAX_CALLS} more sections` : "";
  return {
    detail: "the first lines",
    blocks: () => passages.map(formatPassage),
    json: (shown) => ({ sections: passages.slice(0, shown).map((passage) => toJson(passage, passage.shown)) }),
    sections: (shown) => passages.slice(0, shown).flatMap(sectionsOf),
    ...(cut.length > 0 && { more: `Left: ${calls.join("; ")}${further}.` }),
  };
}

function shortenPassages(passages: readonly Passage[], maxTokens: number, readOn: ReadOn): AnswerForm | undefined {
  const headers = passages.map((passage) => estimateTokens(formatHeader(passage, 1)) + FENCE_TOKENS);
  const first = passages[0];
  const calls = first === undefined ? 0 : estimateTokens(readOn(first, first.endLine)) + 10;
  const room = maxTokens - headers.reduce((sum, tokens) => sum + tokens, 0) - calls;
  if (room < LEAST_TEXT_TOKENS) return undefined;
  const allowed = shareOut(
    passages.map(({ text }) => estimateTokens(text)),
    room,
  );
  const shown = passages.map((passage, index): ShownPassage => {
    const fits = estimateTokens(passage.text) <= (allowed[index] as number);
    return { ...passage, shown: fits ? wholeText(passage.text) : cutToLines(passage.text, allowed[index] as number) };
  });
  return textForm(shown, readOn);
}

/** What each gets of `room`: the small ones all they want, the others equal shares of the rest. */
export function shareOut(wanted: readonly number[], room: number): number[] {
  const shares = wanted.map(() => 0);
  let left = room;
  const ascending = wanted.map((_, index) => index).sort((a, b) => (wanted[a] as number) - (wanted[b] as number));
  for (const [done, index] of ascending.entries()) {
    const share = Math.min(wanted[index] as number, Math.floor(left / (wanted.length - done)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

/** The sections that are shown whole. */
function sectionsOf({ startLine, shown, sections }: ShownPassage): string[] {
  const lastLine = startLine + shown.lines - 1 - (shown.charactersLeft > 0 ? 1 : 0);
  const whole = sections.filter((section) => section.startLine >= startLine && section.endLine <= lastLine);
  return whole.map(({ nodeId }) => nodeId);
}

function wholeText(text: string): CutText {
  return { text, lines: countLines(text), charactersLeft: 0 };
}

function isCut({ startLine, endLine, shown }: ShownPassage): boolean {
  return startLine + shown.lines <= endLine || shown.charactersLeft > 0;
}

/** `lines 41-120: call`, or how much a line lost that is longer than the budget. */
function describeLeft(passage: ShownPassage, readOn: ReadOn): string {
  const { startLine, endLine, shown } = passage;
  const next = startLine + shown.lines;
  const lost =
    shown.charactersLeft > 0 ? [`${formatCount(shown.charactersLeft, "character")} of line ${next - 1}`] : [];
  const noun = next === endLine ? "line" : "lines";
  const lines = next <= endLine ? [`${noun} ${formatLines(next, endLine)}: ${readOn(passage, next)}`] : [];
  return [...lost, ...lines].join("; ");
}

function formatPassage(passage: ShownPassage): string {
  const { startLine, shown } = passage;
  const header = formatHeader(passage, startLine + shown.lines - 1);
  return `${header}\n${fence(shown.text)}`;
}

/** `docs:guide/install.md#linux @12-40 Install > Linux`, with the address on a line of its own. */
function formatHeader({ nodeId, startLine, endLine, headingPath, url }: Passage, shownEndLine: number): string {
  const lines = formatLines(startLine, Math.max(startLine, shownEndLine));
  const of = shownEndLine < endLine ? ` of ${formatLines(startLine, endLine)}` : "";
  const titles = headingPath.map((title) => title.replace(/\s+/g, " ")).join(" > ");
  return `${nodeId} @${lines}${of}${titles === "" ? "" : ` ${titles}`}${url === "" ? "" : `\n${url}`}`;
}

function toJson({ nodeId, headingPath, url, startLine, endLine }: Passage, shown: CutText): JsonObject {
  const place = { nodeId, heading: headingPath.at(-1) ?? "", headingPath, url, startLine };
  const next = startLine + shown.lines;
  return {
    ...place,
    endLine: Math.max(startLine, next - 1),
    text: shown.text,
    ...(shown.charactersLeft > 0 && { charactersLeft: shown.charactersLeft }),
    ...(next <= endLine && { linesLeft: endLine - next + 1, nextLines: formatLines(next, endLine) }),
  };
}
