/**
 * Modules and other things that are loaded once, on demand, and asked for again where they do not come.
 *
 * A browser may remember that a module could not be loaded, and not ask for that address again until the page is loaded anew: Firefox
 * does. None asks again while an answer is still to come, however long that takes. So after a failure, or a long wait, the same file
 * is asked for under another address: with `?` behind it, which no host of files heeds.
 */

/** What has not come in this time, in milliseconds, is asked for under another address: both have as long as anyone waits (`PATIENCE_MS`). */
const LATE_MS = 10_000;

/** Under which address each module is asked for. */
const addresses: Record<string, string> = {};

/**
 * A module, asked for once more where it could not be loaded or does not come, and again by whoever calls next. Gives what comes first
 * of both, and rejects where neither comes in its time.
 *
 * @param name Relative to the bundled file that holds this, or an address in full.
 * @param first Asks for it at first: an `import()`, by which the bundler knows of the file.
 */
export function loadModule<T>(
  name: string,
  first: () => Promise<T> = () => import(/* @vite-ignore */ name) as Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const ask = (): Promise<never> => {
      addresses[name] ??= name;
      const address = addresses[name];
      const failing = new Promise<never>((_, fail) => {
        const late = setTimeout(fail, LATE_MS, new TypeError("the module does not come"));
        const asked = address === name ? first() : (import(/* @vite-ignore */ address) as Promise<T>);
        asked.then((module) => {
          clearTimeout(late);
          addresses[name] = address;
          resolve(module);
        }, fail);
      });
      return failing.catch((cause: unknown) => {
        // Others who wait for the same file may have gone on already.
        if (addresses[name] === address) addresses[name] += "?";
        throw cause;
      });
    };
    ask().catch(ask).catch(reject);
  });
}

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
