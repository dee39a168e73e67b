/**
 * What this server calls itself. A test compares the version with the package's.
 */

/** Name under which the server introduces itself to clients. */
export const SERVER_NAME = "treeline";

/** Version of the server, and so of how it words its answers. */
export const SERVER_VERSION = "0.1.0";
