/**
 * Counts of long posting lists beside a base: in the forms that keep little of most documents, a reader cannot tell what
 * deleted documents added.
 */
import { keyOf } from "../../../src/core/bytes/key.ts";
import type { KeyedPatch } from "../../../src/core/format/patches.ts";
import { decodeUnits, type FieldFrequencies, readStated } from "../../../src/core/format/postings.ts";
import type { PreparedDocument } from "../prepare-document.ts";
import type { BaseTerms } from "./base-terms.ts";

/** Patches of one shard: what its long lists state without the deleted documents. */
export function findTermChanges(shard: number, deleted: readonly PreparedDocument[], terms: BaseTerms): KeyedPatch[] {
  const changed = new Map<string, FieldFrequencies>();
  for (const { inverted } of deleted) {
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
