/**
 * Categories and concepts as answers show them: the read model of the category tools. Pure types and what is shared.
 */
import type { MemberConcept, TopicCounts } from "../format/category-entry.ts";

/** UTF-16 units of a document's text that a list of documents shows; build and reader agree on it. */
export const PREVIEW_LENGTH = 200;

/** A category as the caller may see it. */
export interface Category {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly aliases: readonly string[];
  /** Undefined at the top. There are no cycles. */
  readonly parent: Category | undefined;
  /** By name. */
  readonly children: readonly Category[];
  readonly related: readonly Category[];
  /** What is directly in it, and the same with all that is in its descendants. */
  readonly own: TopicCounts;
  readonly all: TopicCounts;
}

/** A concept of some documents. */
export interface TopicConcept extends Omit<MemberConcept, "related"> {
  readonly id: string;
  /** Names of concepts near it, among those of the same category. */
  readonly related: readonly string[];
  /** The category in which it weighs so much. */
  readonly category: string;
}

/** A section of a category. */
export interface TopicChunk {
  readonly documentId: string;
  /** Its ordinal. */
  readonly section: number;
  readonly density: number;
  /** Names of concepts in it. */
  readonly concepts: readonly string[];
}
