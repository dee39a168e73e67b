/**
 * What of a corpus differs from a base: which of the base's documents are no longer valid, and which are new.
 *
 * A document that was edited is both.
 */
import { comparePaths } from "../../base/path-order.ts";
import type { LoadedDocument } from "../load-documents.ts";
import type { BaseDocument, BaseIndex, BaseShard } from "./open-base.ts";

/** Documents that are taken away or added, an edited one both: more than this share of the base's, and a new base is written. */
const MOST_CHANGED_SHARE = 1 / 4;
/** So many always may be. */
const LEAST_CHANGED = 8;
/** More than this many never are: all words of a delta are read as one. */
const MOST_CHANGED = 160;

export interface GroupChanges {
  readonly base: BaseShard;
  /** Ascending by number. */
  readonly deleted: readonly BaseDocument[];
  /** Documents of the base that are as they were, with what is known of them now. */
  readonly kept: readonly { readonly document: BaseDocument; readonly loaded: LoadedDocument }[];
  /** In the order of collections and paths. */
  readonly added: readonly LoadedDocument[];
  /** Per added document, how many of the base's documents come before it. */
  readonly positions: readonly number[];
}

/** What changed, by base shard; or why a new base is to be written. */
type DeltaPlan =
  | { readonly ok: true; readonly shards: readonly GroupChanges[]; readonly changed: number }
  | { readonly ok: false; readonly reason: string };

/**
 * Compare.
 *
 * @param collections Names of the collections, in the order of the configuration.
 * @param groupOf Access group of a document.
 */
export function planDelta(
  base: BaseIndex,
  documents: readonly LoadedDocument[],
  collections: readonly string[],
  groupOf: (document: LoadedDocument) => string,
): DeltaPlan {
  const byId = new Map(documents.map((document) => [document.task.id, document]));
  const places = new Map(collections.map((name, at) => [name, at]));
  const rank = (collection: string): number => places.get(collection) ?? -1;
  const known = new Set<string>();
  const shards = base.shards.map((shard): GroupChanges => {
    const kept: { document: BaseDocument; loaded: LoadedDocument }[] = [];
    const deleted: BaseDocument[] = [];
    for (const document of shard.documents) {
      const loaded = byId.get(document.id);
      if (loaded !== undefined && loaded.card.hash === document.hash && groupOf(loaded) === shard.group) {
        kept.push({ document, loaded });
        known.add(document.id);
      } else {
        deleted.push(document);
      }
    }
    return { base: shard, deleted, kept, added: [], positions: [] };
  });
  const changed = shards.reduce((sum, { deleted }) => sum + deleted.length, documents.length - known.size);
  const total = base.shards.reduce((sum, shard) => sum + shard.documents.length, 0);
  if (changed > Math.min(MOST_CHANGED, Math.max(LEAST_CHANGED, total * MOST_CHANGED_SHARE))) {
    const ids = new Set(shards.flatMap(({ deleted }) => deleted.map(({ id }) => id)));
    for (const { task } of documents) if (!known.has(task.id)) ids.add(task.id);
    return { ok: false, reason: `${ids.size} documents differ from the ${total} of the base` };
  }
  return {
    ok: true,
    changed,
    shards: shards.map((shard) => {
      const added = documents
        .filter((document) => !known.has(document.task.id) && groupOf(document) === shard.base.group)
        .sort((a, b) => a.task.collection - b.task.collection || comparePaths(a.task.path, b.task.path));
      const positions = added.map(({ task }) => {
        const comesBefore = ({ collection, path }: BaseDocument): boolean =>
          rank(collection) < task.collection ||
          (rank(collection) === task.collection && comparePaths(path, task.path) < 0);
        return countWhile(shard.base.documents, comesBefore);
      });
      return { ...shard, added, positions };
    }),
  };
}

/** Highest number of a document that comes before, plus one: numbers may have holes. */
function countWhile(documents: readonly BaseDocument[], comesBefore: (document: BaseDocument) => boolean): number {
  let low = 0;
  let high = documents.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comesBefore(documents[middle] as BaseDocument)) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : (documents[low - 1] as BaseDocument).number + 1;
}
