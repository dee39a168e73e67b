/** How large a request's body may be, and how long it may take to come. */

/** Bytes. A call is a question with a filter or a page of text to compare, far below this. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** Milliseconds from the first look at a body to its end: a megabyte over a slow line. */
export const MAX_BODY_MS = 30_000;
