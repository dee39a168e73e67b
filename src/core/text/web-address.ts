/** Which addresses a link may have: the one rule for all that pages are led to. Pure. */

/** What browsers pass over: blanks and controls at the beginning, tabs and line ends anywhere. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds.
const PASSED_OVER = /^[\u0000-\u0020]+|[\t\n\r]/g;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;

/** True for an address of the web (`http:`, `https:`) and for a relative one; others, such as `javascript:`, may run code. */
export function isWebAddress(address: string): boolean {
  const scheme = SCHEME.exec(address.replace(PASSED_OVER, ""))?.[1];
  return scheme === undefined || /^https?$/i.test(scheme);
}
