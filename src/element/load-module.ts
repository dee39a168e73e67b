/**
 * Modules that are loaded on demand. The bundler puts this in the place of every `import()` of a module of the project.
 *
 * A browser may remember that a module could not be loaded, and not ask for that address again until the page is loaded anew: Firefox
 * does. None asks again while an answer is still to come, however long that takes. So after a failure the same file is asked for under
 * another address: with `?` behind it, which no host of files heeds.
 */

/** What has not come in this time, in milliseconds, is asked for under another address by whoever calls next. */
const LATE_MS = 15_000;

/** Under which address each module is asked for. */
const addresses: Record<string, string> = {};

/**
 * A module, asked for once more at once where it could not be loaded, and again by whoever calls next.
 *
 * @param name Relative to the file that holds this, or an address in full.
 */
export function loadModule(name: string): Promise<unknown> {
  return ask(name).catch(() => ask(name));
}

function ask(name: string): Promise<unknown> {
  const address = addresses[name] ?? name;
  // Set, not added to: callers that wait for the same file go on to the same address.
  const renew = (): void => {
    addresses[name] = `${address}?`;
  };
  const late = setTimeout(renew, LATE_MS);
  const asked = import(/* @vite-ignore */ address);
  void asked.catch(renew).finally(() => clearTimeout(late));
  return asked;
}
