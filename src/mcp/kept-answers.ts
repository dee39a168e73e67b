/**
 * Answers that took much work are kept for their generation, for whoever asks the same and may see the same: outlines of
 * everything, plans, what a change may break. Calls within a session are not among them: they answer with what is new.
 *
 * Pure apart from the reader's memory.
 */
import type { Cost } from "../core/index/cost.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { workOf } from "../core/index/work.ts";
import type { RenderedAnswer } from "../render/render.ts";
import type { Unanswered } from "../render/unanswered.ts";

/** Searches' work from which on an answer is kept. */
const LEAST_WORK = 0.05;
/** About what an answer takes beside its texts, and each of their characters, once or as JSON twice. */
const ANSWER_BYTES = 1_000;
const BYTES_A_CHARACTER = 2;
const BYTES_A_CHARACTER_OF_JSON = 6;

/** An answer as it was given before. */
export interface KeptAnswer {
  readonly result: RenderedAnswer;
  readonly unanswered: Unanswered | undefined;
}

/** What an answer depends on beside the generation. */
export type AnswerKey = Readonly<Record<string, unknown>>;

/** The answer that was kept; undefined where none was. */
export function recallAnswer(reader: IndexReader, key: AnswerKey): KeptAnswer | undefined {
  return reader.recallKept(nameOf(key)) as KeptAnswer | undefined;
}

/** Keeps an answer, where making it took much. */
export function keepAnswer(reader: IndexReader, key: AnswerKey, answer: KeptAnswer, cost: Cost): void {
  if (workOf(cost) < LEAST_WORK) return;
  const { content, structuredContent } = answer.result;
  const characters = content.reduce((sum, { text }) => sum + text.length, 0);
  const each = structuredContent === undefined ? BYTES_A_CHARACTER : BYTES_A_CHARACTER_OF_JSON;
  reader.keep(nameOf(key), answer, ANSWER_BYTES + characters * each);
}

function nameOf(key: AnswerKey): string {
  return `answers/${JSON.stringify(Object.entries(key).sort(([a], [b]) => (a < b ? -1 : 1)))}`;
}
