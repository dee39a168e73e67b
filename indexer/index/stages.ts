/**
 * Stages of a build, and what happens if a file makes one throw: the build gives up that file's part and goes on.
 *
 * The file becomes plain text with a diagnostic. Files to blame for a stage over all files are found by trials: each file alone,
 * then the first one that fails with those before it. Where no file is to blame, the index does without what the stage
 * makes.
 */
import { InputError, StaleGenerationError } from "../../src/core/errors.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import { isFsError } from "../base/file-system.ts";
import type { Rule } from "../config/fail-on.ts";

/** Stages of a build: the first handle one file at a time, the others all files together. */
export type Stage =
  | "decode"
  | "parse"
  | "sections"
  | "scan"
  | "facets"
  | "acronyms"
  | "names"
  | "candidates"
  | "invert"
  | "resolve"
  | "link"
  | "insights"
  | "topics"
  | "synonyms"
  | "encode";

/** Called before a stage handles a file. Tests make it throw. */
export type BeforeStage = (stage: Stage, path: string) => void;

/** Why a file takes part in a build as plain text. */
export interface StageFailure {
  readonly stage: Stage;
  readonly reason: string;
}

class StageError extends Error {
  readonly stage: Stage;

  constructor(stage: Stage, cause: unknown) {
    super(describeError(cause), { cause });
    this.stage = stage;
  }
}

/** Code of the diagnostic for a file, or a part of the index, that a stage gave up. */
export const STAGE_FAILED = "stage-failed" satisfies Rule;
const MAX_REASON = 300;

/** Runs a part of a stage. @throws {StageError} for what it throws, unless that is about the machine or the caller. */
export function atStage<T>(stage: Stage, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toStageError(stage, error);
  }
}

/** Error as one of the stage; errors that no file causes stay as they are. */
export function toStageError(stage: Stage, error: unknown): unknown {
  return error instanceof StageError || isOutside(error) ? error : new StageError(stage, error);
}

/** Whether an error comes from the machine, the caller or the cache: no file is to blame. */
export function isOutside(error: unknown): boolean {
  return (
    error instanceof InputError ||
    error instanceof StaleGenerationError ||
    error instanceof DamagedCacheError ||
    isFsError(error)
  );
}

/** Stage and reason of an error; `stage` where the error does not know its own. */
export function failureOf(error: unknown, stage: Stage): StageFailure {
  const known = error instanceof StageError ? error : new StageError(stage, error);
  return { stage: known.stage, reason: known.message };
}

/** Diagnostic for a file whose part of a stage was given up. */
export function stageDiagnostic(path: string, { stage, reason }: StageFailure, kept: string): Diagnostic {
  return {
    severity: "error",
    code: STAGE_FAILED,
    message: `stage ${stage} failed (${reason}); ${kept}`,
    path,
    line: 0,
  };
}

/** Optional stages of one file: a throw costs what the stage would have found. */
export class FileStages {
  readonly diagnostics: Diagnostic[] = [];
  readonly #path: string;
  readonly #before: BeforeStage | undefined;

  constructor(path: string, before?: BeforeStage) {
    this.#path = path;
    this.#before = before;
  }

  /** @throws {StageError} */
  run<T>(stage: Stage, work: () => T): T {
    return atStage(stage, () => {
      this.#before?.(stage, this.#path);
      return work();
    });
  }

  /** Result of the stage; `otherwise`, with a diagnostic, where it throws. */
  runOptional<T>(stage: Stage, work: () => T, otherwise: T): T {
    try {
      return this.run(stage, work);
    } catch (error) {
      const kept = "the rest of the file is indexed";
      this.diagnostics.push(stageDiagnostic(this.#path, failureOf(error, stage), kept));
      return otherwise;
    }
  }
}

function describeError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const line = text.split("\n", 1)[0] as string;
  return line.length > MAX_REASON ? `${line.slice(0, MAX_REASON)}…` : line;
}

type OptionalContent = "topics" | "insights" | "synonyms" | "links" | "code";

export type LeftOutContent = ReadonlyMap<OptionalContent, StageFailure>;

/** What to leave out, in this order, where a stage fails whatever the files. */
export const CONTENT_OF_STAGE: Readonly<Partial<Record<Stage, readonly OptionalContent[]>>> = {
  topics: ["topics"],
  insights: ["insights"],
  synonyms: ["synonyms"],
  resolve: ["links"],
  link: ["code"],
  encode: ["topics", "insights", "synonyms", "links", "code"],
};
/** A search for the file that fails with others does the step a dozen times. */
const MAX_SEARCHES = 12;

/** What a step needs to know of a document. */
interface StagedDocument {
  readonly task: { readonly plain?: StageFailure };
}

export interface IsolatedStep<Document extends StagedDocument, R> {
  readonly work: (documents: readonly Document[], leftOut: LeftOutContent) => Promise<R>;
  /** Throws where `work` throws in that stage, and has no effect. */
  readonly trial: (documents: readonly Document[], leftOut: LeftOutContent, stage: Stage) => Promise<void>;
  /** The documents, failing ones as plain text; those that fail even so are not among them. */
  readonly toPlain: (
    documents: readonly Document[],
    failing: ReadonlyMap<Document, StageFailure>,
  ) => Promise<readonly Document[]>;
}

/** Does the step. @throws what no file and no optional part is to blame for. */
export async function isolateFiles<Document extends StagedDocument, R>(
  all: readonly Document[],
  step: IsolatedStep<Document, R>,
): Promise<R> {
  const leftOut = new Map<OptionalContent, StageFailure>();
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
          : new Map<Document, StageFailure>();
      if (failing.size > 0) {
        documents = await step.toPlain(documents, failing);
        continue;
      }
      const content = CONTENT_OF_STAGE[stage]?.find((one) => !leftOut.has(one));
      if (content === undefined) throw error;
      leftOut.set(content, failure);
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

export class DamagedCacheError extends Error {
  constructor() {
    super("the parse cache is damaged");
    this.name = "DamagedCacheError";
  }
}
