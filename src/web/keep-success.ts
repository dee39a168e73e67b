/** What is loaded or opened once, and again after it failed. */

/** A function that calls `load` the first time, gives what came of it from then on, and forgets a failure. */
export function keepSuccess<T>(load: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () => {
    if (kept === undefined) {
      const loading = load();
      kept = loading;
      loading.catch(() => {
        kept = undefined;
      });
    }
    return kept;
  };
}

/** A function that calls `load` now, gives what came of it to the first that calls, and calls `load` again for each further one. */
export function beginNow<T>(load: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined = load();
  // Whoever calls is told.
  begun.catch(() => undefined);
  return () => {
    const loading = begun ?? load();
    begun = undefined;
    return loading;
  };
}
