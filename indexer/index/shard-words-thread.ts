/**
 * Worker-thread entry: reads the bodies of a shard's documents and makes the tables of their words.
 */
import { parentPort, workerData } from "node:worker_threads";
import { createDeflate } from "../base/codec.ts";
import { readPart } from "./cache/document-cache.ts";
import { decodeBody } from "./prepared-document.ts";
import { type makeWordsInThread, ShardWords, WORD_TABLES } from "./shard-words.ts";
import { DamagedCacheError } from "./stages.ts";
import { sealTable } from "./write-table.ts";

type MadeWords = NonNullable<Awaited<ReturnType<typeof makeWordsInThread>>>;

type WordsTask = Parameters<typeof makeWordsInThread>[0];

const { documents, dictionary, limits, ...setting } = workerData as WordsTask;
const words = new ShardWords(setting);
for (const [card, place] of documents) {
  const bytes = readPart(place);
  if (bytes === undefined) throw new DamagedCacheError();
  words.add(card, decodeBody(bytes));
}
const deflate = createDeflate(dictionary);
const chunks = WORD_TABLES.map((name) => [name, [...sealTable(name, words.entries(name), limits, deflate)]] as const);
parentPort?.postMessage({ terms: words.terms, chunks } satisfies MadeWords);
