/**
 * Web addresses: those that a link may have, and those that secrets may travel to.
 */

/** What browsers pass over: blanks and controls at the beginning, tabs and line ends anywhere. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds.
const PASSED_OVER = /^[\u0000-\u0020]+|[\t\n\r]/g;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;

/** True for an address of the web (`http:`, `https:`) and for a relative one; others, such as `javascript:`, may run code. */
export function isWebAddress(address: string): boolean {
  const scheme = SCHEME.exec(address.replace(PASSED_OVER, ""))?.[1];
  return scheme === undefined || /^https?$/i.test(scheme);
}

/** Host names that lead back to the machine that asks, as `URL` spells them. */
export const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether secrets may travel to an address: over HTTPS to anywhere, over plain HTTP to this machine alone. */
export function isSafeForSecrets({
  protocol,
  hostname,
}: {
  readonly protocol: string;
  readonly hostname: string;
}): boolean {
  return protocol === "https:" || (protocol === "http:" && LOOPBACK_HOSTS.has(hostname));
}
