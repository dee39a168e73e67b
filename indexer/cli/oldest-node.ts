/**
 * The oldest Node that the package runs on, and what somebody with an older one is told. Nothing is imported here, so that every
 * Node loads it. Pure.
 */

/**
 * The oldest Node that runs all of the package (`npm run prove:package` tries it). 22.12 runs it as well, but has no
 * `node:sqlite`, so that `treeline mcp` keeps no sessions.
 */
export const OLDEST_NODE = "22.13.0";

/** What to say to who runs this version of Node; undefined where it is new enough. */
export function describeOldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `treeline needs Node ${oldestMajor}.${oldestMinor} or newer, this is ${version}`;
}
