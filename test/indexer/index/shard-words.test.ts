import { beforeAll, describe, expect, it } from "vitest";
import { createDeflate } from "../../../indexer/base/codec.ts";
import { DocumentCache } from "../../../indexer/index/cache/document-cache.ts";
import { packDocument } from "../../../indexer/index/prepared-document.ts";
import { makeWordsInThread, ShardWords, WORD_TABLES } from "../../../indexer/index/shard-words.ts";
import { sealTable } from "../../../indexer/index/write-table.ts";
import { preparePages } from "../../support/prepare-pages.ts";

type WordsTask = Parameters<typeof makeWordsInThread>[0];

/** A long run of the terms that is shorter with it. */
const DICTIONARY = "alphabeta";
const SETTING = { languages: ["english"], synonyms: [] } as const;
const pages = preparePages(
  Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`p${n}.md`, `# Page ${n}\n\nAll of the alpha beta größe w${n % 7}.`]),
  ),
);
const cache = DocumentCache.open(undefined);
let documents: WordsTask["documents"];

beforeAll(() => {
  for (const page of pages)
    cache.add(nameOf(page.number), packDocument({ card: page, body: page, candidates: [], words: page.ordered }));
  documents = pages.flatMap((page) => {
    const place = cache.find(nameOf(page.number), "body");
    return place === undefined ? [] : [[page, place] as const];
  });
  return () => cache.close();
});

function nameOf(number: number): string {
  return String(number).padStart(28, "0");
}

describe("tables of words", () => {
  it("are the same whether a thread makes them or this one", async () => {
    const here = new ShardWords(SETTING);
    for (const page of pages) here.add(page, page);
    const chunks = WORD_TABLES.map((name) => [
      name,
      [...sealTable(name, here.entries(name), undefined, createDeflate(DICTIONARY))],
    ]);
    expect(chunks.every(([, list]) => (list as unknown[]).length > 0)).toBe(true);
    const cards = documents.map(([{ number, title, lengths }, place]) => [{ number, title, lengths }, place] as const);
    const made = await makeWordsInThread({ ...SETTING, documents: cards, dictionary: DICTIONARY, limits: undefined });
    expect(made).toEqual({ chunks, terms: here.terms });
  });

  it("are left to the caller where a thread cannot read a document", async () => {
    const [[{ number, title, lengths }, place]] = documents as [WordsTask["documents"][number]];
    const damaged = { ...place, checksum: place.checksum + 1 };
    const task = {
      ...SETTING,
      documents: [[{ number, title, lengths }, damaged] as const],
      dictionary: "",
      limits: undefined,
    };
    expect(await makeWordsInThread(task)).toBeUndefined();
  });
});
