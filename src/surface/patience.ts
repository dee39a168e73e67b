/**
 * How long storage is waited for: each try of a read has a bound, and one that fails or is late is sent again twice.
 *
 * A read of R2 takes some tens of milliseconds. Where one in twenty fails, one in eight thousand fails three times.
 */
import { FormatError, InputError, StaleGenerationError, StorageError } from "../core/errors.ts";

/** Longest that one try is waited for, in milliseconds. */
const TRY_MS = 1200;
/** Tries of one read. With the pauses between them they end before the deadline of a request (`http/guard.ts`). */
const TRIES = 3;
/** Before another try, in milliseconds: between once and three times this, so that readers that failed together part. */
const PAUSE_MS = 30;

interface PatienceOptions {
  /** Whether tries have no bound. */
  readonly isUnbounded?: () => boolean;
  /** From 0 to 1. */
  readonly random?: () => number;
}

/** Whether the setting `TIME_LIMITS` says that nothing is limited in time. */
export function isEndless(setting: unknown): boolean {
  return typeof setting === "string" && setting.trim().toLowerCase() === "off";
}

/** A read, tried again where it fails. @param what What is read, for who has to find out why it failed. */
type Patience = <T>(what: string, read: () => Promise<T>) => Promise<T>;

/** Patience with storage. The read rejects with a `StorageError` where each try failed. What storage did answer is told as it is. */
export function createPatience({ isUnbounded = () => false, random = Math.random }: PatienceOptions = {}): Patience {
  return async (what, read) => {
    for (let tried = 1; ; tried++) {
      try {
        return await (isUnbounded() ? read() : within(TRY_MS, read()));
      } catch (error) {
        if (isAnswer(error)) throw error;
        if (tried === TRIES) throw new StorageError(what, { cause: error });
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (1 + 2 * random())));
      }
    }
  };
}

/** Whether storage said something, and would say it again. */
function isAnswer(error: unknown): boolean {
  return error instanceof FormatError || error instanceof StaleGenerationError || error instanceof InputError;
}

/** What is answered within some milliseconds. @throws {Error} with these words where nothing is. */
export async function within<T>(ms: number, answer: Promise<T>, words = `no answer within ${ms} ms`): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(words)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    if (timer !== undefined) clearTimeout(timer);
  }
}
