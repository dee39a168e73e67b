/**
 * What this server calls itself. A test compares the version with the package's.
 */

/** Name under which the server introduces itself to clients. */
export const SERVER_NAME = "treeline";

/** Version of the server, and so of how it words its answers. */
export const SERVER_VERSION = "0.1.0";

/** What people are shown as its name. @param corpus Name of the one that answers; `""` for that at the root. */
export function serverTitle(corpus: string): string {
  return corpus === "" ? "Treeline" : `Treeline ${corpus}`;
}
