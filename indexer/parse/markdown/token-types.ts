/**
 * Types of the tokens that our own rules add to markdown-it's, each with what it carries.
 *
 * Pure constants; no I/O.
 */

/** Block token for lines of tags: `meta` has the tags. */
export const TAGS_TOKEN = "tags";

/** Block token for text that is shown though it is not Markdown: `content` has it. */
export const SHOWN_TEXT_TOKEN = "shown_text";

/** Block token for lines that were too complex: `content` has them as they are written. */
export const PLAIN_TEXT_TOKEN = "plain_text";

/** Inline token for one tag: `meta` has it. */
export const TAG_TOKEN = "tag";
