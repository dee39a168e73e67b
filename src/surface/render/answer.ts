/**
 * Answer of a tool, before its format and its budget are known.
 *
 * A tool lays out its answer in several forms, from full to bare (full, excerpts, titles, counts). The renderer takes the
 * first that fits the caller's token budget, cuts whole items off its end where the form allows that, and says how to get
 * the rest. No tool counts tokens.
 */
import { isEmptyFilter } from "../../core/docs/model.ts";
import type { SearchAnswer, SearchRequest } from "../../core/search/answer.ts";

/** A question without a good answer. */
export interface Unanswered {
  /** As the caller wrote it. */
  readonly query: string;
  /**
   * `nothing`: no result. `corrected`: results for other words than were written. `relaxed`: results without a phrase that
   * was asked for. `no-symbol` and `no-line`: the same as the first, of names in code and of exact text.
   */
  readonly kind: "nothing" | "corrected" | "relaxed" | "no-symbol" | "no-line";
}

/** The question of a search, where its answer is not good. */
export function findUnanswered(request: SearchRequest, answer: SearchAnswer): Unanswered | undefined {
  const { query, offset, collections, documentId, filter, asYouType } = request;
  const isNarrowed = collections.length > 0 || documentId !== undefined || !isEmptyFilter(filter);
  if (offset > 0 || asYouType || isNarrowed) return undefined;
  if (answer.totalDocuments + answer.uncheckedDocuments === 0) return { query, kind: "nothing" };
  if (answer.corrections.length > 0) return { query, kind: "corrected" };
  return answer.relaxedPhrases.length > 0 ? { query, kind: "relaxed" } : undefined;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** One form of an answer. Nothing in it is produced before it is asked for. */
export interface AnswerForm {
  /** What is shown of each item, in a word that completes "Shown: …": `full text`, `excerpts`, `titles`, `counts`. */
  readonly detail: string;
  /** Text blocks in order: one an item (a document, a section), or with `count` those of the first `shown` items. */
  readonly blocks: (shown?: number) => readonly string[];
  /** Number of items, where several share a block, as symbols of one file do. The answer is then cut between items. */
  readonly count?: number;
  /** The first `shown` items as JSON, with camelCase names. */
  readonly json: (shown: number) => JsonObject;
  /** The same for format `toon`, where grouping makes it shorter than the JSON object is; that object when absent. */
  readonly toon?: (shown: number) => JsonObject;
  /** False where blocks do not stand for items, as in a form of mere counts. */
  readonly perItem?: boolean;
  /**
   * How many items must be left for this form to be used with its end cut off. Without it the next barer form is tried
   * where it does not fit whole. The last form is cut as far as necessary.
   */
  readonly keepAtLeast?: number;
  /** True where blocks are lines: they are sent as one content block. */
  readonly joined?: true;
  /** A last block that stands for no item, such as counts of facets. Text only: JSON has it among its values. */
  readonly tail?: string;
  /**
   * The same form with its texts cut so that it costs about this many tokens, or undefined where that leaves nothing
   * worth reading. Tried where the form does not fit whole, before a barer one.
   */
  readonly shorten?: (maxTokens: number) => AnswerForm | undefined;
  /** Tokens that the form takes at least, where that is known before it is written: then it is not written in vain. */
  readonly fewestTokens?: number;
  /** Sections whose words the first `shown` items show, by their ids by number (`makeOrdinalId`); none when absent. */
  readonly sections?: (shown: number) => readonly string[];
  /** True where the text is byte-exact: nothing is stripped from it. */
  readonly raw?: boolean;
  /** How to get what this form leaves out, as a sentence: `Read single sections with get_node_content.` */
  readonly more?: string;
}

/** Members that forms of one answer share. */
type SharedMembers = Omit<Partial<AnswerForm>, "detail" | "blocks" | "count" | "json" | "sections">;

/** How the items of a list are written, as fully as a level says. */
interface ListWriters<Item, Level> extends SharedMembers {
  /** Lines of one item; instead of it `blocks`, where several items share a block. */
  readonly text?: (item: Item, level: Level) => string;
  readonly blocks?: (items: readonly Item[], level: Level) => readonly string[];
  /** The whole object with the items that are shown, and the same for TOON. */
  readonly toJson: (items: readonly Item[], level: Level) => JsonObject;
  readonly toToon?: (items: readonly Item[], level: Level) => JsonObject;
  /** Sections whose words the items show. */
  readonly toSections?: (items: readonly Item[], level: Level) => readonly string[];
}

/**
 * Forms of a list.
 *
 * @param levels From the fullest on: what is shown, and with how many items left it may be cut instead of the next one.
 */
export function listForms<Item, Level>(
  items: readonly Item[],
  levels: readonly (readonly [detail: string, level: Level, keepAtLeast?: number])[],
  { text, blocks, toJson, toToon, toSections, ...shared }: ListWriters<Item, Level>,
): AnswerForm[] {
  return levels.map(([detail, level, keepAtLeast]) => ({
    ...shared,
    detail,
    ...(keepAtLeast !== undefined && { keepAtLeast }),
    ...(blocks !== undefined && { count: items.length }),
    blocks: (shown) => blocks?.(items.slice(0, shown), level) ?? items.map((item) => text?.(item, level) ?? ""),
    json: (shown) => toJson(items.slice(0, shown), level),
    ...(toToon !== undefined && { toon: (shown: number) => toToon(items.slice(0, shown), level) }),
    ...(toSections !== undefined && { sections: (shown: number) => toSections(items.slice(0, shown), level) }),
  }));
}

export interface Answer {
  /** First line: what was found. Always sent in text; JSON answers say it in their values. */
  readonly summary: string;
  /** Forms from the fullest to the barest, at least one. */
  readonly forms: readonly AnswerForm[];
  /** Sentences that always follow: corrections, limits that were cut, parts that are missing. */
  readonly notes?: readonly string[];
  /** True where commit and age of the index are not said below it: another tool tells them. */
  readonly isBare?: true;
  /** True where it says what cannot be answered: a tool error with values of its own. */
  readonly isError?: true;
  /** The question, where nothing good was found: for an operator who wants to know what is missing. Not sent. */
  readonly unanswered?: Unanswered;
  /** Where the items lie in the whole list. With it, an answer that does not reach the end carries a cursor. */
  readonly page?: AnswerPage;
}

/** Place of an answer's items in the whole list of results. */
interface AnswerPage {
  /** Results before the first item. */
  readonly offset: number;
  /** Results in all; 0 where items are of several lists that go on together at `beyond`. */
  readonly total: number;
  /** What the results are, in the plural: `documents`. */
  readonly items: string;
  /** Place in the whole list of each item, and behind them of the next page's first; from `offset` on in a row when absent. */
  readonly positions?: readonly number[];
  /** Where a call goes on behind the last of these results: set where not everything was looked through, so that there may be more. */
  readonly beyond?: number | undefined;
}
