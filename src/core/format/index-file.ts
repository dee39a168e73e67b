/**
 * Names of the files that an index consists of: 32 digits of the content's hash and the kind.
 *
 * Pointers and manifests name files that are read, written and removed, and whoever may write to a bucket writes them. So a
 * name is looked at where it is read: one that led out of the folder would do so on the machine of whoever pulls.
 *
 * Layout: index-format v1, section 1. Pure.
 */

import { FormatError } from "../errors.ts";

const INDEX_FILE = /^[0-9a-f]{32}\.(?:pack|root|manifest|log)$/;
/** Of a name that is refused, so much is shown. */
const MAX_SHOWN_CHARACTERS = 40;

/** Whether something is called like a file of an index: then it lies beside the pointer, wherever that is. */
export function isIndexFile(name: string): boolean {
  return INDEX_FILE.test(name);
}

/** A name in an error: quoted, and cut. */
export function quoteFile(name: string): string {
  return JSON.stringify(name.slice(0, MAX_SHOWN_CHARACTERS));
}

/** Refuse a name that is none of an index file. @param what What holds it. @throws {FormatError} in any case. */
export function refuseName(what: string, name: string): never {
  throw new FormatError(what, { code: "malformed", reason: `${quoteFile(name)} is no name of an index file` });
}
