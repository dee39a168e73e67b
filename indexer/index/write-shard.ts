/**
 * Write one shard: the text of its documents as they come, then its tables, in the order in which a query meets them.
 */
import type { ByteKey } from "../../src/core/bytes/key.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import { encodeLocator, type LocatedDocument } from "../../src/core/format/locator.ts";
import { encodePatch, type KeyedPatch, keyOfPatch } from "../../src/core/format/patches.ts";
import type { PostingList } from "../../src/core/format/postings.ts";
import type { DeltaInfo, LengthTotals, ShardRoot, ShardTotals } from "../../src/core/format/root.ts";
import { CODE_TABLE_NAMES, MAP_TABLE_NAMES, type TableName } from "../../src/core/format/table-names.ts";
import { type GroupCode, isEmptyCode, NO_CODE } from "../link/code/link-code.ts";
import type { SynonymSet } from "../topics/synonyms.ts";
import type { DocumentCard } from "./cache/cached-document.ts";
import { codeTables } from "./code-tables.ts";
import { keptPairEntries } from "./delta/kept-pairs.ts";
import {
  type Described,
  documentEntries,
  facetEntries,
  linkEntries,
  sectionEntries,
  titleEntries,
} from "./document-entries.ts";
import { type GroupMap, NO_MAP } from "./map-corpus.ts";
import type { PackWriter } from "./pack-writer.ts";
import { PairCollector } from "./pair-collector.ts";
import { PostingCollector, type PostingRules } from "./posting-collector.ts";
import type { PreparedDocument } from "./prepare-document.ts";
import { sortEntries } from "./sort-entries.ts";
import { SpellingCollector } from "./spelling-entries.ts";
import { suggestionEntries } from "./suggestions.ts";
import { TermNumbers } from "./term-numbers.ts";
import { TrigramCollector } from "./trigrams.ts";
import { limitsOf, type TableLimits, type WrittenTable, writeTable } from "./write-table.ts";

/** A document of a shard. */
export interface ShardDocument {
  /** In memory until the shard is written. */
  readonly card: DocumentCard;
  /** All of it. Asked for once, in turn: not all of them need to be in memory. */
  readonly load: () => PreparedDocument;
}

/** What a shard is made of. */
export interface ShardInput extends Omit<Described, "cards"> {
  readonly group: string;
  /** Ascending by number. */
  readonly documents: Iterable<ShardDocument>;
  /** Phrases that stand for the same thing, out of the glossary and the documents of this shard. */
  readonly synonyms: readonly SynonymSet[];
  /** Symbols and edges of all source files of the group, beside a base too; none where absent. */
  readonly code?: GroupCode;
  /** What a base's tables do not say of the group; nothing where absent. */
  readonly map?: GroupMap;
  /** Set where the documents are those that changed since a base was written. */
  readonly beside?: BesideBase;
  /** Where tables are cut, in tests; each as the format's document says when absent. */
  readonly limits?: TableLimits;
}

/** What a delta takes over from its base, and says about it. */
export interface BesideBase extends DeltaInfo {
  /** Keys of the pairs that are kept. */
  readonly keptPairs: ReadonlySet<ByteKey>;
  /** Form that the base has of a term; undefined where it does not know the term. */
  readonly formOf: (term: string) => PostingList["form"] | undefined;
  /** Values of the base that are not what it holds less the deleted documents. */
  readonly patches: readonly KeyedPatch[];
  /** Terms of the delta's documents that no valid document of the base holds. */
  readonly newTerms: number;
}

/** What holds for all shards of a generation. */
export interface ShardSetting {
  /** Whether a stop word of one of the corpus's languages has the term. */
  readonly isStopTerm: (term: string) => boolean;
  /** Whether pages read the index from files, see `limitsOf`. */
  readonly isForPages: boolean;
  readonly packs: PackWriter;
}

/** A shard under construction. */
export class ShardWriter {
  readonly #input: ShardInput;
  readonly #setting: ShardSetting;
  readonly #terms = new TermNumbers();
  readonly #pairs: PairCollector;
  readonly #postings: PostingCollector;
  readonly #spelling: SpellingCollector;
  readonly #trigrams = new TrigramCollector();
  readonly #located: (LocatedDocument | undefined)[] = [];
  readonly #cards: DocumentCard[] = [];
  /** Those of a delta, which are few. */
  readonly #changed: PreparedDocument[] = [];
  #totals: ShardTotals = sumTotals([], 0);
  #textBytes = 0;

  constructor(input: ShardInput, setting: ShardSetting) {
    this.#input = input;
    this.#setting = setting;
    this.#pairs = new PairCollector(this.#terms, setting.isStopTerm);
    this.#postings = new PostingCollector(this.#terms, input.synonyms);
    this.#spelling = new SpellingCollector(this.#terms);
  }

  /** Write the text of all documents, then the tables. Returns the shard's entry in the root. */
  async write(): Promise<ShardRoot> {
    const { group, documents, beside, map = NO_MAP } = this.#input;
    const { packs } = this.#setting;
    for (const { card, load } of documents) await this.#add(card, load());
    // Of what changed there is little: one file holds all of it.
    if (beside === undefined) await packs.close();
    const described: Described = { ...this.#input, cards: this.#cards };
    const tables = {} as Record<TableName, WrittenTable>;
    // What readers take whole comes first, at the start of a pack: no border of packs makes two reads of it.
    const contents: [TableName, () => Iterable<TableEntry>][] = [
      ["locator", () => encodeLocator(this.#located)],
      ["facets", () => facetEntries(described)],
      ["titles", () => titleEntries(described)],
      ["patches", () => patchEntries(beside)],
      ["terms", () => this.#postings.entries(this.#pairs, this.#rules())],
      // Counts of words are those of both together: the base's table is patched.
      ["spelling", () => (beside === undefined ? sortEntries(this.#spelling.finish()) : [])],
      ["suggestions", () => suggestionEntries(this.#cards)],
      ["trigrams", () => sortEntries(this.#trigrams.finish())],
      ["documents", () => documentEntries(described)],
      ["sections", () => sectionEntries(described)],
      ["links", () => linkEntries(described)],
      ...MAP_TABLE_NAMES.map((name): (typeof contents)[number] => [name, () => sortEntries([...map[name]])]),
    ];
    for (const [name, entries] of contents) {
      const { limits = limitsOf(name, this.#setting.isForPages) } = this.#input;
      tables[name] = await writeTable(name, entries(), packs, limits);
    }
    if (beside === undefined) await packs.close();
    await this.#writeCode(tables);
    const directories = Object.entries(tables).map(([name, { directory }]) => [name, directory]);
    return {
      group,
      ...this.#totals,
      terms: beside?.newTerms ?? this.#postings.count,
      synonyms: this.#postings.synonymCount,
      slots: this.#located.length,
      indexBytes: Object.values(tables).reduce((total, table) => total + table.bytes, 0),
      textBytes: this.#textBytes,
      deleted: [],
      ...(beside !== undefined && { delta: { base: beside.base, positions: beside.positions } }),
      tables: Object.fromEntries(directories) as ShardRoot["tables"],
    };
  }

  /** Code has packs of its own: its tables are written whole beside a base, too, and mostly as they were. */
  async #writeCode(tables: Record<TableName, WrittenTable>): Promise<void> {
    const { code = NO_CODE, limits } = this.#input;
    const { packs } = this.#setting;
    if (isEmptyCode(code)) {
      for (const name of CODE_TABLE_NAMES) tables[name] = await writeTable(name, [], packs, limits);
      return;
    }
    await packs.close();
    for (const [name, entries] of codeTables(code)) tables[name] = await writeTable(name, entries(), packs, limits);
    await packs.close();
  }

  async #add(card: DocumentCard, document: PreparedDocument): Promise<void> {
    const { inverted, unitCodes, blocks } = document;
    // The blocks of one document lie back to back, so a document is added as one.
    const { pack, offset, length } = await this.#setting.packs.add(...blocks);
    this.#textBytes += length;
    this.#located[document.number] = {
      collection: document.collection,
      ...document.lengths,
      // A copy: what is cut out of a body keeps all of it in memory.
      units: new Uint8Array(unitCodes),
      pack,
      offset,
      lengths: blocks.map((block) => block.length),
    };
    const numbers = this.#terms.count(inverted.terms);
    this.#postings.add(document, numbers);
    this.#trigrams.add(document);
    this.#cards.push(card);
    this.#totals = addTotals(this.#totals, sumTotals([document], 0));
    if (this.#input.beside !== undefined) {
      this.#changed.push(document);
      return;
    }
    this.#spelling.add(document, numbers);
    this.#pairs.add(document.number, numbers, inverted);
  }

  #rules(): PostingRules {
    const { beside } = this.#input;
    if (beside === undefined) return { pairsOf: (firsts) => this.#pairs.entriesOf(firsts), isStop: (_, own) => own };
    return {
      // A delta has no pairs of its own to list in groups: all its terms are one.
      pairsOf: () => keptPairEntries(this.#changed, beside.keptPairs),
      // Whether a term scores is the same on both sides of a base: what few documents say does not decide it.
      isStop: (term, own) => {
        const form = beside.formOf(term);
        return form === undefined ? own : form === "stop";
      },
    };
  }
}

/** Counts and totals of documents. */
export function sumTotals(documents: readonly PreparedDocument[], terms: number): ShardTotals {
  const sum = (count: (document: PreparedDocument) => number): number =>
    documents.reduce((total, document) => total + count(document), 0);
  return {
    documents: documents.length,
    units: sum((document) => document.unitCodes.length),
    terms,
    described: sum((document) => (document.lengths.description > 0 ? 1 : 0)),
    lengths: {
      body: sum((document) => document.inverted.lengths.body),
      title: sum((document) => document.inverted.lengths.title),
      path: sum((document) => document.inverted.lengths.path),
      description: sum((document) => document.inverted.lengths.description),
    },
  };
}

/** Counts and totals of two lots of documents together. */
export function addTotals(a: ShardTotals, b: ShardTotals, sign: 1 | -1 = 1): ShardTotals {
  const lengths = (name: keyof LengthTotals): number => a.lengths[name] + sign * b.lengths[name];
  return {
    documents: a.documents + sign * b.documents,
    units: a.units + sign * b.units,
    terms: a.terms + sign * b.terms,
    described: a.described + sign * b.described,
    lengths: {
      body: lengths("body"),
      title: lengths("title"),
      path: lengths("path"),
      description: lengths("description"),
    },
  };
}

function patchEntries(beside: BesideBase | undefined): TableEntry[] {
  const patches = beside?.patches ?? [];
  return sortEntries(
    patches.map(({ table, key, patch }) => ({ key: keyOfPatch(table, key), value: encodePatch(patch) })),
  );
}
