/**
 * Queries and judgements as files hold them. What does not fit is an error with file and line.
 *
 * - Queries: a JSON object a line, `{"id": "q1", "text": "how to install"}`; other members are left alone.
 * - Judgements: `query id TAB document TAB grade` a line, grade a whole number from 0 on, 0 for not relevant.
 *
 * Pure: texts in, values out.
 */
import { InputError } from "../../../src/core/errors.ts";
import { quoteValue } from "../../../src/core/text/nearest.ts";
import type { Grades } from "./metrics.ts";

/** A gain is 2^grade − 1: beyond this one document would outweigh all others. */
const MAX_GRADE = 10;

/** A query that was judged. */
export interface JudgedQuery {
  readonly id: string;
  readonly text: string;
}

/** A text and the name of the file it came from, as errors name it. */
export interface NamedText {
  readonly file: string;
  readonly text: string;
}

/** One judgement, its document as it was written. */
export interface Judgement {
  readonly query: string;
  readonly document: string;
  readonly grade: number;
  /** 1-based line of the file. */
  readonly line: number;
}

/** The queries of a file, in its order. @throws {InputError} with file and line. */
export function readQueries({ file, text }: NamedText): JudgedQuery[] {
  const queries = new Map<string, JudgedQuery>();
  for (const [line, content] of linesOf(text)) {
    const query = readQuery(`${file}:${line}`, content);
    if (queries.has(query.id))
      throw new InputError(`${file}:${line}: query ${quoteValue(query.id)} stands there twice`);
    queries.set(query.id, query);
  }
  if (queries.size === 0)
    throw new InputError(`${file} holds no queries`, [], '{"id": "q1", "text": "how to install"}');
  return [...queries.values()];
}

/** The judgements of a file, in its order. @throws {InputError} with file and line. */
export function readJudgements({ file, text }: NamedText): Judgement[] {
  const seen = new Set<string>();
  const judgements = linesOf(text).map(([line, content]): Judgement => {
    const place = `${file}:${line}`;
    const [query = "", document = "", grade = "", ...rest] = content.split("\t").map((part) => part.trim());
    if (query === "" || document === "" || grade === "" || rest.length > 0) {
      throw new InputError(`${place}: a judgement is "query id TAB document TAB grade", got ${quoteValue(content)}`);
    }
    if (!/^\d+$/.test(grade) || Number(grade) > MAX_GRADE) {
      throw new InputError(`${place}: a grade is a whole number from 0 to ${MAX_GRADE}, got ${quoteValue(grade)}`);
    }
    const pair = `${query}\t${document}`;
    if (seen.has(pair))
      throw new InputError(`${place}: ${quoteValue(document)} is judged twice for query ${quoteValue(query)}`);
    seen.add(pair);
    return { query, document, grade: Number(grade), line };
  });
  if (judgements.length === 0) throw new InputError(`${file} holds no judgements`, [], "q1\tguide/install.md\t1");
  return judgements;
}

/** Judgements by query; of two that name one document by two names the higher grade counts. */
export function groupByQuery(judgements: readonly Omit<Judgement, "line">[]): ReadonlyMap<string, Grades> {
  const byQuery = new Map<string, Map<string, number>>();
  for (const { query, document, grade } of judgements) {
    const grades = byQuery.get(query) ?? new Map<string, number>();
    grades.set(document, Math.max(grade, grades.get(document) ?? 0));
    byQuery.set(query, grades);
  }
  return byQuery;
}

function readQuery(place: string, line: string): JudgedQuery {
  const { id, text } = toRecord(parseJson(place, line));
  if ((typeof id !== "string" && typeof id !== "number") || id === "") {
    throw new InputError(`${place}: a query needs an id, a text or a number`);
  }
  if (typeof text !== "string" || text.trim() === "")
    throw new InputError(`${place}: query ${quoteValue(id)} has no text`);
  return { id: String(id), text };
}

function parseJson(place: string, line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new InputError(`${place}: not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** Lines that are not blank, with their numbers. */
function linesOf(text: string): (readonly [line: number, content: string])[] {
  return text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .map((content, index) => [index + 1, content] as const)
    .filter(([, content]) => content.trim() !== "");
}
