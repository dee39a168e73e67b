/**
 * Evaluation: every judged query asked of an index, with what came out and what it cost.
 */
import { performance } from "node:perf_hooks";
import { findNearestDocuments, listDocumentNames } from "../../../src/core/docs/catalogue.ts";
import { PAGE_ENDING } from "../../../src/core/docs/node-id.ts";
import { InputError } from "../../../src/core/errors.ts";
import { IndexReader } from "../../../src/core/index/index-reader.ts";
import { LruCache } from "../../../src/core/index/value-cache.ts";
import { makeSearchRequest } from "../../../src/core/search/answer.ts";
import { search } from "../../../src/core/search/search.ts";
import { CACHE_BYTES } from "../../base/disk-source.ts";
import { type Figures, type Grades, meanFigures, meanOf, percentileOf, scoreRanking } from "./metrics.ts";
import type { JudgedQuery, Judgement } from "./read-judgements.ts";

const MAX_NEAREST = 5;

/** What to evaluate. */
export interface Evaluation {
  readonly queries: readonly JudgedQuery[];
  /** Grades by query id and document id. */
  readonly grades: ReadonlyMap<string, Grades>;
  /** Documents asked for. */
  readonly limit: number;
  /** Only this collection; undefined = all. */
  readonly collection: string | undefined;
  /** True: nothing but the pointer and the root is in memory when a query comes. */
  readonly cold: boolean;
}

/** One query and what came of it. */
export interface EvaluatedQuery {
  readonly query: JudgedQuery;
  /** Documents found, best first. */
  readonly hits: readonly { readonly id: string; readonly score: number }[];
  readonly figures: Figures;
  readonly milliseconds: number;
  readonly bytes: number;
  readonly waves: number;
  readonly reads: number;
}

/** Mean and worst of something counted per query. */
export interface Spread {
  readonly mean: number;
  readonly worst: number;
}

/** Means over all queries. */
export interface Summary extends Figures {
  readonly queries: number;
  readonly latencyMs: { readonly median: number; readonly p95: number };
  readonly bytes: Spread;
  readonly waves: Spread;
  readonly reads: Spread;
}

/** Every query in turn. The first one also pays for what stays in memory, unless all of them do. */
export async function evaluateQueries(reader: IndexReader, evaluation: Evaluation): Promise<EvaluatedQuery[]> {
  const { queries, grades, limit, collection, cold } = evaluation;
  const evaluated: EvaluatedQuery[] = [];
  for (const query of queries) {
    const index = cold ? { ...reader.index, cache: new LruCache(CACHE_BYTES) } : reader.index;
    const collections = collection === undefined ? [] : [collection];
    const started = performance.now();
    const answer = await search(new IndexReader(index, "all"), makeSearchRequest(query.text, { limit, collections }));
    const milliseconds = performance.now() - started;
    const { bytes, waves, reads } = answer.cost;
    const hits = answer.hits.map(({ id, score }) => ({ id, score }));
    const figures = scoreRanking(
      hits.map(({ id }) => id),
      grades.get(query.id) ?? new Map(),
    );
    evaluated.push({ query, hits, figures, milliseconds, bytes, waves, reads });
  }
  return evaluated;
}

/** Means and worst cases of some queries. */
export function summarize(evaluated: readonly EvaluatedQuery[]): Summary {
  const times = evaluated.map(({ milliseconds }) => milliseconds);
  const spread = (member: "bytes" | "waves" | "reads"): Spread => {
    const values = evaluated.map((one) => one[member]);
    return { mean: meanOf(values), worst: values.reduce((worst, value) => Math.max(worst, value), 0) };
  };
  return {
    queries: evaluated.length,
    ...meanFigures(evaluated.map(({ figures }) => figures)),
    latencyMs: { median: percentileOf(times, 0.5), p95: percentileOf(times, 0.95) },
    bytes: spread("bytes"),
    waves: spread("waves"),
    reads: spread("reads"),
  };
}

/**
 * Ids of the documents that judgements name: by their id, by their path, or by their path without extension, whichever
 * of these, in this order, exactly one document has.
 *
 * @param file Name of the judgements' file, for errors.
 * @throws {InputError} for a name that no document or several have.
 */
export async function resolveJudged(
  reader: IndexReader,
  file: string,
  judgements: readonly Judgement[],
  collection: string | undefined,
): Promise<Map<string, string>> {
  const documents = (await listDocumentNames(reader)).filter(
    (document) => collection === undefined || document.collection === collection,
  );
  const ids = new Set(documents.map(({ id }) => id));
  const byPath = groupIds(documents, ({ path }) => path);
  const byStem = groupIds(documents, ({ path }) => path.replace(PAGE_ENDING, ""));
  const resolved = new Map<string, string>();
  for (const { document, line } of judgements) {
    if (resolved.has(document)) continue;
    const found = ids.has(document) ? [document] : (byPath.get(document) ?? byStem.get(document) ?? []);
    const [id] = found;
    if (id === undefined) {
      throw new InputError(
        `${file}:${line}: the index has no document ${JSON.stringify(document)}`,
        await findNearestDocuments(reader, document, MAX_NEAREST),
      );
    }
    if (found.length > 1) {
      throw new InputError(
        `${file}:${line}: ${JSON.stringify(document)} names several documents; give the whole id or --collection`,
        found.slice(0, MAX_NEAREST),
      );
    }
    resolved.set(document, id);
  }
  return resolved;
}

function groupIds<T extends { readonly id: string }>(
  documents: readonly T[],
  keyOf: (document: T) => string,
): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const document of documents) {
    const group = groups.get(keyOf(document));
    if (group === undefined) groups.set(keyOf(document), [document.id]);
    else group.push(document.id);
  }
  return groups;
}
