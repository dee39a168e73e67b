/**
 * Under which names what `treeline init` writes refers to Treeline: the one place to change them.
 */

/** The Action, at the major version that this one belongs to. */
export const ACTION = "treeline-dev/treeline@v0";
/** Schema of the configuration, for editors. */
export const SCHEMA_ADDRESS = "https://raw.githubusercontent.com/treeline-dev/treeline/v0/schemas/config.schema.json";
/** Documents. */
export const DOCS_ADDRESS = "https://github.com/treeline-dev/treeline/blob/v0/docs";
/** The Worker in the npm package, from the folder of `wrangler.toml`. */
export const WORKER_PATH = "node_modules/treeline/dist/worker.js";
/** Its static assets. */
export const ASSETS_PATH = "node_modules/treeline/dist/assets";
