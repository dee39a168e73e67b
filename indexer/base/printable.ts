/**
 * Text of other people's files on a terminal: a control could move the cursor, a bidi mark could turn words around.
 * Pure.
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
