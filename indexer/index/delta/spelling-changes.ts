/**
 * Words as they are written, beside a base: what the base's table would say of those that changed documents hold.
 *
 * The table keeps counts rounded down, so they are counted anew: in the hashes of all words of a document, which the
 * parse cache keeps.
 */
import type { KeyedPatch } from "../../../src/core/format/patches.ts";
import { keysOfWord } from "../../../src/core/format/spelling.ts";
import { entriesOf } from "../../../src/core/index/index-reader.ts";
import { visitTerms } from "../../../src/core/text/analyze.ts";
import { hashWord, listSpelledWords } from "../cache/cached-document.ts";
import type { DocumentCache } from "../cache/document-cache.ts";
import type { PreparedDocument } from "../prepare-document.ts";
import { encodeCount, MANY_DOCUMENTS } from "../spelling-entries.ts";
import type { BaseIndex } from "./open-base.ts";
import type { ShardDelta } from "./plan-delta.ts";

/** Whether a shard gains or loses so many documents that the table follows another rule. */
export function crossesManyDocuments({ base, kept, added }: ShardDelta): boolean {
  return base.root.documents >= MANY_DOCUMENTS !== kept.length + added.length >= MANY_DOCUMENTS;
}

/** Patches of one shard. `deleted` and `added` are its changed documents, as they were and as they are. */
export async function findSpellingChanges(
  base: BaseIndex,
  delta: ShardDelta,
  deleted: readonly PreparedDocument[],
  added: readonly PreparedDocument[],
  cache: DocumentCache,
): Promise<KeyedPatch[]> {
  const counts = new Map<string, number>();
  const titles = new Map<string, string>();
  for (const { inverted } of deleted) for (const word of listSpelledWords(inverted)) counts.set(word, 0);
  for (const { inverted, title } of added) {
    for (const word of listSpelledWords(inverted)) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
      titles.set(word, title);
    }
  }
  if (counts.size === 0) return [];
  const wordOf = new Map([...counts.keys()].map((word) => [hashWord(word), word]));
  for (const { loaded } of delta.kept) {
    for (const hash of cache.hashes(loaded.key).words) {
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
