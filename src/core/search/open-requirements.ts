/**
 * What the index leaves open of a document's phrases, and the text that decides it. Pure.
 */
import { sectionsOfUnits } from "../format/locator.ts";
import { FIRST_TEXT_UNIT } from "../format/postings.ts";
import type { BlockRead, IndexReader } from "../index/index-reader.ts";
import { blockReads, residentTable } from "../index/resident.ts";
import type { PhraseJudge, Verdict } from "./phrases.ts";
import type { Requirement } from "./query.ts";
import type { ScoredDocument } from "./scoring.ts";

/** A requirement that only the text can decide, with what the index says of its phrases. */
export interface OpenRequirement {
  readonly requirement: Requirement;
  readonly verdicts: readonly Verdict[];
}

/** A block of text to read. */
export interface SectionRead {
  readonly read: BlockRead;
  /** Ordinal of the unit's section. */
  readonly ordinal: number;
}

/** The requirements that only the text of a document can decide. */
export function listOpen(
  { shard, document }: ScoredDocument,
  requirements: readonly Requirement[],
  judge: PhraseJudge,
): OpenRequirement[] {
  return requirements.flatMap((requirement) => {
    const verdicts = requirement.anyOf.map((phrase) => judge.judge(phrase, shard, document));
    if (verdicts.some(({ is }) => is === "yes")) return [];
    const open = verdicts.filter(({ is }) => is === "open");
    return open.length === 0 ? [] : [{ requirement, verdicts: open }];
  });
}

/** The blocks that have to be read to decide them all, the likeliest first. */
export function listReads(
  reader: IndexReader,
  { shard: visible, document }: ScoredDocument,
  open: readonly OpenRequirement[],
): SectionRead[] {
  if (open.length === 0) return [];
  const shard = reader.shards[visible]?.index ?? 0;
  const ordinals = sectionsOfUnits(residentTable(reader, shard, "locator"), document);
  const everyUnit = Array.from(ordinals, (_, at) => at + FIRST_TEXT_UNIT);
  const units = new Set(open.flatMap(({ verdicts }) => verdicts.flatMap((verdict) => verdict.units ?? everyUnit)));
  return blockReads(reader, shard, document, [...units]).map(
    (read): SectionRead => ({ read, ordinal: ordinals[read.unit - FIRST_TEXT_UNIT] as number }),
  );
}
