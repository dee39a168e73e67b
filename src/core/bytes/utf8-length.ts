/**
 * How long a text is in UTF-8, without encoding it. Pure.
 */

/** Most texts, and looked for by the platform itself. */
const ASCII = /^[\0-\x7f]*$/;

/** Bytes of a text in UTF-8; a lone surrogate counts three, as the U+FFFD that stands for it. */
export function utf8Length(text: string): number {
  if (ASCII.test(text)) return text.length;
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    if (unit < 0x800) {
      bytes++;
      continue;
    }
    bytes += 2;
    const isPair = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    // The second half of a pair is counted with the first: four bytes for two units.
    if (isPair) at++;
  }
  return bytes;
}
