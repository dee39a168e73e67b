/**
 * Fifth station on a request's way: an isolate has a bound on what it does at once. What comes beyond it is turned away with
 * 503 at once, which costs nothing, and calls that may take much work let the others go first.
 *
 * An isolate works on one request at a time and lets none wait for another's promises: who waits looks again by a clock of
 * its own.
 */
import type { MiddlewareHandler } from "hono";
import { BusyError } from "../core/errors.ts";
import { toProblem } from "../surface/render/problem.ts";
import { refuseRequest } from "./refuse.ts";

/** Requests of an isolate at once: some seconds' work. */
export const MAX_UNDERWAY = 256;
/** Dear calls among them that wait for their turn. */
export const MAX_WAITING = 128;
/** How often a dear call looks whether it is its turn, and after how many milliseconds it no longer waits for cheap ones. */
const STEP_MS = 2;
const MAX_WAIT_MS = 1000;

/** What an isolate has to do. One for its lifetime. */
export class Load {
  #underway = 0;
  #waiting = 0;
  #dear = 0;

  /** Begins a request; false where there are too many. */
  enter(): boolean {
    if (this.#underway >= MAX_UNDERWAY) return false;
    this.#underway++;
    return true;
  }

  /** Ends one that was begun. */
  leave(): void {
    this.#underway--;
  }

  /** Runs what may take much work, once nothing else is to be done, or for a second was. @throws {BusyError} */
  async runDear<T>(run: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING) throw new BusyError();
    this.#waiting++;
    try {
      for (let waited = 0; waited < MAX_WAIT_MS; waited += STEP_MS) {
        // Others that have come meanwhile begin here.
        await new Promise((resolve) => setTimeout(resolve, STEP_MS));
        if (this.#dear === 0 && this.#underway <= this.#waiting) break;
      }
    } finally {
      this.#waiting--;
    }
    this.#dear++;
    try {
      return await run();
    } finally {
      this.#dear--;
    }
  }
}

/** Turns away what an isolate cannot do. */
export function boundLoad(load: Load): MiddlewareHandler {
  return async (context, next) => {
    if (!load.enter()) return refuseRequest(context, 503, toProblem(new BusyError()).message);
    try {
      await next();
    } finally {
      load.leave();
    }
    return undefined;
  };
}
