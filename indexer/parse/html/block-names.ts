/**
 * Kinds of elements, by their names.
 *
 * Pure: constants.
 */

const names = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** Elements that stand on lines of their own; their text is no part of the paragraph before. */
export const BLOCK_NAMES: ReadonlySet<string> = names(
  "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre section summary table tbody td tfoot th thead tr ul caption colgroup search select",
);

/** Headings. */
export const HEADING_NAMES: ReadonlySet<string> = names("h1 h2 h3 h4 h5 h6");

/** Spans of code. */
export const CODE_NAMES: ReadonlySet<string> = names("code kbd samp tt");

/** Elements that show nothing of what is in them, or show something else. */
export const UNSEEN_NAMES: ReadonlySet<string> = names(
  "audio canvas datalist embed math object param progress meter textarea video",
);
