/** Asks again by itself: after a while that is counted down, or when the browser is online again. */

const SECOND_MS = 1_000;

/** Tries again, or is told not to. */
export interface Retry {
  /** Run once so many seconds are over; each second `tell` gets those that are left. */
  after(seconds: number, tell: (left: number) => void, run: () => void): void;
  /** Run when the browser is online again. */
  whenOnline(run: () => void): void;
  /** Nothing is tried again any more. */
  stop(): void;
}

/** The second chance of one box: what is set last counts. */
export function createRetry(): Retry {
  let timer: ReturnType<typeof setInterval> | undefined;
  let waiting: (() => void) | undefined;
  const stop = (): void => {
    clearInterval(timer);
    if (waiting !== undefined) removeEventListener("online", waiting);
    waiting = undefined;
  };
  return {
    after(seconds, tell, run) {
      stop();
      let left = seconds;
      timer = setInterval(() => {
        left--;
        if (left > 0) tell(left);
        else {
          stop();
          run();
        }
      }, SECOND_MS);
    },
    whenOnline(run) {
      stop();
      waiting = run;
      addEventListener("online", run, { once: true });
    },
    stop,
  };
}
