/**
 * Text for people: names of other people's files on a terminal, where a control could move the cursor and a bidi mark could
 * turn words around, and sizes.
 */

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** The text with such characters written as `\u{202e}`; line feeds, too, so that it stays one line. */
export function toPrintable(text: string): string {
  return text.replace(UNPRINTABLE, (one) => `\\u{${(one.codePointAt(0) as number).toString(16)}}`);
}

/** Whether a name stays on one line wherever it is written: it holds no control character and no separator of lines. */
export function isOneLine(name: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);
}

/** A number of bytes in the unit that fits: `1.2 kB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(2)} MB`;
}
