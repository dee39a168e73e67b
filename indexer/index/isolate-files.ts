/**
 * A step over all files that goes on without those that make it throw.
 *
 * Files to blame are found by trials: each file alone, then the first one that fails with those before it. They take
 * part as plain text. Where no file is to blame, the part of the index that the stage makes is left out.
 */
import type { LoadedDocument } from "./load-documents.ts";
import { failureOf, isOutside, type Stage, type StageFailure } from "./stages.ts";

/** Parts that an index can do without. */
export type OptionalPart = "topics" | "insights" | "synonyms" | "links" | "code";

/** Parts that are left out, each with what failed. */
export type LeftOutParts = ReadonlyMap<OptionalPart, StageFailure>;

/** Parts to leave out, in this order, where a stage fails whatever the files. */
const PARTS: Readonly<Partial<Record<Stage, readonly OptionalPart[]>>> = {
  topics: ["topics"],
  insights: ["insights"],
  synonyms: ["synonyms"],
  resolve: ["links"],
  link: ["code"],
  encode: ["topics", "insights", "synonyms", "links", "code"],
};
/** A search for the file that fails with others does the step a dozen times. */
const MAX_SEARCHES = 12;

/** A step over documents. */
export interface IsolatedStep<R> {
  readonly work: (documents: readonly LoadedDocument[], leftOut: LeftOutParts) => Promise<R>;
  /** Throws where `work` throws in that stage, and has no effect. */
  readonly trial: (documents: readonly LoadedDocument[], leftOut: LeftOutParts, stage: Stage) => Promise<void>;
  /** The documents, failing ones as plain text; those that fail even so are not among them. */
  readonly toPlain: (
    documents: readonly LoadedDocument[],
    failing: ReadonlyMap<LoadedDocument, StageFailure>,
  ) => Promise<readonly LoadedDocument[]>;
}

/** Does the step. @throws what no file and no optional part is to blame for. */
export async function isolateFiles<R>(all: readonly LoadedDocument[], step: IsolatedStep<R>): Promise<R> {
  const leftOut = new Map<OptionalPart, StageFailure>();
  let documents = all;
  for (let searches = 0; ; searches++) {
    try {
      return await step.work(documents, leftOut);
    } catch (error) {
      if (isOutside(error)) throw error;
      const failure = failureOf(error, "encode");
      const { stage } = failure;
      const whole = documents.filter(({ task }) => task.plain === undefined);
      const failing =
        searches < MAX_SEARCHES
          ? await findFailing(whole, (some) => step.trial(some, leftOut, stage), stage)
          : new Map<LoadedDocument, StageFailure>();
      if (failing.size > 0) {
        documents = await step.toPlain(documents, failing);
        continue;
      }
      const part = PARTS[stage]?.find((one) => !leftOut.has(one));
      if (part === undefined) throw error;
      leftOut.set(part, failure);
    }
  }
}

/**
 * Items that make a trial throw: those that fail alone, else the one that fails with those before it.
 *
 * What fails alone although there are others, and all of them do, says nothing of any item.
 */
export async function findFailing<T>(
  items: readonly T[],
  trial: (items: readonly T[]) => Promise<void>,
  stage: Stage,
): Promise<Map<T, StageFailure>> {
  const failureIn = async (some: readonly T[]): Promise<StageFailure | undefined> => {
    try {
      await trial(some);
      return undefined;
    } catch (error) {
      if (isOutside(error)) throw error;
      return failureOf(error, stage);
    }
  };
  const failing = new Map<T, StageFailure>();
  for (const item of items) {
    const failure = await failureIn([item]);
    if (failure !== undefined) failing.set(item, failure);
  }
  if (failing.size > 0 && (failing.size < items.length || items.length === 1)) return failing;
  failing.clear();
  let last = await failureIn(items);
  if (last === undefined) return failing;
  let low = 1;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const failure = await failureIn(items.slice(0, middle));
    if (failure === undefined) low = middle + 1;
    else {
      high = middle;
      last = failure;
    }
  }
  const item = items[low - 1];
  if (item !== undefined) failing.set(item, last);
  return failing;
}
