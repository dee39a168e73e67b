/** Scripts that put no blanks between words. Pure. */

/**
 * Their letters, and signs that only stand among them, as the inside of a class of a regular expression with the flag `u`. Korean is
 * not among them.
 */
export const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Bopomofo}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々〆ｰﾞﾟ";
