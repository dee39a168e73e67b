/**
 * Names of the files that an index consists of: 32 digits of the content's hash and the kind.
 *
 * Pointers and manifests name files that are read, written and removed, and whoever may write to a bucket writes them. So a
 * name is looked at where it is read: one that led out of the folder would do so on the machine of whoever pulls.
 *
 * Layout: index-format v1, section 1. Pure.
 */

const INDEX_FILE = /^[0-9a-f]{32}\.(?:pack|root|manifest|log)$/;

/** Whether something is called like a file of an index: then it lies beside the pointer, wherever that is. */
export function isIndexFile(name: string): boolean {
  return INDEX_FILE.test(name);
}
