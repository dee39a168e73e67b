/**
 * Which addresses of a page lead anywhere that a reader may be sent.
 *
 * Pure.
 */

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const SCHEMES: ReadonlySet<string> = new Set([
  "http",
  "https",
  "mailto",
  "tel",
  "ftp",
  "sms",
  "geo",
  "irc",
  "ircs",
  "news",
]);

/** Whether an address is one of a script, of data, or of a scheme that nobody knows. */
export function leadsNowhere(href: string): boolean {
  const scheme = SCHEME.exec(asParsed(href))?.[1];
  return scheme !== undefined && !SCHEMES.has(scheme.toLowerCase());
}

/** An address without what those who parse it leave out: line ends and tabs anywhere, controls and spaces at its ends. */
export function asParsed(href: string): string {
  return href.replace(/[\t\n\r]+/g, "").replace(/^[\0-\x20]+|[\0-\x20]+$/g, "");
}

/** Stands for the site, whose own address a page does not say. */
const SITE = "https://site.invalid/";

/**
 * An address as `<base href>` makes it: absolute, or from the site's root on; as it is written where the page has none.
 *
 * @param path Of the page, from the root on.
 */
export function resolveAgainstBase(href: string, base: string, path: string): string {
  if (base === "" || !URL.canParse(base, SITE)) return href;
  const from = new URL(base, new URL(encodeURI(path), SITE)).href;
  if (!URL.canParse(href, from)) return href;
  const target = new URL(href, from).href;
  return target.startsWith(SITE) ? target.slice(SITE.length - 1) : target;
}
