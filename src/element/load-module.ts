/**
 * Modules that are loaded on demand. The bundler puts this in the place of every `import()` of a module of the project.
 *
 * A browser remembers that a module could not be loaded, and does not ask for that address again until the page is loaded anew. So
 * after a failure the same file is asked for under another address: with `?` behind it, which no host of files heeds.
 */

/** Under which address each module is asked for. */
const addresses: Record<string, string> = {};

/**
 * A module, asked for once more at once where it could not be loaded, and again by whoever calls next.
 *
 * @param name Relative to the file that holds this, or an address in full.
 */
export function loadModule(name: string): Promise<unknown> {
  return import(/* @vite-ignore */ addresses[name] ?? name).catch(() => {
    const next = `${addresses[name] ?? name}?`;
    addresses[name] = next;
    return import(/* @vite-ignore */ next);
  });
}
