/**
 * Texts cut to a length, never inside a character, and lone halves of characters replaced.
 */

/** The place `at` of a text, or the one before it where a cut there would part a surrogate pair. */
export function cutPlace(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff ? at - 1 : at;
}

/** At most `limit` UTF-16 units of the text. */
export function cutText(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, cutPlace(text, limit));
}

/** At most `limit` UTF-16 units of the text; where something is missing without spaces at the end, and `...` behind them. */
export function cutWithDots(text: string, limit: number): string {
  return text.length <= limit ? text : `${cutText(text, limit).trimEnd()}...`;
}

/** At most `limit` UTF-16 units of the text, and `…` behind them where something is missing. */
export function shortenText(text: string, limit: number): string {
  return text.length <= limit ? text : `${cutText(text, limit)}…`;
}

/** The text with each half of a surrogate pair that stands alone as U+FFFD. */
export function toWellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, "\ufffd");
}

/** The text on one line, with every run of white space as one space and none at the ends. */
export function foldWhitespace(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** A text between backticks: more of them where it holds some itself. */
export function quoteCode(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest > 0 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}
