/**
 * Texts without halves of characters: UTF-8 has none, and formats refuse them.
 *
 * Pure: text in, text out.
 */

/** The text with each half of a surrogate pair that stands alone as U+FFFD. */
export function toWellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, "\ufffd");
}
