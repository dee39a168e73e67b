/**
 * What is written beside a base: per access group a shard with what changed, and the base's own entry in the new root.
 */
import { createHash } from "node:crypto";
import { keyOf } from "../../../src/core/bytes/key.ts";
import type { TableEntry } from "../../../src/core/format/chunk.ts";
import type { KeyedPatch } from "../../../src/core/format/patches.ts";
import type { ShardRoot, ShardTotals } from "../../../src/core/format/root.ts";
import { MAP_TABLE_NAMES, type MapTableName } from "../../../src/core/format/table-names.ts";
import { hasCode } from "../../../src/core/index/code-shards.ts";
import { entriesOf } from "../../../src/core/index/index-reader.ts";
import { makeStopTermTest } from "../../../src/core/text/analyze.ts";
import { analyzerOf } from "../../../src/core/text/analyzers.ts";
import type { CollectionConfig } from "../../config/config.ts";
import { type GroupCode, isEmptyCode, NO_CODE } from "../../link/code/group-code.ts";
import type { DocumentCache } from "../cache/document-cache.ts";
import { edgeEntries } from "../code-tables.ts";
import { encodeLinks } from "../document-entries.ts";
import { TERM_SCORES } from "../invert.ts";
import { type GroupMap, NO_MAP } from "../map-corpus.ts";
import { packageEntries } from "../package-entries.ts";
import type { PreparedDocument } from "../prepare-document.ts";
import { addTotals, type ShardInput, sumTotals } from "../write-shard.ts";
import { BaseTerms, LiveCounts } from "./base-terms.ts";
import { loadOldDocuments } from "./old-documents.ts";
import type { BaseIndex } from "./open-base.ts";
import { findPairChanges } from "./pair-changes.ts";
import type { ShardDelta } from "./plan-delta.ts";
import { crossesManyDocuments, findSpellingChanges } from "./spelling-changes.ts";
import { findTermChanges } from "./term-changes.ts";

const NO_BYTES = new Uint8Array();

/** What does not come from single documents, as the new generation has it. */
export interface DeltaSetting {
  readonly collections: readonly CollectionConfig[];
  readonly facetKeys: readonly string[];
  readonly links: ShardInput["links"];
  /** By access group. */
  readonly synonyms: ReadonlyMap<string, ShardInput["synonyms"]>;
  /** By access group. */
  readonly code: ReadonlyMap<string, GroupCode>;
  /** By access group. */
  readonly maps: ReadonlyMap<string, GroupMap>;
}

/** What to write beside a base; or why a new base is to be written. */
export type Delta =
  | {
      readonly ok: true;
      /** The bases in the new root, in the order of the old one. */
      readonly bases: readonly ShardRoot[];
      /** Shards to write; none for a base of which nothing changed. */
      readonly shards: readonly ShardInput[];
    }
  | { readonly ok: false; readonly reason: string };

/** Digest of the phrases that stand for the same thing. */
export function digestSynonyms(sets: ShardInput["synonyms"]): string {
  if (sets.length === 0) return "";
  return createHash("sha256").update(JSON.stringify(sets)).digest("hex").slice(0, 16);
}

/** Work out what to write. @throws {FormatError} when the base is damaged. */
export async function makeDelta(
  base: BaseIndex,
  plan: readonly ShardDelta[],
  setting: DeltaSetting,
  cache: DocumentCache,
): Promise<Delta> {
  const reason = findReasonForNewBase(base, plan, setting);
  if (reason !== undefined) return { ok: false, reason };
  const deleted: PreparedDocument[][] = [];
  for (const shard of plan) {
    const old = await loadOldDocuments(base, shard.deleted, setting.collections, cache);
    if (old === undefined) return { ok: false, reason: "a page of HTML changed that the parse cache does not know" };
    deleted.push(old);
  }
  const added = plan.map((shard) => shard.added.map((loaded, number) => ({ ...loaded.load(), number })));
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
    const before = deleted[at] as PreparedDocument[];
    const now = added[at] as PreparedDocument[];
    const known = { terms, counts: counts[at] as LiveCounts, isStopTerm, cache };
    const pairs = await findPairChanges(shard, now, known);
    const patches: KeyedPatch[] = [
      ...findTermChanges(index, before, terms),
      ...pairs.patches,
      ...(await findSpellingChanges(base, shard, before, now, cache)),
      ...(await findLinkChanges(base, shard, setting, rewritten)),
      ...(await findMapChanges(base, index, setting.maps.get(group) ?? NO_MAP)),
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
      documents: now.map((document) => ({ card: document, load: () => document })),
      collectionName,
      facetKeys: setting.facetKeys,
      links: setting.links,
      synonyms: setting.synonyms.get(group) ?? [],
      beside: {
        base: index,
        positions: shard.positions,
        keptPairs: pairs.kept,
        formOf: (term) => terms.form(index, term),
        patches,
        newTerms: gone.fresh,
      },
    });
  }
  return { ok: true, bases, shards };
}

function hasChanges({ deleted, added }: ShardDelta): boolean {
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
  plan: readonly ShardDelta[],
  { facetKeys, synonyms, code, maps }: DeltaSetting,
): string | undefined {
  if (facetKeys.join("\0") !== base.root.facetKeys.join("\0")) return "other facet keys are usable";
  for (const { base: shard } of plan) {
    const digest = digestSynonyms(synonyms.get(shard.group) ?? []);
    if (digest !== (base.root.synonymSets[shard.group] ?? "")) return "other phrases stand for the same thing";
    // Readers take code from the last shard that has any, and a delta cannot say that there is none.
    if (hasCode(shard.root) && isEmptyCode(code.get(shard.group) ?? NO_CODE)) return "no source file is left";
    // Patches change what chunks say: without a chunk there is nothing to change.
    const isNew = (table: MapTableName): boolean =>
      shard.root.tables[table].entries.length === 0 && (maps.get(shard.group) ?? NO_MAP)[table].length > 0;
    if (MAP_TABLE_NAMES.some(isNew)) return "there is a table that the base does not have";
  }
  return plan.some(crossesManyDocuments) ? "there are so many documents now that rare words are left out" : undefined;
}

/** Whether a word that scores has the stem of what the base holds as a stop word alone. */
function hasNewScoringTerm(shard: number, added: readonly PreparedDocument[], terms: BaseTerms): boolean {
  return added.some(({ inverted }) =>
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
  { base: { index }, kept, deleted }: ShardDelta,
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
async function findMapChanges(base: BaseIndex, shard: number, map: GroupMap): Promise<KeyedPatch[]> {
  const { tables } = await base.reader.read(MAP_TABLE_NAMES.map((table) => ({ shard, table, keys: "all" })));
  return MAP_TABLE_NAMES.flatMap((table, at): KeyedPatch[] => {
    const gone = new Map(entriesOf(tables[at] ?? []));
    const changed = map[table].flatMap(({ key, value }): KeyedPatch[] => {
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
  deleted: readonly PreparedDocument[],
  added: readonly PreparedDocument[],
  terms: BaseTerms,
): { readonly gone: number; readonly fresh: number } {
  const lost = new Map<string, number>();
  for (const { inverted } of deleted) for (const term of inverted.terms) lost.set(term, (lost.get(term) ?? 0) + 1);
  const isLeft = (term: string): boolean => terms.countIn(shard, term) > (lost.get(term) ?? 0);
  const own = new Set(added.flatMap(({ inverted }) => inverted.terms));
  return {
    gone: [...lost.keys()].filter((term) => !isLeft(term)).length,
    fresh: [...own].filter((term) => !isLeft(term)).length,
  };
}

/** A base's entry in the new root. */
function withoutDocuments(
  root: ShardRoot,
  { deleted }: ShardDelta,
  before: readonly PreparedDocument[],
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
