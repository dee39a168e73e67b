/**
 * Names of corpora: the first segment of addresses (`/v2/mcp`) and the prefix of objects in the bucket
 * (`v2/treeline.pointer`). The corpus without a name, the root's, has neither.
 */
import { InputError } from "../../core/errors.ts";
import { quoteName } from "../../core/text/nearest.ts";

/** Characters of a name at most. */
const MAX_CORPUS_NAME_LENGTH = 64;

/** What a name looks like: small letters, digits and `. _ -`, which is no sign at its beginning or end. */
export const CORPUS_NAME = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/;

/**
 * First segments of addresses that the server has or may come to have, and names of objects at the root of a bucket: no
 * corpus is called so, or it would hide one or the other.
 */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...["mcp", "sse", "s", "session", "sessions", "search", "suggest", "documents", "tree"],
  ...["llms.txt", "llms-full.txt", "summary", "status", "insights", "health", "connect", "server.json"],
  ...["corpora", "corpus", "root", "index", "index.html", "api", "admin", "login", "logout", "oauth"],
  ...["assets", "static", "schemas", "explore", "explorer", "openapi.json", "search.js", "engine", "engine.js"],
  ...["highlight.js", "pagefind", "pagefind.js", "pagefind-highlight.js"],
  ...["favicon.ico", "favicon.svg", "robots.txt", "sitemap.xml", "cdn-cgi"],
  ...["access.json", "treeline.pointer"],
]);

/** A folder of a published index cannot hold a file and a corpus of the same name. */
const INDEX_FILE = /^[0-9a-f]{32,}\.[a-z]+$/;
/** Parts of the search box that pages load when they need them, `search-de.js`. */
const SEARCH_PART = /^search-[a-z0-9-]+\.js$/;
/** Spellings of a name that a prefix or an address would give it. */
const AROUND = /^\/+|\/+$/g;

/** Whether a corpus may have this name. */
export function isCorpusName(name: string): boolean {
  return CORPUS_NAME.test(name) && !isReserved(name) && !INDEX_FILE.test(name);
}

function isReserved(name: string): boolean {
  return RESERVED_NAMES.has(name) || SEARCH_PART.test(name);
}

/**
 * Check the name of a corpus.
 *
 * @throws {InputError} that says what names are allowed, with the nearest that is.
 */
export function checkCorpusName(name: string): void {
  if (isCorpusName(name)) return;
  const nearest = nearestCorpusName(name);
  const why = CORPUS_NAME.test(name)
    ? `No corpus may be called ${quoteName(name)}: ${isReserved(name) ? "the server has something else at that address, or may have" : "index files are called so"}.`
    : `The name of a corpus is 1 to ${MAX_CORPUS_NAME_LENGTH} small letters, digits and the signs . _ -, and begins and ends with a letter or digit; got ${quoteName(name)}.`;
  throw new InputError(why, nearest, `treeline publish --corpus ${nearest[0] ?? "v2"}`);
}

/** The name that somebody probably meant: in small letters, other signs as `-`; none where nothing is left. */
function nearestCorpusName(name: string): readonly string[] {
  const folded = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(AROUND, "")
    .replace(/[^a-z0-9._-]+/g, "-")
    .slice(0, MAX_CORPUS_NAME_LENGTH)
    .replace(/^[._-]+|[._-]+$/g, "");
  return [folded, `${folded}-docs`].filter((one) => one !== "-docs" && isCorpusName(one)).slice(0, 1);
}
