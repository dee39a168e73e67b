/**
 * Files and folders that were meant to be read and were not, with the reason.
 *
 * Pure; no I/O.
 */

/** Why a path was left out although the collection asks for it. */
export type SkipReason =
  /** Larger than `limits.maxFileBytes`. */
  | "too-large"
  /** After the first `limits.maxFiles` in path order. */
  | "too-many-files"
  /** Too long a path for a key of the index. */
  | "path-too-long"
  /** A line feed or another control character in the path: it would write lines of its own into answers. */
  | "path-unprintable"
  /** Machine-made source that nobody reads, in a collection that nobody configured. */
  | "minified"
  /** A page of a built site that asks robots to leave it out. */
  | "noindex"
  /** A page that does no more than lead to another. */
  | "redirect"
  /** A page without `data-pagefind-body` of a site that marks others with it. */
  | "no-marked-body"
  /** Not text. */
  | "binary"
  /** Every stage that could index it threw. */
  | "failed"
  /** The system refuses to open or list it. */
  | "unreadable"
  /** A pipe, socket or device. */
  | "not-a-file"
  /** A link to something outside the collection root. */
  | "symlink-outside"
  /** A link to a folder that the link itself lies in. */
  | "symlink-loop"
  /** A link to nothing. */
  | "symlink-broken"
  /** A second link to a folder that is already read through another one. */
  | "symlink-duplicate"
  /** A link into a folder that is never indexed, such as `node_modules`. */
  | "symlink-excluded";

/** One path that was left out. */
export interface SkippedFile {
  /** Path relative to the collection root, `/` as separator. */
  readonly path: string;
  readonly reason: SkipReason;
  /** The reason in words, without the path. */
  readonly message: string;
  /** Size in bytes, where it was the reason or is known. */
  readonly bytes?: number;
}

/** Whether a file says by its name that it is minified. */
export function isMinified(path: string): boolean {
  return /\.min\.[cm]?js$/i.test(path);
}
