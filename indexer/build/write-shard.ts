/**
 * Write one shard: the text of its documents, then its tables, in the order in which a query meets them.
 */
import { type ByteKey, KEY_SEPARATOR, keyOf, keyOfNumber } from "../../src/core/bytes/key.ts";
import { ByteWriter, encodeJson } from "../../src/core/bytes/writer.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import { type BlockPlace, encodeLocator, LOCATOR_SLOTS, type LocatedDocument } from "../../src/core/format/locator.ts";
import { encodeNumbers, PostingBuilder } from "../../src/core/format/postings.ts";
import { decodeLength, pinAverage } from "../../src/core/format/quantize.ts";
import type { ShardRoot, TableName } from "../../src/core/format/root.ts";
import { DEFAULT_RANKING, saturate } from "../../src/core/search/ranking.ts";
import { makeDocumentId } from "../../src/core/tree/node-id.ts";
import type { ResolvedLinks } from "../link/links.ts";
import type { SynonymSet } from "../taxonomy/synonyms.ts";
import { TERM_SCORES } from "./invert.ts";
import type { PackWriter } from "./pack-writer.ts";
import { pairEntries } from "./pair-entries.ts";
import type { PreparedDocument } from "./prepare-document.ts";
import { spellingEntries } from "./spelling-entries.ts";
import { suggestionEntries } from "./suggestions.ts";
import { synonymEntries } from "./synonym-entries.ts";
import { trigramEntries } from "./trigrams.ts";
import { type TableLimits, type WrittenTable, writeTable } from "./write-table.ts";

/** Most bytes of a page's links: half of what a reader inflates. Further ones are left out. */
const MAX_LINKS_BYTES = 8 * 1024 * 1024;

/** What a shard is made of. Documents ascend by number. */
export interface ShardInput {
  readonly group: string;
  readonly documents: readonly PreparedDocument[];
  /** Name of a document's collection. */
  readonly collectionName: (document: PreparedDocument) => string;
  readonly facetKeys: readonly string[];
  readonly links: ReadonlyMap<string, ResolvedLinks>;
  /** Phrases that stand for the same thing, out of the glossary and the documents of this shard. */
  readonly synonyms: readonly SynonymSet[];
  /** Where tables are cut, in tests; each as the format's document says when absent. */
  readonly limits?: TableLimits;
}

/** A written shard. */
export interface WrittenShard {
  readonly root: ShardRoot;
  readonly indexBytes: number;
  readonly textBytes: number;
}

/** Write text and tables. */
export async function writeShard(
  input: ShardInput,
  others: readonly PreparedDocument[],
  packs: PackWriter,
): Promise<WrittenShard> {
  const located = await writeText(input.documents, packs);
  await packs.close();
  const terms = invertShard(input, others);
  const tables = {} as Record<TableName, WrittenTable>;
  // What readers take whole comes first, at the start of a pack: no border of packs makes two reads of it.
  const contents: [TableName, TableEntry[]][] = [
    [
      "locator",
      slotEntries(input.documents, (slots) => encodeLocator(slots.map((slot) => slot && located.get(slot.number)))),
    ],
    ["facets", facetEntries(input)],
    ["titles", slotEntries(input.documents, encodeTitles)],
    ["terms", terms.entries],
    ["spelling", sortEntries(spellingEntries(input.documents))],
    ["suggestions", sortEntries(suggestionEntries(input.documents))],
    ["trigrams", sortEntries(trigramEntries(input.documents))],
    ["documents", documentEntries(input)],
    ["sections", byId(input, (document) => encodeJson(document.sections))],
    ["links", linkEntries(input)],
  ];
  for (const [name, entries] of contents) tables[name] = await writeTable(name, entries, packs, input.limits);
  await packs.close();
  const directories = Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, table.directory]));
  const sum = (count: (document: PreparedDocument) => number): number =>
    input.documents.reduce((total, document) => total + count(document), 0);
  return {
    root: {
      group: input.group,
      documents: input.documents.length,
      units: sum((document) => document.unitCodes.length),
      terms: terms.terms,
      synonyms: terms.synonyms,
      slots: (input.documents.at(-1)?.number ?? -1) + 1,
      described: sum((document) => (document.lengths.description > 0 ? 1 : 0)),
      lengths: {
        body: sum((document) => document.inverted.lengths.body),
        title: sum((document) => document.inverted.lengths.title),
        path: sum((document) => document.inverted.lengths.path),
        description: sum((document) => document.inverted.lengths.description),
      },
      tables: directories as unknown as ShardRoot["tables"],
    },
    indexBytes: Object.values(tables).reduce((total, table) => total + table.bytes, 0),
    textBytes: sum((document) => document.blocks.reduce((bytes, block) => bytes + block.bytes.length, 0)),
  };
}

async function writeText(
  documents: readonly PreparedDocument[],
  packs: PackWriter,
): Promise<Map<number, LocatedDocument>> {
  const located = new Map<number, LocatedDocument>();
  for (const document of documents) {
    // The blocks of one document lie back to back, so a document is added as one.
    const place = await packs.add(...document.blocks.map((block) => block.bytes));
    let offset = place.offset;
    const blocks = document.blocks.map((block): BlockPlace => {
      const at = { pack: place.pack, offset, length: block.bytes.length, units: block.units };
      offset += block.bytes.length;
      return at;
    });
    const { collection, lengths, unitCodes } = document;
    located.set(document.number, { collection, lengths, blocks, units: unitCodes });
  }
  return located;
}

/** Entries of the table `terms`, and how many of them are terms. */
function invertShard(
  { documents, synonyms }: ShardInput,
  others: readonly PreparedDocument[],
): { entries: TableEntry[]; terms: number; synonyms: number } {
  const builders: PostingBuilder[] = [];
  const numbers = new Map<string, number>();
  const scoring: boolean[] = [];
  for (const { number, inverted } of documents) {
    let start = 0;
    for (const [index, term] of inverted.terms.entries()) {
      const end = inverted.ends[index] as number;
      let at = numbers.get(term);
      if (at === undefined) {
        at = builders.length;
        numbers.set(term, at);
        builders.push(new PostingBuilder());
        scoring.push(false);
      }
      if (((inverted.flags[index] as number) & TERM_SCORES) !== 0) scoring[at] = true;
      (builders[at] as PostingBuilder).add(number, inverted.unitBytes.subarray(start, end));
      start = end;
    }
  }
  const rank = makeRank(documents);
  const names = [...numbers.keys()];
  const entries = names.map((term, at): TableEntry => {
    const value = (builders[at] as PostingBuilder).finish(scoring[at] === false, rank);
    return { key: keyOf(term), value };
  });
  const counts = builders.map((builder) => builder.documents);
  for (const entry of pairEntries(documents, { numbers, names, documents: counts }, others)) entries.push(entry);
  const synonymous = synonymEntries(documents, synonyms, rank);
  for (const entry of synonymous) entries.push(entry);
  return { entries: sortEntries(entries), terms: names.length, synonyms: synonymous.length };
}

/** BM25's term part with the length as the index knows it: which documents of a frequent word keep their units. */
function makeRank(documents: readonly PreparedDocument[]): (document: number, frequency: number) => number {
  const lengths = new Map(documents.map((document) => [document.number, decodeLength(document.lengths.body)]));
  const total = documents.reduce((sum, document) => sum + document.inverted.lengths.body, 0);
  const average = pinAverage(total / Math.max(1, documents.length));
  return (document, frequency) => {
    const length = (lengths.get(document) ?? average) / average;
    return saturate(frequency, length, DEFAULT_RANKING.k1, DEFAULT_RANKING.b);
  };
}

/** One entry per 64 document numbers. Slots without a document are undefined. */
function slotEntries(
  documents: readonly PreparedDocument[],
  encode: (slots: readonly (PreparedDocument | undefined)[]) => Uint8Array,
): TableEntry[] {
  const groups = new Map<number, (PreparedDocument | undefined)[]>();
  for (const document of documents) {
    const group = Math.floor(document.number / LOCATOR_SLOTS);
    const slots = groups.get(group) ?? [];
    slots[document.number % LOCATOR_SLOTS] = document;
    groups.set(group, slots);
  }
  return [...groups].map(([group, slots]) => ({ key: keyOfNumber(group), value: encode(Array.from(slots)) }));
}

function encodeTitles(slots: readonly (PreparedDocument | undefined)[]): Uint8Array {
  const writer = new ByteWriter(slots.length * 48);
  writer.writeVarint(slots.length);
  for (const slot of slots) {
    writer.writeString(slot?.path ?? "");
    writer.writeString(slot?.title ?? "");
  }
  return writer.finish();
}

function facetEntries({ documents, facetKeys }: ShardInput): TableEntry[] {
  const numbers = new Map<string, number[]>();
  for (const document of documents) {
    for (const key of facetKeys) {
      // A key can have the name of a property that every object has.
      const values = Object.hasOwn(document.facets, key) ? document.facets[key] : undefined;
      for (const value of new Set(values ?? [])) {
        const name = `${key}${KEY_SEPARATOR}${value}`;
        const list = numbers.get(name);
        if (list === undefined) numbers.set(name, [document.number]);
        else list.push(document.number);
      }
    }
  }
  return sortEntries([...numbers].map(([name, list]) => ({ key: keyOf(name), value: encodeNumbers(list) })));
}

function documentEntries(input: ShardInput): TableEntry[] {
  return byId(input, ({ number, title, description, words, sections, lines, hash, facets, meta, skip }) => {
    const shown = Object.fromEntries(Object.entries(facets).filter(([key]) => input.facetKeys.includes(key)));
    return encodeJson({
      n: number,
      title,
      description,
      words,
      sections: sections.length,
      lines,
      hash,
      facets: shown,
      meta,
      skip,
    });
  });
}

function linkEntries(input: ShardInput): TableEntry[] {
  return byId(input, (_, id) => {
    const links = input.links.get(id);
    return links === undefined ? undefined : encodeLinks(links);
  });
}

function encodeLinks({ o, i }: ResolvedLinks): Uint8Array {
  const bytes = encodeJson({ o, i });
  if (bytes.length <= MAX_LINKS_BYTES) return bytes;
  return encodeLinks({ o: o.slice(0, o.length / 2), i: i.slice(0, i.length / 2) });
}

/** One entry per document, by id; documents without a value are left out. */
function byId(
  input: ShardInput,
  encode: (document: PreparedDocument, id: string) => Uint8Array | undefined,
): TableEntry[] {
  const entries: TableEntry[] = [];
  for (const document of input.documents) {
    const id = makeDocumentId(input.collectionName(document), document.path);
    const value = encode(document, id);
    if (value !== undefined) entries.push({ key: keyOf(id), value });
  }
  return sortEntries(entries);
}

function sortEntries(entries: TableEntry[]): TableEntry[] {
  const order = (a: ByteKey, b: ByteKey): number => (a < b ? -1 : a > b ? 1 : 0);
  return entries.sort((a, b) => order(a.key, b.key));
}
