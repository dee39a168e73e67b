/**
 * Entries of the tables that say what documents are: titles, facets, documents, sections; and of their links.
 */
import { KEY_SEPARATOR, keyOf, keyOfNumber } from "../../src/core/bytes/key.ts";
import { ByteWriter } from "../../src/core/bytes/writer.ts";
import { DECLARED_FILTERS } from "../../src/core/docs/facets.ts";
import { makeDocumentId } from "../../src/core/docs/node-id.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import { encodeDocument, encodeLinks, encodeSections } from "../../src/core/format/document-records.ts";
import { encodeNumbers } from "../../src/core/format/postings.ts";
import { SORT_PREFIX, TITLE_SLOTS } from "../../src/core/index/decode-tables.ts";
import { DERIVED_FACET_KEYS } from "../config/config.ts";
import type { ResolvedLinks } from "../link/links.ts";
import type { DocumentCard } from "./prepared-document.ts";
import { sortEntries } from "./write-table.ts";

type StoredSection = Parameters<typeof encodeSections>[0][number];

/** Most bytes of a page's links: half of what a reader inflates. Further ones are left out. */
const MAX_LINKS_BYTES = 8 * 1024 * 1024;

export interface DescribedDocuments {
  /** Ascending by number. */
  readonly cards: readonly DocumentCard[];
  readonly collectionName: (document: DocumentCard) => string;
  /** All that could be usable, see `listShardKeys`. */
  readonly facetKeys: ReadonlySet<string>;
}

/** The tables with their entries, sorted, each made when its turn comes. */
export function documentTables(
  input: DescribedDocuments,
): Record<"titles" | "facets" | "documents" | "sections", () => Iterable<TableEntry>> {
  return {
    titles: () => titleEntries(input),
    facets: () => facetEntries(input),
    documents: () => documentEntries(input),
    sections: () => sectionEntries(input),
  };
}

/** Entries of `titles`, sorted: one per so many document numbers. */
function titleEntries({ cards }: DescribedDocuments): TableEntry[] {
  const groups = new Map<number, (DocumentCard | undefined)[]>();
  for (const card of cards) {
    const group = Math.floor(card.number / TITLE_SLOTS);
    const slots = groups.get(group) ?? [];
    slots[card.number % TITLE_SLOTS] = card;
    groups.set(group, slots);
  }
  return [...groups].map(([group, slots]) => ({ key: keyOfNumber(group), value: encodeTitles(Array.from(slots)) }));
}

function encodeTitles(slots: readonly (DocumentCard | undefined)[]): Uint8Array {
  const writer = new ByteWriter(slots.length * 48);
  writer.writeVarint(slots.length);
  for (const slot of slots) {
    writer.writeString(slot?.path ?? "");
    writer.writeString(slot?.title ?? "");
  }
  return writer.finish();
}

function facetEntries({ cards, facetKeys }: DescribedDocuments): TableEntry[] {
  const numbers = new Map<string, number[]>();
  const add = (key: string, value: string, { number }: DocumentCard): void => {
    const name = `${key}${KEY_SEPARATOR}${value}`;
    const list = numbers.get(name);
    if (list === undefined) numbers.set(name, [number]);
    else list.push(number);
  };
  for (const document of cards) {
    for (const [key, value] of Object.entries(document.site?.sort ?? {})) add(`${SORT_PREFIX}${key}`, value, document);
    for (const key of Object.keys(document.site?.filters ?? {})) {
      if (DERIVED_FACET_KEYS.has(key)) add(DECLARED_FILTERS, key, document);
    }
    for (const key of facetKeys) {
      // A key can have the name of a property that every object has.
      const values = Object.hasOwn(document.facets, key) ? document.facets[key] : undefined;
      for (const value of new Set(values ?? [])) add(key, value, document);
    }
  }
  return sortEntries([...numbers].map(([name, list]) => ({ key: keyOf(name), value: encodeNumbers(list) })));
}

function documentEntries(input: DescribedDocuments): Iterable<TableEntry> {
  return byId(input, (card) => {
    const facets = Object.entries(card.facets).filter(([key]) => input.facetKeys.has(key));
    return encodeDocument({
      ...card,
      sections: card.sections.length,
      facets: facets.map(([key, values]) => ({ key, values })),
    });
  });
}

function sectionEntries(input: DescribedDocuments): Iterable<TableEntry> {
  return byId(input, ({ sections }) =>
    encodeSections(
      sections.map((row): StoredSection => {
        const [level, title, parent, slug, anchor, startLine, endLine, words, summary, languages, links, units] = row;
        return { level, title, parent, slug, anchor, startLine, endLine, words, summary, languages, links, units };
      }),
    ),
  );
}

/** Entries of `links` of some documents, by id, each made when it is asked for; pages without links have none. */
export function linkEntries(ids: readonly string[], links: ReadonlyMap<string, ResolvedLinks>): Iterable<TableEntry> {
  const keyed = sortEntries(ids.flatMap((id) => (links.has(id) ? [{ key: keyOf(id), id }] : [])));
  return {
    *[Symbol.iterator]() {
      for (const { key, id } of keyed) yield { key, value: linksValue(links.get(id) as ResolvedLinks) };
    },
  };
}

function linksValue({ o, i }: ResolvedLinks): Uint8Array {
  const bytes = encodeLinks({
    out: o.map(([section, target, href, text, kind]) => ({ section, target, href, text, kind })),
    in: i.map(([from, section]) => ({ from, section })),
  });
  if (bytes.length <= MAX_LINKS_BYTES) return bytes;
  return linksValue({ o: o.slice(0, o.length / 2), i: i.slice(0, i.length / 2) });
}

/** One entry per document, by id, each made when it is asked for. */
function* byId(
  { cards, collectionName }: DescribedDocuments,
  encode: (document: DocumentCard) => Uint8Array,
): Generator<TableEntry> {
  const keyed = cards.map((card) => ({ key: keyOf(makeDocumentId(collectionName(card), card.path)), card }));
  for (const { key, card } of sortEntries(keyed)) yield { key, value: encode(card) };
}
