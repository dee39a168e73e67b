/**
 * Tables of one shard that are made of the words of its documents: `terms`, `spelling`, `trigrams`.
 *
 * No other table needs what they are made of. So of many documents a thread makes them (`shard-words-thread.ts`) while the main one
 * writes text and the other tables.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import type { TableName } from "../../src/core/format/table.ts";
import { makeStopTermTest } from "../../src/core/text/analyze.ts";
import { analyzerOf } from "../../src/core/text/analyzers.ts";
import type { Language } from "../../src/core/text/language.ts";
import { threadEnvironment } from "../base/installation.ts";
import type { PartPlace } from "./cache/document-cache.ts";
import { TermNumbers } from "./compact-lists.ts";
import type { DocumentBody, DocumentCard } from "./prepared-document.ts";
import { PairCollector, PostingCollector } from "./term-table.ts";
import { type OlderWords, SpellingCollector, TrigramCollector } from "./word-tables.ts";
import { type SealedChunk, sortEntries, type TableLimits } from "./write-table.ts";

export const WORD_TABLES = ["terms", "spelling", "trigrams"] as const satisfies TableName[];
type WordTable = (typeof WORD_TABLES)[number];

/** What the tables need of a document's card. */
type WordsCard = Pick<DocumentCard, "number" | "title" | "lengths">;

interface WordsSetting {
  /** Those of all collections. */
  readonly languages: readonly Language[];
}

/** The words of a shard's documents. */
export class ShardWords {
  readonly #terms = new TermNumbers();
  readonly #pairs: PairCollector;
  readonly #postings: PostingCollector;
  readonly #spelling = new SpellingCollector(this.#terms);
  readonly #trigrams = new TrigramCollector();

  constructor({ languages }: WordsSetting) {
    this.#pairs = new PairCollector(this.#terms, makeStopTermTest(languages.map(analyzerOf)));
    this.#postings = new PostingCollector(this.#terms);
  }

  /** Add a document. Documents ascend by number. */
  add(card: WordsCard, { inverted, grams }: Pick<DocumentBody, "inverted" | "grams">): void {
    const { number, title } = card;
    const numbers = this.#terms.count(inverted.terms);
    this.#postings.add(card, inverted, numbers);
    this.#trigrams.add({ number, grams });
    this.#spelling.add({ inverted, title }, numbers);
    this.#pairs.add(number, numbers, inverted);
  }

  /** Entries of a table, sorted. */
  entries(table: WordTable, older?: OlderWords): Iterable<TableEntry> {
    if (table === "terms") return this.#postings.entries(this.#pairs);
    return sortEntries(table === "spelling" ? this.#spelling.finish(older) : this.#trigrams.finish());
  }

  /** Terms that any document holds. Known when the entries of `terms` were taken. */
  get terms(): number {
    return this.#postings.count;
  }
}

interface WordsTask extends WordsSetting {
  readonly documents: readonly (readonly [WordsCard, PartPlace])[];
  readonly dictionary: string;
  readonly limits: TableLimits | undefined;
}

interface MadeWords {
  readonly terms: number;
  readonly chunks: readonly (readonly [WordTable, readonly SealedChunk[]])[];
}

/** Make the tables in a thread; undefined where it fails, for whatever reason. */
export async function makeWordsInThread(task: WordsTask): Promise<MadeWords | undefined> {
  const options = { workerData: task, env: threadEnvironment() };
  const thread = new Worker(new URL("./shard-words-thread.ts", import.meta.url), options);
  try {
    const [made] = await once(thread, "message");
    return made as MadeWords;
  } catch {
    return undefined;
  }
}
