/**
 * Where a build keeps what it makes, in the folder that is built, unless it is told otherwise.
 */
import { join } from "node:path";

/** The index. */
export const DEFAULT_OUT = join(".treeline", "index");
/** The parse cache. */
export const CACHE_FOLDER = join(".treeline", "cache");
