/**
 * The info string behind the opening fence of a block of code.
 *
 * Pure: text in, values out. No I/O, no clock.
 */

/** What an info string says. */
export interface FenceInfo {
  /** First word in lower case, without what some tools attach to it (`{1,3}`, `:file.ts`); `""` when there is none. */
  readonly language: string;
  /** File name or title that is shown above the code; `""` when there is none. */
  readonly title: string;
}

/** Longer info strings and words are accidents, such as prose behind three backticks. */
const MAX_INFO_CHARS = 1_000;
const MAX_LANGUAGE_CHARS = 40;

const LANGUAGE = /^\{?\.?([A-Za-z0-9_][\w+#.-]*)/;
const TITLE = /(?:^|[\s{,])(?:file(?:_?name)?|title)=(?:"([^"]*)"|'([^']*)'|([^\s"'{}]+))/i;

/** What the info string of a fence says. */
export function readFenceInfo(info: string): FenceInfo {
  const text = info.slice(0, MAX_INFO_CHARS).trim();
  const title = TITLE.exec(text);
  const word = LANGUAGE.exec(text);
  // `title=…` without a language before it.
  const isAttribute = word !== null && text[word[0].length] === "=";
  const language = word === null || isAttribute ? "" : (word[1] ?? "").toLowerCase();
  return {
    language: language.length > MAX_LANGUAGE_CHARS ? "" : language,
    title: (title?.[1] ?? title?.[2] ?? title?.[3] ?? "").trim(),
  };
}
