/**
 * What is written beside a base: per access group a shard with what changed, and the base's own entry in the new root. Which
 * documents are found is exact. Statistics of deleted documents (frequencies, lengths, spellings) stay until the next new base.
 */
import { keyOf } from "../../../src/core/bytes/key.ts";
import type { TableEntry } from "../../../src/core/format/chunk.ts";
import type { KeyedPatch } from "../../../src/core/format/delta.ts";
import type { ShardRoot } from "../../../src/core/format/root.ts";
import { MAP_TABLE_NAMES, type MapTableName } from "../../../src/core/format/table.ts";
import { entriesOf } from "../../../src/core/index/index-reader.ts";
import { hasCode } from "../../../src/core/index/shards.ts";
import { makeStopTermTest } from "../../../src/core/text/analyze.ts";
import { analyzerOf } from "../../../src/core/text/analyzers.ts";
import type { CollectionConfig } from "../../config/config.ts";
import { type GroupCode, isEmptyCode, NO_CODE } from "../../link/code/link-code.ts";
import { edgeEntries, packageEntries } from "../code-tables.ts";
import { digestSynonyms } from "../digests.ts";
import { encodeLinks } from "../document-tables.ts";
import { TERM_SCORES } from "../invert.ts";
import type { IndexedDocument } from "../prepared-document.ts";
import { MANY_DOCUMENTS } from "../word-tables.ts";
import { type GroupOverview, NO_OVERVIEW, type ShardInput } from "../write-generation.ts";
import { BaseTerms, findPairChanges, keptPairEntries, LiveCounts } from "./delta-terms.ts";
import type { BaseIndex } from "./open-base.ts";
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
export async function makeDelta(base: BaseIndex, plan: readonly GroupChanges[], setting: DeltaSetting): Promise<Delta> {
  const reason = findReasonForNewBase(base, plan, setting);
  if (reason !== undefined) return { ok: false, reason };
  const added = plan.map((shard) =>
    shard.added.map(({ card, load }, number): IndexedDocument => ({ card: { ...card, number }, body: load() })),
  );
  const terms = new BaseTerms(base);
  const counts = plan.map(({ base: { index } }, at) => new LiveCounts(index, terms, added[at] ?? []));
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
    const now = added[at] as IndexedDocument[];
    const known = { terms, counts: counts[at] as LiveCounts, isStopTerm };
    const pairs = await findPairChanges(shard, now, known);
    const patches: KeyedPatch[] = [
      ...pairs.patches,
      ...(await findLinkChanges(base, shard, setting, rewritten)),
      ...(await findOverviewChanges(base, index, setting.overviews.get(group) ?? NO_OVERVIEW)),
    ];
    bases.push(withoutDocuments(root, shard));
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
        newTerms: [...new Set(now.flatMap(({ body }) => body.inverted.terms))].filter(
          (term) => terms.countIn(index, term) === 0,
        ).length,
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

/** A base's entry in the new root: totals of what is left, as if the deleted documents were of average length. */
function withoutDocuments(root: ShardRoot, { deleted }: GroupChanges): ShardRoot {
  if (deleted.length === 0) return root;
  const { documents, units, terms, described, lengths } = root;
  const left = (total: number): number => Math.round((total * (documents - deleted.length)) / documents);
  return {
    ...root,
    documents: documents - deleted.length,
    units: left(units),
    described: left(described),
    lengths: {
      body: left(lengths.body),
      title: left(lengths.title),
      path: left(lengths.path),
      description: left(lengths.description),
    },
    deleted: deleted.map(({ number }) => number),
    written: { documents, units, terms, described, lengths },
  };
}

/** Whether a shard gains or loses so many documents that the table follows another rule. */
function crossesManyDocuments({ base, kept, added }: GroupChanges): boolean {
  return base.root.documents >= MANY_DOCUMENTS !== kept.length + added.length >= MANY_DOCUMENTS;
}
