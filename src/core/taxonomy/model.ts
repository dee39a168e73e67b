/** UTF-16 units of a document's text that a list of documents shows; build and reader agree on it. */
export const PREVIEW_LENGTH = 200;
