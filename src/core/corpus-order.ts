/**
 * Which corpora of a bucket are served, and in which order they are listed: by the server and by the command line alike.
 *
 * Pure: names in, names out.
 */

/** Corpora with a name of a deployment. More than this are no versions of anything. */
export const MAX_CORPORA = 500;

/** By the numbers in them, so that `v10` comes after `v9`. */
const VERSIONS = new Intl.Collator("en", { numeric: true });

/** Order of two names of corpora. The root's, `""`, comes first. */
export function compareCorpora(a: string, b: string): number {
  return VERSIONS.compare(a, b);
}

/** Of the names of all corpora of a bucket those that are not served: the last as a bucket lists them, with a `/` behind each. */
export function namesNotServed(names: Iterable<string>): readonly string[] {
  const listed = [...new Set(names)].map((name) => `${name}/`).sort();
  return listed.slice(MAX_CORPORA).map((prefix) => prefix.slice(0, -1));
}
