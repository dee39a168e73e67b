/**
 * Which versions of Node run the command line. Nothing is imported here: a version that is too old must be able to load it.
 */

/**
 * The oldest Node that runs all of the package (`npm run prove:package` tries it). 22.12 runs it as well, but has no
 * `node:sqlite`, so that `treeline mcp` keeps no sessions.
 */
export const OLDEST_NODE = "22.13.0";

/** What is wrong with a version of Node (`20.20.2`), in a sentence; undefined where it is new enough. */
export function explainOldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `Treeline needs Node ${OLDEST_NODE} or newer, and this is ${version}.`;
}
