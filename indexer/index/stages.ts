/**
 * Stages of a build, and what happens if one throws: the build gives up a part and goes on, with a diagnostic.
 *
 * A file that makes a stage of its own throw becomes plain text. Where a stage over all files throws, the index does without what
 * it makes.
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

/** What to leave out, in this order, where a stage over all files fails. */
export const CONTENT_OF_STAGE: Readonly<Partial<Record<Stage, readonly OptionalContent[]>>> = {
  topics: ["topics"],
  insights: ["insights"],
  synonyms: ["synonyms"],
  resolve: ["links"],
  link: ["code"],
  encode: ["topics", "insights", "synonyms", "links", "code"],
};

/** Does what goes over all documents. @throws what no optional part is to blame for. */
export async function withoutFailing<R>(work: (leftOut: LeftOutContent) => Promise<R>): Promise<R> {
  const leftOut = new Map<OptionalContent, StageFailure>();
  for (;;) {
    try {
      return await work(leftOut);
    } catch (error) {
      if (isOutside(error)) throw error;
      const failure = failureOf(error, "encode");
      const content = CONTENT_OF_STAGE[failure.stage]?.find((one) => !leftOut.has(one));
      if (content === undefined) throw error;
      leftOut.set(content, failure);
    }
  }
}

export class DamagedCacheError extends Error {
  constructor() {
    super("the parse cache is damaged");
    this.name = "DamagedCacheError";
  }
}
