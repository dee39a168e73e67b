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
