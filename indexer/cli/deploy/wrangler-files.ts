/**
 * Names of the file in which wrangler looks for a Worker's configuration.
 */

/** The one that Treeline writes. */
export const WRANGLER_TOML = "wrangler.toml";

/** All, in wrangler's order: of several in a folder it reads the first. */
export const WRANGLER_FILES: readonly string[] = ["wrangler.json", "wrangler.jsonc", WRANGLER_TOML];
