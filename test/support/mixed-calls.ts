/**
 * Calls of all kinds, drawn with a seed from what an index holds: words, phrases, filters, slips, beginnings, patterns,
 * drafts, outlines, texts, suggestions. Some ask for what is not there.
 */
import { shuffle } from "../../bench/random.ts";
import { loadOutlines, readSections } from "../../src/core/docs/documents.ts";
import { listFacetValues } from "../../src/core/docs/facets.ts";
import { makeDocumentId } from "../../src/core/docs/node-id.ts";
import { decodeSpelling } from "../../src/core/format/word-tables.ts";
import { entriesOf, type IndexReader } from "../../src/core/index/index-reader.ts";
import { readWithResident, residentTable } from "../../src/core/index/resident.ts";

/** A call of a tool, or of `suggest` with `{query}`. */
export interface MixedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What calls are drawn from. */
export interface Vocabulary {
  readonly words: readonly string[];
  readonly documents: readonly string[];
  readonly sections: readonly string[];
  readonly texts: readonly string[];
  readonly facets: readonly (readonly [key: string, value: string])[];
}

const SAMPLE_DOCUMENTS = 300;
const LEAST_TEXT = 40;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Words, ids and texts of an index, sampled. */
export async function readVocabulary(reader: IndexReader, random: () => number): Promise<Vocabulary> {
  const { tables } = await readWithResident(
    reader,
    ["titles", "facets"],
    reader.shards.map(({ index }) => ({ shard: index, table: "spelling", keys: "all" })),
  );
  const words = tables.flatMap((chunks) => [...decodeSpelling(entriesOf(chunks)).keys()]);
  const paths = reader.shards.flatMap(({ index }) =>
    Array.from(residentTable(reader, index, "titles").entries(), ([, { path }]) => path),
  );
  const ids = shuffle(
    reader.collections.flatMap(({ name }) => paths.map((path) => makeDocumentId(name, path))),
    random,
  ).slice(0, SAMPLE_DOCUMENTS);
  const outlines = (await loadOutlines(reader, ids)).filter((outline) => outline !== undefined);
  const texts: string[] = [];
  for (const outline of outlines.slice(0, SAMPLE_DOCUMENTS / 3)) {
    for (const { text } of await readSections(reader, outline, [0, 1].slice(0, outline.sections.length))) {
      if (text.trim().length > LEAST_TEXT) texts.push(text);
    }
  }
  return {
    words: shuffle(words, random).slice(0, 20_000),
    documents: outlines.map(({ document }) => document.id),
    sections: outlines.flatMap(({ sections }) => sections.map(({ nodeId }) => nodeId)),
    texts,
    facets: [...listFacetValues(reader)].flatMap(([key, values]) =>
      [...values].map((value): [string, string] => [key, value]),
    ),
  };
}

/** Another call each time. */
export function* drawCalls(vocabulary: Vocabulary, random: () => number): Generator<MixedCall, never> {
  const { words, documents, sections, texts, facets } = vocabulary;
  const pick = <T>(list: readonly T[], fallback: T): T => list[Math.floor(random() * list.length)] ?? fallback;
  const word = (): string => pick(words, "word");
  const several = (most: number): string => Array.from({ length: 1 + Math.floor(random() * most) }, word).join(" ");
  const document = (): string => (random() < 0.05 ? `docs:${word()}.md` : pick(documents, "docs:none.md"));
  const section = (): string => (random() < 0.05 ? `${document()}#${word()}` : pick(sections, "docs:none.md"));
  const slip = (): string => {
    const right = word();
    const at = Math.floor(random() * right.length);
    return `${right.slice(0, at)}${pick([...LETTERS], "x")}${right.slice(at + Math.floor(random() * 2))}`;
  };
  const passage = (length: number): string => {
    const text = pick(texts, "nothing to compare with here");
    const from = Math.floor(random() * Math.max(1, text.length - length));
    return text.slice(from, from + length);
  };
  const phrase = (): string => passage(60).split(/\s+/).slice(1, 4).join(" ").replaceAll('"', "");
  const search = (query: string, more: Record<string, unknown> = {}): MixedCall => ({
    tool: "search_documents",
    args: { query, ...(random() < 0.2 && { format: "json" }), ...more },
  });
  const kinds: readonly (() => MixedCall)[] = [
    () => search(word()),
    () => search(several(4)),
    () => search(several(30), { limit: 50, excerpts: 10 }),
    () => search(`"${phrase()}" ${word()}`),
    () => search(`${word()} -${word()} OR ${word()}`),
    () => search(`${word().slice(0, 3)}*`),
    () => search(slip()),
    () => search(several(2), { include_content: true, max_tokens: 6000 }),
    () => {
      const [key, value] = pick(facets, ["collection", "docs"] as const);
      return search(word(), { filters: { [key]: value } });
    },
    () => ({ tool: "grep_documents", args: { pattern: word(), limit: 50 } }),
    () => ({ tool: "grep_documents", args: { pattern: `${word()}.*${word()}|${word()}s?\\b`, regex: true } }),
    () => ({ tool: "find_similar", args: { content: passage(200 + random() * 3000), threshold: 0.1 } }),
    () => ({ tool: "get_tree", args: { doc_id: document() } }),
    () => ({ tool: "get_node_content", args: { node_ids: [section(), section()], max_tokens: 6000 } }),
    () => ({
      tool: "navigate_tree",
      args: { node_id: section(), direction: pick(["subtree", "siblings", "links_in", "links_out"], "next") },
    }),
    () => ({ tool: "list_documents", args: { query: random() < 0.5 ? word() : "", limit: 100 } }),
    () => ({ tool: "index_status", args: {} }),
    () => ({ tool: "suggest", args: { query: word().slice(0, 1 + Math.floor(random() * 6)) } }),
    () => ({ tool: "suggest", args: { query: `${word()} ${word().slice(0, 2)}` } }),
  ];
  for (;;) yield pick(kinds, () => search(word()))();
}
