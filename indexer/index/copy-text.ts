/** Texts that are kept longer than what they were cut out of: a part of a text keeps all of it in memory. */

/** The same text in memory of its own; it must be well-formed. */
export function copyText(text: string): string {
  return Buffer.from(text).toString();
}
