/**
 * What is written beside a base: per access group a shard with what changed, and the base's own entry in the new root.
 */
import { keyOf } from "../../../src/core/bytes/key.ts";
import { loadOutline, readPassages } from "../../../src/core/docs/documents.ts";
import type { TableEntry } from "../../../src/core/format/chunk.ts";
import type { KeyedPatch } from "../../../src/core/format/delta.ts";
import { decodeUnits, type FieldFrequencies, readStated } from "../../../src/core/format/postings.ts";
import type { ShardRoot, ShardTotals } from "../../../src/core/format/root.ts";
import { MAP_TABLE_NAMES, type MapTableName } from "../../../src/core/format/table.ts";
import { keysOfWord } from "../../../src/core/format/word-tables.ts";
import { entriesOf } from "../../../src/core/index/index-reader.ts";
import { hasCode } from "../../../src/core/index/shards.ts";
import { makeStopTermTest, visitTerms } from "../../../src/core/text/analyze.ts";
import { analyzerOf } from "../../../src/core/text/analyzers.ts";
import type { CollectionConfig } from "../../config/config.ts";
import { type GroupCode, isEmptyCode, NO_CODE } from "../../link/code/link-code.ts";
import { loadParsers } from "../../parse/code/parse-code.ts";
import type { DocumentCache } from "../cache/document-cache.ts";
import { decodeBody, hashWord, openCard } from "../cache/packed-document.ts";
import { edgeEntries, packageEntries } from "../code-tables.ts";
import { cacheKey, digestCollection, digestSynonyms } from "../digests.ts";
import { encodeLinks } from "../document-tables.ts";
import { listSpelledWords, TERM_SCORES } from "../invert.ts";
import { prepareDocument } from "../prepare-document.ts";
import { type IndexedDocument, isSitePage } from "../prepared-document.ts";
import { encodeCount, MANY_DOCUMENTS } from "../word-tables.ts";
import { addTotals, type GroupOverview, NO_OVERVIEW, type ShardInput, sumTotals } from "../write-generation.ts";
import { BaseTerms, findPairChanges, keptPairEntries, LiveCounts } from "./delta-terms.ts";
import type { BaseDocument, BaseIndex } from "./open-base.ts";
import type { GroupChanges } from "./plan-delta.ts";

const NO_BYTES = new Uint8Array();

/** What does not come from single documents, as the new generation has it. */
interface DeltaSetting {
  readonly collections: readonly CollectionConfig[];
  readonly facetKeys: readonly string[];
  readonly links: ShardInput["links"];
  /** By access group. */
  readonly synonyms: ReadonlyMap<string, ShardInput["synonyms"]>;
  /** By access group. */
  readonly code: ReadonlyMap<string, GroupCode>;
  /** By access group. */
  readonly overviews: ReadonlyMap<string, GroupOverview>;
}

/** What to write beside a base; or why a new base is to be written. */
type Delta =
  | {
      readonly ok: true;
      /** The bases in the new root, in the order of the old one. */
      readonly bases: readonly ShardRoot[];
      /** Shards to write; none for a base of which nothing changed. */
      readonly shards: readonly ShardInput[];
    }
  | { readonly ok: false; readonly reason: string };

/** Work out what to write. @throws {FormatError} when the base is damaged. */
export async function makeDelta(
  base: BaseIndex,
  plan: readonly GroupChanges[],
  setting: DeltaSetting,
  cache: DocumentCache,
): Promise<Delta> {
  const reason = findReasonForNewBase(base, plan, setting);
  if (reason !== undefined) return { ok: false, reason };
  const deleted: IndexedDocument[][] = [];
  for (const shard of plan) {
    const old = await loadOldDocuments(base, shard.deleted, setting.collections, cache);
    if (old === undefined) return { ok: false, reason: "a page of HTML changed that the parse cache does not know" };
    deleted.push(old);
  }
  const added = plan.map((shard) =>
    shard.added.map(({ card, load }, number): IndexedDocument => ({ card: { ...card, number }, body: load() })),
  );
  const terms = new BaseTerms(base);
  const counts = plan.map(
    ({ base: { index } }, at) => new LiveCounts(index, terms, deleted[at] ?? [], added[at] ?? []),
  );
  await terms.load(counts.flatMap(({ touched }) => [...touched].map(keyOf)));
  if (plan.some(({ base: { index } }, at) => hasNewScoringTerm(index, added[at] ?? [], terms))) {
    return { ok: false, reason: "a stop word became a word of another kind" };
  }
  const isStopTerm = makeStopTermTest(setting.collections.map(({ language }) => analyzerOf(language)));
  const bases: ShardRoot[] = [];
  const shards: ShardInput[] = [];
  const rewritten = new Set(plan.flatMap((shard) => shard.added.map(({ task }) => task.id)));
  for (const [at, shard] of plan.entries()) {
    const { index, root, group } = shard.base;
    const before = deleted[at] as IndexedDocument[];
    const now = added[at] as IndexedDocument[];
    const known = { terms, counts: counts[at] as LiveCounts, isStopTerm };
    const pairs = await findPairChanges(shard, now, known);
    const patches: KeyedPatch[] = [
      ...findTermChanges(index, before, terms),
      ...pairs.patches,
      ...(await findSpellingChanges(base, shard, before, now)),
      ...(await findLinkChanges(base, shard, setting, rewritten)),
      ...(await findOverviewChanges(base, index, setting.overviews.get(group) ?? NO_OVERVIEW)),
    ];
    const gone = countGoneTerms(index, before, now, terms);
    bases.push(withoutDocuments(root, shard, before, gone.gone));
    const code = setting.code.get(group) ?? NO_CODE;
    // Edges lead into other files, of other groups too: with any change, all code tables are written anew. Manifests and
    // what compilers know change edges and packages while no file does.
    const changesCode = !isEmptyCode(code) && (plan.some(hasChanges) || (await hasOtherCode(base, index, code)));
    if (now.length === 0 && patches.length === 0 && !changesCode) continue;
    const collectionName: ShardInput["collectionName"] = ({ collection }) =>
      (setting.collections[collection] as CollectionConfig).name;
    shards.push({
      group,
      code,
      documents: now.map(({ card, body }) => ({ card, load: () => body })),
      collectionName,
      facetKeys: setting.facetKeys,
      links: setting.links,
      synonyms: setting.synonyms.get(group) ?? [],
      beside: {
        base: index,
        positions: shard.positions,
        pairEntries: () => keptPairEntries(now, pairs.kept),
        formOf: (term) => terms.form(index, term),
        patches,
        newTerms: gone.fresh,
      },
    });
  }
  return { ok: true, bases, shards };
}

function hasChanges({ deleted, added }: GroupChanges): boolean {
  return deleted.length > 0 || added.length > 0;
}

async function hasOtherCode(base: BaseIndex, shard: number, code: GroupCode): Promise<boolean> {
  const { tables } = await base.reader.read([
    { shard, table: "edges", keys: "all" },
    { shard, table: "packages", keys: "all" },
  ]);
  return [edgeEntries(code), packageEntries(code)].some((now, at) => {
    const before = new Map(entriesOf(tables[at] ?? []));
    const isSame = ({ key, value }: TableEntry): boolean => Buffer.compare(before.get(key) ?? NO_BYTES, value) === 0;
    return now.length !== before.size || !now.every(isSame);
  });
}

/** What bears on the base's own values, so that none of them would be right. */
function findReasonForNewBase(
  base: BaseIndex,
  plan: readonly GroupChanges[],
  { facetKeys, synonyms, code, overviews }: DeltaSetting,
): string | undefined {
  if (facetKeys.join("\0") !== base.root.facetKeys.join("\0")) return "other facet keys are usable";
  for (const { base: shard } of plan) {
    const digest = digestSynonyms(synonyms.get(shard.group) ?? []);
    if (digest !== (base.root.synonymSets[shard.group] ?? "")) return "other phrases stand for the same thing";
    // Readers take code from the last shard that has any, and a delta cannot say that there is none.
    if (hasCode(shard.root) && isEmptyCode(code.get(shard.group) ?? NO_CODE)) return "no source file is left";
    // Patches change what chunks say: without a chunk there is nothing to change.
    const isNew = (table: MapTableName): boolean =>
      shard.root.tables[table].entries.length === 0 && (overviews.get(shard.group) ?? NO_OVERVIEW)[table].length > 0;
    if (MAP_TABLE_NAMES.some(isNew)) return "there is a table that the base does not have";
  }
  return plan.some(crossesManyDocuments) ? "there are so many documents now that rare words are left out" : undefined;
}

/** Whether a word that scores has the stem of what the base holds as a stop word alone. */
function hasNewScoringTerm(shard: number, added: readonly IndexedDocument[], terms: BaseTerms): boolean {
  return added.some(({ body: { inverted } }) =>
    inverted.terms.some(
      (term, at) => ((inverted.flags[at] as number) & TERM_SCORES) !== 0 && terms.form(shard, term) === "stop",
    ),
  );
}

/**
 * Links of pages that did not change themselves: what they lead to, or what leads to them, may have. And of pages that were written
 * anew, those of the base, where nothing beside it would take their place.
 */
async function findLinkChanges(
  base: BaseIndex,
  { base: { index }, kept, deleted }: GroupChanges,
  { links }: DeltaSetting,
  rewritten: ReadonlySet<string>,
): Promise<KeyedPatch[]> {
  const { tables } = await base.reader.read([{ shard: index, table: "links", keys: "all" }]);
  const before = new Map(entriesOf(tables[0] ?? []));
  const lost = deleted
    .filter(({ id }) => rewritten.has(id) && links.get(id) === undefined && before.has(keyOf(id)))
    .map(({ id }): KeyedPatch => ({ table: "links", key: keyOf(id), patch: { kind: "absent" } }));
  const changed = kept.flatMap(({ document: { id } }): KeyedPatch[] => {
    const key = keyOf(id);
    const resolved = links.get(id);
    const now = resolved === undefined ? undefined : encodeLinks(resolved);
    const old = before.get(key);
    if (now === undefined) return old === undefined ? [] : [{ table: "links", key, patch: { kind: "absent" } }];
    if (old !== undefined && Buffer.compare(now, old) === 0) return [];
    return [{ table: "links", key, patch: { kind: "value", value: now } }];
  });
  return [...lost, ...changed];
}

/** Entries of the map above the tree that are not what the base says. */
async function findOverviewChanges(base: BaseIndex, shard: number, overview: GroupOverview): Promise<KeyedPatch[]> {
  const { tables } = await base.reader.read(MAP_TABLE_NAMES.map((table) => ({ shard, table, keys: "all" })));
  return MAP_TABLE_NAMES.flatMap((table, at): KeyedPatch[] => {
    const gone = new Map(entriesOf(tables[at] ?? []));
    const changed = overview[table].flatMap(({ key, value }): KeyedPatch[] => {
      const old = gone.get(key);
      gone.delete(key);
      return old !== undefined && Buffer.compare(value, old) === 0
        ? []
        : [{ table, key, patch: { kind: "value", value } }];
    });
    return [...changed, ...[...gone.keys()].map((key): KeyedPatch => ({ table, key, patch: { kind: "absent" } }))];
  });
}

/** Terms of the base that no valid document holds any more, and terms of the added documents that none of them held. */
function countGoneTerms(
  shard: number,
  deleted: readonly IndexedDocument[],
  added: readonly IndexedDocument[],
  terms: BaseTerms,
): { readonly gone: number; readonly fresh: number } {
  const lost = new Map<string, number>();
  for (const { body } of deleted) for (const term of body.inverted.terms) lost.set(term, (lost.get(term) ?? 0) + 1);
  const isLeft = (term: string): boolean => terms.countIn(shard, term) > (lost.get(term) ?? 0);
  const own = new Set(added.flatMap(({ body }) => body.inverted.terms));
  return {
    gone: [...lost.keys()].filter((term) => !isLeft(term)).length,
    fresh: [...own].filter((term) => !isLeft(term)).length,
  };
}

/** A base's entry in the new root. */
function withoutDocuments(
  root: ShardRoot,
  { deleted }: GroupChanges,
  before: readonly IndexedDocument[],
  goneTerms: number,
): ShardRoot {
  if (deleted.length === 0) return root;
  const { documents, units, terms, described, lengths } = root;
  const written: ShardTotals = { documents, units, terms, described, lengths };
  return {
    ...root,
    ...addTotals(written, sumTotals(before, goneTerms), -1),
    deleted: deleted.map(({ number }) => number),
    written,
  };
}

/** Patches of one shard: what its long lists state without the deleted documents. */
function findTermChanges(shard: number, deleted: readonly IndexedDocument[], terms: BaseTerms): KeyedPatch[] {
  const changed = new Map<string, FieldFrequencies>();
  for (const { body } of deleted) {
    const { inverted } = body;
    let start = 0;
    for (const [at, term] of inverted.terms.entries()) {
      const end = inverted.ends[at] as number;
      const form = terms.form(shard, term);
      if (form === "heavy" || form === "stop") {
        const own = decodeUnits(inverted.unitBytes.subarray(start, end));
        const before = changed.get(term) ?? readStated(terms.value(shard, keyOf(term)) as Uint8Array);
        changed.set(term, subtract(before, own.frequencies));
      }
      start = end;
    }
  }
  return [...changed].map(
    ([term, frequencies]): KeyedPatch => ({ table: "terms", key: keyOf(term), patch: { kind: "stated", frequencies } }),
  );
}

function subtract(from: FieldFrequencies, own: FieldFrequencies): FieldFrequencies {
  return {
    documents: from.documents - own.documents,
    body: from.body - own.body,
    title: from.title - own.title,
    path: from.path - own.path,
    description: from.description - own.description,
    units: from.units - own.units,
  };
}

/**
 * Documents of a base as they were, in order: from the parse cache, or parsed again from the text that the base holds. Undefined
 * if one is a page of a built site that the cache does not have: its text says nothing of weights, hidden attributes and ids.
 *
 * @throws {FormatError} when the base is damaged.
 */
async function loadOldDocuments(
  base: BaseIndex,
  documents: readonly BaseDocument[],
  collections: readonly CollectionConfig[],
  cache: DocumentCache,
): Promise<IndexedDocument[] | undefined> {
  const found: IndexedDocument[] = [];
  for (const document of documents) {
    const collection = collections.findIndex(({ name }) => name === document.collection);
    const config = collections[collection] as CollectionConfig;
    const { hash, path, number } = document;
    const key = cacheKey({ hash, path, settings: digestCollection(config) });
    const [card, body] = [cache.read(key, "card"), cache.read(key, "body")];
    if (card !== undefined && body !== undefined) {
      found.push({ card: openCard(card, { number, collection }), body: decodeBody(body) });
      continue;
    }
    if (isSitePage(config, path)) return undefined;
    found.push(await parseAgain(base, document, collection, config));
  }
  return found;
}

async function parseAgain(
  base: BaseIndex,
  { id, path, number, hash }: BaseDocument,
  collection: number,
  config: CollectionConfig,
): Promise<IndexedDocument> {
  const outline = await loadOutline(base.reader, id);
  if (outline === undefined) throw new Error(`the base lists ${id} and does not hold it`);
  const request = { outline, startLine: 1, endLine: outline.document.lines, withFrontmatter: true };
  const [passage] = await readPassages(base.reader, [request]);
  const text = passage?.text ?? "";
  const source = { ok: true as const, text, bytes: text.length, contentHash: hash, diagnostics: [] };
  const prepared = await prepareDocument({ number, collection, path }, config, source, await loadParsers([path]));
  if (!prepared.ok) throw new Error(`${id} cannot be read from the base`);
  return prepared.document;
}

/** Whether a shard gains or loses so many documents that the table follows another rule. */
function crossesManyDocuments({ base, kept, added }: GroupChanges): boolean {
  return base.root.documents >= MANY_DOCUMENTS !== kept.length + added.length >= MANY_DOCUMENTS;
}

/**
 * Patches of one shard's table `spelling`. The table keeps counts rounded down, so they are counted anew in the hashes of all words
 * of a document, which the parse cache keeps. `deleted` and `added` are the changed documents, as they were and as they are.
 */
async function findSpellingChanges(
  base: BaseIndex,
  delta: GroupChanges,
  deleted: readonly IndexedDocument[],
  added: readonly IndexedDocument[],
): Promise<KeyedPatch[]> {
  const counts = new Map<string, number>();
  const titles = new Map<string, string>();
  for (const { body } of deleted) for (const word of listSpelledWords(body.inverted)) counts.set(word, 0);
  for (const { card, body } of added) {
    for (const word of listSpelledWords(body.inverted)) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
      titles.set(word, card.title);
    }
  }
  if (counts.size === 0) return [];
  const wordOf = new Map([...counts.keys()].map((word) => [hashWord(word), word]));
  for (const { loaded } of delta.kept) {
    for (const hash of loaded.loadHashes("words")) {
      const word = wordOf.get(hash);
      if (word === undefined) continue;
      counts.set(word, (counts.get(word) ?? 0) + 1);
      titles.set(word, loaded.card.title);
    }
  }
  const words = [...counts.keys()].sort();
  const shard = delta.base.index;
  const { tables } = await base.reader.read([
    { shard, table: "spelling", keys: words.map((word) => keysOfWord(word)[0]) },
  ]);
  const known = new Map(entriesOf(tables[0] ?? []));
  const isLarge = delta.kept.length + added.length >= MANY_DOCUMENTS;
  return words.flatMap((word): KeyedPatch[] => {
    const keys = keysOfWord(word);
    const before = known.get(keys[0])?.[0];
    const count = counts.get(word) ?? 0;
    const isKept = count > 1 || (count === 1 && (!isLarge || holdsWord(titles.get(word) ?? "", word)));
    const now = isKept ? encodeCount(count) : undefined;
    if (before === now) return [];
    const patch =
      now === undefined ? { kind: "absent" as const } : { kind: "value" as const, value: Uint8Array.of(now) };
    return keys.map((key) => ({ table: "spelling", key, patch }));
  });
}

function holdsWord(title: string, wanted: string): boolean {
  let holds = false;
  visitTerms(title, (_term, _kind, _stop, _start, _end, word) => {
    holds ||= word === wanted;
  });
  return holds;
}
