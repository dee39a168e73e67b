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
