/**
 * Queries that go on while an index is published: every answer must be that of one generation, and none may fail.
 */
import { inflateRaw } from "../../indexer/base/codec.ts";
import { LruCache } from "../../src/core/index/value-cache.ts";
import { search } from "../../src/core/search/search.ts";
import { createFetchSource } from "../../src/web/fetch-source.ts";
import { Generations, POINTER_TTL_MS } from "../../src/worker/storage/generations.ts";
import { ask } from "./small-corpora.ts";

/** What was answered, and by which generation. */
export interface StreamAnswer {
  readonly generation: string;
  readonly text: string;
}

/** What a stream met. */
export interface StreamReport {
  readonly queries: number;
  /** Answers by generation. */
  readonly answers: ReadonlyMap<string, string>;
  /** Errors, and answers that a generation gave in another way before. */
  readonly problems: readonly string[];
}

/** A stream that goes on until it is stopped. */
export interface QueryStream {
  readonly stop: () => Promise<StreamReport>;
  /** How many queries were answered so far. */
  readonly count: () => number;
  /** Whether it was stopped, or gave up because of its problems. */
  readonly isOver: () => boolean;
}

/** Holds so little that nearly all is read from the bucket each time. */
const CACHE_BYTES = 1000;
const SHOWN_PROBLEMS = 5;

/** Ask one after another until the stream is stopped. */
export function startStream(next: () => Promise<StreamAnswer>): QueryStream {
  const answers = new Map<string, string>();
  const problems: string[] = [];
  let queries = 0;
  let isOver = false;
  const running = (async () => {
    while (!isOver && problems.length < SHOWN_PROBLEMS) {
      try {
        const { generation, text } = await next();
        const known = answers.get(generation);
        if (known !== undefined && known !== text) problems.push(`${generation} answered otherwise: ${text}`);
        answers.set(generation, known ?? text);
      } catch (error) {
        problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
      }
      queries++;
    }
  })();
  return {
    count: () => queries,
    isOver: () => isOver || problems.length >= SHOWN_PROBLEMS,
    async stop() {
      isOver = true;
      await running;
      return { queries, answers, problems };
    },
  };
}

/**
 * Searches as a Worker does that lives on while time flies: the pointer is looked at before each query, or before every second
 * one, so that some run on a generation that was replaced meanwhile.
 */
export function searchByGenerations(origin: string, query: string): () => Promise<StreamAnswer> {
  const generations = new Generations({
    source: createFetchSource(origin),
    inflate: inflateRaw,
    cache: new LruCache(CACHE_BYTES),
    report: (error) => {
      throw error;
    },
  });
  let now = 0;
  return async () => {
    now += POINTER_TTL_MS / 2 + 1;
    const found = await generations.withReader({ now, groupsOf: () => ["public"] }, async (reader) => {
      const { cost: _, ...shown } = await search(reader, ask(query, { excerpts: 5 }));
      return { generation: reader.generation.id, text: JSON.stringify(shown) };
    });
    if (found === undefined) throw new Error("there is no index");
    return found.value;
  };
}
